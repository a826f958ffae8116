// Tensor programs in MLIR's own text as an input of the compiler.

#ifndef DAEDALUS_LIB_PIPELINES_PROGRAM_H
#define DAEDALUS_LIB_PIPELINES_PROGRAM_H

#include "daedalus/support/result.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace daedalus {

/// Whether the file is a tensor program, by its name: *.mlir.
bool isTensorProgram(const std::string &path);

/// A module whose @main is a function of tensors of a static shape, of int8, int32 or float32, with one block
/// of operations that compute values. An error names the file, and line or node where there is one; null
/// where MLIR has said a diagnostic.
Result<mlir::OwningOpRef<mlir::ModuleOp>> readProgram(const std::string &path, mlir::MLIRContext &context);

/// A file of MLIR's text, parsed and verified, with the dialects of tensor programs and plans; an error or
/// null as above.
Result<mlir::OwningOpRef<mlir::ModuleOp>> parseMlirFile(const std::string &path, mlir::MLIRContext &context);

} // namespace daedalus

#endif
