// See State.h.

#include "State.h"

#include "daedalus/Dialect/Host/IR/Host.h"
#include "daedalus/Target/CPU/Settings.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace daedalus::cpu {

Result<std::vector<Level>> parseSettings(const TargetSettings &settings) {
  const Settings &given = settings.of<Settings>();
  if (given.firmwarePrefix.empty())
    return parseLevels(given.levels);
  if (const Level *level = findFirmwareLevel(given.levels))
    return std::vector<Level>{*level};
  std::string names;
  for (const Level &known : firmwareLevels())
    names += (names.empty() ? "" : ", ") + known.name;
  return error("--cpu: '" + given.levels +
               "' is not a processor that firmware is compiled for; expected one of " + names);
}

std::vector<Level> levelsOf(const TargetSettings &settings) {
  return *parseSettings(settings); // check() took them
}

Result<void> State::open(const TargetSettings &settings, ModuleOp module) {
  levels = levelsOf(settings);
  file = settings.of<Settings>().calibration;
  firmwarePrefix = settings.of<Settings>().firmwarePrefix;
  if (!settings.of<Settings>().libraries.empty() && host::packageOf(module))
    return error(
        "the module is at level dae, where it is decided already what a library computes; expected no "
        "--cpu-library");
  return {};
}

Result<void> State::calibrate() {
  if (calibration)
    return {};
  const std::string level = levelOfHost().name;
  const Result<std::string> path = file.empty() ? calibrationFile(level) : Result<std::string>(file);
  Result<Calibration> read = path ? readCalibration(*path) : Result<Calibration>(error(path.error()));
  if (!read)
    return error("placement by price: " + read.error());
  if (read->processor != processorName() || read->level != level)
    return error("placement by price: the calibration '" + *path + "' is for " + read->level + " on " +
                 read->processor + "; expected " + level + " on " + processorName() +
                 ", which daedalus bench --calibrate measures");
  calibration = std::move(*read);
  return {};
}

/// The highest level of the package's code that this host has.
const Level &State::levelOfHost() const {
  const auto height = [](const Level &level) { return llvm::find(cpu::levels(), level); };
  const auto found =
      llvm::find_if(levels, [&](const Level &level) { return height(level) <= height(nativeLevel()); });
  return found == levels.end() ? levels.front() : *found;
}

State &stateOf(TargetState &state) {
  return static_cast<State &>(state);
}

const State &stateOf(const TargetState &state) {
  return static_cast<const State &>(state);
}

const std::map<std::string, Amounts> &amountsOfKernels(TargetStates &states) {
  return stateOf(*states.of(*findTarget(Settings::target))).amounts;
}

} // namespace daedalus::cpu
