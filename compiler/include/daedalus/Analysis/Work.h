// What a kernel is, read off its body and its place in the program: multiply-accumulates, and what it
// does by its kind. Nothing of it is written beside the kernel.

#ifndef DAEDALUS_ANALYSIS_WORK_H
#define DAEDALUS_ANALYSIS_WORK_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <optional>
#include <string>

namespace daedalus {

/// Of its sums of products of two inputs, counted by all their loops.
int64_t multiplyAccumulates(mlir::func::FuncOp kernel);
int64_t multiplyAccumulates(mlir::linalg::LinalgOp op);

/// How often a loop of a kernel runs; once where its bounds do not say.
int64_t runsOf(mlir::scf::ForOp loop);

struct HostWork {
  enum class Kind { Constant, Conversion, WideConversion, Sums, WideType, Layout, SignChange, Broadcast };
  Kind kind;
  std::string reason;      ///< such as "computes in float32"
  bool isBoundary = false; ///< converts, computes nothing
};

/// What a kernel does by its kind: work at the boundary is the CPU's, and for other work these are the words
/// of the reason where no target takes it.
std::optional<HostWork> hostWork(mlir::func::FuncOp kernel);

/// Whether it is a transposition that leaves no neighbours beside each other.
bool movesSingleElements(mlir::func::FuncOp kernel);

} // namespace daedalus

#endif
