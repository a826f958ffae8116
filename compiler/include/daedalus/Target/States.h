// The settings of one compilation, and what all targets know and keep through it.

#ifndef DAEDALUS_TARGET_STATES_H
#define DAEDALUS_TARGET_STATES_H

#include "daedalus/Target/PlanEffort.h"
#include "daedalus/Target/Settings.h"
#include "daedalus/support/result.h"

#include <map>
#include <memory>

namespace mlir {
class DictionaryAttr;
class MLIRContext;
class ModuleOp;
} // namespace mlir

namespace daedalus {
class Target;
class TargetState;

class TargetStates {
public:
  explicit TargetStates(TargetSettings settings = {});

  const TargetSettings &settings() const { return given; }
  const std::shared_ptr<TargetState> &of(const Target &target);
  PlanEffort effort() const; ///< of all of them

  /// Whether the targets can do what the settings ask for.
  Result<void> check() const;
  /// TargetState::open of all.
  Result<void> open(mlir::ModuleOp module);
  /// What the targets record, by their names.
  mlir::DictionaryAttr record(mlir::MLIRContext *context);

private:
  TargetSettings given;
  std::map<const Target *, std::shared_ptr<TargetState>> states;
};

} // namespace daedalus

#endif
