// Addresses, loads, stores and atomic operations.
#include "Accesses.h"
#include "Arithmetic.h"
#include "Atomics.h"
#include "Decoder.h"

#include "llvm/ADT/TypeSwitch.h"

#include <optional>

using namespace mlir;

namespace daedalus::cuda {
namespace {

std::optional<Space> spaceOf(Value pointer) {
  switch (cast<LLVM::LLVMPointerType>(pointer.getType()).getAddressSpace()) {
  case 0:
    return Space::Generic;
  case 1:
  case 4:
    return Space::Global;
  case 3:
    return Space::Shared;
  default:
    return std::nullopt;
  }
}

Error unknownSpace(Operation *operation) {
  return error("the address space of " + nameOf(operation) + " is not known to the emulator");
}

Access accessOf(Type type, Space space, std::optional<uint64_t> alignment, const Slots &slots) {
  Access access;
  access.space = space;
  for (auto [scalar, slot] : llvm::zip_equal(scalarsOf(type), slots)) {
    const uint8_t bytes = static_cast<uint8_t>(llvm::PowerOf2Ceil(scalar.bytes()));
    access.elements.push_back({slot, static_cast<uint32_t>(scalar.offset), bytes, scalar.bits});
    access.bytes = std::max(access.bytes, static_cast<uint32_t>(scalar.offset) + bytes);
  }
  access.alignment = static_cast<uint32_t>(alignment.value_or(alignmentOf(type)));
  return access;
}

/// Bits of a vector of them are packed in memory, which is not modelled.
bool hasPackedBits(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector && vector.getElementType().isInteger(1);
}

template <class Op>
Result<bool> decodeAccess(Decoder &decoder, Op op, Type type, const Slots &slots, Handler handler) {
  const std::optional<Space> space = spaceOf(op.getAddr());
  if (!space)
    return unknownSpace(op);
  if (hasPackedBits(type))
    return error("the type of " + nameOf(op) + " is not known to the emulator");
  Access access = accessOf(type, *space, op.getAlignment(), slots);
  access.atomic = op.getOrdering() != LLVM::AtomicOrdering::not_atomic;
  const uint32_t number = decoder.addAccess(std::move(access));
  decoder.emit(op, handler, 0, {decoder.slotOf(op.getAddr())}).extra = number;
  return true;
}

/// base + the constant part, then + each index times its size.
Result<bool> decodeAddress(Decoder &decoder, LLVM::GEPOp op) {
  if (!isa<LLVM::LLVMPointerType>(op.getType()))
    return error("the type of " + nameOf(op) + " is not known to the emulator");
  Type type = op.getElemType();
  uint64_t offset = 0;
  std::vector<std::pair<Value, uint64_t>> dynamic;
  bool isFirst = true;
  for (auto index : op.getIndices()) {
    const auto value = dyn_cast<Value>(index);
    const auto constant = value ? IntegerAttr() : cast<IntegerAttr>(index);
    uint64_t size = 0;
    if (isFirst)
      size = sizeOf(type);
    else if (isa<LLVM::LLVMStructType>(type)) {
      offset += fieldOffset(type, static_cast<unsigned>(constant.getInt()));
      type = cast<LLVM::LLVMStructType>(type).getBody()[constant.getInt()];
    } else {
      auto array = dyn_cast<LLVM::LLVMArrayType>(type);
      type = array ? array.getElementType() : cast<VectorType>(type).getElementType();
      size = sizeOf(type);
    }
    isFirst = false;
    if (value)
      dynamic.emplace_back(value, size);
    else if (size)
      offset += static_cast<uint64_t>(constant.getInt()) * size;
  }
  uint32_t address = decoder.slotOf(op.getBase());
  for (auto [value, size] : dynamic) {
    const uint32_t next = decoder.newSlot();
    Instruction &add = decoder.emit(op, addIndex, next, {address, decoder.slotOf(value)});
    add.width = value.getType().getIntOrFloatBitWidth();
    add.immediate = size;
    address = next;
  }
  if (offset) {
    const uint32_t next = decoder.newSlot();
    decoder.emit(op, addImmediate, next, {address}).immediate = offset;
    address = next;
  }
  decoder.define(op, {address});
  return true;
}

/// Shared memory is a window of the generic addresses.
Result<bool> decodeSpaceCast(Decoder &decoder, LLVM::AddrSpaceCastOp op) {
  const std::optional<Space> from = spaceOf(op.getArg()), to = spaceOf(op);
  if (!from || !to)
    return unknownSpace(op);
  const uint64_t window = *from == *to || (*from != Space::Shared && *to != Space::Shared) ? 0
                          : *from == Space::Shared                                         ? sharedWindow
                                                                                           : -sharedWindow;
  if (!window)
    return decoder.define(op, decoder.slotsOf(op.getArg())), true;
  const uint32_t result = decoder.defineNew(op).front();
  decoder.emit(op, addImmediate, result, {decoder.slotOf(op.getArg())}).immediate = window;
  return true;
}

Result<bool> decodeAddressOf(Decoder &decoder, LLVM::AddressOfOp op) {
  auto global = SymbolTable::lookupNearestSymbolFrom<LLVM::GlobalOp>(op, op.getGlobalNameAttr());
  if (!global)
    return error(nameOf(op) + " names no global value");
  const Result<uint32_t> slot = decoder.addressSlot(global);
  if (!slot)
    return error(slot.error());
  decoder.define(op, {*slot});
  return true;
}

void decodePointerCast(Decoder &decoder, Operation *op) {
  const Value from = op->getOperand(0), to = op->getResult(0);
  const uint8_t before = scalarsOf(from.getType()).front().bits, after = scalarsOf(to.getType()).front().bits;
  if (before <= after) // without a sign
    return decoder.define(to, decoder.slotsOf(from));
  const uint32_t result = decoder.defineNew(to).front();
  decoder.emit(op, takeBits, result, {decoder.slotOf(from)}).width = after;
}

std::optional<AtomicOperation> atomicOperationOf(LLVM::AtomicBinOp operation) {
  using B = LLVM::AtomicBinOp;
  using A = AtomicOperation;
  static const std::map<B, A> known = {
      {B::xchg, A::Exchange}, {B::add, A::Add},   {B::sub, A::Sub},   {B::_and, A::And},  {B::nand, A::Nand},
      {B::_or, A::Or},        {B::_xor, A::Xor},  {B::max, A::Max},   {B::min, A::Min},   {B::umax, A::UMax},
      {B::umin, A::UMin},     {B::fadd, A::FAdd}, {B::fsub, A::FSub}, {B::fmax, A::FMax}, {B::fmin, A::FMin}};
  const auto found = known.find(operation);
  return found == known.end() ? std::nullopt : std::optional<A>(found->second);
}

Result<bool> decodeAtomic(Decoder &decoder, LLVM::AtomicRMWOp op) {
  const std::optional<Space> space = spaceOf(op.getPtr());
  const std::optional<AtomicOperation> operation = atomicOperationOf(op.getBinOp());
  if (!space || !operation || scalarsOf(op.getType()).size() != 1)
    return error("the operation or the type of " + nameOf(op) + " is not known to the emulator");
  const Scalar scalar = scalarsOf(op.getType()).front();
  const uint32_t result = decoder.defineNew(op).front();
  const uint32_t access = decoder.addAccess(accessOf(op.getType(), *space, {}, {result}));
  Instruction &update =
      decoder.emit(op, atomicUpdate, result, {decoder.slotOf(op.getPtr()), decoder.slotOf(op.getVal())});
  update.extra = access;
  update.width = scalar.bits;
  update.immediate = static_cast<uint64_t>(*operation) | static_cast<uint64_t>(scalar.number) << 8;
  return true;
}

Result<bool> decodeExchange(Decoder &decoder, LLVM::AtomicCmpXchgOp op) {
  const std::optional<Space> space = spaceOf(op.getPtr());
  if (!space)
    return unknownSpace(op);
  const Slots results = decoder.defineNew(op);
  const uint32_t access = decoder.addAccess(accessOf(op.getVal().getType(), *space, {}, {results[0]}));
  Instruction &exchange =
      decoder.emit(op, atomicCompareExchange, results[0],
                   {decoder.slotOf(op.getPtr()), decoder.slotOf(op.getCmp()), decoder.slotOf(op.getVal())});
  exchange.extra = access;
  exchange.immediate = results[1];
  return true;
}

} // namespace

Result<bool> decodeMemory(Decoder &decoder, Operation *operation) {
  return llvm::TypeSwitch<Operation *, Result<bool>>(operation)
      .Case([&](LLVM::LoadOp op) {
        return decodeAccess(decoder, op, op.getType(), decoder.defineNew(op), load);
      })
      .Case([&](LLVM::StoreOp op) {
        return decodeAccess(decoder, op, op.getValue().getType(), decoder.slotsOf(op.getValue()), store);
      })
      .Case([&](LLVM::GEPOp op) { return decodeAddress(decoder, op); })
      .Case([&](LLVM::AddrSpaceCastOp op) { return decodeSpaceCast(decoder, op); })
      .Case([&](LLVM::AddressOfOp op) { return decodeAddressOf(decoder, op); })
      .Case<LLVM::PtrToIntOp, LLVM::IntToPtrOp>(
          [&](Operation *op) { return decodePointerCast(decoder, op), true; })
      .Case([&](LLVM::AtomicRMWOp op) { return decodeAtomic(decoder, op); })
      .Case([&](LLVM::AtomicCmpXchgOp op) { return decodeExchange(decoder, op); })
      .Default([](Operation *) { return false; });
}

} // namespace daedalus::cuda
