#include "Report/Numbers.h"
#include "daedalus/support/float16.h"

#include <cstring>

namespace daedalus::report {
namespace {

template <class T> T at(const std::vector<uint8_t> &data, uint64_t index) {
  T value;
  std::memcpy(&value, &data[index * sizeof value], sizeof value);
  return value;
}

} // namespace

bool isFloat(package::DType dtype) {
  return dtype == package::DType::F16 || dtype == package::DType::BF16 || dtype == package::DType::F32 ||
         dtype == package::DType::F64;
}

int64_t integerAt(const std::vector<uint8_t> &data, package::DType dtype, uint64_t index) {
  switch (dtype) {
  case package::DType::I8:
    return at<int8_t>(data, index);
  case package::DType::I16:
    return at<int16_t>(data, index);
  case package::DType::U16:
    return at<uint16_t>(data, index);
  case package::DType::I32:
    return at<int32_t>(data, index);
  case package::DType::U32:
    return at<uint32_t>(data, index);
  case package::DType::I64:
  case package::DType::U64:
    return at<int64_t>(data, index);
  default:
    return data[index];
  }
}

double numberAt(const std::vector<uint8_t> &data, package::DType dtype, uint64_t index) {
  switch (dtype) {
  case package::DType::F64:
    return at<double>(data, index);
  case package::DType::F32:
    return at<float>(data, index);
  case package::DType::F16:
    return floatOfFloat16(at<uint16_t>(data, index));
  case package::DType::BF16:
    return floatOfBfloat16(at<uint16_t>(data, index));
  case package::DType::U64:
    return static_cast<double>(at<uint64_t>(data, index));
  default:
    return static_cast<double>(integerAt(data, dtype, index));
  }
}

} // namespace daedalus::report
