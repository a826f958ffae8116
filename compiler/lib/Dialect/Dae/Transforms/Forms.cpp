// From a declaration to intrinsics: every choice of scopes for its widened operands, as far as the table of
// VECTOR's forms (isa.yaml) has it.

#include "Declaration.h"

#include "daedalus/Dialect/Dae/Transforms/Transforms.h"
#include "daedalus/isa/encoding.h"
#include "daedalus/isa/timing.h"

#include "llvm/ADT/StringExtras.h"

namespace daedalus::dae {
namespace {

using Place = IntrinsicStep::Place;

/// A declaration with a scope chosen for each operand; none: the immediate.
class Choice {
public:
  Choice(const Declaration &declaration, llvm::ArrayRef<std::optional<Scope>> scopes)
      : declaration(declaration), scopes(scopes) {}

  Intrinsic make() {
    result.name = declaration.name;
    result.combiner = declaration.combiner;
    result.neutral = declaration.neutral;
    result.temporaries = declaration.temporaries;
    placeOperands();
    placeSteps();
    makeElement();
    for (const IntrinsicStep &step : result.steps)
      result.cyclesPerRow += step.isGemm ? 1 : isa::vectorCyclesPerRow(instructionOf(result, step));
    return std::move(result);
  }

  /// VECTOR as far as its legality and its duration depend on the intrinsic.
  static isa::Vector instructionOf(const Intrinsic &intrinsic, const IntrinsicStep &step) {
    const auto scopeOf = [&](const Place &place) {
      switch (place.kind) {
      case Place::None:
        return isa::Scope::None;
      case Place::Operand:
        return isaScope(intrinsic.operands[place.value].scope);
      case Place::Temporary:
        return isa::Scope::Acc;
      case Place::Immediate:
      case Place::Constant:
        return isa::Scope::Imm;
      }
      return isa::Scope::None;
    };
    isa::Vector vector;
    vector.op = static_cast<isa::VectorOp>(step.op);
    vector.dstScope = scopeOf(step.dest);
    vector.aScope = scopeOf(step.a);
    vector.bScope = step.op == VectorKind::Lut ? isa::Scope::None : scopeOf(step.b);
    if (intrinsic.reduces()) {
      vector.loops[4].count = 2;
      vector.reduction = 16;
    }
    return vector;
  }

private:
  void placeOperands() {
    for (auto [k, operand] : llvm::enumerate(declaration.operands)) {
      if (!scopes[k]) {
        const int64_t usual = operand.isScalar ? std::clamp<int64_t>(0, operand.low, operand.high) : 0;
        places.push_back({Place::Immediate, int64_t(result.immediates.size())});
        result.immediates.push_back(
            operand.isScalar ? IntrinsicImmediate{operand.name, operand.low, operand.high, usual}
                             : IntrinsicImmediate{operand.name, leastOf(32), greatestOf(32), usual});
        continue;
      }
      places.push_back({Place::Operand, int64_t(result.operands.size())});
      const bool asBytes = operand.isWidened && *scopes[k] != Scope::Acc;
      result.operands.push_back(
          {operand.name, *scopes[k], asBytes ? 8 : operand.bits, operand.lanes, operand.packing});
    }
  }

  bool clampsResult() const {
    return declaration.operands.back().isWidened && result.destination().bits == 8 &&
           !takesFields(result.steps.back());
  }
  bool takesFields(const IntrinsicStep &step) const {
    return declaration.requantizes && !step.isGemm && isa::requantizes(static_cast<isa::VectorOp>(step.op));
  }

  Place immediate(const char *name, int64_t low, int64_t high, int64_t usual) {
    result.immediates.push_back({name, low, high, usual, true});
    return {Place::Immediate, int64_t(result.immediates.size()) - 1};
  }

  void placeSteps() {
    const auto placed = [&](const Place &place) {
      return place.kind == Place::Operand ? places[place.value] : place;
    };
    for (IntrinsicStep step : declaration.steps) {
      for (Place *place : {&step.dest, &step.a, &step.b, &step.table})
        *place = placed(*place);
      result.steps.push_back(step);
    }
    if (clampsResult()) {
      result.steps.back().lo = low = immediate("lo", -128, 127, -128);
      result.steps.back().hi = high = immediate("hi", -128, 127, 127);
    }
    for (IntrinsicStep &step : result.steps)
      if (takesFields(step)) {
        result.capturesRequant = true;
        step.zeroPoint = immediate("zero point", -128, 127, 0);
        step.lo = immediate("lo", -128, 127, -128);
        step.hi = immediate("hi", -128, 127, 127);
        step.rounding = immediate("rounding", 0, 1, 0);
      }
  }

  ExprId argumentOf(unsigned number, const Place &place) {
    Expressions &all = result.expressions;
    if (place.kind == Place::Immediate)
      return all.argument(result.operands.size() + place.value, 32);
    const DeclaredOperand &declared = declaration.operands[number];
    const unsigned bits = result.operands[place.value].bits;
    if (bits > 64) // as it stands in the description
      return all.argument(place.value, 0, "i" + std::to_string(bits));
    const ExprId argument = all.argument(place.value, bits);
    return declared.isWidened ? all.extend(argument, 32) : argument;
  }

  void makeElement() {
    Expressions &all = result.expressions;
    std::vector<ExprId> arguments;
    for (auto [k, place] : llvm::enumerate(places))
      arguments.push_back(argumentOf(k, place));
    result.element = all.substitute(declaration.expressions, declaration.element, arguments);
    if (declaration.operands.back().isWidened && result.destination().bits == 8)
      narrow();
    result.element = all.keepOnly(result.element);
  }

  /// The element as one of 8 bits.
  void narrow() {
    Expressions &all = result.expressions;
    if (clampsResult()) {
      result.element = all.max(result.element, argumentOf(0, low));
      result.element = all.min(result.element, argumentOf(0, high));
    }
    result.element = all.truncate(result.element, 8);
  }

  const Declaration &declaration;
  llvm::ArrayRef<std::optional<Scope>> scopes;
  std::vector<Place> places; ///< of each operand of the declaration
  Place low, high;           ///< of a result of int8
  Intrinsic result;
};

/// Why the instruction set does not have an intrinsic; empty where it has.
std::string refusal(const Intrinsic &intrinsic) {
  for (const IntrinsicStep &step : intrinsic.steps) {
    const auto isImmediate = [](const Place &place) {
      return place.kind == Place::Immediate || place.kind == Place::Constant;
    };
    if (isImmediate(step.a) && isImmediate(step.b))
      return "an instruction has one immediate at most";
    if (step.isGemm)
      continue;
    const isa::Vector vector = Choice::instructionOf(intrinsic, step);
    if (std::string reason = isa::illegalReason(vector); !reason.empty())
      return reason;
  }
  return "";
}

} // namespace

mlir::LogicalResult addIntrinsics(const Declaration &declaration, Intrinsics &all) {
  constexpr size_t most = 4096;
  size_t choices = 1;
  for (const DeclaredOperand &operand : declaration.operands)
    choices *= std::max<size_t>(1, operand.scopes.size() + operand.mayBeImmediate);
  if (declaration.operands.size() > 12 || choices > most)
    return mlir::emitError(declaration.place) << "'dae.intrinsic' op has " << declaration.operands.size()
                                              << " operands in more than " << most << " choices of scopes";
  std::vector<std::optional<Scope>> scopes(declaration.operands.size());
  const size_t before = all.size();
  std::string reason;
  const std::function<void(size_t)> choose = [&](size_t k) {
    if (k == scopes.size()) {
      Intrinsic intrinsic = Choice(declaration, scopes).make();
      reason = refusal(intrinsic);
      if (reason.empty())
        all.push_back(std::move(intrinsic));
      return;
    }
    const DeclaredOperand &operand = declaration.operands[k];
    for (Scope scope : operand.scopes) {
      scopes[k] = scope;
      choose(k + 1);
    }
    scopes[k] = std::nullopt;
    if (operand.isScalar || operand.mayBeImmediate)
      choose(k + 1);
  };
  choose(0);
  if (all.size() > before)
    return mlir::success();
  return mlir::emitError(declaration.place) << "'dae.intrinsic' op is not in the instruction set: " << reason;
}

uint64_t Intrinsic::cycles(uint64_t iterations, const isa::Machine &machine) const {
  uint64_t drain = 0;
  for (const IntrinsicStep &step : steps)
    drain +=
        step.isGemm ? machine.gemmLatency : isa::vectorDrain(static_cast<isa::VectorOp>(step.op), machine);
  return iterations * cyclesPerRow + drain;
}

bool isNeutral(const Intrinsic &intrinsic, int64_t value) {
  if (intrinsic.combiner == Combiner::Add)
    return value == 0;
  // With the neutral value in place of the old one, what is left is what is joined with it.
  Expressions all;
  std::vector<ExprId> arguments;
  for (const IntrinsicOperand &operand : intrinsic.operands)
    arguments.push_back(operand.bits > 64
                            ? all.argument(arguments.size(), 0, "i" + std::to_string(operand.bits))
                            : all.argument(arguments.size(), operand.bits));
  for (size_t k = 0; k < intrinsic.immediates.size(); ++k)
    arguments.push_back(all.argument(arguments.size(), 32));
  arguments[intrinsic.sources()] = all.constant(intrinsic.neutral, intrinsic.destination().bits);
  const Expr joined = all[all.substitute(intrinsic.expressions, intrinsic.element, arguments)];
  return intrinsic.combiner == Combiner::Max ? value <= joined.low : value >= joined.high;
}

std::string describe(const Intrinsic &intrinsic) {
  std::string text = intrinsic.name + "(";
  for (unsigned k = 0; k < intrinsic.sources(); ++k)
    text += (k ? ", " : "") + stringifyScope(intrinsic.operands[k].scope).str();
  for (const IntrinsicImmediate &immediate : intrinsic.immediates)
    text += (text.back() == '(' ? "" : ", ") + immediate.name;
  return text + " -> " + stringifyScope(intrinsic.destination().scope).str() + ")";
}

} // namespace daedalus::dae
