// Bytes that are read many times, as int16: what a sum of products reads, where no instruction multiplies
// bytes.

#ifndef DAEDALUS_LIB_TARGET_CPU_WIDEBYTES_H
#define DAEDALUS_LIB_TARGET_CPU_WIDEBYTES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace daedalus::cpu {

/// A tensor of int8 as int16.
mlir::Value widenBytes(mlir::Value bytes, mlir::OpBuilder &b, mlir::Location loc);

bool isWidening(mlir::Operation *op);

/// The operation that writes a tensor or buffer of int16, if it is one of widenBytes; else null.
mlir::linalg::GenericOp wideningOf(mlir::Value wide);

} // namespace daedalus::cpu

#endif
