// Operations that take their operands' scalars one after the other.
#include "Arithmetic.h"
#include "Decoder.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace daedalus::cuda {
namespace {

using I = IntegerOperation;
using F = FloatOperation;

const std::map<llvm::StringRef, I> integers = {
    {"llvm.add", I::Add},
    {"llvm.sub", I::Sub},
    {"llvm.mul", I::Mul},
    {"llvm.udiv", I::UDiv},
    {"llvm.sdiv", I::SDiv},
    {"llvm.urem", I::URem},
    {"llvm.srem", I::SRem},
    {"llvm.and", I::And},
    {"llvm.or", I::Or},
    {"llvm.xor", I::Xor},
    {"llvm.shl", I::Shl},
    {"llvm.lshr", I::LShr},
    {"llvm.ashr", I::AShr},
    {"llvm.intr.smax", I::SMax},
    {"llvm.intr.smin", I::SMin},
    {"llvm.intr.umax", I::UMax},
    {"llvm.intr.umin", I::UMin},
    {"llvm.intr.abs", I::Abs},
    {"llvm.intr.ctlz", I::CountLeadingZeros},
    {"llvm.intr.cttz", I::CountTrailingZeros},
    {"llvm.intr.ctpop", I::PopulationCount},
    {"llvm.intr.bitreverse", I::ReverseBits},
};

const std::map<llvm::StringRef, std::pair<I, I>> withOverflow = {
    {"llvm.intr.sadd.with.overflow", {I::Add, I::SAddOverflows}},
    {"llvm.intr.uadd.with.overflow", {I::Add, I::UAddOverflows}},
    {"llvm.intr.ssub.with.overflow", {I::Sub, I::SSubOverflows}},
    {"llvm.intr.usub.with.overflow", {I::Sub, I::USubOverflows}},
    {"llvm.intr.smul.with.overflow", {I::Mul, I::SMulOverflows}},
    {"llvm.intr.umul.with.overflow", {I::Mul, I::UMulOverflows}},
};

const std::map<llvm::StringRef, F> floats = {
    {"llvm.fadd", F::Add},
    {"llvm.fsub", F::Sub},
    {"llvm.fmul", F::Mul},
    {"llvm.fdiv", F::Div},
    {"llvm.frem", F::Rem},
    {"llvm.fneg", F::Neg},
    {"llvm.intr.maximum", F::Maximum},
    {"llvm.intr.minimum", F::Minimum},
    {"llvm.intr.maxnum", F::MaxNum},
    {"llvm.intr.minnum", F::MinNum},
    {"llvm.intr.copysign", F::CopySign},
    {"llvm.intr.fabs", F::Abs},
    {"llvm.intr.sqrt", F::Sqrt},
    {"llvm.intr.floor", F::Floor},
    {"llvm.intr.ceil", F::Ceil},
    {"llvm.intr.round", F::Round},
    {"llvm.intr.roundeven", F::RoundEven},
    {"llvm.intr.rint", F::RoundEven},
    {"llvm.intr.nearbyint", F::RoundEven},
    {"llvm.intr.trunc", F::Trunc},
    {"llvm.intr.exp", F::Exp},
    {"llvm.intr.exp2", F::Exp2},
    {"llvm.intr.log", F::Log},
    {"llvm.intr.log2", F::Log2},
    {"llvm.intr.sin", F::Sin},
    {"llvm.intr.cos", F::Cos},
    {"llvm.intr.fma", F::Fma},
    {"llvm.intr.fmuladd", F::MulAdd},
    // What the hardware approximates is exact here.
    {"nvvm.rcp.approx.ftz.f", F::Reciprocal},
    {"llvm.nvvm.rcp.approx.ftz.f", F::Reciprocal},
    {"llvm.nvvm.ex2.approx.f", F::Exp2},
    {"llvm.nvvm.ex2.approx.ftz.f", F::Exp2},
    {"llvm.nvvm.lg2.approx.f", F::Log2},
    {"llvm.nvvm.lg2.approx.ftz.f", F::Log2},
    {"llvm.nvvm.sqrt.approx.f", F::Sqrt},
    {"llvm.nvvm.rsqrt.approx.f", F::ReciprocalSqrt},
    {"llvm.nvvm.rsqrt.approx.ftz.f", F::ReciprocalSqrt},
};

const std::map<llvm::StringRef, Conversion> conversions = {
    {"llvm.zext", Conversion::ZExt},      {"llvm.sext", Conversion::SExt},
    {"llvm.trunc", Conversion::Trunc},    {"llvm.sitofp", Conversion::SIToFP},
    {"llvm.uitofp", Conversion::UIToFP},  {"llvm.fptosi", Conversion::FPToSI},
    {"llvm.fptoui", Conversion::FPToUI},  {"llvm.fpext", Conversion::FPToFP},
    {"llvm.fptrunc", Conversion::FPToFP},
};

template <class Map> auto found(const Map &map, Operation *operation) {
  auto intrinsic = dyn_cast<LLVM::CallIntrinsicOp>(operation);
  const auto entry = map.find(intrinsic ? intrinsic.getIntrin() : operation->getName().getStringRef());
  return entry == map.end() ? nullptr : &entry->second;
}

/// One instruction for each scalar of the result, or of the result's part from `first` on.
void decodeEach(Decoder &decoder, Operation *operation, Handler handler, uint64_t immediate,
                ArrayRef<uint32_t> results) {
  const unsigned width = scalarsOf(operation->getOperand(0).getType()).front().bits;
  for (auto [index, result] : llvm::enumerate(results)) {
    Slots operands;
    for (Value operand : operation->getOperands()) {
      const Slots &slots = decoder.slotsOf(operand);
      operands.push_back(slots[slots.size() == 1 ? 0 : index]); // a select's condition may be one for all
    }
    Instruction &instruction = decoder.emit(operation, handler, result, operands);
    instruction.width = width;
    instruction.immediate = immediate;
  }
}

void decodeEach(Decoder &decoder, Operation *operation, Handler handler, uint64_t immediate = 0) {
  decodeEach(decoder, operation, handler, immediate, decoder.defineNew(operation->getResult(0)));
}

/// The relations that make a comparison of floats true: 1 equal, 2 greater, 4 less, 8 unordered.
unsigned relationsOf(LLVM::FCmpPredicate predicate) {
  using P = LLVM::FCmpPredicate;
  switch (predicate) {
  case P::_false:
    return 0;
  case P::oeq:
    return 1;
  case P::ogt:
    return 2;
  case P::oge:
    return 3;
  case P::olt:
    return 4;
  case P::ole:
    return 5;
  case P::one:
    return 6;
  case P::ord:
    return 7;
  case P::uno:
    return 8;
  case P::ueq:
    return 9;
  case P::ugt:
    return 10;
  case P::uge:
    return 11;
  case P::ult:
    return 12;
  case P::ule:
    return 13;
  case P::une:
    return 14;
  case P::_true:
    return 15;
  }
  return 0;
}

/// A struct of the results and of whether each one overflowed.
void decodeWithOverflow(Decoder &decoder, Operation *operation, std::pair<I, I> operations) {
  const Slots slots = decoder.defineNew(operation->getResult(0));
  const ArrayRef<uint32_t> all(slots);
  const size_t half = slots.size() / 2;
  decodeEach(decoder, operation, handlerOf(operations.first), 0, all.take_front(half));
  decodeEach(decoder, operation, handlerOf(operations.second), 0, all.drop_front(half));
}

} // namespace

Result<bool> decodeArithmetic(Decoder &decoder, Operation *operation) {
  const auto number = [&](Type type) { return scalarsOf(type).front().number; };
  if (const I *integer = found(integers, operation))
    decodeEach(decoder, operation, handlerOf(*integer));
  else if (const F *real = found(floats, operation))
    decodeEach(decoder, operation, handlerOf(*real, number(operation->getOperand(0).getType())));
  else if (const auto *pair = found(withOverflow, operation))
    decodeWithOverflow(decoder, operation, *pair);
  else if (const Conversion *conversion = found(conversions, operation)) {
    const Type from = operation->getOperand(0).getType(), to = operation->getResult(0).getType();
    decodeEach(decoder, operation, handlerOf(*conversion, number(from), number(to)),
               scalarsOf(to).front().bits);
  } else if (auto compare = dyn_cast<LLVM::ICmpOp>(operation))
    decodeEach(decoder, compare, handlerOf(I::Compare), static_cast<uint64_t>(compare.getPredicate()));
  else if (auto compare = dyn_cast<LLVM::FCmpOp>(operation))
    decodeEach(decoder, compare, handlerOf(F::Compare, number(compare.getLhs().getType())),
               relationsOf(compare.getPredicate()));
  else if (isa<LLVM::SelectOp>(operation))
    decodeEach(decoder, operation, select);
  else
    return false;
  return true;
}

} // namespace daedalus::cuda
