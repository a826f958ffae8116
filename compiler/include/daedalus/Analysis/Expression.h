// Scalar expressions in one normal form: what the body of a block computes of an element of each operand.
// Equal expressions are one node, so two bodies compute the same where their nodes are equal; the other way
// round holds for what the rules cover:
//   sums and products   polynomials modulo 2^bits: sub, neg, shl by a constant and xor with -1 are among them
//   extensions          pushed inwards where nothing wraps; truncations pushed into sums and products
//   maxima and minima   flat and sorted; compare and select become them; clamps either way round are one
//   comparisons         constants on the right, strict predicates
// Integers of 1 to 64 bits, index (64 bits), and whatever else as it is (Other).

#ifndef DAEDALUS_ANALYSIS_EXPRESSION_H
#define DAEDALUS_ANALYSIS_EXPRESSION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace daedalus {

using ExprId = uint32_t;

enum class ExprKind : uint8_t {
  Argument,       ///< element of operand `value`
  Constant,       ///< `value`
  Sum,            ///< `value` plus each operand times its coefficient
  Product,        ///< of the operands, two or more, sorted
  Extend,         ///< with the sign
  ExtendZero,     ///< with zeros
  Truncate,       ///< to `bits`
  Max,            ///< signed, of the operands, two or more, sorted, a constant last
  Min,            ///<
  Clamp,          ///< operand 0 to the range from operand 1 to operand 2, constants
  Compare,        ///< operands 0 and 1 by `value`, an arith::CmpIPredicate
  Select,         ///< operand 1 where operand 0 is 1, else operand 2
  ShiftLeft,      ///< operand 0 by operand 1, which is no constant
  ShiftRight,     ///< with the sign
  ShiftRightZero, ///< with zeros
  And,
  Or,
  Xor,
  Table,   ///< entry operand 0 of table `value`
  Requant, ///< isa::requantize of four operands
  Other,   ///< `detail` of the operands
};

/// What a requantization says besides its operands.
struct RequantFields {
  int64_t zeroPoint = 0, lo = 0, hi = 0;
  int32_t rounding = 0; ///< an isa::Rounding
};

struct Expr {
  ExprKind kind;
  unsigned bits = 0; ///< of the integer; 0: no integer of up to 64 bits
  int64_t value = 0;
  std::vector<int64_t> coefficients{}; ///< of Sum
  std::vector<ExprId> operands{};
  std::string detail{};      ///< of Other: the operation, its attributes and its type
  RequantFields requant{};   ///< of Requant
  int64_t low = 0, high = 0; ///< what its value may be, as a signed integer; full where bits is 0
};

/// A sum taken apart: a constant, and a factor for each other term.
struct Terms {
  std::map<ExprId, int64_t> factors{};
  int64_t constant = 0;

  /// The factor of a term, which is taken out; 0 where it is not there.
  int64_t take(ExprId term);
};

/// The nodes of the expressions of one kernel.
class Expressions {
public:
  const Expr &operator[](ExprId id) const { return nodes[id]; }
  const std::vector<int64_t> &table(int64_t number) const { return tables[number]; }

  ExprId argument(unsigned number, unsigned bits, llvm::StringRef type = "");
  ExprId constant(int64_t value, unsigned bits);
  ExprId add(ExprId a, ExprId b);
  ExprId subtract(ExprId a, ExprId b);
  ExprId multiply(ExprId a, ExprId b);
  ExprId extend(ExprId x, unsigned bits);
  ExprId extendZero(ExprId x, unsigned bits);
  ExprId truncate(ExprId x, unsigned bits);
  ExprId max(ExprId a, ExprId b);
  ExprId min(ExprId a, ExprId b);
  /// `predicate` is an arith::CmpIPredicate.
  ExprId compare(int64_t predicate, ExprId a, ExprId b);
  ExprId select(ExprId condition, ExprId a, ExprId b);
  ExprId shift(ExprKind kind, ExprId x, ExprId by);
  ExprId logic(ExprKind kind, ExprId a, ExprId b);
  /// An entry of `values`, integers of `bits`.
  ExprId lookup(const std::vector<int64_t> &values, unsigned bits, ExprId index);
  ExprId requant(llvm::ArrayRef<ExprId> operands, const RequantFields &fields);
  ExprId other(llvm::StringRef detail, unsigned bits, llvm::ArrayRef<ExprId> operands);

  /// `root` of `from` with `arguments` in place of those that it depends on, in this arena, and with
  /// `requantFields`, where there are any, in place of those of its requantizations.
  ExprId substitute(const Expressions &from, ExprId root, llvm::ArrayRef<ExprId> arguments,
                    const RequantFields *requantFields = nullptr);

  Terms termsOf(ExprId id) const;

  /// The nodes that an expression depends on, up to itself; operands come before their users.
  std::vector<ExprId> nodesOf(ExprId root) const;

  /// The arguments that an expression depends on, by number.
  std::map<unsigned, Expr> argumentsOf(ExprId root) const;

  /// Its value where the arguments have these; nothing for what has no value (Other, a table's end).
  std::optional<int64_t> evaluate(ExprId root, llvm::ArrayRef<int64_t> arguments) const;

  /// The nodes that alone decide the value of `root` and are within int8, of 8 or 32 bits, the closest first;
  /// neither `root` itself nor constants.
  std::vector<ExprId> int8Of(ExprId root) const;
  /// The value of `root` for each int8 that one of these may be, from -128 on; nothing where it has none.
  std::optional<std::vector<int64_t>> functionOf(ExprId root, ExprId node) const;

  /// Forgets all but the nodes that an expression depends on, which is read alone from then on; returns what
  /// its number is now.
  ExprId keepOnly(ExprId root);

  /// How many nodes there are; new ones have greater numbers.
  ExprId size() const { return nodes.size(); }

  /// Such as "3*a0*a1 - max(ext32(a2), 0) + 7", "..." for what lies deeper than `depth`.
  std::string text(ExprId root, unsigned depth = 8) const;

  bool isConstant(ExprId id) const { return nodes[id].kind == ExprKind::Constant; }

private:
  friend class Polynomial;
  ExprId intern(Expr node);
  ExprId convert(ExprKind kind, ExprId x, unsigned bits);
  /// A sum, product, extreme, clamp or selection of other operands, of `bits`.
  ExprId recombined(const Expr &node, unsigned bits, llvm::function_ref<ExprId(size_t)> operand);
  ExprId inwards(const Expr &node, unsigned bits, llvm::function_ref<ExprId(ExprId)> converted);
  ExprId extreme(ExprKind kind, ExprId a, ExprId b);
  ExprId clamp(ExprId x, int64_t low, int64_t high);
  bool isWithin(ExprId id, ExprId x, ExprId limit, bool below);
  std::optional<ExprId> selectExtreme(const Expr &comparison, ExprId a, ExprId b);
  bool fitsWithin(ExprId id, unsigned bits) const;
  /// Which nodes an expression depends on, up to itself.
  std::vector<bool> reachedFrom(ExprId root) const;
  std::vector<std::optional<int64_t>> valuesUpTo(ExprId root, llvm::ArrayRef<int64_t> arguments, ExprId given,
                                                 int64_t value) const;

  std::vector<Expr> nodes;
  std::vector<std::vector<int64_t>> tables;
  std::map<std::string, ExprId> known;
};

/// The least and the greatest signed integer of 1 to 64 bits.
int64_t leastOf(unsigned bits);
int64_t greatestOf(unsigned bits);
/// The low bits of a value, as a signed integer.
int64_t wrapped(int64_t value, unsigned bits);

} // namespace daedalus

#endif
