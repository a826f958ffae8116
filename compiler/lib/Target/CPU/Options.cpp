// The options by which users tell the CPU what to do.

#include "State.h"

#include "daedalus/Target/CPU/Settings.h"

namespace daedalus::cpu {
namespace {

TargetOption levelsOption() {
  TargetOption option{"cpu", "LEVEL,..."};
  option.meaning =
      "Instruction set levels of CPU code: x86-64-v2, x86-64-v3, x86-64-v4, x86-64-v4-vnni, x86-64-v4-amx or "
      "native. With several, separated by commas, the host runs the best that it supports";
  option.initial = Settings().levels;
  option.refusal = "which already holds its code";
  option.give = given(&Settings::levels);
  return option;
}

TargetOption librariesOption() {
  TargetOption option{"cpu-library", "LIBRARY[:PATTERN+...],..."};
  option.meaning = "Compute products on the CPU with openblas (float32 matrices), onednn (matrices and "
                   "convolutions) or your own functions (mine:matmul+conv). Of several, separated by commas, "
                   "the first that fits is used. A host that runs the package needs the library";
  option.refusal = "where it is decided already what a library computes";
  option.give = given(&Settings::libraries);
  return option;
}

TargetOption calibrationOption() {
  TargetOption option{"cpu-calibration", "FILE"};
  option.meaning = "Costs of work on the CPU, for placement by price (default: those that bench --calibrate "
                   "measured on this host)";
  option.isFile = true;
  option.refusal = "which was placed when it was compiled";
  option.give = given(&Settings::calibration);
  return option;
}

} // namespace

std::vector<TargetOption> targetOptions() {
  return {levelsOption(), librariesOption(), calibrationOption()};
}

} // namespace daedalus::cpu
