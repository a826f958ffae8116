// What the importer takes, operator by operator.

#ifndef DAEDALUS_IMPORT_ONNX_OPERATORS_H
#define DAEDALUS_IMPORT_ONNX_OPERATORS_H

#include <cstdint>
#include <string>
#include <vector>

namespace daedalus {

/// Where the forms of an operator run; empty: there is no such form.
struct OperatorSupport {
  std::string name;      ///< "Conv", "com.microsoft.QLinearAdd"
  std::string quantized; ///< behind DequantizeLinear, or the QOperator form
  std::string plain;     ///< on float32 or integers as they are
};

/// The newest opset that models may have.
int64_t newestOnnxOpset();

/// All operators, sorted by name.
std::vector<OperatorSupport> supportedOperators();

} // namespace daedalus

#endif
