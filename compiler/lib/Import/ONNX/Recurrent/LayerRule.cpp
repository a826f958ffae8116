// See LayerRule.h.

#include "Recurrent/LayerRule.h"

using llvm::Twine;

namespace daedalus::onnximport {
namespace {

std::string floatsText(const onnx::AttributeProto &attribute) {
  std::string text;
  for (float value : attribute.floats())
    text += (text.empty() ? "" : ",") + std::to_string(value);
  return "[" + text + "]";
}

/// For each direction `each` of the functions that there are kernels of.
bool activationsFit(C &c, int64_t directions, int64_t each) {
  const auto *given = c.attribute("activations");
  for (const char *key : {"activation_alpha", "activation_beta"})
    if (const auto *given = c.attribute(key))
      return c.failAttribute(key, floatsText(*given),
                             "none: activations without parameters are Sigmoid, Tanh and Relu");
  if (!given)
    return true;
  if (given->strings_size() != directions * each)
    return c.fail("attribute 'activations' holds " + Twine(given->strings_size()) + " functions; expected " +
                  Twine(directions * each));
  for (const std::string &name : given->strings())
    if (llvm::none_of(Texts{"sigmoid", "tanh", "relu"},
                      [&](Text known) { return known.equals_insensitive(name); }))
      return c.fail("attribute 'activations' holds '" + name + "'; expected Sigmoid, Tanh or Relu");
  return true;
}

/// A layer of `gates` gates; `each` activations a direction.
bool layer(C &c, int64_t gates, int64_t each, bool hasCell) {
  if (!c.oneOf("direction", "forward", {"forward", "reverse", "bidirectional"}) || !c.isFlag("layout") ||
      !c.isFlag("linear_before_reset") || !c.isFlag("input_forget") || !c.rankIs(0, 3) || !c.rankIs(1, 3) ||
      !c.rankIs(2, 3))
    return false;
  if (!c.isFloat32(0))
    return false;
  if (c.version < 7)
    return c.fail("is of opset " + Twine(c.version) + "; expected opset 7 or newer");
  if (const float clip = floatAttribute(c.node, "clip", 0); c.attribute("clip") && !(clip > 0))
    return c.failAttribute("clip", std::to_string(clip), "more than 0");
  const bool isBatchFirst = c.integer("layout", 0) != 0;
  const int64_t directions = c.text("direction", "forward") == "bidirectional" ? 2 : 1;
  const int64_t length = c.shape(0)[isBatchFirst], batch = c.shape(0)[!isBatchFirst], hidden = c.shape(2)[2];
  if (c.attribute("hidden_size") && c.integer("hidden_size", hidden) != hidden)
    return c.failToFit("hidden_size", Twine(c.integer("hidden_size", hidden)),
                       Twine(hidden) + ", as weights '" + c.name(2) + "' have");
  const Shape state = isBatchFirst ? Shape{batch, directions, hidden} : Shape{directions, batch, hidden};
  if (!activationsFit(c, directions, each) || !c.hasShape(1, {directions, gates * hidden, c.shape(0)[2]}) ||
      !c.hasShape(2, {directions, gates * hidden, hidden}) ||
      (c.has(3) && !c.hasShape(3, {directions, 2 * gates * hidden})) ||
      (c.has(4) && !c.hasShape(4, {batch})) || (c.has(5) && !c.hasShape(5, state)) ||
      (c.has(6) && !c.hasShape(6, state)) || (c.has(7) && !c.hasShape(7, {directions, 3 * hidden})))
    return false;
  for (int64_t steps : c.integers(4).value_or(Shape()))
    if (steps < 0 || steps > length)
      return c.fail("lengths '" + c.name(4) + "' hold " + Twine(steps) + "; expected 0 to " + Twine(length));
  return c.output(0, isBatchFirst ? Shape{batch, length, directions, hidden}
                                  : Shape{length, directions, batch, hidden}) &&
         c.output(1, state) && (!hasCell || c.output(2, state));
}

} // namespace

bool rnn(C &c) {
  return layer(c, 1, 1, false);
}
bool gru(C &c) {
  return layer(c, 3, 2, false);
}
bool lstm(C &c) {
  return layer(c, 4, 3, true);
}

} // namespace daedalus::onnximport
