// Buffers as one dimension of elements, and loops over places in them.

#ifndef DAEDALUS_LIB_TARGET_CPU_FLATBUFFERS_H
#define DAEDALUS_LIB_TARGET_CPU_FLATBUFFERS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>

namespace daedalus::cpu {

/// By how many elements of a buffer each loop of a map moves; nothing where its strides are not known, the
/// map is not linear, or there is a number instead of a buffer.
std::optional<llvm::SmallVector<int64_t>> stepsOf(mlir::Value buffer, mlir::AffineMap map);

/// The elements that a buffer spans, as one dimension.
mlir::Value flatten(mlir::OpBuilder &b, mlir::Location loc, mlir::Value buffer);

/// `at + by * step`.
mlir::Value moved(mlir::OpBuilder &b, mlir::Location loc, mlir::Value at, mlir::Value by, int64_t step);

/// A loop over [0, size), of no code where that is empty, and of the body alone where it is one.
void emitLoop(mlir::OpBuilder &b, mlir::Location loc, int64_t size,
              llvm::function_ref<void(mlir::Value)> body);

/// A loop over [0, size) that carries values from iteration to iteration, and what comes out of the last one.
/// Up to `unrolled` iterations are written out.
llvm::SmallVector<mlir::Value>
emitLoop(mlir::OpBuilder &b, mlir::Location loc, int64_t size, llvm::SmallVector<mlir::Value> carried,
         llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value, llvm::SmallVector<mlir::Value>)> body,
         int64_t unrolled = 1);

} // namespace daedalus::cpu

#endif
