// Sums and products as polynomials modulo 2^bits, conversions, shifts and bits.

#include "daedalus/Analysis/Expression.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

#include <algorithm>

namespace daedalus {

using Wide = __int128;

/// Terms that are added and multiplied modulo 2^bits.
class Polynomial {
public:
  Polynomial(Expressions &all, ExprId id) : all(all), bits(all[id].bits) {
    Terms apart = all.termsOf(id);
    constant = apart.constant;
    terms = std::move(apart.factors);
  }

  void add(const Polynomial &other) {
    constant = wrapped(static_cast<int64_t>(uint64_t(constant) + uint64_t(other.constant)), bits);
    for (auto [term, factor] : other.terms)
      terms[term] = wrapped(static_cast<int64_t>(uint64_t(terms[term]) + uint64_t(factor)), bits);
  }

  void scale(int64_t by) {
    constant = times(constant, by);
    for (auto &[term, factor] : terms)
      factor = times(factor, by);
  }

  /// All products of two terms; nothing where they would be too many.
  std::optional<ExprId> product(const Polynomial &other) const {
    if ((terms.size() + 1) * (other.terms.size() + 1) > MostTerms || degree() + other.degree() > MostFactors)
      return std::nullopt;
    Polynomial result = *this;
    result.scale(other.constant);
    for (auto [b, factorB] : other.terms) {
      Polynomial part(all, b);
      part.scale(times(constant, factorB));
      result.add(part);
      for (auto [a, factorA] : terms) {
        Polynomial both(all, monomial(a, b));
        both.scale(times(factorA, factorB));
        result.add(both);
      }
    }
    return result.node();
  }

  ExprId node() {
    for (auto it = terms.begin(); it != terms.end();)
      it = it->second ? std::next(it) : terms.erase(it);
    if (terms.empty())
      return all.constant(constant, bits);
    if (!constant && terms.size() == 1 && terms.begin()->second == 1)
      return terms.begin()->first;
    Expr sum{ExprKind::Sum, bits, constant};
    for (auto [term, factor] : terms) {
      sum.operands.push_back(term);
      sum.coefficients.push_back(factor);
    }
    const auto [low, high] = rangeOfSum(all, sum);
    setRange(sum, low, high);
    return all.intern(std::move(sum));
  }

  /// Sets the range; what may wrap has that of all integers.
  static void setRange(Expr &node, Wide low, Wide high) {
    const bool fits = low >= leastOf(node.bits) && high <= greatestOf(node.bits);
    node.low = fits ? int64_t(low) : leastOf(node.bits);
    node.high = fits ? int64_t(high) : greatestOf(node.bits);
  }

  /// Whether the sum of a node never wraps.
  static bool isExact(const Expressions &all, const Expr &sum) {
    const auto [low, high] = rangeOfSum(all, sum);
    return low >= leastOf(sum.bits) && high <= greatestOf(sum.bits);
  }

private:
  static constexpr size_t MostTerms = 64, MostFactors = 16;

  size_t degree() const {
    size_t most = 0;
    for (auto [term, factor] : terms)
      most = std::max(most, all[term].kind == ExprKind::Product ? all[term].operands.size() : 1);
    return most;
  }

  int64_t times(int64_t a, int64_t b) const {
    return wrapped(static_cast<int64_t>(uint64_t(a) * uint64_t(b)), bits);
  }

  /// Of two terms, neither a sum nor a constant.
  ExprId monomial(ExprId a, ExprId b) const {
    std::vector<ExprId> factors;
    for (ExprId term : {a, b})
      if (all[term].kind == ExprKind::Product)
        factors.insert(factors.end(), all[term].operands.begin(), all[term].operands.end());
      else
        factors.push_back(term);
    llvm::sort(factors);
    Expr product{ExprKind::Product, bits};
    product.operands = std::move(factors);
    const auto [low, high] = rangeOf(all, product);
    setRange(product, low, high);
    return all.intern(std::move(product));
  }

public:
  /// Of a sum of integers without wrapping; far more than 64 bits where that is too much.
  static std::pair<Wide, Wide> rangeOfSum(const Expressions &all, const Expr &sum) {
    constexpr Wide most = Wide(1) << 100;
    Wide low = sum.value, high = sum.value;
    for (auto [term, factor] : llvm::zip(sum.operands, sum.coefficients)) {
      const Wide ends[] = {Wide(factor) * all[term].low, Wide(factor) * all[term].high};
      low += std::min(ends[0], ends[1]);
      high += std::max(ends[0], ends[1]);
      if (low < -most || high > most)
        return {-most, most};
    }
    return {low, high};
  }

  /// Of a product of integers without wrapping; all that 128 bits hold where that is not enough.
  static std::pair<Wide, Wide> rangeOf(const Expressions &all, const Expr &product) {
    Wide low = 1, high = 1;
    for (ExprId factor : product.operands) {
      const Wide l = all[factor].low, h = all[factor].high;
      const Wide ends[] = {low * l, low * h, high * l, high * h};
      low = *std::min_element(ends, ends + 4), high = *std::max_element(ends, ends + 4);
      constexpr Wide most = Wide(1) << 63;
      if (low < -most || high >= most)
        return {-most - 1, most};
    }
    return {low, high};
  }

private:
  Expressions &all;
  const unsigned bits;
  int64_t constant = 0;
  std::map<ExprId, int64_t> terms;
};

ExprId Expressions::add(ExprId a, ExprId b) {
  Polynomial sum(*this, a);
  sum.add(Polynomial(*this, b));
  return sum.node();
}

ExprId Expressions::subtract(ExprId a, ExprId b) {
  return add(a, multiply(b, constant(-1, nodes[b].bits)));
}

ExprId Expressions::multiply(ExprId a, ExprId b) {
  if (const std::optional<ExprId> product = Polynomial(*this, a).product(Polynomial(*this, b)))
    return *product;
  return other("muli", nodes[a].bits, {std::min(a, b), std::max(a, b)});
}

/// A conversion of a node as it is.
ExprId Expressions::convert(ExprKind kind, ExprId x, unsigned bits) {
  Expr node{kind, bits, 0, {}, {x}};
  if (kind == ExprKind::Extend || (kind == ExprKind::Truncate && fitsWithin(x, bits)))
    node.low = nodes[x].low, node.high = nodes[x].high;
  else if (kind == ExprKind::ExtendZero)
    node.low = 0, node.high = static_cast<int64_t>(2 * uint64_t(greatestOf(nodes[x].bits)) + 1);
  else
    node.low = leastOf(bits), node.high = greatestOf(bits);
  return intern(std::move(node));
}

ExprId Expressions::recombined(const Expr &node, unsigned bits, llvm::function_ref<ExprId(size_t)> operand) {
  ExprId result = node.kind == ExprKind::Sum ? constant(node.value, bits) : operand(0);
  switch (node.kind) {
  case ExprKind::Sum:
    for (size_t k = 0; k < node.operands.size(); ++k)
      result = add(result, multiply(constant(node.coefficients[k], bits), operand(k)));
    return result;
  case ExprKind::Product:
    for (size_t k = 1; k < node.operands.size(); ++k)
      result = multiply(result, operand(k));
    return result;
  case ExprKind::Max:
  case ExprKind::Min:
    for (size_t k = 1; k < node.operands.size(); ++k)
      result = extreme(node.kind, result, operand(k));
    return result;
  case ExprKind::Clamp:
    return min(max(result, operand(1)), operand(2));
  case ExprKind::Select:
    return select(result, operand(1), operand(2));
  default:
    llvm_unreachable("no sum, product, extreme, clamp or selection");
  }
}

/// The node of converted operands; what a selection looks at stays as it is.
ExprId Expressions::inwards(const Expr &node, unsigned bits, llvm::function_ref<ExprId(ExprId)> converted) {
  return recombined(node, bits, [&](size_t k) {
    const bool isCondition = node.kind == ExprKind::Select && k == 0;
    return isCondition ? node.operands[0] : converted(node.operands[k]);
  });
}

ExprId Expressions::extend(ExprId x, unsigned bits) {
  const Expr node = nodes[x];
  if (bits == node.bits)
    return x;
  bool goesInwards = false;
  switch (node.kind) {
  case ExprKind::Constant:
    return constant(node.value, bits);
  case ExprKind::Extend:
    return extend(node.operands[0], bits);
  case ExprKind::ExtendZero:
    return extendZero(node.operands[0], bits);
  case ExprKind::Truncate:
    if (const ExprId wider = node.operands[0]; fitsWithin(wider, node.bits)) // cuts nothing off
      return nodes[wider].bits < bits ? extend(wider, bits) : truncate(wider, bits);
    break;
  case ExprKind::Sum:
    goesInwards = Polynomial::isExact(*this, node);
    break;
  case ExprKind::Product: {
    const auto [low, high] = Polynomial::rangeOf(*this, node);
    goesInwards = low >= leastOf(node.bits) && high <= greatestOf(node.bits);
    break;
  }
  case ExprKind::Max:
  case ExprKind::Min:
  case ExprKind::Clamp:
  case ExprKind::Select:
    goesInwards = true;
    break;
  default:
    break;
  }
  if (!goesInwards)
    return convert(ExprKind::Extend, x, bits);
  return inwards(node, bits, [&](ExprId operand) { return extend(operand, bits); });
}

ExprId Expressions::extendZero(ExprId x, unsigned bits) {
  const Expr node = nodes[x];
  if (bits == node.bits)
    return x;
  if (node.low >= 0)
    return extend(x, bits);
  if (node.kind == ExprKind::ExtendZero)
    return extendZero(node.operands[0], bits);
  if (node.kind == ExprKind::Constant)
    return constant(static_cast<int64_t>(uint64_t(node.value) & (2 * uint64_t(greatestOf(node.bits)) + 1)),
                    bits);
  return convert(ExprKind::ExtendZero, x, bits);
}

ExprId Expressions::truncate(ExprId x, unsigned bits) {
  const Expr node = nodes[x];
  if (bits == node.bits)
    return x;
  bool goesInwards = false;
  switch (node.kind) {
  case ExprKind::Constant:
    return constant(node.value, bits);
  case ExprKind::Truncate:
    return truncate(node.operands[0], bits);
  case ExprKind::Extend:
  case ExprKind::ExtendZero: {
    const ExprId narrow = node.operands[0];
    if (nodes[narrow].bits >= bits)
      return truncate(narrow, bits);
    return node.kind == ExprKind::Extend ? extend(narrow, bits) : extendZero(narrow, bits);
  }
  case ExprKind::Sum:
  case ExprKind::Product:
  case ExprKind::Select:
    goesInwards = true;
    break;
  case ExprKind::Max:
  case ExprKind::Min:
    goesInwards = llvm::all_of(node.operands, [&](ExprId operand) { return fitsWithin(operand, bits); });
    break;
  default:
    break;
  }
  if (!goesInwards)
    return convert(ExprKind::Truncate, x, bits);
  return inwards(node, bits, [&](ExprId operand) { return truncate(operand, bits); });
}

ExprId Expressions::shift(ExprKind kind, ExprId x, ExprId by) {
  const unsigned bits = nodes[x].bits;
  const int64_t count = nodes[by].value;
  const bool isKnown = isConstant(by) && count >= 0 && count < int64_t(bits);
  if (isKnown && count == 0)
    return x;
  if (isKnown && kind == ExprKind::ShiftLeft)
    return multiply(x, constant(static_cast<int64_t>(uint64_t(1) << count), bits));
  if (kind == ExprKind::ShiftRightZero && nodes[x].low >= 0)
    kind = ExprKind::ShiftRight;
  Expr node{kind, bits, 0, {}, {x, by}, {}, {}, leastOf(bits), greatestOf(bits)};
  if (isKnown && isConstant(x))
    return constant(*evaluate(intern(std::move(node)), {}), bits);
  if (isKnown && kind == ExprKind::ShiftRight)
    node.low = nodes[x].low >> count, node.high = nodes[x].high >> count;
  return intern(std::move(node));
}

ExprId Expressions::logic(ExprKind kind, ExprId a, ExprId b) {
  const unsigned bits = nodes[a].bits;
  if (isConstant(a) || (!isConstant(b) && b < a))
    std::swap(a, b);
  if (isConstant(b)) {
    const int64_t mask = nodes[b].value;
    if (kind == ExprKind::Xor && mask == -1)
      return subtract(b, a);
    if (mask == (kind == ExprKind::And ? -1 : 0))
      return a;
    if (kind != ExprKind::Xor && mask == (kind == ExprKind::And ? 0 : -1))
      return b;
    if (isConstant(a)) {
      const int64_t x = nodes[a].value;
      return constant(kind == ExprKind::And ? x & mask : kind == ExprKind::Or ? x | mask : x ^ mask, bits);
    }
  }
  if (a == b)
    return kind == ExprKind::Xor ? constant(0, bits) : a;
  Expr node{kind, bits, 0, {}, {a, b}, {}, {}, leastOf(bits), greatestOf(bits)};
  if (kind == ExprKind::And && isConstant(b) && nodes[b].value >= 0)
    node.low = 0, node.high = nodes[b].value;
  return intern(std::move(node));
}

} // namespace daedalus
