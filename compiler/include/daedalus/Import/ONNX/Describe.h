// What an ONNX file says of itself, whether it can be compiled or not.

#ifndef DAEDALUS_IMPORT_ONNX_DESCRIBE_H
#define DAEDALUS_IMPORT_ONNX_DESCRIBE_H

#include "daedalus/support/result.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace daedalus {

/// real = scale * (integer - zeroPoint).
struct OnnxScale {
  float scale = 0;
  int64_t zeroPoint = 0;
};

struct OnnxValueInfo {
  std::string name;
  std::string type; ///< "float32", "int8", ...; "unknown" where the model does not say
  /// Sizes; a symbol, or "?", where the model gives none. Nothing where it does not even say how many.
  std::optional<std::vector<std::string>> shape;
  float step = 0; ///< of an output that a DequantizeLinear gives with one constant scale: that scale
  /// Of integers that a DequantizeLinear or a QLinear operator reads, or a QuantizeLinear or a QLinear
  /// operator gives, with one constant scale and zero point.
  std::optional<OnnxScale> scale{};
};

struct OnnxOperatorUse {
  uint64_t nodes = 0;
  bool isSupported = false; ///< the operator; its attributes and shapes are checked where it is compiled
};

struct OnnxDescription {
  std::string producer; ///< may be empty
  int64_t irVersion = 0;
  std::map<std::string, int64_t> opsets; ///< by domain, "ai.onnx" for ONNX's own
  std::vector<OnnxValueInfo> inputs;     ///< without those that an initializer gives
  std::vector<OnnxValueInfo> outputs;
  uint64_t initializers = 0, functions = 0;
  std::map<std::string, OnnxOperatorUse> operators; ///< "Conv", "com.microsoft.QLinearAdd"; of functions too
};

/// Reads the file. The error names it and what is wrong with it.
Result<OnnxDescription> describeOnnx(const std::string &path);

} // namespace daedalus

#endif
