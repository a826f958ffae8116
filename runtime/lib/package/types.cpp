// Names and sizes of the package's tensor types.

#include "daedalus/package/package.h"

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

std::string toString(const TensorType &type) {
  std::string text = std::string(name(type.dtype)) + " [";
  for (size_t i = 0; i < type.shape.size(); ++i)
    text += (i ? "," : "") + std::to_string(type.shape[i]);
  return text + "]";
}

} // namespace daedalus::package
