// MaxPool.

#include "OperatorTable.h"
#include "Pools/Pool.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"

using namespace mlir;

namespace daedalus::onnximport {
namespace {

using kernels::PoolLoops;

bool maxPool(C &c) {
  return c.isFlag("storage_order") && poolShape(c) && c.output(1, c.outputs[0].shape);
}

Value maxOf(K &k, const Window &window) {
  Value least = k.number(leastOf(k.dtype(0)), k.elementType(0));
  return kernels::maxPool(k, inputs(k, window, least), window, k.outputs[0].shape, least,
                          isUnsignedType(k.dtype(0)));
}

/// Where a window's element lies in the whole input, column-major with storage_order 1; and whether it is
/// inside.
std::pair<Value, Value> positionOf(K &k, const Window &window) {
  const unsigned rank = window.kernel.size();
  Indices at{k.loopIndex(0), k.loopIndex(1)};
  Value inside = k.boolean(true);
  for (unsigned d = 0; d < rank; ++d) {
    Value start = k.sub(k.mul(k.loopIndex(PoolLoops::position(d, rank)), k.index(window.strides[d])),
                        k.index(window.padBegin[d]));
    at.push_back(k.add(start, k.mul(k.loopIndex(PoolLoops::kernel(d, rank)), k.index(window.dilations[d]))));
    inside = k.both(inside, k.compare(Compare::GreaterOrEqual, at.back(), k.index(0)));
    inside = k.both(inside, k.compare(Compare::Less, at.back(), k.index(k.shape(0)[2 + d])));
  }
  const bool columns = k.integer("storage_order", 0) != 0;
  Value position = k.add(k.mul(at[0], k.index(k.shape(0)[1])), at[1]);
  for (size_t i = 2; i < at.size(); ++i) {
    const size_t d = columns ? at.size() + 1 - i : i;
    position = k.add(k.mul(position, k.index(k.shape(0)[d])), at[d]);
  }
  return {k.fromIndex(position, k.b.getI64Type()), inside};
}

/// The position of the first maximum.
Value indicesOf(K &k, const Window &window, Value most) {
  const PoolLoops loops(k.b.getContext(), window);
  Value x = kernels::padded(k, k.in(0), window, leastOf(k.dtype(0)));
  return k.reduce(k.output.shape, loops.y, k.number(9.0e18, k.b.getI64Type()),
                  {{x, loops.x}, {most, loops.y}, {kernels::extents(k, window), loops.extents}},
                  [&](Value first, ValueRange elements) {
                    const auto [position, inside] = positionOf(k, window);
                    Value isMost = k.compare(Compare::Equal, elements[0], elements[1]);
                    Value better = k.both(k.both(inside, isMost), k.compare(Compare::Less, position, first));
                    return k.select(better, position, first);
                  });
}

Value maxPool(K &k) {
  const Window window = poolWindow(k);
  Value most = maxOf(k, window);
  return k.outputIndex == 0 ? most : indicesOf(k, window, most);
}

/// Of real numbers, or of what a QuantizeLinear gave.
Covered importMaxPool(Importer &im, const Node &node) {
  const Shape shape = im.known(node, 0).shape;
  if (!im.canMove(node) || !isImage(shape) || node.proto.output_size() != 1 ||
      intAttribute(node, "storage_order", 0))
    return false;
  const Result<Window> read = readWindow(node, shape, intsAttribute(node, "kernel_shape", {}));
  if (!read)
    return LogicalResult(im.fail(node) << read.error());
  const Window window = read->ofImage();
  if (!covers(window, shape))
    return false;
  Value x = im.imageOf(node, 0);
  const auto type = cast<RankedTensorType>(x.getType());
  Value y = im.builder.create<qnn::MaxPoolOp>(
      node.loc, type.clone({shape[0], shape[1], window.output[0], window.output[1]}), x, window.kernel,
      window.pad(), window.strides, window.dilations, false);
  im.defineMoved(node, im.reshaped(y, outputShape(shape, *read), node.loc));
  return true;
}

} // namespace

void addMaxPool(Operators &all) {
  all["MaxPool"] = {1, maxPool, maxPool, importMaxPool, "accelerator; 1-D and 2-D"};
}

} // namespace daedalus::onnximport
