// Writes small ONNX models, in protobuf's wire format (onnx.proto): the benchmark's models are files like
// anybody's, and libonnx stays with the importer.
#pragma once

#include "daedalus/package/package.h"

#include <cstdint>
#include <string>
#include <vector>

namespace daedalus::tuning {

/// A whole number, or a list of them.
struct OnnxAttribute {
  std::string name;
  std::vector<int64_t> values;
  bool isList = true;
};

class OnnxFile {
public:
  using Type = package::TensorType;

  void input(const std::string &name, const Type &type);
  void output(const std::string &name, const Type &type);
  /// `data`: the bytes of the type.
  void constant(const std::string &name, const Type &type, const void *data);
  void scalar(const std::string &name, float value);
  void scalar(const std::string &name, int8_t value);
  /// A node with one output.
  void node(const std::string &name, const std::string &op, const std::vector<std::string> &inputs,
            const std::string &output, const std::vector<OnnxAttribute> &attributes = {});

  /// The model, of opset 17.
  std::string bytes() const;

private:
  std::string graph; // its fields so far
};

} // namespace daedalus::tuning
