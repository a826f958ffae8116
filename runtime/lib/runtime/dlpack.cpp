// Types by a table of (code, bits); layouts by comparing strides with those of a dense tensor.

#include "dlpack.h"

#include "daedalus/runtime.h"

namespace daedalus::runtime {
namespace {

struct Entry {
  package::DType dtype;
  uint8_t code, bits;
};
constexpr uint8_t brainFloat = 4; // kDLBfloat, of newer headers
constexpr Entry entries[] = {
    {package::DType::I8, kDLInt, 8},
    {package::DType::U8, kDLUInt, 8},
    {package::DType::I16, kDLInt, 16},
    {package::DType::U16, kDLUInt, 16},
    {package::DType::I32, kDLInt, 32},
    {package::DType::U32, kDLUInt, 32},
    {package::DType::I64, kDLInt, 64},
    {package::DType::U64, kDLUInt, 64},
    {package::DType::F16, kDLFloat, 16},
    {package::DType::BF16, brainFloat, 16},
    {package::DType::F32, kDLFloat, 32},
    {package::DType::F64, kDLFloat, 64},
    {package::DType::Bool, DAEDALUS_DL_BOOL, 8},
};

bool isTooLarge(const package::TensorType &type) {
  constexpr uint64_t mostBytes = uint64_t(1) << 40;
  uint64_t bytes = byteSize(type.dtype);
  for (int64_t size : type.shape) {
    if (size && bytes > mostBytes / static_cast<uint64_t>(size))
      return true;
    bytes *= static_cast<uint64_t>(size);
  }
  return false;
}

bool isDense(const DLTensor &tensor) {
  if (!tensor.strides)
    return true;
  int64_t expected = 1;
  for (int32_t i = tensor.ndim; i-- > 0;) {
    if (tensor.shape[i] > 1 && tensor.strides[i] != expected)
      return false;
    expected *= tensor.shape[i];
  }
  return true;
}

} // namespace

DLDataType toDl(package::DType dtype) {
  for (const Entry &entry : entries)
    if (entry.dtype == dtype)
      return {entry.code, entry.bits, 1};
  return {kDLOpaqueHandle, 0, 1};
}

Result<package::DType> fromDl(DLDataType dtype) {
  for (const Entry &entry : entries)
    if (entry.code == dtype.code && entry.bits == dtype.bits && dtype.lanes == 1)
      return entry.dtype;
  return error(
      "has the DLPack type code " + std::to_string(dtype.code) + " with " + std::to_string(dtype.bits) +
      " bits and " + std::to_string(dtype.lanes) +
      " lanes, expected one lane of an integer of 8 to 64 bits, float16, bfloat16, float32, float64 or bool");
}

DLTensor toDl(const TensorView &view) {
  DLTensor tensor{};
  tensor.data = view.data;
  tensor.device = {kDLCPU, 0};
  tensor.ndim = static_cast<int32_t>(view.type->shape.size());
  tensor.dtype = toDl(view.type->dtype);
  tensor.shape = const_cast<int64_t *>(view.type->shape.data()); // DLPack has no const; nobody writes here
  return tensor;
}

Result<package::TensorType> typeOf(const DLTensor &tensor) {
  if (tensor.device.device_type != kDLCPU)
    return error("is not in host memory: expected the device type kDLCPU (1), found " +
                 std::to_string(tensor.device.device_type));
  auto dtype = fromDl(tensor.dtype);
  if (!dtype)
    return error(dtype.error());
  if (tensor.ndim < 0 || (tensor.ndim > 0 && !tensor.shape))
    return error("has " + std::to_string(tensor.ndim) + " dimensions and no shape");
  package::TensorType type{*dtype, {tensor.shape, tensor.shape + tensor.ndim}};
  for (int64_t size : type.shape)
    if (size < 0)
      return error("has the shape " + toString(type) + ", which is negative");
  if (isTooLarge(type))
    return error("has the shape " + toString(type) + ", which is more than can be addressed");
  if (!isDense(tensor))
    return error("has strides that are not those of a dense row-major tensor");
  return type;
}

} // namespace daedalus::runtime
