// AveragePool.

#include "OperatorTable.h"
#include "Pools/Pool.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"

using namespace mlir;

namespace daedalus::onnximport {
namespace {

bool averagePool(C &c) {
  return c.isFlag("count_include_pad") && poolShape(c);
}

Value averagePool(K &k) {
  const Window window = poolWindow(k);
  SmallVector<std::optional<int64_t>> countedEnd(window.rank());
  if (k.integer("count_include_pad", 0))
    for (unsigned d = 0; d < window.rank(); ++d)
      countedEnd[d] = window.padEnd[d] - window.ceilExtra[d];
  Value zero = k.number(0, k.outputType());
  return kernels::averagePool(k, inputs(k, window, zero), window, k.output.shape, zero, countedEnd);
}

Covered importAveragePool(Importer &im, const Node &node) {
  const Shape x = im.known(node, 0).shape;
  if (!im.areReal(node) || !isImage(x))
    return false;
  const Result<Window> read = readWindow(node, x, intsAttribute(node, "kernel_shape", {}));
  if (!read)
    return LogicalResult(im.fail(node) << read.error());
  const Window window = read->ofImage();
  if (!covers(window, x) || window.dilations != Shape{1, 1})
    return false;
  DenseI64ArrayAttr counted;
  if (intAttribute(node, "count_include_pad", 0))
    counted = im.builder.getDenseI64ArrayAttr(
        {window.padEnd[0] - window.ceilExtra[0], window.padEnd[1] - window.ceilExtra[1]});
  Value input = im.imageOf(node, 0);
  Value y = im.builder.create<qnn::AveragePoolOp>(
      node.loc, im.realType({x[0], x[1], window.output[0], window.output[1]}), input, window.kernel,
      window.pad(), window.strides, counted, false);
  im.define(node, im.reshaped(y, outputShape(x, *read), node.loc));
  return true;
}

} // namespace

void addAveragePool(Operators &all) {
  all["AveragePool"] = {1, averagePool, averagePool, importAveragePool,
                        "accelerator; 1-D and 2-D; CPU in int8 where windows count differently"};
}

} // namespace daedalus::onnximport
