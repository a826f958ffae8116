// Decoding of onnx::TensorProto: raw little-endian bytes or the typed fields.

#include "Values/HostTensor.h"

#include "Values/Types.h"

#include "daedalus/support/float16.h"

#include <cstring>

namespace daedalus::onnximport {
namespace {

template <class T> std::vector<T> decodeRaw(const std::string &raw) {
  std::vector<T> out(raw.size() / sizeof(T));
  if (!out.empty())
    std::memcpy(out.data(), raw.data(), out.size() * sizeof(T));
  return out;
}

/// Of a typed field: what does not fit the type wraps, as in ONNX's own readers.
template <class T, class Field> std::vector<T> decodeField(const Field &field) {
  std::vector<T> out;
  out.reserve(field.size());
  for (auto value : field)
    out.push_back(static_cast<T>(value));
  return out;
}

template <class T, class Field> std::vector<T> decode(const onnx::TensorProto &proto, const Field &field) {
  return proto.has_raw_data() ? decodeRaw<T>(proto.raw_data()) : decodeField<T>(field);
}

std::vector<uint8_t> decodeBooleans(const onnx::TensorProto &proto) {
  auto values = decode<uint8_t>(proto, proto.int32_data());
  for (uint8_t &value : values)
    value = value != 0;
  return values;
}

void decodeData(const onnx::TensorProto &proto, HostTensor &tensor) {
  switch (proto.data_type()) {
  case onnx::TensorProto::FLOAT:
    tensor.floats = decode<float>(proto, proto.float_data());
    return;
  case onnx::TensorProto::DOUBLE:
    tensor.doubles = decode<double>(proto, proto.double_data());
    return;
  case onnx::TensorProto::FLOAT16:
  case onnx::TensorProto::BFLOAT16:
    tensor.floats = widenedFloats(decode<uint16_t>(proto, proto.int32_data()), proto.data_type());
    return;
  case onnx::TensorProto::INT64:
    tensor.ints = decode<int64_t>(proto, proto.int64_data());
    return;
  case onnx::TensorProto::UINT64:
    tensor.ints = decode<int64_t>(proto, proto.uint64_data());
    return;
  case onnx::TensorProto::INT32:
    tensor.ints = decode<int32_t>(proto, proto.int32_data());
    return;
  case onnx::TensorProto::UINT32:
    tensor.ints = decode<uint32_t>(proto, proto.uint64_data());
    return;
  case onnx::TensorProto::INT16:
    tensor.ints = decode<int16_t>(proto, proto.int32_data());
    return;
  case onnx::TensorProto::UINT16:
    tensor.ints = decode<uint16_t>(proto, proto.int32_data());
    return;
  case onnx::TensorProto::INT8:
    tensor.ints = decode<int8_t>(proto, proto.int32_data());
    return;
  case onnx::TensorProto::BOOL:
    tensor.ints = decodeBooleans(proto);
    return;
  default:
    tensor.ints = decode<uint8_t>(proto, proto.int32_data());
  }
}

size_t elementBytes(int32_t dtype) {
  switch (dtype) {
  case onnx::TensorProto::DOUBLE:
  case onnx::TensorProto::INT64:
  case onnx::TensorProto::UINT64:
    return 8;
  case onnx::TensorProto::FLOAT:
  case onnx::TensorProto::INT32:
  case onnx::TensorProto::UINT32:
    return 4;
  case onnx::TensorProto::FLOAT16:
  case onnx::TensorProto::BFLOAT16:
  case onnx::TensorProto::INT16:
  case onnx::TensorProto::UINT16:
    return 2;
  default:
    return 1;
  }
}

/// Elements of its shape.
Result<int64_t> countOf(const onnx::TensorProto &proto) {
  constexpr int64_t most = int64_t(1) << 31;
  int64_t count = 1;
  for (int64_t dim : proto.dims())
    if (dim < 0 || dim > most || (count = count * dim) > most)
      return error("has a dimension of size " + std::to_string(dim) +
                   "; expected sizes of at least 0 and at most 2^31 elements in all");
  return count;
}

/// Elements that the data of a tensor of a plain type hold; -1: a part of one.
int64_t dataCount(const onnx::TensorProto &proto) {
  const int32_t dtype = proto.data_type();
  const size_t bytes = elementBytes(dtype);
  if (proto.has_raw_data())
    return proto.raw_data().size() % bytes ? -1 : proto.raw_data().size() / bytes;
  switch (dtype) {
  case onnx::TensorProto::FLOAT:
    return proto.float_data_size();
  case onnx::TensorProto::DOUBLE:
    return proto.double_data_size();
  case onnx::TensorProto::INT64:
    return proto.int64_data_size();
  case onnx::TensorProto::UINT32:
  case onnx::TensorProto::UINT64:
    return proto.uint64_data_size();
  default:
    return proto.int32_data_size();
  }
}

} // namespace

std::string dtypeName(int32_t dtype) {
  switch (dtype) {
  case onnx::TensorProto::FLOAT:
    return "float32";
  case onnx::TensorProto::DOUBLE:
    return "float64";
  default:
    break;
  }
  if (!onnx::TensorProto::DataType_IsValid(dtype))
    return "type " + std::to_string(dtype);
  std::string name = onnx::TensorProto::DataType_Name(static_cast<onnx::TensorProto::DataType>(dtype));
  for (char &c : name)
    c = static_cast<char>(std::tolower(c));
  return name;
}

int64_t elementCount(const std::vector<int64_t> &shape) {
  int64_t count = 1;
  for (int64_t dim : shape)
    count *= dim;
  return count;
}

std::optional<uint64_t> bytesOf(const onnx::TensorProto &proto) {
  const Result<int64_t> count = countOf(proto);
  return count && isPlainType(proto.data_type()) ? std::optional(*count * elementBytes(proto.data_type()))
                                                 : std::nullopt;
}

Result<void> checkTensor(const onnx::TensorProto &proto) {
  if (!isPlainType(proto.data_type()))
    return error("has type " + dtypeName(proto.data_type()) + "; expected " + plainTypeNames);
  if (proto.data_location() == onnx::TensorProto::EXTERNAL)
    return error("lies in an external file; expected its data in the same file");
  const Result<int64_t> count = countOf(proto);
  if (!count)
    return error(count.error());
  if (dataCount(proto) != *count)
    return error("has data of another size than its shape says: the model is corrupt");
  return {};
}

Result<HostTensorPtr> decodeTensor(const onnx::TensorProto &proto) {
  if (Result<void> good = checkTensor(proto); !good)
    return error(good.error());
  auto tensor = std::make_shared<HostTensor>();
  tensor->dtype = proto.data_type();
  tensor->shape.assign(proto.dims().begin(), proto.dims().end());
  decodeData(proto, *tensor);
  return HostTensorPtr(tensor);
}

std::vector<uint16_t> narrowedFloats(const std::vector<float> &values, int32_t dtype) {
  std::vector<uint16_t> bits;
  for (float value : values)
    bits.push_back(dtype == onnx::TensorProto::FLOAT16 ? float16Of(value) : bfloat16Of(value));
  return bits;
}

std::vector<float> widenedFloats(const std::vector<uint16_t> &bits, int32_t dtype) {
  std::vector<float> values;
  for (uint16_t one : bits)
    values.push_back(dtype == onnx::TensorProto::FLOAT16 ? floatOfFloat16(one) : floatOfBfloat16(one));
  return values;
}

onnx::TensorProto encodeTensor(const std::string &name, const HostTensor &tensor) {
  onnx::TensorProto proto;
  proto.set_name(name);
  proto.set_data_type(tensor.dtype);
  for (int64_t size : tensor.shape)
    proto.add_dims(size);
  const auto store = [&](const auto &values) {
    proto.set_raw_data(values.data(), values.size() * sizeof(values[0]));
  };
  if (isHalfType(tensor.dtype))
    store(narrowedFloats(tensor.floats, tensor.dtype));
  else if (tensor.isFloat())
    store(tensor.floats);
  else if (tensor.dtype == onnx::TensorProto::DOUBLE)
    store(tensor.doubles);
  else
    tensor.ints.visit(store);
  return proto;
}

} // namespace daedalus::onnximport
