// Functions of one quantized tensor, through quantizations between too: each is a table of 256 entries.

#ifndef DAEDALUS_LIB_DIALECT_QNN_TRANSFORMS_TABLES_H
#define DAEDALUS_LIB_DIALECT_QNN_TRANSFORMS_TABLES_H

#include "daedalus/Dialect/Qnn/Transforms/Constants.h"

#include "mlir/IR/Operation.h"

namespace daedalus::qnn {

struct Table {
  mlir::Value source;                      // quantized
  std::vector<double> values;              // for -128, ..., 127
  llvm::SmallVector<mlir::Location> nodes; // that compute, in order
  llvm::SmallVector<mlir::Location> casts; // between them

  /// Whether a tensor of f32 is made of one quantized tensor by elementwise operations, at least one of them
  /// more than a clamp, and what quantizes and dequantizes between them.
  static bool isOf(mlir::Value real);
  /// That table. `real` is so made.
  static Table of(mlir::Value real);
};

} // namespace daedalus::qnn

#endif
