// See TestData.h.

#include "daedalus/Import/ONNX/TestData.h"

#include "General/Types.h"
#include "HostTensor.h"
#include "daedalus/support/input_file.h"

#include <climits>
#include <cstring>
#include <optional>

namespace daedalus {
namespace {

std::optional<package::DType> packageType(int32_t dtype) {
  switch (dtype) {
  case onnx::TensorProto::FLOAT:
    return package::DType::F32;
  case onnx::TensorProto::DOUBLE:
    return package::DType::F64;
  case onnx::TensorProto::INT8:
    return package::DType::I8;
  case onnx::TensorProto::UINT8:
    return package::DType::U8;
  case onnx::TensorProto::INT32:
    return package::DType::I32;
  case onnx::TensorProto::INT64:
    return package::DType::I64;
  case onnx::TensorProto::BOOL:
    return package::DType::Bool;
  default:
    return std::nullopt;
  }
}

template <class To, class Values> std::vector<uint8_t> bytesOf(const Values &values) {
  std::vector<uint8_t> bytes(values.size() * sizeof(To));
  for (size_t i = 0; i < values.size(); ++i) {
    const To value = static_cast<To>(values[i]);
    std::memcpy(&bytes[i * sizeof(To)], &value, sizeof(To));
  }
  return bytes;
}

std::vector<uint8_t> bytesOf(const onnximport::HostTensor &host) {
  switch (host.dtype) {
  case onnx::TensorProto::FLOAT:
    return bytesOf<float>(host.floats);
  case onnx::TensorProto::DOUBLE:
    return bytesOf<double>(host.doubles);
  case onnx::TensorProto::INT32:
    return bytesOf<int32_t>(host.ints);
  case onnx::TensorProto::INT64:
    return bytesOf<int64_t>(host.ints);
  default:
    return bytesOf<uint8_t>(host.ints);
  }
}

} // namespace

Result<OnnxTensor> readOnnxTensor(const std::string &path) {
  const auto bytes = readFile(path, input::OnnxTensor);
  if (!bytes)
    return error(bytes.error());
  return parseOnnxTensor(*bytes, path);
}

Result<OnnxTensor> parseOnnxTensor(Span<const uint8_t> bytes, const std::string &path) {
  onnx::TensorProto proto;
  if (bytes.size() > INT_MAX || !proto.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
    return error("'" + path + "' holds no ONNX tensor");
  const auto type = packageType(proto.data_type());
  if (!type)
    return error("'" + path + "' holds a tensor of type " + onnximport::dtypeName(proto.data_type()) +
                 "; expected " + onnximport::plainTypeNames);
  const auto host = onnximport::decodeTensor(proto);
  if (!host)
    return error("the tensor in '" + path + "' " + host.error());
  return OnnxTensor{proto.name(), {*type, (*host)->shape}, bytesOf(**host)};
}

} // namespace daedalus
