// An intrinsic in an expression: its nodes are laid over those of the expression from the root on, operands
// of sums, products and the like in any order, until each of its arguments has a node. Whatever fits so is
// compared once more as a whole.

#include "Cover.h"

#include "llvm/ADT/STLExtras.h"

#include <functional>

namespace daedalus::dae {
namespace {

using Rest = std::function<bool()>;

class Unifier {
public:
  /// `element` of `pattern` is that of the intrinsic.
  Unifier(const Intrinsic &intrinsic, const Expressions &pattern, ExprId element, Expressions &all)
      : intrinsic(intrinsic), pattern(pattern), element(element), all(all) {
    bound.resize(intrinsic.operands.size() + intrinsic.immediates.size());
  }

  /// A source that the pattern does not read, for it has this value.
  void setConstant(unsigned source, int8_t value) { bound[source] = all.constant(value, 8); }

  std::optional<Cover> cover(ExprId root) {
    const bool found = unify(element, root, [&] { return isSame(root); });
    return found ? std::optional(result) : std::nullopt;
  }

private:
  /// Lays node p of the intrinsic over node s, then goes on with `rest`; where that fails, nothing is bound.
  bool unify(ExprId p, ExprId s, const Rest &rest) {
    if (++steps > MostSteps)
      return false;
    const Expr &node = pattern[p];
    if (node.kind == ExprKind::Argument)
      return bind(node, s, rest);
    const Expr found = all[s];
    if (node.kind != found.kind || node.bits != found.bits || node.value != found.value ||
        node.operands.size() != found.operands.size() || node.detail != found.detail)
      return false;
    const bool commutes = node.kind == ExprKind::Sum || node.kind == ExprKind::Product ||
                          node.kind == ExprKind::Max || node.kind == ExprKind::Min ||
                          node.kind == ExprKind::And || node.kind == ExprKind::Or ||
                          node.kind == ExprKind::Xor;
    return operands(node, found, 0, std::vector<bool>(found.operands.size(), false), commutes, rest);
  }

  bool operands(const Expr &node, const Expr &found, size_t k, const std::vector<bool> &taken, bool commutes,
                const Rest &rest) {
    if (k == node.operands.size())
      return rest();
    for (size_t j = 0; j < found.operands.size(); ++j) {
      if (taken[j] || (!commutes && j != k) ||
          (node.kind == ExprKind::Sum && node.coefficients[k] != found.coefficients[j]))
        continue;
      std::vector<bool> now = taken;
      now[j] = true;
      if (unify(node.operands[k], found.operands[j],
                [&] { return operands(node, found, k + 1, now, commutes, rest); }))
        return true;
    }
    return false;
  }

  bool bind(const Expr &argument, ExprId s, const Rest &rest) {
    std::optional<ExprId> &place = bound[argument.value];
    if (place)
      return *place == s && rest();
    if (all[s].bits != argument.bits)
      return false;
    if (size_t(argument.value) >= intrinsic.operands.size()) {
      const IntrinsicImmediate &immediate = intrinsic.immediates[argument.value - intrinsic.operands.size()];
      if (!all.isConstant(s) || all[s].value < immediate.low || all[s].value > immediate.high)
        return false;
    }
    place = s;
    if (rest())
      return true;
    place.reset();
    return false;
  }

  bool isSame(ExprId root) {
    result = Cover{&intrinsic, {}, {}, {}};
    std::vector<ExprId> arguments;
    for (size_t k = 0; k < bound.size(); ++k) {
      const bool isImmediate = k >= intrinsic.operands.size();
      std::optional<ExprId> node = bound[k];
      if (!node && isImmediate) // nowhere in the normal form
        node = all.constant(intrinsic.immediates[k - intrinsic.operands.size()].usual, 32);
      if (!node && k != intrinsic.sources())
        return false;
      arguments.push_back(node.value_or(0));
      if (isImmediate)
        result.immediates.push_back(all[*node].value);
      else if (node)
        result.sources.push_back(*node);
    }
    return all.substitute(pattern, element, arguments) == root;
  }

  static constexpr unsigned MostSteps = 10000;
  const Intrinsic &intrinsic;
  const Expressions &pattern;
  const ExprId element;
  Expressions &all;
  std::vector<std::optional<ExprId>> bound; ///< a node for each argument
  unsigned steps = 0;
  Cover result;
};

} // namespace

std::optional<Cover> coverOfConstants(const Intrinsic &intrinsic, Expressions &all, ExprId root,
                                      const std::map<unsigned, int8_t> &constants) {
  Expressions pattern;
  std::vector<ExprId> arguments(intrinsic.operands.size() + intrinsic.immediates.size(), 0);
  for (const auto &[number, node] : intrinsic.expressions.argumentsOf(intrinsic.element))
    arguments[number] = pattern.argument(number, node.bits, node.detail);
  for (auto [source, value] : constants)
    arguments[source] = pattern.constant(value, 8);
  const ExprId element = pattern.substitute(intrinsic.expressions, intrinsic.element, arguments);
  Unifier unifier(intrinsic, pattern, element, all);
  for (auto [source, value] : constants)
    unifier.setConstant(source, value);
  return unifier.cover(root);
}

std::optional<Cover> cover(const Intrinsic &intrinsic, Expressions &all, ExprId root,
                           const ChannelConstants &channels) {
  if (intrinsic.reduces() || intrinsic.capturesRequant)
    return std::nullopt;
  if (llvm::any_of(intrinsic.operands, isConstantRow))
    return coverOfRows(intrinsic, all, root, channels);
  return Unifier(intrinsic, intrinsic.expressions, intrinsic.element, all).cover(root);
}

} // namespace daedalus::dae
