// The axes of a reduction, which an attribute holds or an input, perhaps at run time.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_REDUCTIONS_REDUCTIONAXES_H
#define DAEDALUS_LIB_IMPORT_ONNX_REDUCTIONS_REDUCTIONAXES_H

#include "Body/Kernel.h"

namespace daedalus::onnximport {

using Axes = llvm::SmallVector<unsigned>;

/// reduce(axes) of a reduction's axes, in order. Where these come at run time that of each set which gives
/// the declared shape, of which they choose; a run with others ends. Null after refuse().
mlir::Value alongAxes(GeneralKernel &k, llvm::function_ref<mlir::Value(const Axes &)> reduce);

} // namespace daedalus::onnximport

#endif
