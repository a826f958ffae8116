// What mathematical functions become, beside what MLIR has patterns for.

#ifndef DAEDALUS_LIB_CODEGEN_FUNCTIONS_H
#define DAEDALUS_LIB_CODEGEN_FUNCTIONS_H

#include "mlir/IR/PatternMatch.h"

namespace daedalus::codegen {

/// Inverse trigonometric functions, hyperbolic ones and their inverses, of float32.
void populateArcFunctions(mlir::RewritePatternSet &patterns);

/// The exponential, in fewer operations than MLIR's own.
void populateExponential(mlir::RewritePatternSet &patterns);

} // namespace daedalus::codegen

#endif
