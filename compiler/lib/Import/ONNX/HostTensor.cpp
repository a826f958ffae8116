// Decoding of onnx::TensorProto: raw little-endian bytes or the typed fields.

#include "HostTensor.h"

#include "General/Types.h"

#include <cstring>

namespace daedalus::onnximport {
namespace {

template <class T, class Out> bool decodeRaw(const std::string &raw, int64_t count, std::vector<Out> &out) {
  if (raw.size() != static_cast<uint64_t>(count) * sizeof(T))
    return false;
  out.resize(count);
  for (int64_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, raw.data() + i * sizeof(T), sizeof(T));
    out[i] = static_cast<Out>(value);
  }
  return true;
}

template <class Field, class Out> bool decodeField(const Field &field, int64_t count, std::vector<Out> &out) {
  out.assign(field.begin(), field.end());
  return static_cast<int64_t>(out.size()) == count;
}

bool decodeData(const onnx::TensorProto &proto, int64_t count, HostTensor &tensor) {
  bool raw = proto.has_raw_data();
  switch (proto.data_type()) {
  case onnx::TensorProto::FLOAT:
    return raw ? decodeRaw<float>(proto.raw_data(), count, tensor.floats)
               : decodeField(proto.float_data(), count, tensor.floats);
  case onnx::TensorProto::DOUBLE:
    return raw ? decodeRaw<double>(proto.raw_data(), count, tensor.doubles)
               : decodeField(proto.double_data(), count, tensor.doubles);
  case onnx::TensorProto::INT64:
    return raw ? decodeRaw<int64_t>(proto.raw_data(), count, tensor.ints)
               : decodeField(proto.int64_data(), count, tensor.ints);
  case onnx::TensorProto::INT32:
    return raw ? decodeRaw<int32_t>(proto.raw_data(), count, tensor.ints)
               : decodeField(proto.int32_data(), count, tensor.ints);
  case onnx::TensorProto::INT8:
    return raw ? decodeRaw<int8_t>(proto.raw_data(), count, tensor.ints)
               : decodeField(proto.int32_data(), count, tensor.ints);
  case onnx::TensorProto::BOOL:
  case onnx::TensorProto::UINT8:
    return raw ? decodeRaw<uint8_t>(proto.raw_data(), count, tensor.ints)
               : decodeField(proto.int32_data(), count, tensor.ints);
  default:
    return false;
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

HostTensorPtr decodeTensor(const onnx::TensorProto &proto, std::string &why) {
  auto tensor = std::make_shared<HostTensor>();
  tensor->dtype = proto.data_type();
  tensor->shape.assign(proto.dims().begin(), proto.dims().end());
  if (!isPlainType(tensor->dtype)) {
    why = "has type " + dtypeName(tensor->dtype) + "; expected " + plainTypeNames;
    return nullptr;
  }
  if (proto.data_location() == onnx::TensorProto::EXTERNAL) {
    why = "lies in an external file; expected its data inside the model: save the model as one file";
    return nullptr;
  }
  constexpr int64_t most = int64_t(1) << 31;
  int64_t count = 1;
  for (int64_t dim : tensor->shape) {
    if (dim < 0 || dim > most || (count = count * dim) > most) {
      why = "has a dimension of size " + std::to_string(dim) +
            "; expected sizes of at least 0 and at most 2^31 elements in all";
      return nullptr;
    }
  }
  if (!decodeData(proto, count, *tensor)) {
    why = "has data of another size than its shape says: the model is corrupt";
    return nullptr;
  }
  return tensor;
}

} // namespace daedalus::onnximport
