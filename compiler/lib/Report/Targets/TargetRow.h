// The layers of a model on each target, as a table and as JSON.
#pragma once

#include "Report/Json.h"
#include "Report/Profile/Utilisation.h"
#include "Tuning/Timing.h"

#include "daedalus/runtime/session.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace daedalus::report {

/// The package whose layers are placed: those that run streams have cycles, the others are left to the host's
/// CPU.
struct PlacedSide {
  std::vector<runtime::LayerCycles> layers;
  std::vector<LayerUse> uses;       ///< by layer
  std::vector<tuning::Timing> left; ///< by layer, of those on the host's CPU; empty: not measured
  std::string unmeasured;           ///< why not; empty: there is nothing to measure, or it is measured
  uint64_t cycles = 0;              ///< of the run
};

/// The package of the CPU alone.
struct CpuSide {
  std::vector<runtime::LayerCycles> layers;
  std::vector<tuning::Timing> timings; ///< by layer
  tuning::Timing whole;                ///< of runs by the wall clock
};

/// The package of a target that placement leaves out, such as a GPU.
struct DeviceSide {
  std::string target;
  std::vector<runtime::LayerCycles> layers; ///< empty: not measured
  std::string unmeasured;                   ///< why not
};

/// What a kernel took by the clock of a device, as of LayerCycles.
struct DeviceTime {
  uint64_t ticks = 0;
  double ticksPerMicrosecond = 0;
};

/// What both sides have of one fused group of ONNX nodes.
struct TargetRow {
  std::string node;
  std::string target; ///< where it is placed; empty: the placed package has no such layer
  uint64_t macs = 0;
  std::optional<uint64_t> cycles; ///< of a layer that runs streams
  LayerUse use;
  uint64_t deviceTicks = 0; ///< on a device with a memory of its own, as of LayerCycles
  double ticksPerMicrosecond = 0;
  std::optional<tuning::Timing> left;          ///< left to the host's CPU
  std::optional<tuning::Timing> cpu;           ///< nothing: the CPU's package has no such layer
  std::map<std::string, DeviceTime> onDevices; ///< by target; nothing: its package has no such layer
};

/// Pairs of layers of the same key, of which one may be missing, in the order of both lists as far as they
/// agree; keys that repeat are paired in their order.
using LayerPair = std::pair<std::optional<size_t>, std::optional<size_t>>;
std::vector<LayerPair> pairLayers(const std::vector<std::string> &placed,
                                  const std::vector<std::string> &cpu);

/// Layers that a device's side alone has are no rows.
std::vector<TargetRow> rowsOf(const PlacedSide &placed, const CpuSide &cpu,
                              const std::vector<DeviceSide> &devices = {});

/// What stands above the table, and below it of whole runs.
struct TargetHeader {
  std::string processor, level;     ///< of this host, and of the code that it ran
  std::vector<std::string> targets; ///< all that there are
  uint64_t threads = 1, repeats = 0;
  std::string machine, engine; ///< machine: empty where no layer runs streams
  uint64_t clockMhz = 0;       ///< of the accelerator; 0: none, and cycles are no time
  bool statesClock = false;    ///< the machine states it; else --clock-mhz says it
  uint64_t array = 0;          ///< multiply-accumulates of the machine in a cycle
  uint64_t cycles = 0;         ///< of the placed package's run
  tuning::Timing whole;        ///< of the CPU's package
  std::string unmeasured;      ///< as PlacedSide
  std::vector<std::pair<std::string, std::string>> devices; ///< targets, and why they are not measured
};

/// What the rows add up to; of times the medians.
struct TargetSum {
  uint64_t macs = 0, cycles = 0, placedMacs = 0;
  size_t placed = 0, left = 0; ///< layers with cycles, and those that are left to the host's CPU
  double acceleratorSeconds = 0, leftSeconds = 0, cpuSeconds = 0;
};
/// Each time is rounded to the unit before, if it is not 0: then the sum is that of what is printed.
TargetSum sumOf(const std::vector<TargetRow> &rows, uint64_t clockMhz, double unit = 0);

double secondsAt(uint64_t clockMhz, uint64_t cycles);

std::string textOf(const TargetHeader &header, const std::vector<TargetRow> &rows);
Json jsonOf(const TargetHeader &header, const std::vector<TargetRow> &rows);

} // namespace daedalus::report
