// ONNX to level `graph`: one node, one operation, in ONNX's own layout, located at the node's name. The only
// user of protobuf and libonnx.

#ifndef DAEDALUS_IMPORT_ONNX_IMPORT_H
#define DAEDALUS_IMPORT_ONNX_IMPORT_H

#include "daedalus/Import/ONNX/GivenInputs.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>

namespace daedalus {

/// Loads the dialects that level `graph` uses.
void loadGraphDialects(mlir::MLIRContext &context);

/// Reads the ONNX file at `path`, and the data that lie beside it in its folder. The module holds one
/// function `main`, whose arguments and results carry `daedalus.name`. What the importer does not take is
/// reported as one diagnostic, located at the ONNX node where there is one; the result is then null. An
/// input's sizes are those of the model and those of `given`; without either its first one, the batch, is 1.
mlir::OwningOpRef<mlir::ModuleOp> importOnnx(const std::string &path, mlir::MLIRContext &context,
                                             const GivenInputs &given = {});

/// The same, of a file's bytes; `source` names them in diagnostics.
mlir::OwningOpRef<mlir::ModuleOp> importOnnxBytes(llvm::StringRef bytes, llvm::StringRef source,
                                                  mlir::MLIRContext &context, const GivenInputs &given = {});

} // namespace daedalus

#endif
