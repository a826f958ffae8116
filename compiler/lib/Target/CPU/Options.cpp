// The options by which users tell the CPU what to do.

#include "State.h"

#include "daedalus/Target/CPU/Settings.h"

namespace daedalus::cpu {
namespace {

TargetOption levelsOption() {
  TargetOption option{"cpu", "LEVEL,..."};
  option.meaning =
      "What code for the host's processor may use: x86-64-v2, x86-64-v3, x86-64-v4, x86-64-v4-vnni or "
      "x86-64-v4-amx, several with commas between them (the best one that a host has is run), or native";
  option.initial = Settings().levels;
  option.refusal = "which has its code already";
  option.give = given(&Settings::levels);
  return option;
}

TargetOption librariesOption() {
  TargetOption option{"cpu-library", "LIBRARY[:PATTERN+...],..."};
  option.meaning =
      "Give products on the CPU to openblas (matrices of float32), onednn (matrices and "
      "convolutions), or functions of your own (mine:matmul+conv), whichever stands first of several "
      "with commas between them; a host that runs the package needs the library";
  option.refusal = "in which it stands already what a library computes";
  option.give = given(&Settings::libraries);
  return option;
}

TargetOption calibrationOption() {
  TargetOption option{"cpu-calibration", "FILE"};
  option.meaning =
      "What work costs on the CPU, for placement by price (default: what bench --calibrate measured "
      "on this host)";
  option.isFile = true;
  option.refusal = "which has its placement already";
  option.give = given(&Settings::calibration);
  return option;
}

} // namespace

std::vector<TargetOption> targetOptions() {
  return {levelsOption(), librariesOption(), calibrationOption()};
}

} // namespace daedalus::cpu
