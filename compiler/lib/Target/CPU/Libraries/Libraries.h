// Kernels that are given to a library, or to functions of the user's: which the user asks for, and the
// products that they are given.

#ifndef DAEDALUS_LIB_TARGET_CPU_LIBRARIES_H
#define DAEDALUS_LIB_TARGET_CPU_LIBRARIES_H

#include "daedalus/support/result.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>
#include <string>
#include <vector>

namespace daedalus::cpu {

/// A product of a kernel, with what a function computes of it in one call. Its arguments are `tensors` and
/// then `attributes` as a tensor of int64 (docs/targets.md).
struct LibraryCall {
  std::string pattern;                    ///< matmul, conv, matmul_i8 or conv_i8
  llvm::SmallVector<mlir::Value> tensors; ///< of the kernel: two factors, and the bias where there is one
  llvm::SmallVector<mlir::RankedTensorType> types; ///< of the tensors as the function gets them
  mlir::RankedTensorType resultType;               ///< of what it computes
  llvm::SmallVector<int64_t> attributes;
  mlir::Value result; ///< of the kernel, of the same elements as resultType

  bool isOfIntegers() const { return resultType.getElementType().isInteger(); }
  /// Of int8: the largest magnitude of a sum of products of unsigned bytes with the second factor.
  int64_t largestSum() const;
};

/// A library with the patterns that it is given.
struct LibraryChoice {
  std::string name;
  std::vector<std::string> patterns;
  bool areNamed = false; ///< the patterns, by the user

  bool has(const std::string &pattern) const;
  /// Whether it is given a call; `hasVnni`: all processors that code is made for multiply bytes without
  /// saturating.
  bool takes(const LibraryCall &call, bool hasVnni) const;
};

/// "openblas" and "onednn:conv" are libraries of the host (daedalus/package/libraries.h), all of whose
/// functions are used or those behind the colon; "mine:matmul+conv" are functions of the user's; commas stand
/// between several. The error says what is not known, or what a library does not compute exactly without
/// `hasVnni`.
Result<std::vector<LibraryChoice>> parseLibraries(const std::string &text, bool hasVnni);

/// The first product of a kernel that `isWanted`. The first factor is computed; the
/// second one of a convolution, and a bias, are constants.
std::optional<LibraryCall> findLibraryCall(mlir::func::FuncOp kernel,
                                           llvm::function_ref<bool(const LibraryCall &)> isWanted);

/// The elements of a value that is a constant, seen through views, as a tensor of this type; null of others.
mlir::DenseElementsAttr constantOf(mlir::Value value, mlir::RankedTensorType type);

} // namespace daedalus::cpu

#endif
