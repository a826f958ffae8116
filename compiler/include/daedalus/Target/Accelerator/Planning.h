// What the planning of a model is given and what it leaves; the streams of one compilation share it.

#ifndef DAEDALUS_TARGET_ACCELERATOR_PLANNING_H
#define DAEDALUS_TARGET_ACCELERATOR_PLANNING_H

#include "daedalus/Dialect/Dae/IR/Dae.h"
#include "daedalus/Target/Accelerator/Tuned.h"
#include "daedalus/Target/Target.h"
#include "daedalus/isa/machine.h"

#include "mlir/IR/OwningOpRef.h"

#include "llvm/ADT/DenseSet.h"

#include <map>
#include <memory>
#include <string>
#include <tuple>

namespace daedalus::accelerator {

/// Which kernel a plan speaks of: a function, which of its calls in @main, and of one that puts inputs one
/// behind the other which input.
struct KernelName {
  std::string symbol;
  int64_t call = 0, part = 0;

  bool operator<(const KernelName &other) const {
    return std::tie(symbol, call, part) < std::tie(other.symbol, other.call, other.part);
  }
};

class Candidates;

/// For one model and one machine.
class Planning : public TargetState {
public:
  Planning();
  ~Planning() override;

  /// Takes a plan, which outlives this: its kernels are as it says. A failure is a diagnostic at the line
  /// that cannot be.
  mlir::LogicalResult give(dae::PlanOp plan, const isa::Machine &machine);

  /// From now on all that is decided is added to `decided`.
  void record(mlir::Location loc, const isa::Machine &machine);

  /// What the given plan says of a kernel; null where it says nothing. Of one that runs in the tiles of
  /// another, `fusion` says so.
  dae::KernelOp kernel(const KernelName &name);
  dae::FuseOp fusion(const KernelName &name);

  /// Whether streams had all kernels of the given plan; a failure is a diagnostic at the first that they had
  /// not.
  mlir::LogicalResult allFound() const;

  /// The schedules of kernels, which are enumerated once.
  Candidates &candidates() { return *known; }

  mlir::OwningOpRef<dae::PlanOp> decided;

  std::shared_ptr<const Tuned> tuned; ///< as Settings has it
  uint64_t tunedKernels = 0;          ///< of these plans, so far
  bool keepsSpaces = false;
  std::vector<StreamSpace> spaces; ///< of the streams planned so far, where they are kept

private:
  mlir::Operation *find(const std::map<KernelName, mlir::Operation *> &all, const KernelName &name);

  dae::PlanOp given;
  std::map<KernelName, mlir::Operation *> kernels, fusions;
  llvm::DenseSet<mlir::Operation *> found;
  std::unique_ptr<Candidates> known;
};

} // namespace daedalus::accelerator

#endif
