#include "Numbers.h"

#include <cstring>

namespace daedalus::cli {
namespace {

template <class T> T at(const std::vector<uint8_t> &data, uint64_t index) {
  T value;
  std::memcpy(&value, &data[index * sizeof value], sizeof value);
  return value;
}

} // namespace

int64_t integerAt(const std::vector<uint8_t> &data, package::DType dtype, uint64_t index) {
  switch (dtype) {
  case package::DType::I8:
    return at<int8_t>(data, index);
  case package::DType::I32:
    return at<int32_t>(data, index);
  case package::DType::I64:
    return at<int64_t>(data, index);
  default:
    return data[index];
  }
}

double numberAt(const std::vector<uint8_t> &data, package::DType dtype, uint64_t index) {
  if (dtype == package::DType::F64)
    return at<double>(data, index);
  if (dtype == package::DType::F32)
    return at<float>(data, index);
  return static_cast<double>(integerAt(data, dtype, index));
}

} // namespace daedalus::cli
