// What kernels and copies cost on each target, and where all of them together are the cheapest.

#ifndef DAEDALUS_LIB_PIPELINES_PLACEMENT_PRICES_H
#define DAEDALUS_LIB_PIPELINES_PLACEMENT_PRICES_H

#include "Candidates.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/DenseMap.h"

#include <vector>

namespace daedalus {

/// Whether all targets that placement chooses from can price kernels; the error says what one lacks.
Result<void> canPrice(TargetStates &states, const TargetChoice &asked);

/// Prices all candidates of a kernel. A diagnostic where a target says no number, or a negative one.
mlir::LogicalResult price(mlir::func::FuncOp kernel, llvm::MutableArrayRef<Candidate> candidates,
                          TargetStates &states);

/// The cheapest placement of all calls in @main with the copies between them: of each kernel with priced
/// candidates, one of them. Kernels without stay on the host. A diagnostic says that the copies join too many
/// kernels with each other.
mlir::FailureOr<llvm::DenseMap<mlir::Operation *, size_t>>
cheapestPlacement(mlir::func::FuncOp main,
                  const llvm::DenseMap<mlir::Operation *, std::vector<Candidate>> &kernels,
                  TargetStates &states);

} // namespace daedalus

#endif
