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
  }
  return "unknown";
}

uint64_t byteSize(DType dtype) {
  switch (dtype) {
  case DType::I8:
  case DType::U8:
  case DType::Bool:
    return 1;
  case DType::I32:
  case DType::F32:
    return 4;
  case DType::I64:
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
  std::string text =
      number(package.kernels.size()) + (package.kernels.size() == 1 ? " kernel for " : " kernels for ");
  for (const ElfObject &object : package.objects)
    text += (&object == package.objects.data() ? "" : ", ") + object.triple + " at level " + object.cpu;
  return text;
}

} // namespace daedalus::package
