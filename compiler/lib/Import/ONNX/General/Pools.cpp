// Pools over windows of any number of dimensions, and over whole images. A tensor is padded with what a
// window ignores; of an average the numbers of elements are constants.

#include "Builds.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <numeric>

using namespace mlir;

namespace daedalus::onnximport {
namespace {

using K = GeneralKernel;
using Compare = Body::Compare;

Window poolWindow(K &k) {
  return k.window(intsAttribute(k.node, "kernel_shape", {}));
}

/// The loops of a pool, outermost first: images, channels, output positions but the last, the window, the
/// last position.
struct PoolLoops {
  PoolLoops(K &k, const Window &window) : context(k.b.getContext()), count(2 + 2 * window.kernel.size()) {
    const unsigned rank = window.kernel.size();
    SmallVector<AffineExpr> ofX{loop(0), loop(1)}, ofY{loop(0), loop(1)}, ofWindow;
    for (unsigned d = 0; d < rank; ++d) {
      ofX.push_back(loop(position(d, rank)) * window.strides[d] +
                    loop(kernel(d, rank)) * window.dilations[d]);
      ofY.push_back(loop(position(d, rank)));
      ofWindow.push_back(loop(kernel(d, rank)));
    }
    x = map(ofX), y = map(ofY), extents = map(ofWindow);
  }

  static unsigned position(unsigned d, unsigned rank) { return d + 1 < rank ? 2 + d : 1 + 2 * rank; }
  static unsigned kernel(unsigned d, unsigned rank) { return 1 + rank + d; }

  AffineMap x, y, extents;

private:
  AffineExpr loop(unsigned d) const { return getAffineDimExpr(d, context); }
  AffineMap map(ArrayRef<AffineExpr> at) const { return AffineMap::get(count, 0, at, context); }

  MLIRContext *context;
  const unsigned count;
};

/// A tensor of the window's shape, which says how often its loops run.
Value extents(K &k, const Window &window) {
  return k.b.create<tensor::EmptyOp>(k.loc, window.kernel, k.b.getI8Type());
}

/// The elements of each window joined with `init`, which surrounds the input. Of floats it is a named
/// operation where there is one: Op1 of one dimension, Op2 of two.
template <class Op1, class Op2>
Value pooled(K &k, const Window &window, Sizes shape, Value init, Body::Join join) {
  Value x = k.padded(k.in(0), window, init), size = extents(k, window);
  const auto strides = k.b.getI64TensorAttr(window.strides),
             dilations = k.b.getI64TensorAttr(window.dilations);
  if (isFloatType(k.dtype(0)) && window.kernel.size() == 1)
    return k.named<Op1>({x, size}, k.filled(shape, init), strides, dilations);
  if (isFloatType(k.dtype(0)) && window.kernel.size() == 2)
    return k.named<Op2>({x, size}, k.filled(shape, init), strides, dilations);
  const PoolLoops loops(k, window);
  return k.reduce(shape, loops.y, init, {{x, loops.x}, {size, loops.extents}},
                  [&](Value acc, ValueRange x) { return join(acc, x[0]); });
}

Value maxOf(K &k, const Window &window) {
  const bool isUnsigned = isUnsignedType(k.dtype(0));
  return pooled<linalg::PoolingNcwMaxOp, linalg::PoolingNchwMaxOp>(
      k, window, k.outputs[0].shape, k.number(leastOf(k.dtype(0)), k.elementType(0)),
      [&](Value most, Value x) { return k.max(most, x, isUnsigned); });
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
  const PoolLoops loops(k, window);
  Value x = k.padded(k.in(0), window, k.number(leastOf(k.dtype(0)), k.elementType(0)));
  return k.reduce(k.output.shape, loops.y, k.number(9.0e18, k.b.getI64Type()),
                  {{x, loops.x}, {most, loops.y}, {extents(k, window), loops.extents}},
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

/// How many elements each window has along dimension `d`: those inside, or with count_include_pad those in
/// the declared padding too.
SmallVector<int64_t> countsAlong(K &k, const Window &window, size_t d) {
  const bool countsPadding = k.integer("count_include_pad", 0) != 0;
  const int64_t size = k.shape(0)[2 + d], first = countsPadding ? -window.padBegin[d] : 0;
  const int64_t end = countsPadding ? size + window.padEnd[d] - window.ceilExtra[d] : size;
  SmallVector<int64_t> counts(k.output.shape[2 + d], 0);
  for (int64_t at = 0; at < k.output.shape[2 + d]; ++at)
    for (int64_t i = 0; i < window.kernel[d]; ++i) {
      const int64_t y = at * window.strides[d] - window.padBegin[d] + i * window.dilations[d];
      counts[at] += y >= first && y < end;
    }
  return counts;
}

/// The number of elements of each window: one, or a constant [output positions].
Read countsOf(K &k, const Window &window) {
  HostTensor counts;
  counts.dtype = onnx::TensorProto::FLOAT;
  counts.floats = {1};
  for (size_t d = 0; d < window.kernel.size(); ++d) {
    counts.shape.push_back(k.output.shape[2 + d]);
    std::vector<float> all;
    const SmallVector<int64_t> along = countsAlong(k, window, d);
    for (float before : counts.floats)
      for (int64_t count : along)
        all.push_back(before * float(count));
    counts.floats = std::move(all);
  }
  if (!counts.floats.empty() && llvm::all_equal(counts.floats))
    return k.read(counts.floats[0], k.outputType());
  return k.broadcast(k.Body::constant(counts), k.output.shape);
}

Value averagePool(K &k) {
  const Window window = poolWindow(k);
  Value sum = pooled<linalg::PoolingNcwSumOp, linalg::PoolingNchwSumOp>(
      k, window, k.output.shape, k.number(0, k.outputType()),
      [&](Value sum, Value x) { return k.add(sum, x); });
  return k.elementwiseOutput({k.broadcast(sum, k.output.shape), countsOf(k, window)},
                             [&](ValueRange x) { return k.div(x[0], x[1]); });
}

/// Over all dimensions behind the channels.
Value global(K &k, bool isMax) {
  SmallVector<unsigned> over(k.rank(0) - 2);
  std::iota(over.begin(), over.end(), 2);
  Type type = k.elementType(0);
  Value result = k.reduce(k.in(0), over, k.number(isMax ? leastOf(k.dtype(0)) : 0, type),
                          [&](Value acc, Value x) { return isMax ? k.max(acc, x) : k.add(acc, x); });
  if (!isMax)
    result = k.elementwise(result, [&](Value x) {
      return k.div(x, k.number(double(product(Sizes(k.shape(0)).drop_front(2))), type));
    });
  return k.reshape(result, k.output.shape);
}

Value globalMaxPool(K &k) {
  return global(k, true);
}
Value globalAveragePool(K &k) {
  return global(k, false);
}

} // namespace

void addPools(Builds &builds) {
  builds.insert({{"AveragePool", averagePool},
                 {"GlobalAveragePool", globalAveragePool},
                 {"GlobalMaxPool", globalMaxPool},
                 {"MaxPool", maxPool}});
}

} // namespace daedalus::onnximport
