// The operators of ONNX: what imports a node of each, what builds the function of one that no operation
// covers, and what the documentation says.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_OPERATORTABLE_H
#define DAEDALUS_LIB_IMPORT_ONNX_OPERATORTABLE_H

#include "General/Kernel.h"
#include "Importer.h"

#include <string>
#include <vector>

namespace daedalus::onnximport {

struct Operator {
  using Import = Importer::Covered (Importer::*)(const Node &);

  Import import = nullptr;     ///< the node as an operation; null: none covers it
  BuildKernel build = nullptr; ///< its function; null: there is none
  std::string quantized;       ///< where it runs behind DequantizeLinear; empty: as it does on float32
};

/// Of ONNX's own domain, or null.
const Operator *operatorOf(llvm::StringRef name);

/// All of them, sorted.
std::vector<std::string> operatorNames();

} // namespace daedalus::onnximport

#endif
