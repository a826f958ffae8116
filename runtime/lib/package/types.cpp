// Names and sizes of the package's tensor types; the package in words.

#include "check.h"

namespace daedalus::package {

const char *name(DType dtype) {
  switch (dtype) {
  case DType::I8:
    return "int8";
  case DType::U8:
    return "uint8";
  case DType::I32:
    return "int32";
  case DType::I64:
    return "int64";
  case DType::F32:
    return "float32";
  case DType::Bool:
    return "bool";
  case DType::F64:
    return "float64";
  case DType::I16:
    return "int16";
  case DType::U16:
    return "uint16";
  case DType::U32:
    return "uint32";
  case DType::U64:
    return "uint64";
  case DType::F16:
    return "float16";
  case DType::BF16:
    return "bfloat16";
  }
  return "unknown";
}

uint64_t byteSize(DType dtype) {
  switch (dtype) {
  case DType::I8:
  case DType::U8:
  case DType::Bool:
    return 1;
  case DType::I16:
  case DType::U16:
  case DType::F16:
  case DType::BF16:
    return 2;
  case DType::I32:
  case DType::U32:
  case DType::F32:
    return 4;
  case DType::I64:
  case DType::U64:
  case DType::F64:
    return 8;
  }
  return 0;
}

uint64_t elementCount(const TensorType &type) {
  uint64_t count = 1;
  for (int64_t size : type.shape)
    count *= static_cast<uint64_t>(size);
  return count;
}

uint64_t byteSize(const TensorType &type) {
  return elementCount(type) * byteSize(type.dtype);
}

bool countable(const TensorType &type) {
  uint64_t bytes = byteSize(type.dtype);
  for (int64_t size : type.shape) {
    if (size < 0 || static_cast<uint64_t>(size) > mostBytes)
      return false;
    if (size && bytes > mostBytes / static_cast<uint64_t>(size))
      return false;
    bytes *= static_cast<uint64_t>(size);
  }
  return true;
}

std::string toString(const TensorType &type) {
  std::string text = std::string(name(type.dtype)) + " [";
  for (size_t i = 0; i < type.shape.size(); ++i)
    text += (i ? "," : "") + std::to_string(type.shape[i]);
  return text + "]";
}

std::string describeNativeCode(const Package &package) {
  const auto count = [](const std::vector<Kernel> &kernels) {
    return number(kernels.size()) + (kernels.size() == 1 ? " kernel for " : " kernels for ");
  };
  std::string text;
  for (const ElfObject &object : package.objects)
    text += (text.empty() ? count(package.kernels) : ", ") + object.triple + " at level " + object.cpu;
  for (const Device &device : package.devices)
    text += (text.empty() ? "" : ", ") + count(device.kernels) + "the device '" + device.name + "'";
  return text;
}

std::string describe(const Package &package, Space space) {
  if (space == Space::Constants)
    return "the constants";
  return space == Space::Arena ? "the arena"
                               : "the memory of the device '" + package.devices[deviceOf(space)].name + "'";
}

} // namespace daedalus::package
