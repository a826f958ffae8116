// Which kernel runs where, and why: what other files ask of place-kernels.

#ifndef DAEDALUS_LIB_PIPELINES_PLACEMENT_H
#define DAEDALUS_LIB_PIPELINES_PLACEMENT_H

#include "daedalus/Dialect/Host/IR/Host.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/DenseMap.h"

namespace daedalus {

/// What the host.placement of a module says.
class Placement {
public:
  explicit Placement(mlir::ModuleOp module);

  /// Null where the kernel is not placed.
  host::PlaceOp of(llvm::StringRef kernel) const { return places.lookup(kernel); }
  /// The target's name; empty where the kernel is not placed.
  llvm::StringRef target(llvm::StringRef kernel) const {
    host::PlaceOp place = of(kernel);
    return place ? place.getLayer().getTarget().getValue() : llvm::StringRef();
  }

private:
  llvm::DenseMap<llvm::StringRef, host::PlaceOp> places; ///< by the kernel
};

} // namespace daedalus

#endif
