// Kernels of bytes, or of floats of 16 bits, that compute element by element join the kernel whose result
// they alone read.

#ifndef DAEDALUS_CONVERSION_FORMKERNELS_FUSECALLS_H
#define DAEDALUS_CONVERSION_FORMKERNELS_FUSECALLS_H

#include "mlir/IR/BuiltinOps.h"

namespace daedalus {

/// In @main of a module of kernels, behind each other; floats behind a sum of products, too. Each number is
/// rounded where it was before. Kernels of float32 are made of groups of operations to begin with
/// (GraphToLinalg).
void fuseCalls(mlir::ModuleOp module);

} // namespace daedalus

#endif
