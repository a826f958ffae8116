// ldmatrix, stmatrix and mma.sync.
#include "Decoder.h"
#include "WarpOperations.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Regex.h"

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

const std::map<llvm::StringRef, FactorType> factorTypes = {{"f16", {Factor::Half, 16}},
                                                           {"bf16", {Factor::BFloat, 16}},
                                                           {"tf32", {Factor::Tf32, 32}},
                                                           {"s8", {Factor::Signed, 8}},
                                                           {"u8", {Factor::Unsigned, 8}}};

std::optional<FactorType> factorOf(llvm::StringRef type) {
  const auto found = factorTypes.find(type);
  return found == factorTypes.end() ? std::nullopt : std::optional<FactorType>(found->second);
}

std::optional<FactorType> factorOf(std::optional<NVVM::MMATypes> type, Value operand) {
  if (!type)
    type = NVVM::MmaOp::inferOperandMMAType(operand.getType(), /*isAccumulator=*/false);
  return type ? factorOf(NVVM::stringifyMMATypes(*type)) : std::nullopt;
}

std::vector<uint32_t> slotsOfAll(Decoder &decoder, ValueRange values) {
  std::vector<uint32_t> slots;
  for (Value value : values)
    llvm::append_range(slots, decoder.slotsOf(value));
  return slots;
}

Error unknownProduct(Operation *op) {
  return error("the shape, the types or the layouts of " + nameOf(op) + " are not known to the emulator");
}

/// The operands of a product whose shape and types are known already.
Result<bool> emitProduct(Decoder &decoder, Operation *op, TensorProduct product, ValueRange a, ValueRange b,
                         ValueRange c) {
  if (!isKnown(product.shape) || op->getNumResults() != 1)
    return unknownProduct(op);
  product.a = slotsOfAll(decoder, a);
  product.b = slotsOfAll(decoder, b);
  product.c = slotsOfAll(decoder, c);
  decoder.defineNew(op->getResult(0));
  product.d = slotsOfAll(decoder, op->getResults());
  product.isPacked = product.a.size() == a.size();
  product.sumsAreHalf = scalarsOf(op->getResult(0).getType()).front().number == Number::Half;
  const size_t each = product.isPacked ? 1 : product.shape.elementsPerRegister(),
               sums = product.shape.elementsOfC();
  if (product.a.size() != product.shape.registersOfA() * each || product.c.size() != sums ||
      product.b.size() != product.shape.registersOfB() * each || product.d.size() != sums)
    return error("the operands of " + nameOf(op) + " are too few or too many for its shape");
  const uint32_t number = decoder.addProduct(std::move(product));
  decoder.emit(op, multiplyMatrices).extra = number;
  return true;
}

Result<bool> decodeProduct(Decoder &decoder, NVVM::MmaOp op) {
  const auto a = factorOf(op.getMultiplicandAPtxType(), op.getOperandA().front());
  const auto b = factorOf(op.getMultiplicandBPtxType(), op.getOperandB().front());
  if (!a || !b || a->bits != b->bits || op.getLayoutA() != NVVM::MMALayout::row ||
      op.getLayoutB() != NVVM::MMALayout::col)
    return unknownProduct(op);
  TensorProduct product;
  const auto shape = op.getShape();
  product.shape = {static_cast<unsigned>(shape.getM()), static_cast<unsigned>(shape.getN()),
                   static_cast<unsigned>(shape.getK()), a->bits};
  product.factorA = a->factor;
  product.factorB = b->factor;
  product.saturates = op.getIntOverflowBehavior() == NVVM::MMAIntOverflow::satfinite;
  return emitProduct(decoder, op, std::move(product), op.getOperandA(), op.getOperandB(), op.getOperandC());
}

/// LLVM's intrinsics, "llvm.nvvm.mma.m16n8k16.row.col.bf16": MLIR 19 has no other form of bf16's that becomes
/// code. One type is of A and B, two of A and of B; of float16 they are those of D and of C.
Result<bool> decodeIntrinsic(Decoder &decoder, LLVM::CallIntrinsicOp op) {
  static const llvm::Regex form("^llvm\\.nvvm\\.mma\\.m([0-9]+)n([0-9]+)k([0-9]+)\\.row\\.col(\\.satfinite)?"
                                "\\.([a-z0-9]+)(\\.([a-z0-9]+))?$");
  llvm::SmallVector<llvm::StringRef, 8> parts;
  if (!form.match(op.getIntrin(), &parts))
    return false;
  const bool isHalf = parts[5] == "f32" || parts[5] == "f16";
  const auto a = factorOf(isHalf ? "f16" : parts[5]), b = factorOf(isHalf             ? "f16"
                                                                   : parts[7].empty() ? parts[5]
                                                                                      : parts[7]);
  if (!a || !b || a->bits != b->bits)
    return unknownProduct(op);
  TensorProduct product;
  unsigned *const sizes[] = {&product.shape.m, &product.shape.n, &product.shape.k};
  for (size_t index = 0; index < 3; ++index)
    parts[index + 1].getAsInteger(10, *sizes[index]);
  product.shape.bits = a->bits;
  product.factorA = a->factor;
  product.factorB = b->factor;
  product.saturates = !parts[4].empty();
  const unsigned as = product.shape.registersOfA(), bs = product.shape.registersOfB();
  const ValueRange operands = op.getArgs();
  if (operands.size() <= as + bs)
    return error(nameOf(op) + " has too few operands");
  return emitProduct(decoder, op, std::move(product), operands.take_front(as), operands.slice(as, bs),
                     operands.drop_front(as + bs));
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
      .Case([&](LLVM::CallIntrinsicOp op) { return decodeIntrinsic(decoder, op); })
      .Default([](Operation *) { return false; });
}

} // namespace daedalus::cuda
