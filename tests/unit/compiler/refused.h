// A model of one node that the compiler refuses, and the sentence that it says.
#pragma once

#include "first_error.h"
#include "onnx_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace daedalus::test {

struct RefusedInput {
  int32_t dtype; ///< 0: left out
  OnnxBuilder::Shape shape;
  std::vector<int64_t> values = {}; ///< given: a constant of integers
};

/// A model of one node, "node"; its output is "v0" or behind the constants' names, its inputs "x0", "x1", ...
struct Refused {
  std::string type;
  std::vector<RefusedInput> inputs;
  RefusedInput output;
  std::vector<OnnxBuilder::Attribute> attributes;
  std::string message;
  int opset = 13;
  int outputs = 1;

  std::string error() const {
    OnnxBuilder model(opset);
    std::vector<std::string> names;
    for (const RefusedInput &input : inputs) {
      const std::string name = "x" + std::to_string(names.size());
      if (!input.values.empty())
        names.push_back(model.integers(input.dtype, input.shape, input.values));
      else
        names.push_back(input.dtype ? model.input(name, input.dtype, input.shape) : "");
    }
    model.output(model.node(type, names, attributes, "node"), output.dtype, output.shape);
    for (int more = 1; more < outputs; ++more)
      model.addOutput();
    return errorOf(model.bytes());
  }
};

inline void PrintTo(const Refused &refused, std::ostream *stream) {
  *stream << refused.type << ": " << refused.message;
}

constexpr int32_t F32 = onnx::TensorProto::FLOAT, F64 = onnx::TensorProto::DOUBLE,
                  I8 = onnx::TensorProto::INT8, U8 = onnx::TensorProto::UINT8, I32 = onnx::TensorProto::INT32,
                  I64 = onnx::TensorProto::INT64, F16 = onnx::TensorProto::FLOAT16,
                  COMPLEX = onnx::TensorProto::COMPLEX64, BOOL = onnx::TensorProto::BOOL;

} // namespace daedalus::test
