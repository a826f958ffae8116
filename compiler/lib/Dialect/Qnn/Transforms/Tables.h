// Functions of one quantized tensor: a chain of them is a table of 256 entries.

#ifndef DAEDALUS_LIB_DIALECT_QNN_TRANSFORMS_TABLES_H
#define DAEDALUS_LIB_DIALECT_QNN_TRANSFORMS_TABLES_H

#include "daedalus/Dialect/Qnn/Transforms/Constants.h"

namespace daedalus::qnn {

struct Table {
  mlir::Value argument;                    // dequantized
  std::vector<double> values;              // for -128, ..., 127
  llvm::SmallVector<mlir::Location> nodes; // that the functions come from, in order

  /// Whether a tensor of f32 is a chain of at least one function, and clamps between, of one dequantized
  /// tensor.
  static bool isOf(mlir::Value real);
  /// That table. `real` is such a chain.
  static Table of(mlir::Value real);
};

} // namespace daedalus::qnn

#endif
