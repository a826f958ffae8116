// The ONNX nodes that an operation was made of, in its location. Those that compute give a layer its name;
// the QuantizeLinear and DequantizeLinear nodes that became types stand beside them, in a fused location with
// the metadata "quantization".

#ifndef DAEDALUS_ANALYSIS_LOCATIONS_H
#define DAEDALUS_ANALYSIS_LOCATIONS_H

#include "mlir/IR/Location.h"

#include "llvm/ADT/ArrayRef.h"

#include <string>

namespace daedalus {

/// The names of the nodes that compute, each once: "a + b". Without one the place in a file, "file:line"; may
/// be empty.
std::string nodeName(mlir::Location loc);

/// The location, and beside it the nodes that quantize for it: of each of `casts` those that stand beside it,
/// or where none does the cast's own.
mlir::Location withQuantization(mlir::Location loc, llvm::ArrayRef<mlir::Location> casts);

/// The nodes that compute alone.
mlir::Location withoutQuantization(mlir::Location loc);

} // namespace daedalus

#endif
