// Tensors in ONNX's own form, the .pb files of its tests. What is accepted has as many bytes as its type
// says.
#include "fuzz.h"

#include "daedalus/Import/ONNX/TestData.h"

#include <google/protobuf/stubs/logging.h>
#include <onnx/onnx_pb.h>

std::vector<std::vector<uint8_t>> daedalus::fuzz::seeds() {
  std::vector<std::vector<uint8_t>> all;
  for (int type : {onnx::TensorProto::FLOAT, onnx::TensorProto::DOUBLE, onnx::TensorProto::INT8,
                   onnx::TensorProto::INT64, onnx::TensorProto::BOOL, onnx::TensorProto::FLOAT16}) {
    onnx::TensorProto raw, typed;
    for (onnx::TensorProto *tensor : {&raw, &typed}) {
      tensor->set_name("x");
      tensor->set_data_type(type);
      tensor->add_dims(1);
      tensor->add_dims(2);
      typed.add_float_data(1.5f);
      typed.add_double_data(-2);
      typed.add_int32_data(3);
      typed.add_int64_data(-4);
    }
    raw.set_raw_data(std::string(type == onnx::TensorProto::FLOAT  ? 8
                                 : type == onnx::TensorProto::INT8 ? 2
                                                                   : 16,
                                 'r'));
    all.push_back(bytesOf(raw.SerializeAsString()));
    all.push_back(bytesOf(typed.SerializeAsString()));
  }
  return all;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace daedalus;
  static const google::protobuf::LogSilencer quiet;
  const Result<OnnxTensor> tensor = parseOnnxTensor({data, size}, "input");
  if (tensor)
    fuzz::require(tensor->data.size() == package::byteSize(tensor->type),
                  "a tensor of another size than its type");
  return 0;
}
