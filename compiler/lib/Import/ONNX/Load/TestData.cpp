// See TestData.h.

#include "daedalus/Import/ONNX/TestData.h"

#include "Values/HostTensor.h"
#include "Values/Types.h"
#include "daedalus/support/input_file.h"

#include <climits>
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
  case onnx::TensorProto::INT16:
    return package::DType::I16;
  case onnx::TensorProto::UINT16:
    return package::DType::U16;
  case onnx::TensorProto::INT32:
    return package::DType::I32;
  case onnx::TensorProto::UINT32:
    return package::DType::U32;
  case onnx::TensorProto::INT64:
    return package::DType::I64;
  case onnx::TensorProto::UINT64:
    return package::DType::U64;
  case onnx::TensorProto::FLOAT16:
    return package::DType::F16;
  case onnx::TensorProto::BFLOAT16:
    return package::DType::BF16;
  case onnx::TensorProto::BOOL:
    return package::DType::Bool;
  default:
    return std::nullopt;
  }
}

template <class T> std::vector<uint8_t> bytesOf(const std::vector<T> &values) {
  const auto *begin = reinterpret_cast<const uint8_t *>(values.data());
  return {begin, begin + values.size() * sizeof(T)};
}

std::vector<uint8_t> bytesOf(const onnximport::HostTensor &host) {
  if (onnximport::isHalfType(host.dtype))
    return bytesOf(onnximport::narrowedFloats(host.floats, host.dtype));
  if (host.isFloat())
    return bytesOf(host.floats);
  if (host.dtype == onnx::TensorProto::DOUBLE)
    return bytesOf(host.doubles);
  return host.ints.visit([](const auto &values) { return bytesOf(values); });
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
