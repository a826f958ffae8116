#include "numbers.h"

#include "daedalus/support/float16.h"

#include <cmath>
#include <cstring>

namespace daedalus::test {
namespace {

using package::DType;

bool isFloat(DType dtype) {
  return dtype == DType::F32 || dtype == DType::F64 || dtype == DType::F16 || dtype == DType::BF16;
}

template <class T> T read(const Tensor &tensor, uint64_t at) {
  T value;
  std::memcpy(&value, tensor.data.data() + at * sizeof value, sizeof value);
  return value;
}

/// As a double, which holds all but large numbers of 64 bits.
double element(const Tensor &tensor, uint64_t at) {
  switch (tensor.type.dtype) {
  case DType::I8:
    return read<int8_t>(tensor, at);
  case DType::U8:
  case DType::Bool:
    return read<uint8_t>(tensor, at);
  case DType::I16:
    return read<int16_t>(tensor, at);
  case DType::U16:
    return read<uint16_t>(tensor, at);
  case DType::I32:
    return read<int32_t>(tensor, at);
  case DType::U32:
    return read<uint32_t>(tensor, at);
  case DType::I64:
    return static_cast<double>(read<int64_t>(tensor, at));
  case DType::U64:
    return static_cast<double>(read<uint64_t>(tensor, at));
  case DType::F16:
    return floatOfFloat16(read<uint16_t>(tensor, at));
  case DType::BF16:
    return floatOfBfloat16(read<uint16_t>(tensor, at));
  case DType::F32:
    return read<float>(tensor, at);
  case DType::F64:
    return read<double>(tensor, at);
  }
  return 0;
}

template <class T> void put(Tensor &tensor, uint64_t at, T value) {
  std::memcpy(tensor.data.data() + at * sizeof value, &value, sizeof value);
}

void setFloat(Tensor &tensor, uint64_t at, double value) {
  switch (tensor.type.dtype) {
  case DType::F16:
    return put(tensor, at, float16Of(static_cast<float>(value)));
  case DType::BF16:
    return put(tensor, at, bfloat16Of(static_cast<float>(value)));
  case DType::F64:
    return put(tensor, at, value);
  default:
    return put(tensor, at, static_cast<float>(value));
  }
}

Tensor zeros(const std::string &name, const TensorType &type) {
  return {name, type, std::vector<uint8_t>(package::byteSize(type))};
}

void fillIntegers(Tensor &tensor, Random &random) {
  const uint64_t width = package::byteSize(tensor.type.dtype);
  if (tensor.type.dtype == DType::Bool || width > 1) {
    const int64_t mask = tensor.type.dtype == DType::Bool ? 1 : 15, least = width > 1 ? -8 : 0;
    for (uint64_t at = 0; at < tensor.data.size(); at += width) {
      const int64_t value = int64_t(random() & uint64_t(mask)) + least;
      std::memcpy(tensor.data.data() + at, &value, width);
    }
    return;
  }
  for (uint64_t at = 0; at < tensor.data.size(); at += 8) {
    const uint64_t bits = random();
    std::memcpy(tensor.data.data() + at, &bits, std::min<uint64_t>(8, tensor.data.size() - at));
  }
}

std::string text(double value) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.9g", value);
  return digits;
}

/// The rows of a matrix, or its columns where it is transposed, times a vector.
std::vector<double> times(const Tensor &matrix, bool isTransposed, const std::vector<double> &vector) {
  const uint64_t results = package::elementCount(matrix.type) / vector.size();
  const uint64_t columns = isTransposed ? results : vector.size();
  std::vector<double> result(results, 0);
  for (uint64_t at = 0; at < results * vector.size(); ++at) {
    const uint64_t row = at / columns, column = at % columns;
    result[isTransposed ? column : row] += element(matrix, at) * vector[isTransposed ? row : column];
  }
  return result;
}

} // namespace

Tensor randomTensor(const std::string &name, const TensorType &type, Random &random) {
  Tensor tensor = zeros(name, type);
  if (!isFloat(type.dtype)) {
    fillIntegers(tensor, random);
    return tensor;
  }
  for (uint64_t at = 0, count = package::elementCount(type); at < count; ++at)
    setFloat(tensor, at, double(random() >> 11) * 0x1p-52 - 1);
  return tensor;
}

Tensor exactTensor(const std::string &name, const TensorType &type, Random &random) {
  if (!isFloat(type.dtype))
    return randomTensor(name, type, random);
  // Of 8192 products, in bfloat16: at most 256 but for eleven standard deviations.
  const bool isHalf = package::byteSize(type.dtype) == 2;
  Tensor tensor = zeros(name, type);
  for (uint64_t at = 0, count = package::elementCount(type); at < count; ++at) {
    const uint64_t bits = random() >> 32;
    setFloat(tensor, at, !isHalf ? double(bits % 17) - 8 : bits % 8 == 0 ? 1 : bits % 8 == 1 ? -1 : 0);
  }
  return tensor;
}

Result<void> compare(const Tensor &found, const Tensor &expected, double relative, double absolute) {
  if (found.type != expected.type)
    return error("output '" + found.name + "' is " + toString(found.type) + ", expected " +
                 toString(expected.type));
  if (found.data == expected.data)
    return {};
  for (uint64_t at = 0, count = package::elementCount(found.type); at < count; ++at) {
    const double is = element(found, at), should = element(expected, at);
    const bool isNear =
        isFloat(found.type.dtype) &&
        (std::isnan(is) || std::isnan(should)
             ? std::isnan(is) && std::isnan(should)
             : is == should || std::abs(is - should) <= absolute + relative * std::abs(should));
    const uint64_t width = package::byteSize(found.type.dtype);
    if (!isNear && std::memcmp(found.data.data() + at * width, expected.data.data() + at * width, width) != 0)
      return error("output '" + found.name + "' is " + text(is) + " at element " + std::to_string(at) +
                   ", expected " + text(should));
  }
  return {};
}

Result<void> checkProduct(const Tensor &a, const Tensor &b, bool isTransposed, const Tensor &c,
                          Random &random) {
  std::vector<double> vector(static_cast<size_t>(c.type.shape.back()));
  for (double &value : vector) // sums of 8192 int8 stay below 2^53, so that all are exact
    value = double(random() >> 54) - 511.5;
  const std::vector<double> expected = times(a, false, times(b, isTransposed, vector)),
                            found = times(c, false, vector);
  for (size_t row = 0; row < expected.size(); ++row)
    if (row >= found.size() || expected[row] != found[row])
      return error("row " + std::to_string(row) + " of the product is wrong");
  return {};
}

} // namespace daedalus::test
