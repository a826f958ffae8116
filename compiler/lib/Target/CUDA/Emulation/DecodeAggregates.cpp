// Constants, and what takes values of several scalars apart or joins them: most of it moves nothing.
#include "Arithmetic.h"
#include "Decoder.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace daedalus::cuda {
namespace {

uint64_t bitsOfAttribute(Attribute value) {
  if (auto integer = dyn_cast<IntegerAttr>(value))
    return integer.getValue().getZExtValue();
  return cast<FloatAttr>(value).getValue().bitcastToAPInt().getZExtValue();
}

Result<bool> decodeConstant(Decoder &decoder, LLVM::ConstantOp op) {
  Slots slots;
  const Attribute value = op.getValue();
  if (auto elements = dyn_cast<DenseElementsAttr>(value))
    for (Attribute element : elements.getValues<Attribute>())
      slots.push_back(decoder.constantSlot(bitsOfAttribute(element)));
  else if (isa<IntegerAttr, FloatAttr>(value))
    slots.push_back(decoder.constantSlot(bitsOfAttribute(value)));
  if (slots.size() != scalarsOf(op.getType()).size())
    return error("the value of " + nameOf(op) + " is not known to the emulator");
  decoder.define(op, slots);
  return true;
}

void decodeZero(Decoder &decoder, Operation *operation) {
  const Value result = operation->getResult(0);
  decoder.define(result, Slots(scalarsOf(result.getType()).size(), decoder.constantSlot(0)));
}

/// Where the part of a type begins that a position leads to, and how many scalars it has.
std::pair<size_t, size_t> partOf(Type type, ArrayRef<int64_t> position) {
  size_t first = 0;
  for (int64_t index : position) {
    if (auto record = dyn_cast<LLVM::LLVMStructType>(type)) {
      for (Type field : record.getBody().take_front(index))
        first += scalarsOf(field).size();
      type = record.getBody()[index];
      continue;
    }
    type = cast<LLVM::LLVMArrayType>(type).getElementType();
    first += static_cast<size_t>(index) * scalarsOf(type).size();
  }
  return {first, scalarsOf(type).size()};
}

void decodeInsertValue(Decoder &decoder, LLVM::InsertValueOp op) {
  Slots slots = decoder.slotsOf(op.getContainer());
  const auto [first, count] = partOf(op.getType(), op.getPosition());
  llvm::copy(decoder.slotsOf(op.getValue()), slots.begin() + static_cast<ptrdiff_t>(first));
  decoder.define(op, slots);
}

void decodeExtractValue(Decoder &decoder, LLVM::ExtractValueOp op) {
  const auto [first, count] = partOf(op.getContainer().getType(), op.getPosition());
  const ArrayRef<uint32_t> all = decoder.slotsOf(op.getContainer());
  const ArrayRef<uint32_t> part = all.slice(first, count);
  decoder.define(op, Slots(part.begin(), part.end()));
}

std::optional<uint64_t> constantIndex(Value value) {
  auto constant = value.getDefiningOp<LLVM::ConstantOp>();
  auto integer = constant ? dyn_cast<IntegerAttr>(constant.getValue()) : IntegerAttr();
  return integer ? std::optional<uint64_t>(integer.getValue().getZExtValue()) : std::nullopt;
}

void decodeExtractElement(Decoder &decoder, LLVM::ExtractElementOp op) {
  const Slots slots = decoder.slotsOf(op.getVector());
  const std::optional<uint64_t> index = constantIndex(op.getPosition());
  if (index && *index < slots.size())
    return decoder.define(op, {slots[*index]});
  const uint32_t list = decoder.addList(slots), result = decoder.defineNew(op).front();
  decoder.emit(op, pickElement, result, {decoder.slotOf(op.getPosition())}).extra = list;
}

/// Where the index is not known, each element is selected.
void decodeInsertElement(Decoder &decoder, LLVM::InsertElementOp op) {
  Slots slots = decoder.slotsOf(op.getVector());
  const std::optional<uint64_t> known = constantIndex(op.getPosition());
  const uint32_t value = decoder.slotOf(op.getValue()), position = decoder.slotOf(op.getPosition());
  for (auto [index, slot] : llvm::enumerate(slots)) {
    if (known) {
      slot = *known == index ? value : slot;
      continue;
    }
    const uint32_t isHere = decoder.newSlot(), result = decoder.newSlot();
    decoder.emit(op, handlerOf(IntegerOperation::Compare), isHere, {position, decoder.constantSlot(index)})
        .width = 64;
    decoder.emit(op, select, result, {isHere, value, slot});
    slot = result;
  }
  decoder.define(op, slots);
}

void decodeShuffle(Decoder &decoder, LLVM::ShuffleVectorOp op) {
  Slots both = decoder.slotsOf(op.getV1()), slots;
  both.append(decoder.slotsOf(op.getV2()));
  for (int32_t index : op.getMask())
    slots.push_back(index < 0 ? decoder.constantSlot(0) : both[static_cast<size_t>(index)]);
  decoder.define(op, slots);
}

/// Scalars of the same width keep their slots; others are cut into pieces of the width that divides both.
void decodeBitcast(Decoder &decoder, LLVM::BitcastOp op) {
  const Slots slots = decoder.slotsOf(op.getArg());
  const unsigned from = scalarsOf(op.getArg().getType()).front().bits,
                 to = scalarsOf(op.getType()).front().bits;
  Slots results;
  if (from == to)
    results = slots;
  else if (from > to)
    for (uint32_t slot : slots)
      for (unsigned bit = 0; bit < from; bit += to) {
        Instruction &take = decoder.emit(op, takeBits, results.emplace_back(decoder.newSlot()), {slot});
        take.immediate = bit;
        take.width = to;
      }
  else
    for (size_t first = 0, each = to / from; first < slots.size(); first += each) {
      uint32_t joined = slots[first];
      for (size_t piece = 1; piece < each; ++piece) {
        const uint32_t next = decoder.newSlot();
        decoder.emit(op, joinBits, next, {joined, slots[first + piece]}).immediate = piece * from;
        joined = next;
      }
      results.push_back(joined);
    }
  decoder.define(op, results);
}

} // namespace

Result<bool> decodeAggregate(Decoder &decoder, Operation *operation) {
  return llvm::TypeSwitch<Operation *, Result<bool>>(operation)
      .Case([&](LLVM::ConstantOp op) { return decodeConstant(decoder, op); })
      .Case<LLVM::UndefOp, LLVM::PoisonOp, LLVM::ZeroOp>(
          [&](Operation *op) { return decodeZero(decoder, op), true; })
      .Case([&](LLVM::InsertValueOp op) { return decodeInsertValue(decoder, op), true; })
      .Case([&](LLVM::ExtractValueOp op) { return decodeExtractValue(decoder, op), true; })
      .Case([&](LLVM::InsertElementOp op) { return decodeInsertElement(decoder, op), true; })
      .Case([&](LLVM::ExtractElementOp op) { return decodeExtractElement(decoder, op), true; })
      .Case([&](LLVM::ShuffleVectorOp op) { return decodeShuffle(decoder, op), true; })
      .Case([&](LLVM::BitcastOp op) { return decodeBitcast(decoder, op), true; })
      .Case([&](LLVM::FreezeOp op) { return decoder.define(op, decoder.slotsOf(op.getVal())), true; })
      .Default([](Operation *) { return false; });
}

} // namespace daedalus::cuda
