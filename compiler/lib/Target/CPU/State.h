// What the CPU knows and keeps through one compilation.

#ifndef DAEDALUS_LIB_TARGET_CPU_STATE_H
#define DAEDALUS_LIB_TARGET_CPU_STATE_H

#include "daedalus/Target/CPU/Calibration.h"
#include "daedalus/Target/CPU/Levels.h"
#include "daedalus/Target/Target.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace daedalus::cpu {

class State : public TargetState {
public:
  Result<void> open(const TargetSettings &settings, mlir::ModuleOp module) override;

  /// The calibration of the code that this host runs: of `file`, or the one that the host keeps. The error
  /// says that there is none, or that it is another's.
  Result<void> calibrate();

  std::vector<Level> levels;  ///< that code is made for
  std::string firmwarePrefix; ///< Settings::firmwarePrefix
  std::string file;           ///< of the calibration that was asked for; may be empty
  std::optional<Calibration> calibration;
  std::map<std::string, Amounts> amounts; ///< of the kernels that were priced, by their names

private:
  const Level &levelOfHost() const;
};

State &stateOf(TargetState &state);
const State &stateOf(const TargetState &state);

/// The levels that settings name: of this host, or the processor of firmware. The error lists those that
/// there are.
Result<std::vector<Level>> parseSettings(const TargetSettings &settings);
/// Of settings that Target::check took.
std::vector<Level> levelsOf(const TargetSettings &settings);

/// The options that the CPU declares.
std::vector<TargetOption> targetOptions();

} // namespace daedalus::cpu

#endif
