// The operators of ONNX: one row each, which its family's folder adds. A row holds the rule that a node is
// checked by, the operation that one becomes, the body of the function that one is where no operation covers
// it, and what the documentation says.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_OPERATORTABLE_H
#define DAEDALUS_LIB_IMPORT_ONNX_OPERATORTABLE_H

#include "Body/Kernel.h"
#include "Importer.h"
#include "Schema/NodeCheck.h"

#include <map>
#include <string>

namespace daedalus::onnximport {

/// Makes the operation of a node that one covers, and defines its outputs.
using Import = Covered (*)(Importer &, const Node &);

/// Where an operator runs whose inputs and outputs are quantized, in the words of the documentation.
constexpr const char *inFloat32 = "CPU in float32", *inInt8 = "CPU in int8",
                     *byTable = "accelerator by a table";

struct Operator {
  int oldest = 1;              ///< the oldest opset version of it whose meaning is implemented
  Rule rule = nullptr;         ///< checks a node and says its outputs' shapes
  BuildKernel build = nullptr; ///< the body of its function; null: there is none
  Import import = nullptr;     ///< null: no operation covers it
  std::string quantized = inFloat32;
  bool isFunction = false; ///< of one tensor, element by element
};
using Operators = std::map<std::string, Operator>;

/// Those of ONNX's own domain.
const Operators &operators();
/// One of them, or null.
const Operator *operatorOf(llvm::StringRef name);

} // namespace daedalus::onnximport

#endif
