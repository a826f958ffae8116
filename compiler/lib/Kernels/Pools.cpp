// See Pools.h.

#include "daedalus/Kernels/Pools.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <numeric>

using namespace mlir;

namespace daedalus::kernels {

PoolLoops::PoolLoops(MLIRContext *context, const Window &window)
    : context(context), count(2 + 2 * window.rank()) {
  const unsigned rank = window.rank();
  SmallVector<AffineExpr> ofX{loop(0), loop(1)}, ofY{loop(0), loop(1)}, ofWindow;
  for (unsigned d = 0; d < rank; ++d) {
    ofX.push_back(loop(position(d, rank)) * window.strides[d] + loop(kernel(d, rank)) * window.dilations[d]);
    ofY.push_back(loop(position(d, rank)));
    ofWindow.push_back(loop(kernel(d, rank)));
  }
  x = map(ofX), y = map(ofY), extents = map(ofWindow);
}

Value extents(Body &body, const Window &window) {
  return body.empty(window.kernel, body.b.getI8Type());
}

/// The elements of each window joined with `init`. Of floats it is a named operation where there is one: Op1
/// of one dimension, Op2 of two.
template <class Op1, class Op2>
static Value pooled(Body &body, PoolInputs in, const Window &window, Sizes shape, Value init,
                    Body::Join join) {
  const bool isFloat = isa<FloatType>(elementOf(in.x));
  const auto strides = body.b.getI64TensorAttr(window.strides),
             dilations = body.b.getI64TensorAttr(window.dilations);
  if (isFloat && window.rank() == 1)
    return body.named<Op1>({in.x, in.extents}, body.filled(shape, init), strides, dilations);
  if (isFloat && window.rank() == 2)
    return body.named<Op2>({in.x, in.extents}, body.filled(shape, init), strides, dilations);
  const PoolLoops loops(body.b.getContext(), window);
  return body.reduce(shape, loops.y, init, {{in.x, loops.x}, {in.extents, loops.extents}},
                     [&](Value acc, ValueRange x) { return join(acc, x[0]); });
}

/// With channels last.
template <class Op>
static Value pooledLast(Body &body, PoolInputs in, const Window &window, Sizes shape, Value init) {
  return body.named<Op>({in.x, in.extents}, body.filled(shape, init), body.b.getI64TensorAttr(window.strides),
                        body.b.getI64TensorAttr(window.dilations));
}

Value maxPool(Body &body, PoolInputs in, const Window &window, Sizes shape, Value least, bool isUnsigned,
              bool channelsLast) {
  if (channelsLast)
    return pooledLast<linalg::PoolingNhwcMaxOp>(body, in, window, shape, least);
  return pooled<linalg::PoolingNcwMaxOp, linalg::PoolingNchwMaxOp>(
      body, in, window, shape, least, [&](Value most, Value x) { return body.max(most, x, isUnsigned); });
}

/// The number of elements of each window: one, or a constant [output positions].
static Read countsOf(Body &body, const Window &window, Sizes padded, Sizes shape, unsigned first,
                     ArrayRef<std::optional<int64_t>> countedEnd) {
  std::vector<float> counts{1};
  for (unsigned d = 0; d < window.rank(); ++d) {
    const int64_t size = padded[first + d] - window.padBegin[d] - window.padEnd[d];
    const SmallVector<int64_t> along = countsAlong(window, d, size, shape[first + d], countedEnd[d]);
    std::vector<float> all;
    for (float before : counts)
      for (int64_t count : along)
        all.push_back(before * float(count));
    counts = std::move(all);
  }
  if (!counts.empty() && llvm::all_equal(counts))
    return {{}, {}, body.numberOf(counts[0], body.b.getF32Type())};
  const unsigned rank = window.rank();
  SmallVector<unsigned> at(rank);
  std::iota(at.begin(), at.end(), first);
  return {body.constant<float>(shape.slice(first, rank), counts), body.loops(shape.size(), at)};
}

Value averagePool(Body &body, PoolInputs in, const Window &window, Sizes shape, Value zero,
                  ArrayRef<std::optional<int64_t>> countedEnd, bool channelsLast) {
  Value sum = channelsLast
                  ? pooledLast<linalg::PoolingNhwcSumOp>(body, in, window, shape, zero)
                  : pooled<linalg::PoolingNcwSumOp, linalg::PoolingNchwSumOp>(
                        body, in, window, shape, zero, [&](Value sum, Value x) { return body.add(sum, x); });
  return body.elementwise(shape, elementOf(in.x),
                          {body.broadcast(sum, shape),
                           countsOf(body, window, shapeOf(in.x), shape, channelsLast ? 1 : 2, countedEnd)},
                          [&](ValueRange x) { return body.div(x[0], x[1]); });
}

} // namespace daedalus::kernels
