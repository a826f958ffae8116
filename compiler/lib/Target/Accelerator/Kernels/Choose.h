// How each node of a kernel's tail is computed by VECTOR, the cheapest way in operations.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_KERNELS_CHOOSE_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_KERNELS_CHOOSE_H

#include "Kernels/Kernel.h"
#include "daedalus/Dialect/Dae/Transforms/Intrinsics.h"

#include <map>

namespace daedalus::accelerator {

/// How a node is computed.
struct Choice {
  enum class How : uint8_t {
    Leaf,
    Requantize,
    Table,
    Wrap,
    Sum,
    Product,
    ChannelProduct,
    Extreme,
    Clamp,
    Shift,
    Declared
  };
  How how = How::Leaf;
  unsigned operations = 0;                   ///< of VECTOR, with those of its operands
  std::vector<ExprId> operands{};            ///< whose values it needs, of 32 bits
  std::vector<int64_t> table{};              ///< of Table, the entry for -128 first
  Parameters parameters{};                   ///< of Requantize
  RequantFields fields{};                    ///< of Requantize
  dae::Cover cover{};                        ///< of Declared
  std::vector<std::vector<int8_t>> digits{}; ///< of ChannelProduct, a value a channel, the highest first
};

/// A node is a leaf (an input, the reduction's result, a number), the result of one or a few operations on
/// other nodes or, as a function of one int8, an entry of a table. What a requantization adds a channel is in
/// its parameters.
class Chooser {
public:
  explicit Chooser(Kernel &kernel) : kernel(kernel), all(kernel.tail.all) {}
  /// The first of what is not computed, where no choice alone tells why; or nothing.
  const std::string &failure() const { return reason; }

  /// By the range of a node.
  bool withinInt8(ExprId id) const { return all[id].low >= -128 && all[id].high <= 127; }
  /// Of a node that has a choice.
  Choice::How how(ExprId id) { return choose(id)->how; }

  /// What the result is before it is cut to a part of int8, as every operation with a result of int8 does.
  ExprId withoutClamp(ExprId id, int64_t &lo, int64_t &hi);
  /// How a node of 32 bits is computed; nothing where VECTOR cannot.
  const std::optional<Choice> &choose(ExprId id);
  /// The operand that a node of 32 bits is as it stands; nothing where it has to be computed.
  std::optional<Operand> leaf(ExprId id) const;
  /// A product that is added as it is computed.
  bool isProduct(const Terms &terms, ExprId term) const;
  /// Products, then what has to be computed, then inputs by their numbers.
  std::vector<ExprId> ordered(const Terms &terms) const;
  /// A sum with a value a channel, cut to a part of int8: a requantization that changes nothing but the
  /// range.
  bool chooseBiased(ExprId id, int64_t &lo, int64_t &hi);

private:
  /// By an intrinsic of the user's, the first one with the fewest operations.
  std::optional<Choice> declaredOf(ExprId id);
  /// Whether an intrinsic computes int32 in ACC of rows in INP and ACC and constants in PARAM: by operations
  /// that stages have, for GEMM reads WGT, LUT its table, and what REQUANT reads is in no expression.
  static bool isStages(const dae::Intrinsic &intrinsic);
  /// Nothing where a source is the node itself, as in a copy, or a number.
  std::optional<Choice> chosen(ExprId id, dae::Cover cover);
  bool addOperands(Choice &choice);
  /// By a table of the int8 that is furthest from it.
  std::optional<Choice> tableOf(ExprId id);
  std::optional<Choice> direct(ExprId id);
  /// The extension of an integer of fewer bits that something computes.
  std::optional<Choice> converted(const Expr &node);
  std::optional<Choice> sum(ExprId id);
  /// A product with numbers that have a value a channel: by their digits of 7 bits, rows of PARAM.
  std::optional<Choice> product(const Expr &node);
  /// Whether a node depends on nothing but the channel.
  bool isPerChannel(ExprId id) const;
  /// A value a channel, or one for all, of what depends on nothing but the channel.
  std::optional<std::vector<int64_t>> perChannel(ExprId id) const;
  std::optional<Choice> requantized(ExprId sum, ExprId extra, ExprId multiplier, ExprId shift,
                                    const RequantFields &fields);
  bool setParameters(Parameters &parameters, const std::vector<uint32_t> &bias,
                     const std::vector<int64_t> &multipliers, const std::vector<int64_t> &shifts);
  bool fail(const llvm::Twine &why);

  Kernel &kernel;
  Expressions &all;
  std::string reason;
  std::map<ExprId, std::optional<Choice>> choices;
};

} // namespace daedalus::accelerator

#endif
