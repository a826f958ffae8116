// Level `graph` to level `linalg`: every operation on quantized types becomes a call of a kernel, a private
// function of linalg operations on plain integers. Integer arithmetic from end to end: zero points are folded
// into biases, scales become 31-bit multipliers with a shift, and every accumulator is proved to fit 32 bits.

#ifndef DAEDALUS_CONVERSION_GRAPHTOLINALG_GRAPHTOLINALG_H
#define DAEDALUS_CONVERSION_GRAPHTOLINALG_GRAPHTOLINALG_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

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

/// Loads the dialects that level `linalg` uses.
void loadLinalgDialects(mlir::MLIRContext &context);

/// The module at level `linalg`: `main` holds calls of kernels and shape views only; kernels that are not
/// external are not placed. Null, with a diagnostic at the node, where the arithmetic cannot be proved.
mlir::OwningOpRef<mlir::ModuleOp> convertGraphToLinalg(mlir::ModuleOp graph);

} // namespace daedalus

#endif
