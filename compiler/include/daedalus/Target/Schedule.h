// What a target's schedules are to the rest of the compiler: operations that it carries from a file to the
// target's passes, prints, and searches for better ones.

#ifndef DAEDALUS_TARGET_SCHEDULE_H
#define DAEDALUS_TARGET_SCHEDULE_H

#include "daedalus/Target/ScheduleEntry.h"
#include "daedalus/Target/Settings.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectInterface.h"

#include <cstdint>
#include <string>
#include <vector>

namespace daedalus {

/// A kernel of a model at level `dae`.
struct ScheduledKernel {
  ScheduleEntry entry;
  std::vector<uint32_t> layers;    ///< in which it runs; none has another kernel that is searched for
  std::vector<ScheduleEntry> near; ///< others that are right, and not far from the entry; a bounded number
  /// What the time of the kernel depends on besides the schedule, such as the processor and the threads; left
  /// out in what a dialect gives.
  std::string device = "";
};

/// Of a dialect that has an operation which says how a target's kernels are to be scheduled
/// (CompileOptions::schedule). The passes of the target find it in the module, and leave what they decided in
/// its place.
class SchedulingInterface : public mlir::DialectInterface::Base<SchedulingInterface> {
public:
  explicit SchedulingInterface(mlir::Dialect *dialect) : Base(dialect) {}

  /// The name of the operation, which is the target's section of a file of schedules.
  virtual llvm::StringRef section() const = 0;
  /// Whether better schedules are searched for; what follows is asked of these alone.
  virtual bool isSearched() const { return false; }
  virtual std::vector<ScheduleEntry> entriesOf(mlir::Operation *) const { return {}; }
  virtual std::string sectionOf(llvm::ArrayRef<ScheduleEntry>) const { return ""; }
  /// What times of kernels depend on where this host runs them: a line "KEY=VALUE" each. `threads`: that
  /// share tiles.
  virtual std::string deviceOf(const TargetSettings &, unsigned /*threads*/) const { return ""; }
  /// What is searched for is code as `settings` ask for it that this host, or a device of its, can run.
  virtual std::vector<ScheduledKernel> kernelsOf(mlir::ModuleOp, const TargetSettings & /*settings*/,
                                                 unsigned /*threads*/) const {
    return {};
  }
};

/// Of the operation's dialect, if that is a schedule; null else.
inline const SchedulingInterface *schedulingOf(mlir::Operation *op) {
  mlir::Dialect *dialect = op->getDialect();
  const auto *scheduling = dialect ? dialect->getRegisteredInterface<SchedulingInterface>() : nullptr;
  return scheduling && op->getName().getStringRef() == scheduling->section() ? scheduling : nullptr;
}

} // namespace daedalus

#endif
