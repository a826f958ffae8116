// Normalizations by statistics that are given or computed.

#include "NodeCheck.h"

using llvm::Twine;

namespace daedalus::onnximport {
namespace {

using C = NodeCheck;

/// One number a channel in each input from `first` on.
bool perChannel(C &c, size_t first) {
  for (size_t i = first; i < c.inputs.size(); ++i)
    if (!c.hasShape(i, {c.rank(0) > 1 ? c.shape(0)[1] : 1}))
      return false;
  return true;
}

bool epsilonFits(C &c) {
  const float epsilon = floatAttribute(c.node, "epsilon", 1e-5f);
  return epsilon >= 0 || c.failAttribute("epsilon", std::to_string(epsilon), "at least 0");
}

bool batchNormalization(C &c) {
  if (c.version < 7 && !c.integer("is_test", 0))
    return c.fail("trains (attribute 'is_test' has value 0); expected inference: export the model in "
                  "evaluation mode");
  if (!c.isFlag("training_mode") || !c.isFlag("spatial") || !c.rankAtLeast(0, 2) || !epsilonFits(c) ||
      !perChannel(c, 1))
    return false;
  if (c.integer("training_mode", 0) && !c.isNotEmpty(0))
    return false;
  for (size_t i = 1; i < c.outputs.size(); ++i)
    if (!c.output(i, c.shape(1)))
      return false;
  return c.like(0);
}

bool instanceNormalization(C &c) {
  return epsilonFits(c) && c.rankAtLeast(0, 3) && perChannel(c, 1) && c.like(0);
}

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

bool lrn(C &c) {
  return c.rankAtLeast(0, 3) && c.atLeast("size", 1, 0) &&
         (c.integer("size", 1) <= (1 << 20) ||
          c.failAttribute("size", Twine(c.integer("size", 1)), "at most 2^20")) &&
         c.like(0);
}

bool lpNormalization(C &c) {
  int64_t axis = 0;
  const int64_t p = c.integer("p", 2);
  if (p != 1 && p != 2)
    return c.failAttribute("p", Twine(p), "1 or 2");
  return c.axis("axis", -1, c.rank(0), axis) && c.like(0);
}

bool meanVarianceNormalization(C &c) {
  Shape axes = c.list("axes", {0, 2, 3});
  return c.axes("attribute 'axes'", axes, c.rank(0)) && c.like(0);
}

} // namespace

void addNormalizationChecks(Checks &checks) {
  checks.insert({{"BatchNormalization", {1, batchNormalization}},
                 {"GroupNormalization", {18, groupNormalization}},
                 {"InstanceNormalization", {1, instanceNormalization}},
                 {"LRN", {1, lrn}},
                 {"LayerNormalization", {17, layerNormalization}},
                 {"LpNormalization", {1, lpNormalization}},
                 {"MeanVarianceNormalization", {9, meanVarianceNormalization}},
                 {"RMSNormalization", {23, rmsNormalization}}});
}

} // namespace daedalus::onnximport
