// Maxima, minima, clamps, comparisons and selections.

#include "daedalus/Analysis/Expression.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <algorithm>

namespace daedalus {

using Predicate = mlir::arith::CmpIPredicate;

ExprId Expressions::max(ExprId a, ExprId b) {
  return extreme(ExprKind::Max, a, b);
}

ExprId Expressions::min(ExprId a, ExprId b) {
  return extreme(ExprKind::Min, a, b);
}

/// `low` is at most `high`; x is no constant.
ExprId Expressions::clamp(ExprId x, int64_t low, int64_t high) {
  const unsigned bits = nodes[x].bits;
  const Expr node = nodes[x];
  if (node.kind == ExprKind::Clamp) { // the inner limits, clamped
    const auto within = [&](ExprId limit) { return std::clamp(nodes[limit].value, low, high); };
    low = within(node.operands[1]), high = within(node.operands[2]);
    x = node.operands[0];
  }
  if (low >= nodes[x].high || high <= nodes[x].low || low == high)
    return constant(std::clamp(nodes[x].low, low, high), bits);
  const ExprId bottom = constant(low, bits), top = constant(high, bits);
  if (low <= nodes[x].low)
    return min(x, top);
  if (high >= nodes[x].high)
    return max(x, bottom);
  return intern({ExprKind::Clamp, bits, 0, {}, {x, bottom, top}, {}, {}, low, high});
}

/// Max or Min: its operands without those that never count, sorted, the constant last.
ExprId Expressions::extreme(ExprKind kind, ExprId a, ExprId b) {
  const bool isMax = kind == ExprKind::Max;
  const unsigned bits = nodes[a].bits;
  std::vector<ExprId> operands;
  std::optional<int64_t> limit;
  const auto take = [&](ExprId id) {
    if (!isConstant(id))
      operands.push_back(id);
    else
      limit = !limit  ? nodes[id].value
              : isMax ? std::max(*limit, nodes[id].value)
                      : std::min(*limit, nodes[id].value);
  };
  for (ExprId id : {a, b})
    if (nodes[id].kind == kind)
      std::for_each(nodes[id].operands.begin(), nodes[id].operands.end(), take);
    else
      take(id);
  std::sort(operands.begin(), operands.end());
  operands.erase(std::unique(operands.begin(), operands.end()), operands.end());
  if (operands.empty())
    return constant(*limit, bits);
  // What is always below another one, or the limit, does not count.
  const auto never = [&](ExprId id) {
    const auto below = [&](int64_t low, int64_t high) {
      return isMax ? nodes[id].high <= low : nodes[id].low >= high;
    };
    return (limit && below(*limit, *limit)) ||
           std::any_of(operands.begin(), operands.end(), [&](ExprId other) {
             return other != id && below(nodes[other].low, nodes[other].high) &&
                    !(nodes[id].low == nodes[id].high && nodes[other].low == nodes[other].high && other > id);
           });
  };
  std::vector<ExprId> counting;
  std::copy_if(operands.begin(), operands.end(), std::back_inserter(counting),
               [&](ExprId id) { return !never(id); });
  if (counting.empty())
    return limit ? constant(*limit, bits) : operands.front();
  const bool limits = limit && std::none_of(counting.begin(), counting.end(), [&](ExprId id) {
                        return isMax ? nodes[id].low >= *limit : nodes[id].high <= *limit;
                      });
  if (!limits && counting.size() == 1)
    return counting.front();
  const Expr first = nodes[counting.front()];
  if (counting.size() == 1) {
    // A limit on the other side makes a clamp.
    const bool isOther =
        first.kind == (isMax ? ExprKind::Min : ExprKind::Max) && isConstant(first.operands.back());
    if (isOther || first.kind == ExprKind::Clamp) {
      ExprId inner = first.operands[0];
      int64_t low = leastOf(bits), high = greatestOf(bits);
      if (isOther) {
        (isMax ? high : low) = nodes[first.operands.back()].value;
        for (size_t k = 1; k + 1 < first.operands.size(); ++k)
          inner = extreme(first.kind, inner, first.operands[k]);
      } else {
        low = nodes[first.operands[1]].value, high = nodes[first.operands[2]].value;
      }
      // max(min(x, high), limit) with limit <= high is clamp(x, limit, high), and the like.
      low = isMax ? std::max(low, *limit) : std::min(low, *limit);
      high = isMax ? std::max(high, *limit) : std::min(high, *limit);
      return clamp(inner, low, high);
    }
  }
  Expr node{kind, bits, 0, {}, counting, {}, {}, nodes[counting[0]].low, nodes[counting[0]].high};
  if (limits)
    node.operands.push_back(constant(*limit, bits));
  for (ExprId id : node.operands) {
    node.low = isMax ? std::max(node.low, nodes[id].low) : std::min(node.low, nodes[id].low);
    node.high = isMax ? std::max(node.high, nodes[id].high) : std::min(node.high, nodes[id].high);
  }
  return intern(std::move(node));
}

ExprId Expressions::compare(int64_t value, ExprId a, ExprId b) {
  auto predicate = static_cast<Predicate>(value);
  const unsigned bits = nodes[a].bits;
  const auto node = [&](Predicate p, ExprId x, ExprId y) {
    return intern({ExprKind::Compare, 1, int64_t(p), {}, {x, y}, {}, {}, -1, 0});
  };
  if (isConstant(a) && isConstant(b))
    return constant(*evaluate(node(predicate, a, b), {}), 1);
  if (isConstant(a) ||
      (!isConstant(b) && (predicate == Predicate::eq || predicate == Predicate::ne) && b < a) ||
      (!isConstant(b) && (predicate == Predicate::sgt || predicate == Predicate::sge ||
                          predicate == Predicate::ugt || predicate == Predicate::uge))) {
    static const std::map<Predicate, Predicate> turned = {
        {Predicate::eq, Predicate::eq},   {Predicate::ne, Predicate::ne},   {Predicate::slt, Predicate::sgt},
        {Predicate::sle, Predicate::sge}, {Predicate::sgt, Predicate::slt}, {Predicate::sge, Predicate::sle},
        {Predicate::ult, Predicate::ugt}, {Predicate::ule, Predicate::uge}, {Predicate::ugt, Predicate::ult},
        {Predicate::uge, Predicate::ule}};
    std::swap(a, b);
    predicate = turned.at(predicate);
  }
  if (!isConstant(b))
    return node(predicate, a, b);
  const int64_t limit = nodes[b].value;
  if (predicate == Predicate::sge && limit > leastOf(bits))
    return compare(int64_t(Predicate::sgt), a, constant(limit - 1, bits));
  if (predicate == Predicate::sle && limit < greatestOf(bits))
    return compare(int64_t(Predicate::slt), a, constant(limit + 1, bits));
  if (predicate == Predicate::sge || predicate == Predicate::sle)
    return constant(-1, 1);
  if ((predicate == Predicate::sgt && nodes[a].low > limit) ||
      (predicate == Predicate::slt && nodes[a].high < limit))
    return constant(-1, 1);
  if ((predicate == Predicate::sgt && nodes[a].high <= limit) ||
      (predicate == Predicate::slt && nodes[a].low >= limit))
    return constant(0, 1);
  return node(predicate, a, b);
}

/// A selection of one of the compared values is a maximum or a minimum; a constant may be the one behind the
/// limit.
std::optional<ExprId> Expressions::selectExtreme(const Expr &comparison, ExprId a, ExprId b) {
  const auto predicate = static_cast<Predicate>(comparison.value);
  const ExprId x = comparison.operands[0], y = comparison.operands[1];
  const bool less = predicate == Predicate::slt || predicate == Predicate::sle;
  if (!less && predicate != Predicate::sgt)
    return std::nullopt;
  if (a == x && b == y)
    return less ? min(x, y) : max(x, y);
  if (a == y && b == x)
    return less ? max(x, y) : min(x, y);
  if (!isConstant(y))
    return std::nullopt;
  const int64_t next = less ? nodes[y].value - 1 : nodes[y].value + 1; // x < 5 is x <= 4
  const auto isLimit = [&](ExprId id) { return isConstant(id) && (id == y || nodes[id].value == next); };
  if (isLimit(b) && isWithin(a, x, b, less))
    return less ? min(a, b) : max(a, b);
  if (isLimit(a) && isWithin(b, x, a, !less))
    return less ? max(b, a) : min(b, a);
  return std::nullopt;
}

/// Whether `id` is x, or x with a limit at the other end: such as max(x, 3) below a `limit` of 3 or more.
bool Expressions::isWithin(ExprId id, ExprId x, ExprId limit, bool below) {
  const Expr node = nodes[id];
  if (id == x)
    return true;
  if (node.kind != (below ? ExprKind::Max : ExprKind::Min) || !isConstant(node.operands.back()))
    return false;
  const int64_t other = nodes[node.operands.back()].value;
  return id == extreme(node.kind, x, node.operands.back()) &&
         (below ? other <= nodes[limit].value : other >= nodes[limit].value);
}

ExprId Expressions::select(ExprId condition, ExprId a, ExprId b) {
  const Expr test = nodes[condition];
  if (a == b)
    return a;
  if (test.kind == ExprKind::Constant)
    return test.value ? a : b;
  if (test.kind == ExprKind::Compare)
    if (const std::optional<ExprId> found = selectExtreme(test, a, b))
      return *found;
  Expr node{ExprKind::Select, nodes[a].bits, 0, {}, {condition, a, b}};
  node.low = std::min(nodes[a].low, nodes[b].low), node.high = std::max(nodes[a].high, nodes[b].high);
  return intern(std::move(node));
}

} // namespace daedalus
