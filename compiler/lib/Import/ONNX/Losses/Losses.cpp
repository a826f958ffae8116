// NegativeLogLikelihoodLoss and SoftmaxCrossEntropyLoss: minus the logarithm of the probability that a
// label's channel has, times its weight.

#include "Body/Indexed.h"
#include "Body/Statistics.h"
#include "OperatorTable.h"

using namespace mlir;
using llvm::Twine;

namespace daedalus::onnximport {
namespace {

/// Labels that are known name a channel, or are the one that is ignored.
bool labelsFit(C &c, int64_t channels) {
  const std::optional<Shape> labels = c.integers(1);
  const bool ignores = c.attribute("ignore_index");
  for (int64_t label : labels.value_or(Shape()))
    if ((label < 0 || label >= channels) && !(ignores && label == c.integer("ignore_index", 0)))
      return c.fail("labels '" + c.name(1) + "' hold " + Twine(label) + "; expected 0 to " +
                    Twine(channels - 1) + (ignores ? ", or attribute 'ignore_index'" : ""));
  return true;
}

bool loss(C &c) {
  if (!c.oneOf("reduction", "mean", {"mean", "none", "sum"}) || !c.rankAtLeast(0, 2))
    return false;
  Shape labels = c.shape(0);
  const int64_t channels = labels[1];
  labels.erase(labels.begin() + 1);
  if (!c.hasShape(1, labels) || (c.has(2) && !c.hasShape(2, {channels})) || !labelsFit(c, channels))
    return false;
  const std::string reduction = c.text("reduction", "mean");
  return c.output(0, reduction == "none" ? labels : Shape()) && c.output(1, c.shape(0)) &&
         ((reduction == "sum" && channels > 0) || c.isNotEmpty(0));
}

/// Input 1 holds labels [N, d...] of the channels of [N, C, d...], input 2 a weight a channel, if it is
/// there.
class Loss {
public:
  explicit Loss(K &k) : k(k), labels(k.in(1)), channels(k.shape(0)[1]) {
    if (attribute(k.node, "ignore_index"))
      ignored = k.integer("ignore_index", 0);
    requireLabels(k, 1, channels, ignored);
  }

  /// Of logarithms of probabilities [N, C, d...]; a mean is that of the weights too.
  Value of(Value logarithms) {
    const std::string reduction = textAttribute(k.node, "reduction", "mean");
    Value losses = eachLabel([&](const Indices &at, Value label) {
      Indices from = at;
      from.insert(from.begin() + 1, label);
      return k.mul(k.sub(zero(), k.element(logarithms, from)), weightOf(at, label));
    });
    if (reduction == "none")
      return losses;
    Value sum = sumOf(losses);
    if (reduction == "sum")
      return sum;
    Value weights = sumOf(eachLabel([&](const Indices &at, Value label) { return weightOf(at, label); }));
    return k.elementwise({}, type(), {k.broadcast(sum, {}), k.broadcast(weights, {})},
                         [&](ValueRange x) { return k.div(x[0], x[1]); });
  }

private:
  Type type() { return k.elementType(0); }
  Value zero() { return k.number(0, type()); }

  Value eachLabel(llvm::function_ref<Value(const Indices &, Value)> function) {
    return k.gather(k.shape(1), type(), [&](const Indices &at) {
      return function(at, k.inside(k.toIndex(k.element(labels, at)), channels));
    });
  }

  Value weightOf(const Indices &at, Value label) {
    Value weight = k.has(2) ? k.element(k.in(2), {label}) : k.number(1, type());
    if (!ignored)
      return weight;
    return k.select(k.equal(k.toIndex(k.element(labels, at)), k.index(*ignored)), zero(), weight);
  }

  Value sumOf(Value tensor) {
    return k.reduce(tensor, range(0, k.rank(1)), zero(), [&](Value sum, Value x) { return k.add(sum, x); });
  }

  K &k;
  Value labels;
  const int64_t channels;
  std::optional<int64_t> ignored;
};

Value negativeLogLikelihood(K &k) {
  return Loss(k).of(k.in(0));
}

Value softmaxCrossEntropy(K &k) {
  if (k.dtype(0) != onnx::TensorProto::FLOAT)
    return k.refuseType(0, "float32");
  Value logarithms = softmaxAlong(k, k.in(0), 1, true);
  return k.outputIndex == 1 ? logarithms : Loss(k).of(logarithms);
}

} // namespace

void addLosses(Operators &all) {
  all["NegativeLogLikelihoodLoss"] = {12, loss, negativeLogLikelihood};
  all["SoftmaxCrossEntropyLoss"] = {12, loss, softmaxCrossEntropy};
}

} // namespace daedalus::onnximport
