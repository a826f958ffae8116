// Losses of labels.

#include "NodeCheck.h"

using llvm::Twine;

namespace daedalus::onnximport {
namespace {

using C = NodeCheck;

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

} // namespace

void addLossChecks(Checks &checks) {
  checks.insert({{"NegativeLogLikelihoodLoss", {12, loss}}, {"SoftmaxCrossEntropyLoss", {12, loss}}});
}

} // namespace daedalus::onnximport
