// Models of one node on the CPU, for references of plain loops.
#pragma once

#include "run_model.h"

namespace daedalus::test {

/// An input of a node, computed when the model runs or constant; without a shape it is left out.
template <class T> constexpr int32_t dtypeOf = 0;
template <> inline constexpr int32_t dtypeOf<float> = onnx::TensorProto::FLOAT;
template <> inline constexpr int32_t dtypeOf<int32_t> = onnx::TensorProto::INT32;
template <> inline constexpr int32_t dtypeOf<int64_t> = onnx::TensorProto::INT64;

struct NodeInput {
  NodeInput() = default;
  template <class T>
  NodeInput(OnnxBuilder::Shape shape, const std::vector<T> &values, bool isConstant = false)
      : dtype(dtypeOf<T>), shape(std::move(shape)), bytes(bytesOf(values)), isConstant(isConstant) {
    if constexpr (std::is_same_v<T, float>)
      floats = values;
    else
      integers.assign(values.begin(), values.end());
  }

  int32_t dtype = 0; ///< 0: left out
  OnnxBuilder::Shape shape = {};
  Bytes bytes = {};
  bool isConstant = false;
  std::vector<float> floats = {};
  std::vector<int64_t> integers = {};
};

/// The first of `outputs` outputs of a node, of type T and `shape`.
template <class T>
std::vector<T> runNode(const std::string &type, const std::vector<NodeInput> &inputs,
                       const std::vector<OnnxBuilder::Attribute> &attributes, const OnnxBuilder::Shape &shape,
                       int64_t opset = 18, int outputs = 1) {
  OnnxBuilder model(opset);
  std::vector<std::string> names;
  std::vector<Bytes> data;
  for (const NodeInput &input : inputs) {
    if (!input.dtype) {
      names.push_back("");
    } else if (input.isConstant) {
      names.push_back(input.dtype == dtypeOf<float>
                          ? model.floats(input.shape, input.floats)
                          : model.integers(input.dtype, input.shape, input.integers));
    } else {
      names.push_back(model.input("x" + std::to_string(names.size()), input.dtype, input.shape));
      data.push_back(input.bytes);
    }
  }
  model.output(model.node(type, names, attributes, "node"), dtypeOf<T>, shape);
  for (int more = 1; more < outputs; ++more)
    model.addOutput();
  return numbersOf<T>(runModel(model, data)[0]);
}

} // namespace daedalus::test
