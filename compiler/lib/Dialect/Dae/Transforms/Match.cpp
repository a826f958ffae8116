// See Match.h.

#include "Match.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace daedalus::dae {
namespace {

constexpr size_t MostConstants = 32;

/// The constants that an immediate may have become in the normal form of an expression, each once: as they
/// stand there, negated (of differences) and as the power of two (of shifts). Limits stand
/// in maxima, minima and clamps alone.
std::vector<int64_t> constantsOf(const Expressions &all, ExprId root, bool onlyLimits) {
  std::vector<int64_t> found;
  const auto add = [&](int64_t value) {
    if (found.size() < MostConstants && !llvm::is_contained(found, value))
      found.push_back(value);
  };
  const auto addSpellings = [&](int64_t value) {
    add(value);
    add(wrapped(static_cast<int64_t>(-static_cast<uint64_t>(value)), 32));
    if (const uint64_t low = static_cast<uint32_t>(value); llvm::isPowerOf2_64(low))
      add(llvm::Log2_64(low));
  };
  for (ExprId id : all.nodesOf(root)) {
    const Expr &node = all[id];
    if (node.kind == ExprKind::Max || node.kind == ExprKind::Min || node.kind == ExprKind::Clamp)
      for (ExprId operand : node.operands)
        if (all.isConstant(operand))
          add(all[operand].value);
    if (onlyLimits)
      continue;
    if (node.kind == ExprKind::Constant || node.kind == ExprKind::Sum)
      addSpellings(node.value);
    for (int64_t coefficient : node.coefficients)
      addSpellings(coefficient);
  }
  if (!onlyLimits)
    addSpellings(1);
  return found;
}

/// The requantization of an expression, where it has exactly one.
std::optional<ExprId> requantOf(const Expressions &all, ExprId root) {
  std::optional<ExprId> found;
  for (ExprId id : all.nodesOf(root))
    if (all[id].kind == ExprKind::Requant) {
      if (found)
        return std::nullopt;
      found = id;
    }
  return found;
}

/// One expression against all intrinsics.
class Matcher {
public:
  Matcher(Expressions &all, ExprId root, llvm::ArrayRef<BlockOperand> operands)
      : all(all), root(root), operands(operands), constants(constantsOf(all, root, false)),
        limits(constantsOf(all, root, true)), requant(requantOf(all, root)) {
    for (const auto &[number, node] : all.argumentsOf(root))
      read.push_back(number);
  }

  std::optional<Match> match(const Intrinsic &candidate) {
    intrinsic = &candidate;
    const BlockOperand &written = operands.back();
    if (candidate.destination().scope != written.scope || candidate.destination().bits != written.bits ||
        candidate.capturesRequant != requant.has_value() || (candidate.reduces() && !readsOld()))
      return std::nullopt;
    result = Match{intrinsic, {}, {}};
    arguments.assign(candidate.operands.size() + candidate.immediates.size(), 0);
    arguments[candidate.sources()] = all.argument(operands.size() - 1, written.bits);
    return bind(0) ? std::optional(result) : std::nullopt;
  }

private:
  bool readsOld() const { return !read.empty() && read.back() == operands.size() - 1; }

  /// Tries each operand of the block that lies where source k has to.
  bool bind(unsigned k) {
    if (k == intrinsic->sources())
      return readsAll() && solve(0);
    for (unsigned number : candidatesOf(intrinsic->operands[k])) {
      const unsigned bits = operands[number].bits;
      arguments[k] =
          bits > 64 ? all.argument(number, 0, "i" + std::to_string(bits)) : all.argument(number, bits);
      result.sources.push_back(number);
      if (bind(k + 1))
        return true;
      result.sources.pop_back();
    }
    return false;
  }

  std::vector<unsigned> candidatesOf(const IntrinsicOperand &source) const {
    std::vector<unsigned> found;
    for (unsigned number : read) {
      const bool isOld = number == operands.size() - 1;
      if (operands[number].scope == source.scope && operands[number].bits == source.bits &&
          !(isOld && intrinsic->reduces()))
        found.push_back(number);
    }
    return found;
  }

  /// Whether every operand that the block reads is one of the intrinsic's.
  bool readsAll() const {
    return llvm::all_of(read, [&](unsigned number) {
      return llvm::is_contained(result.sources, number) ||
             (number == operands.size() - 1 && intrinsic->reduces());
    });
  }

  /// Tries the constants of the block as immediate k.
  bool solve(unsigned k) {
    const size_t fields = intrinsic->capturesRequant ? 4 : 0;
    if (k + fields == intrinsic->immediates.size())
      return isSame();
    const IntrinsicImmediate &immediate = intrinsic->immediates[k];
    const auto tried = [&](int64_t value) {
      arguments[intrinsic->operands.size() + k] = all.constant(value, 32);
      result.immediates.push_back(value);
      if (solve(k + 1))
        return true;
      result.immediates.pop_back();
      return false;
    };
    if (tried(immediate.usual))
      return true;
    return llvm::any_of(immediate.isLimit ? limits : constants, [&](int64_t value) {
      return value != immediate.usual && value >= immediate.low && value <= immediate.high && tried(value);
    });
  }

  bool isSame() {
    const RequantFields fields = requant ? all[*requant].requant : RequantFields{};
    if (all.substitute(intrinsic->expressions, intrinsic->element, arguments, requant ? &fields : nullptr) !=
        root)
      return false;
    if (requant)
      result.immediates.append({fields.zeroPoint, fields.lo, fields.hi, fields.rounding});
    return true;
  }

  Expressions &all;
  const ExprId root;
  const llvm::ArrayRef<BlockOperand> operands;
  const std::vector<int64_t> constants, limits;
  const std::optional<ExprId> requant;
  std::vector<unsigned> read; ///< the arguments of the expression, in order
  const Intrinsic *intrinsic = nullptr;
  std::vector<ExprId> arguments;
  Match result;
};

} // namespace

std::vector<Match> findMatches(const Intrinsics &intrinsics, Expressions &all, ExprId root,
                               llvm::ArrayRef<BlockOperand> operands) {
  Matcher matcher(all, root, operands);
  std::vector<Match> found;
  for (const Intrinsic &intrinsic : intrinsics)
    if (std::optional<Match> match = matcher.match(intrinsic))
      found.push_back(std::move(*match));
  llvm::stable_sort(found, [](const Match &a, const Match &b) {
    return a.intrinsic->cyclesPerRow < b.intrinsic->cyclesPerRow;
  });
  return found;
}

} // namespace daedalus::dae
