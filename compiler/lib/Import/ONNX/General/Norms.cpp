// Normalizations of groups of channels, by root mean squares, by norms, and of neighbouring channels.

#include "Builds.h"
#include "Statistics.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace daedalus::onnximport {
namespace {

using K = GeneralKernel;

/// Scale and bias are one number a channel, or up to opset 20 one a group.
Value groupNormalization(K &k) {
  const int64_t groups = k.integer("num_groups", 1), channels = k.shape(0)[1];
  const Sizes image = Sizes(k.shape(0)).drop_front(2);
  const Shape shape{k.shape(0)[0], groups, channels / groups, product(image)};
  Value x = k.reshape(k.in(0), shape);
  const Statistics of(k, x, 2, k.real("epsilon", 1e-5f));
  const bool perGroup = k.node.opset < 21;
  const auto parameter = [&](size_t input) {
    if (perGroup)
      return Read{k.in(input), k.loops(4, 1)};
    return Read{k.reshape(k.in(input), {groups, channels / groups}), k.loops(4, {1, 2})};
  };
  Value y = k.elementwise(
      shape, k.outputType(),
      {k.broadcast(x, shape), {of.mean, of.outer}, {of.factor, of.outer}, parameter(1), parameter(2)},
      [&](ValueRange x) { return k.add(k.mul(k.mul(k.sub(x[0], x[1]), x[2]), x[3]), x[4]); });
  return k.reshape(y, k.output.shape);
}

Value rmsNormalization(K &k) {
  const unsigned first = k.axis(k.integer("axis", -1), k.rank(0));
  Value x = k.in(0);
  Value factor = inverseRoot(k, meanOfSquares(k, x, first), k.real("epsilon", 1e-5f));
  return k.elementwiseOutput(
      {k.broadcast(x, k.output.shape), {factor, k.loops(k.rank(0), range(0, first))}, k.read(1)},
      [&](ValueRange x) { return k.mul(k.mul(x[0], x[1]), x[2]); });
}

/// By the sum of absolute values (p 1) or the root of the sum of squares (p 2); where that is 0 it is 0.
Value lpNormalization(K &k) {
  const unsigned axis = k.axis(k.integer("axis", -1), k.rank(0)), rank = k.rank(0);
  const bool bySquares = k.integer("p", 2) == 2;
  Value x = k.in(0), zero = k.number(0, k.outputType());
  Value norm = k.reduce(
      x, axis, zero, [&](Value sum, Value x) { return k.add(sum, bySquares ? k.mul(x, x) : k.absolute(x)); });
  if (bySquares)
    norm = k.elementwise(norm, [&](Value x) -> Value { return k.b.create<math::SqrtOp>(k.loc, x); });
  SmallVector<unsigned> others = range(0, axis);
  others.append(range(axis + 1, rank));
  return k.elementwiseOutput(
      {k.broadcast(x, k.output.shape), {norm, k.loops(rank, others)}},
      [&](ValueRange x) { return k.select(k.equal(x[1], zero), zero, k.div(x[0], x[1])); });
}

/// (x - mean) / (deviation + 1e-9) over the axes, [0,2,3] where none are given.
Value meanVarianceNormalization(K &k) {
  const unsigned rank = k.rank(0);
  SmallVector<unsigned> axes, kept;
  for (int64_t axis : intsAttribute(k.node, "axes", {0, 2, 3}))
    axes.push_back(k.axis(axis, rank));
  int64_t count = 1;
  for (unsigned d = 0; d < rank; ++d)
    if (llvm::is_contained(axes, d))
      count *= k.shape(0)[d];
    else
      kept.push_back(d);
  const AffineMap outer = k.loops(rank, kept);
  Value x = k.in(0), zero = k.number(0, k.outputType());
  const auto meanOf = [&](Value tensor) {
    Value sum = k.reduce(tensor, axes, zero, [&](Value sum, Value x) { return k.add(sum, x); });
    return k.elementwise(sum, [&](Value x) { return k.div(x, k.number(double(count), x.getType())); });
  };
  llvm::sort(axes);
  Value centred = k.elementwiseOutput({k.broadcast(x, k.output.shape), {meanOf(x), outer}},
                                      [&](ValueRange x) { return k.sub(x[0], x[1]); });
  Value squares = k.elementwise(centred, [&](Value x) { return k.mul(x, x); });
  return k.elementwiseOutput({k.broadcast(centred, k.output.shape), {meanOf(squares), outer}},
                             [&](ValueRange x) {
                               Value deviation = k.b.create<math::SqrtOp>(k.loc, x[1]);
                               return k.div(x[0], k.add(deviation, k.number(1e-9, x[0].getType())));
                             });
}

/// x / (bias + alpha / size * the squares of the channels around it)^beta.
Value lrn(K &k) {
  if (k.dtype(0) != onnx::TensorProto::FLOAT)
    return k.refuseType(0, "float32");
  const int64_t size = k.integer("size", 1);
  const unsigned rank = k.rank(0);
  const float alpha = k.real("alpha", 0.0001f), beta = k.real("beta", 0.75f), bias = k.real("bias", 1);
  Shape before(rank, 0), behind(rank, 0);
  before[1] = (size - 1) / 2, behind[1] = size / 2;
  Value padded = k.pad(k.in(0), before, behind, k.f32(0));
  SmallVector<AffineExpr> at;
  for (unsigned d = 0; d < rank; ++d)
    at.push_back(d == 1 ? k.b.getAffineDimExpr(1) + k.b.getAffineDimExpr(rank) : k.b.getAffineDimExpr(d));
  MLIRContext *context = k.b.getContext();
  Value squares = k.reduce(k.output.shape, k.loops(rank + 1, range(0, rank)), k.f32(0),
                           {{padded, AffineMap::get(rank + 1, 0, at, context)},
                            {k.empty(size, k.b.getI8Type()), k.loops(rank + 1, rank)}},
                           [&](Value sum, ValueRange x) { return k.add(sum, k.mul(x[0], x[0])); });
  return k.elementwiseOutput({k.read(0), k.broadcast(squares, k.output.shape)}, [&](ValueRange x) {
    Value base = k.add(k.f32(bias), k.mul(k.f32(alpha / float(size)), x[1]));
    return k.mul(x[0], k.exp(k.mul(k.f32(-beta), k.log(base))));
  });
}

} // namespace

void addNorms(Builds &builds) {
  builds.insert({{"GroupNormalization", groupNormalization},
                 {"LRN", lrn},
                 {"LpNormalization", lpNormalization},
                 {"MeanVarianceNormalization", meanVarianceNormalization},
                 {"RMSNormalization", rmsNormalization}});
}

} // namespace daedalus::onnximport
