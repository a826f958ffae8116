// MLIR's own text as an input of the compiler: tensor programs, and what it printed itself.

#ifndef DAEDALUS_PIPELINES_PROGRAM_H
#define DAEDALUS_PIPELINES_PROGRAM_H

#include "daedalus/support/result.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace daedalus {

/// Whether the file is a tensor program, by its name: *.mlir.
bool isTensorProgram(const std::string &path);

/// Whether a type is that of a tensor as packages have them: of a static shape, of i8, i16, i32, i64, f16,
/// bf16, f32 or f64.
bool isTensor(mlir::Type type);

/// Whether a module is at level `dae`: compiled, but for the package.
bool isLowered(mlir::ModuleOp module);

/// Whether the module is a tensor program: @main is a function of tensors of a static shape with one block of
/// operations that compute values. A diagnostic says what it is not.
mlir::LogicalResult checkProgram(mlir::ModuleOp module);

/// Whether a module at level `dae` has what a package is made of, and nothing else. A diagnostic says what it
/// is not.
mlir::LogicalResult checkLowered(mlir::ModuleOp module);

/// The text of a file as a module: a tensor program, or a module at level `dae`. An error names the file, and
/// line or node where there is one; null where MLIR has said a diagnostic.
Result<mlir::OwningOpRef<mlir::ModuleOp>> readProgram(const std::string &path, mlir::MLIRContext &context);

/// A file of MLIR's text, parsed and verified; an error or null as above. A copy of this process tries it
/// first, and this one reads nothing that the copy could not.
Result<mlir::OwningOpRef<mlir::ModuleOp>> parseMlirFile(const std::string &path, mlir::MLIRContext &context);
/// The same of a text; `name` stands for its file.
Result<mlir::OwningOpRef<mlir::ModuleOp>> parseMlirText(const std::string &text, const std::string &name,
                                                        mlir::MLIRContext &context);

} // namespace daedalus

#endif
