// Level `graph` to level `linalg`: every operation on quantized types becomes a call of a kernel, a private
// function of linalg operations on plain integers. Integer arithmetic from end to end: zero points are folded
// into biases, scales become 31-bit multipliers with a shift, and every accumulator is proved to fit 32 bits.

#ifndef DAEDALUS_CONVERSION_GRAPHTOLINALG_GRAPHTOLINALG_H
#define DAEDALUS_CONVERSION_GRAPHTOLINALG_GRAPHTOLINALG_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LogicalResult.h"

#include <string>

namespace daedalus {

/// The symbol of a kernel: its number, and the letters and digits of its name.
std::string kernelSymbol(unsigned number, llvm::StringRef name);

/// Makes calls of kernels of the operations of level `graph` in @main. A diagnostic at the node says where
/// the arithmetic cannot be proved.
mlir::LogicalResult convertGraphToLinalg(mlir::ModuleOp graph);

} // namespace daedalus

#endif
