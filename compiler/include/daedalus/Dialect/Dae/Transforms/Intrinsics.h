// What the instructions compute of rows, as declared in MLIR (dae.intrinsic): the built-in declarations of
// Intrinsics.mlir and those of a user's file, read by the same code. A declaration whose operands may lie in
// several scopes gives one intrinsic for each choice that the instruction set has. (After TensorIR's tensor
// intrinsics: Feng et al., ASPLOS 2023.)

#ifndef DAEDALUS_DIALECT_DAE_TRANSFORMS_INTRINSICS_H
#define DAEDALUS_DIALECT_DAE_TRANSFORMS_INTRINSICS_H

#include "daedalus/Analysis/Expression.h"
#include "daedalus/Dialect/Dae/IR/Dae.h"
#include "daedalus/isa/machine.h"
#include "daedalus/support/result.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace daedalus::dae {

/// How the constants of a block become the elements of an operand.
class Packing;

/// A row, a tile of weights or a table that an intrinsic reads or writes.
struct IntrinsicOperand {
  std::string name;
  Scope scope;
  unsigned bits; ///< of an element as it lies there: 8, 32, or 128 of the parameters of requant
  /// The iterators of the description that run over the lanes, the outermost first: one of a row, two of a
  /// tile of weights, or of the taps of a window and their lanes. A table has none.
  llvm::SmallVector<unsigned, 2> lanes;
  std::shared_ptr<const Packing>
      packing; ///< of an operand of constants, where they do not lie there as they are

  bool isTable() const { return scope == Scope::Lut; }
};

/// A constant of the block that the instructions take.
struct IntrinsicImmediate {
  std::string name;
  int64_t low, high;    ///< what it may be, both included
  int64_t usual;        ///< what it is where any would do
  bool isLimit = false; ///< what a result is cut to
};

/// One instruction of an implementation, for a row or, with its loops, for many.
struct IntrinsicStep {
  struct Place {
    enum Kind : uint8_t { None, Operand, Temporary, Immediate, Constant } kind = None;
    int64_t value = 0; ///< the number of an operand, temporary or immediate, or the constant
  };
  bool isGemm = false;               ///< a: INP, b: WGT
  bool isWindow = false;             ///< of GEMM: a is N rows of INP, a tap each
  VectorKind op = VectorKind::Mov;   ///< of VECTOR
  Place dest, a, b;                  ///< b of lut: the table
  Place table;                       ///< of requant_lut
  Place lo, hi, zeroPoint, rounding; ///< an immediate or a constant each
};

/// How a reduction joins elements.
enum class Combiner : uint8_t { None, Add, Max, Min };

struct Intrinsic {
  std::string name; ///< of the declaration; others have it too, on operands in other scopes
  std::vector<IntrinsicOperand> operands; ///< sources in order, the destination last
  std::vector<IntrinsicImmediate> immediates;
  /// One element of the destination: argument k is operand k as it lies there (the last: what was there
  /// before), behind them the immediates (of 32 bits). Where `capturesRequant`, the attributes of the only
  /// Requant are those of the block, and its fields are the last four immediates: zero point, lo, hi,
  /// rounding.
  Expressions expressions;
  ExprId element = 0;
  bool capturesRequant = false;
  Combiner combiner = Combiner::None; ///< of an intrinsic that reads what its destination was
  int64_t neutral = 0;                ///< what the combiner leaves anything as it is with
  std::vector<IntrinsicStep> steps;
  unsigned temporaries = 0;  ///< rows of ACC, one of each an iteration of the parallel loops
  uint64_t cyclesPerRow = 0; ///< of all steps, by isa/timing

  bool reduces() const { return combiner != Combiner::None; }
  bool usesGemm() const { return steps.front().isGemm; }
  bool usesWindow() const { return steps.front().isWindow; }
  const IntrinsicOperand &destination() const { return operands.back(); }
  unsigned sources() const { return operands.size() - 1; }
  /// From the start of the first instruction to the end of the last for so many iterations, alone.
  uint64_t cycles(uint64_t iterations, const isa::Machine &machine) const;
};

/// Whether a reduction that begins with this value is as one that begins with its first element.
bool isNeutral(const Intrinsic &intrinsic, int64_t value);

/// Intrinsics in the order in which they are declared; of equally fast ones the first counts.
using Intrinsics = std::vector<Intrinsic>;

/// The built-in ones.
const Intrinsics &builtinIntrinsics();

/// Runs each built-in one against its description, as those of a file are; for tests.
Result<void> tryBuiltinIntrinsics();

/// The built-in ones, and behind them those of a file, which is read once; the built-in ones alone where
/// `path` is empty. Each of the file's is run against its description first. Errors are one sentence with the
/// file, the line and the declaration.
Result<const Intrinsics *> loadIntrinsics(const std::string &path);

/// What instruction selection may use: those of loadIntrinsics(path), from the next call of this on.
Result<void> useIntrinsics(const std::string &path);
const Intrinsics &intrinsicsInUse();

/// A source that is constants in PARAM: the elements of its rows, one a channel.
struct ConstantRow {
  unsigned source;
  std::vector<int8_t> elements;
};

/// An intrinsic in place of a node of an expression.
struct Cover {
  const Intrinsic *intrinsic = nullptr;
  llvm::SmallVector<ExprId, 4>
      sources; ///< the node that each source is, as it lies there; of a row the first element
  llvm::SmallVector<int64_t, 4> immediates;
  std::vector<ConstantRow> rows;

  /// The row that a source is, if it is one.
  const ConstantRow *rowOf(unsigned source) const;
};

/// The arguments of an expression from number `first` on: constants with a value a channel, of all of them
/// the same count.
struct ChannelConstants {
  unsigned first = ~0u;
  llvm::ArrayRef<std::vector<int64_t>> values{};
};

/// How `root` of `all` is what an intrinsic that does not reduce computes of some of its nodes; nothing where
/// it is not found. What is found is right: with its nodes, the intrinsic's element is `root` itself. Sources
/// that are rows of int8 in PARAM hold what their packing functions make of constants of `channels`; then it
/// is so in each channel.
std::optional<Cover> cover(const Intrinsic &intrinsic, Expressions &all, ExprId root,
                           const ChannelConstants &channels = {});

/// The name and the scopes: "sub(acc, imm -> out)".
std::string describe(const Intrinsic &intrinsic);

} // namespace daedalus::dae

#endif
