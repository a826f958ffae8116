// Inputs that a user's number makes constants.

#include "Load/Inputs.h"

#include "Load/Dimensions.h"
#include "Values/HostTensor.h"
#include "Values/Types.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

namespace daedalus::onnximport {
namespace {

constexpr int64_t mostElements = int64_t(1) << 24;

/// The number that all of the text is; nothing where it is none, or not one of the type.
template <class T> std::optional<T> parse(const std::string &text) {
  T value{};
  const char *const stop = text.data() + text.size();
  const auto [end, problem] = std::from_chars(text.data(), stop, value);
  return problem == std::errc() && end == stop ? std::optional(value) : std::nullopt;
}

struct Filler {
  const std::string &text;
  HostTensor &tensor;
  size_t count;

  Result<void> fill() {
    switch (tensor.dtype) {
    case onnx::TensorProto::INT64:
      return integers<int64_t, int64_t>();
    case onnx::TensorProto::UINT64:
      return integers<uint64_t, int64_t>();
    case onnx::TensorProto::INT32:
      return integers<int32_t, int32_t>();
    case onnx::TensorProto::UINT32:
      return integers<uint32_t, uint32_t>();
    case onnx::TensorProto::INT16:
      return integers<int16_t, int16_t>();
    case onnx::TensorProto::UINT16:
      return integers<uint16_t, uint16_t>();
    case onnx::TensorProto::INT8:
      return integers<int8_t, int8_t>();
    case onnx::TensorProto::UINT8:
      return integers<uint8_t, uint8_t>();
    case onnx::TensorProto::BOOL:
      return booleans();
    default:
      return floats();
    }
  }

private:
  template <class T, class Stored> Result<void> integers() {
    const std::optional<T> value = parse<T>(text);
    if (!value)
      return error("a whole number from " + std::to_string(std::numeric_limits<T>::min()) + " to " +
                   std::to_string(std::numeric_limits<T>::max()));
    tensor.ints = std::vector<Stored>(count, static_cast<Stored>(*value));
    return {};
  }

  Result<void> booleans() {
    const bool isTrue = text == "1" || text == "true";
    if (!isTrue && text != "0" && text != "false")
      return error("0, 1, false or true");
    tensor.ints = std::vector<uint8_t>(count, isTrue);
    return {};
  }

  Result<void> floats() {
    const std::optional<double> value = parse<double>(text);
    const int32_t dtype = tensor.dtype;
    double stored = value.value_or(INFINITY);
    if (dtype != onnx::TensorProto::DOUBLE)
      stored = static_cast<float>(stored);
    if (isHalfType(dtype))
      stored = widenedFloats(narrowedFloats({static_cast<float>(stored)}, dtype), dtype)[0];
    if (!std::isfinite(stored))
      return error("a finite number of that type");
    if (dtype == onnx::TensorProto::DOUBLE)
      tensor.doubles.assign(count, stored);
    else
      tensor.floats.assign(count, static_cast<float>(stored));
    return {};
  }
};

} // namespace

Result<onnx::TensorProto> constantOf(const onnx::ValueInfoProto &input, const std::string &number) {
  const auto &type = input.type().tensor_type();
  HostTensor tensor;
  tensor.dtype = type.elem_type();
  const std::string gives =
      "of type " + dtypeName(tensor.dtype) + ", which --set makes a constant of '" + number + "'; expected ";
  if (!isPlainType(tensor.dtype))
    return error(gives + plainTypeNames);
  for (const auto &dim : type.shape().dim())
    tensor.shape.push_back(dim.dim_value());
  const int64_t count = elementCount(tensor.shape);
  if (count > mostElements)
    return error("of shape " + dimensionsText(type.shape()) +
                 ", which --set makes a constant; expected at most 2^24 elements");
  if (const Result<void> good = Filler{number, tensor, static_cast<size_t>(count)}.fill(); !good)
    return error(gives + good.error());
  return encodeTensor(input.name(), tensor);
}

} // namespace daedalus::onnximport
