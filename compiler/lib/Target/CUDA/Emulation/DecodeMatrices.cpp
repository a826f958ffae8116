// ldmatrix, stmatrix and mma.sync.
#include "Decoder.h"
#include "WarpOperations.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

#include "llvm/ADT/TypeSwitch.h"

#include <optional>

using namespace mlir;

namespace daedalus::cuda {
namespace {

void emitMatrices(Decoder &decoder, Operation *operation, Handler handler, Value pointer,
                  NVVM::MMALayout layout, ArrayRef<uint32_t> slots) {
  const bool isShared = cast<LLVM::LLVMPointerType>(pointer.getType()).getAddressSpace() == 3;
  const uint32_t list = decoder.addList(slots);
  Instruction &instruction = decoder.emit(operation, handler, 0, {decoder.slotOf(pointer)});
  instruction.extra = list;
  instruction.width = static_cast<uint32_t>(slots.size());
  instruction.immediate = uint64_t(layout == NVVM::MMALayout::col) |
                          static_cast<uint64_t>(isShared ? Space::Shared : Space::Generic) << 1;
}

void decodeStore(Decoder &decoder, NVVM::StMatrixOp op) {
  Slots sources;
  for (Value source : op.getSources())
    sources.push_back(decoder.slotOf(source));
  emitMatrices(decoder, op, storeMatrix, op.getPtr(), op.getLayout(), sources);
}

struct FactorType {
  Factor factor;
  unsigned bits;
};

std::optional<FactorType> factorOf(std::optional<NVVM::MMATypes> type, Value operand) {
  if (!type)
    type = NVVM::MmaOp::inferOperandMMAType(operand.getType(), /*isAccumulator=*/false);
  static const std::map<NVVM::MMATypes, FactorType> known = {{NVVM::MMATypes::f16, {Factor::Half, 16}},
                                                             {NVVM::MMATypes::bf16, {Factor::BFloat, 16}},
                                                             {NVVM::MMATypes::tf32, {Factor::Tf32, 32}},
                                                             {NVVM::MMATypes::s8, {Factor::Signed, 8}},
                                                             {NVVM::MMATypes::u8, {Factor::Unsigned, 8}}};
  const auto found = type ? known.find(*type) : known.end();
  return found == known.end() ? std::nullopt : std::optional<FactorType>(found->second);
}

std::vector<uint32_t> slotsOfAll(Decoder &decoder, ValueRange values) {
  std::vector<uint32_t> slots;
  for (Value value : values)
    llvm::append_range(slots, decoder.slotsOf(value));
  return slots;
}

Result<bool> decodeProduct(Decoder &decoder, NVVM::MmaOp op) {
  const auto a = factorOf(op.getMultiplicandAPtxType(), op.getOperandA().front());
  const auto b = factorOf(op.getMultiplicandBPtxType(), op.getOperandB().front());
  TensorProduct product;
  const auto shape = op.getShape();
  product.shape = {static_cast<unsigned>(shape.getM()), static_cast<unsigned>(shape.getN()),
                   static_cast<unsigned>(shape.getK()), a ? a->bits : 0};
  if (!a || !b || a->bits != b->bits || !isKnown(product.shape) || op.getLayoutA() != NVVM::MMALayout::row ||
      op.getLayoutB() != NVVM::MMALayout::col)
    return error("the shape, the types or the layouts of " + nameOf(op) + " are not known to the emulator");
  product.factorA = a->factor;
  product.factorB = b->factor;
  product.isPacked = scalarsOf(op.getOperandA().front().getType()).size() == 1;
  product.saturates = op.getIntOverflowBehavior() == NVVM::MMAIntOverflow::satfinite;
  product.a = slotsOfAll(decoder, op.getOperandA());
  product.b = slotsOfAll(decoder, op.getOperandB());
  product.c = slotsOfAll(decoder, op.getOperandC());
  product.d = slotsOfAll(decoder, (decoder.defineNew(op), op->getResults()));
  product.sumsAreHalf = scalarsOf(op.getOperandC().front().getType()).front().number == Number::Half;
  const size_t each = product.isPacked ? 1 : product.shape.elementsPerRegister(),
               sums = product.shape.elementsOfC();
  if (product.a.size() != product.shape.registersOfA() * each || product.c.size() != sums ||
      product.b.size() != product.shape.registersOfB() * each || product.d.size() != sums)
    return error("the operands of " + nameOf(op) + " are too few or too many for its shape");
  const uint32_t number = decoder.addProduct(std::move(product));
  decoder.emit(op, multiplyMatrices).extra = number;
  return true;
}

} // namespace

Result<bool> decodeMatrix(Decoder &decoder, Operation *operation) {
  return llvm::TypeSwitch<Operation *, Result<bool>>(operation)
      .Case([&](NVVM::LdMatrixOp op) {
        const Slots results = decoder.defineNew(op.getRes());
        emitMatrices(decoder, op, loadMatrix, op.getPtr(), op.getLayout(), results);
        return true;
      })
      .Case([&](NVVM::StMatrixOp op) { return decodeStore(decoder, op), true; })
      .Case([&](NVVM::MmaOp op) { return decodeProduct(decoder, op); })
      .Default([](Operation *) { return false; });
}

} // namespace daedalus::cuda
