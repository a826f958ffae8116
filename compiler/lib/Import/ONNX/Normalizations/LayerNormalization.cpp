// Normalizations by statistics of layers, of groups of channels, and of chosen axes.

#include "Normalizations/ByStatistics.h"
#include "OperatorTable.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using llvm::Twine;

namespace daedalus::onnximport {
namespace {

bool layerNormalization(C &c) {
  int64_t axis = 0;
  if (!epsilonFits(c) || !c.axis("axis", -1, c.rank(0), axis))
    return false;
  const Shape behind(c.shape(0).begin() + axis, c.shape(0).end());
  for (size_t i : {1, 2})
    if (c.has(i) && !c.broadcastsTo(i, behind))
      return false;
  if (c.integer("stash_type", 1) != 1)
    return c.failAttribute("stash_type", Twine(c.integer("stash_type", 1)), "1");
  for (size_t i = 1; i < c.outputs.size(); ++i)
    c.outputs[i].dtype = onnx::TensorProto::FLOAT;
  Shape statistics = c.shape(0);
  for (size_t d = axis; d < statistics.size(); ++d)
    statistics[d] = 1;
  return c.like(0) && c.output(1, statistics) && c.output(2, statistics) && c.isNotEmpty(0);
}

bool groupNormalization(C &c) {
  const int64_t groups = c.integer("num_groups", 0);
  if (!epsilonFits(c) || !c.rankAtLeast(0, 3))
    return false;
  const int64_t channels = c.shape(0)[1];
  if (groups < 1 || channels % groups)
    return c.failToFit("num_groups", Twine(groups), "a divisor of the " + Twine(channels) + " channels");
  if (c.integer("stash_type", 1) != 1)
    return c.failAttribute("stash_type", Twine(c.integer("stash_type", 1)), "1");
  const Shape parameters{c.version < 21 ? groups : channels};
  return c.hasShape(1, parameters) && c.hasShape(2, parameters) && c.like(0);
}

bool rmsNormalization(C &c) {
  int64_t axis = 0;
  if (!epsilonFits(c) || !c.axis("axis", -1, c.rank(0), axis))
    return false;
  if (c.integer("stash_type", 1) != 1)
    return c.failAttribute("stash_type", Twine(c.integer("stash_type", 1)), "1");
  return c.broadcastsTo(1, c.shape(0)) && c.like(0);
}

bool meanVarianceNormalization(C &c) {
  Shape axes = c.list("axes", {0, 2, 3});
  return c.axes("attribute 'axes'", axes, c.rank(0)) && c.like(0);
}

Value layerNormalization(K &k) {
  const Statistics of = statistics(k, k.axis(k.integer("axis", -1), k.rank(0)));
  if (k.outputIndex == 1)
    return k.reshape(of.mean, k.output.shape);
  if (k.outputIndex == 2)
    return k.reshape(of.factor, k.output.shape);
  SmallVector<Read> reads{k.read(0), {of.mean, of.outer}, {of.factor, of.outer}, k.read(1)};
  if (k.has(2))
    reads.push_back(k.read(2));
  return k.elementwiseOutput(reads, [&](ValueRange x) {
    Value normal = k.mul(k.mul(k.sub(x[0], x[1]), x[2]), x[3]);
    return k.has(2) ? k.add(normal, x[4]) : normal;
  });
}

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

} // namespace

void addLayerNormalizations(Operators &all) {
  all["GroupNormalization"] = {18, groupNormalization, groupNormalization};
  all["LayerNormalization"] = {17, layerNormalization, layerNormalization};
  all["MeanVarianceNormalization"] = {9, meanVarianceNormalization, meanVarianceNormalization};
  all["RMSNormalization"] = {23, rmsNormalization, rmsNormalization};
}

} // namespace daedalus::onnximport
