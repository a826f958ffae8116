#include "Types.h"

#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/IR/BuiltinTypes.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace daedalus::cuda {
namespace {

/// A scalar type's; of no bits where it is none.
Scalar scalar(Type type) {
  if (isa<LLVM::LLVMPointerType>(type))
    return {Number::Integer, 64};
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.getWidth() <= 64 ? Scalar{Number::Integer, static_cast<uint8_t>(integer.getWidth())}
                                    : Scalar{};
  if (type.isF16())
    return {Number::Half, 16};
  if (type.isBF16())
    return {Number::BFloat, 16};
  if (type.isF32())
    return {Number::Single, 32};
  return type.isF64() ? Scalar{Number::Double, 64} : Scalar{};
}

bool append(Type type, uint64_t offset, std::vector<Scalar> &scalars);

bool appendElements(Type element, uint64_t count, uint64_t offset, std::vector<Scalar> &scalars) {
  const uint64_t size = sizeOf(element);
  for (uint64_t index = 0; index < count; ++index)
    if (!append(element, offset + index * size, scalars))
      return false;
  return true;
}

bool append(Type type, uint64_t offset, std::vector<Scalar> &scalars) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getRank() <= 1 && !vector.isScalable() &&
           appendElements(vector.getElementType(), vector.getNumElements(), offset, scalars);
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return appendElements(array.getElementType(), array.getNumElements(), offset, scalars);
  if (auto record = dyn_cast<LLVM::LLVMStructType>(type)) {
    for (auto [index, field] : llvm::enumerate(record.getBody()))
      if (!append(field, offset + fieldOffset(type, index), scalars))
        return false;
    return true;
  }
  Scalar found = scalar(type);
  found.offset = offset;
  if (found.bits)
    scalars.push_back(found);
  return found.bits != 0;
}

uint64_t structEnd(LLVM::LLVMStructType record, unsigned fields) {
  uint64_t end = 0;
  for (Type field : record.getBody().take_front(fields))
    end = (record.isPacked() ? end : llvm::alignTo(end, alignmentOf(field))) + sizeOf(field);
  return end;
}

} // namespace

std::vector<Scalar> scalarsOf(Type type) {
  std::vector<Scalar> scalars;
  if (!append(type, 0, scalars))
    scalars.clear();
  return scalars;
}

uint64_t fieldOffset(Type type, unsigned field) {
  auto record = cast<LLVM::LLVMStructType>(type);
  const uint64_t end = structEnd(record, field);
  return record.isPacked() ? end : llvm::alignTo(end, alignmentOf(record.getBody()[field]));
}

uint64_t alignmentOf(Type type) {
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return alignmentOf(array.getElementType());
  if (auto record = dyn_cast<LLVM::LLVMStructType>(type)) {
    uint64_t alignment = 1;
    if (!record.isPacked())
      for (Type field : record.getBody())
        alignment = std::max(alignment, alignmentOf(field));
    return alignment;
  }
  return std::max<uint64_t>(1, llvm::PowerOf2Ceil(sizeOf(type)));
}

uint64_t sizeOf(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getNumElements() * sizeOf(vector.getElementType());
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return array.getNumElements() * sizeOf(array.getElementType());
  if (auto record = dyn_cast<LLVM::LLVMStructType>(type))
    return llvm::alignTo(structEnd(record, record.getBody().size()), alignmentOf(type));
  return llvm::PowerOf2Ceil(scalar(type).bytes());
}

} // namespace daedalus::cuda
