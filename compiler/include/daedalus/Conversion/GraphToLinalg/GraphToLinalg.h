// Level `graph` to level `linalg`: every operation on quantized types becomes a call of a kernel, a private
// function of linalg operations on plain integers. Integer arithmetic from end to end: zero points are folded
// into biases, scales become 31-bit multipliers with a shift, and every accumulator is proved to fit 32 bits.

#ifndef DAEDALUS_CONVERSION_GRAPHTOLINALG_GRAPHTOLINALG_H
#define DAEDALUS_CONVERSION_GRAPHTOLINALG_GRAPHTOLINALG_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LogicalResult.h"

#include <string>

namespace daedalus {

/// Attributes of kernels.
namespace kernel {
constexpr const char *target =
    "daedalus.target"; // the name of a target, externalTarget, or empty: not placed
constexpr const char *externalTarget = "external";   // of calls of functions of the user's
constexpr const char *reason = "daedalus.reason";    // why
constexpr const char *node = "daedalus.node";        // names of the ONNX nodes joined by " + "
constexpr const char *macs = "daedalus.macs";        // multiply-accumulates, i64
constexpr const char *cpuOnly = "daedalus.cpu_only"; // why no accelerator can take it; absent otherwise
constexpr const char *boundary =
    "daedalus.boundary"; // of cpuOnly: converts at the boundary, computes nothing
/// of those on the accelerator: about how many, i64
constexpr const char *instructions = "daedalus.instructions";
constexpr const char *external = "daedalus.external"; // name of the external function
constexpr const char *valueName = "daedalus.name";    // of arguments and results of main
constexpr const char *dtype = "daedalus.dtype";       // of them too: "uint8"
} // namespace kernel

/// The symbol of a kernel: its number, and the letters and digits of its name.
std::string kernelSymbol(unsigned number, llvm::StringRef name);

/// Makes calls of kernels of the operations of level `graph` in @main; kernels that are not external are not
/// placed. A diagnostic at the node says where the arithmetic cannot be proved.
mlir::LogicalResult convertGraphToLinalg(mlir::ModuleOp graph);

/// Whether a module is to be converted: @main has operations of level `graph`, or calls what the importer has
/// built.
bool isToConvert(mlir::ModuleOp module);

} // namespace daedalus

#endif
