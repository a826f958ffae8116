// A model of four layers, as both sides might have measured it.
#pragma once

#include "Report/Targets/TargetRow.h"

namespace daedalus::report {

inline tuning::Timing timing(double microseconds) {
  tuning::Timing result;
  result.samples = {microseconds * 0.9e-6, microseconds * 1e-6, microseconds * 1.1e-6};
  result.batch = 3;
  result.mostProcessors = result.leastProcessors = 1;
  return result;
}

inline runtime::LayerCycles layer(uint32_t index, const std::string &node, const std::string &target,
                                  uint64_t cycles, uint64_t macs) {
  return {index, node, target, cycles, macs, 0, cycles, 0};
}

/// Three layers of which the last is left to the CPU, and cycles of none.
inline PlacedSide placedSide() {
  PlacedSide side;
  side.layers = {layer(0, "stem", "accelerator", 1000, 128000), layer(1, "head", "accelerator", 500, 64000),
                 layer(2, "softmax", "cpu", 0, 0), layer(package::noLayer, "", "", 34, 0)};
  side.uses.resize(4);
  side.uses[1] = 0.5;
  side.left = {timing(0), timing(0), timing(3.04), timing(0)};
  side.cycles = 1534;
  return side;
}

/// Has a layer more than the other side, and lacks one.
inline CpuSide cpuSide() {
  CpuSide side;
  side.layers = {layer(0, "blocks", "cpu", 0, 0), layer(1, "stem", "cpu", 0, 128000),
                 layer(2, "softmax", "cpu", 0, 0)};
  side.timings = {timing(1.04), timing(20.04), timing(3.04)};
  side.whole = timing(30);
  return side;
}

/// Takes the first two layers of the CPU's, and one that nobody else has.
inline DeviceSide deviceSide() {
  DeviceSide side;
  side.target = "gpu";
  side.layers = {layer(0, "blocks", "gpu", 0, 0), layer(1, "stem", "gpu", 0, 128000),
                 layer(2, "own", "gpu", 0, 7)};
  for (runtime::LayerCycles &layer : side.layers)
    layer.deviceTicks = 1500 * (layer.layer + 1), layer.ticksPerMicrosecond = 1000;
  return side;
}

inline TargetHeader header() {
  TargetHeader header;
  header.processor = "Processor X";
  header.level = "x86-64-v3";
  header.targets = {"accelerator", "cpu"};
  header.threads = 2;
  header.repeats = 3;
  header.machine = "default";
  header.engine = "systemc";
  header.array = 256;
  header.cycles = 1534;
  header.whole = timing(30);
  return header;
}

} // namespace daedalus::report
