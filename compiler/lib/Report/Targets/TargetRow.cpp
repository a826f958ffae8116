#include "Report/Targets/TargetRow.h"

#include "daedalus/Target/Target.h"

#include <algorithm>
#include <cmath>

namespace daedalus::report {
namespace {

using runtime::LayerCycles;

constexpr size_t missing = ~size_t(0);

std::string nodeOf(const LayerCycles &layer) {
  return layer.layer == package::noLayer ? "(none)" : layer.node;
}

/// What layers are paired by: several of one node do different work.
std::vector<std::string> keysOf(const std::vector<LayerCycles> &layers) {
  std::vector<std::string> keys;
  for (const LayerCycles &layer : layers)
    keys.push_back(nodeOf(layer) + "\n" + std::to_string(layer.macs));
  return keys;
}

/// By layer of the placed package: that of the CPU's with the same name.
std::vector<size_t> partnersOf(const std::vector<std::string> &placed, const std::vector<std::string> &cpu) {
  std::vector<bool> isTaken(cpu.size());
  std::vector<size_t> partners;
  for (const std::string &name : placed) {
    size_t partner = 0;
    while (partner < cpu.size() && (isTaken[partner] || cpu[partner] != name))
      ++partner;
    partners.push_back(partner < cpu.size() ? partner : missing);
    if (partner < cpu.size())
      isTaken[partner] = true;
  }
  return partners;
}

void setPlaced(TargetRow &row, const PlacedSide &side, size_t index) {
  const LayerCycles &layer = side.layers[index];
  row.target = layer.target.empty() ? "-" : layer.target;
  row.macs = layer.macs;
  row.use = side.uses[index];
  if (runsStreams(layer.target) || layer.cycles)
    row.cycles = layer.cycles;
  row.deviceTicks = layer.deviceTicks;
  row.ticksPerMicrosecond = layer.ticksPerMicrosecond;
  if (layer.target == fallbackTarget().name() && index < side.left.size())
    row.left = side.left[index];
}

/// To the first row of the same layer that has no time of this target yet.
void addDevice(std::vector<TargetRow> &rows, const DeviceSide &side) {
  const std::vector<std::string> keys = keysOf(side.layers);
  for (size_t i = 0; i < keys.size(); ++i) {
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const TargetRow &row) {
      return row.node + "\n" + std::to_string(row.macs) == keys[i] && !row.onDevices.count(side.target);
    });
    if (row != rows.end())
      row->onDevices[side.target] = {side.layers[i].deviceTicks, side.layers[i].ticksPerMicrosecond};
  }
}

double rounded(double seconds, double unit) {
  return unit > 0 ? std::round(seconds / unit) * unit : seconds;
}

} // namespace

std::vector<LayerPair> pairLayers(const std::vector<std::string> &placed,
                                  const std::vector<std::string> &cpu) {
  const std::vector<size_t> partners = partnersOf(placed, cpu);
  std::vector<LayerPair> pairs;
  size_t next = 0;
  const auto addAlone = [&](size_t end) { // of the CPU's layers those that nobody is paired with
    for (; next < end; ++next)
      if (std::find(partners.begin(), partners.end(), next) == partners.end())
        pairs.push_back({std::nullopt, next});
  };
  for (size_t i = 0; i < placed.size(); ++i) {
    if (partners[i] == missing) {
      pairs.push_back({i, std::nullopt});
      continue;
    }
    addAlone(partners[i]);
    pairs.push_back({i, partners[i]});
  }
  addAlone(cpu.size());
  return pairs;
}

std::vector<TargetRow> rowsOf(const PlacedSide &placed, const CpuSide &cpu,
                              const std::vector<DeviceSide> &devices) {
  std::vector<TargetRow> rows;
  for (const auto &[first, second] : pairLayers(keysOf(placed.layers), keysOf(cpu.layers))) {
    TargetRow row;
    row.node = nodeOf(first ? placed.layers[*first] : cpu.layers[*second]);
    if (second) {
      row.macs = cpu.layers[*second].macs;
      row.cpu = cpu.timings[*second];
    }
    if (first)
      setPlaced(row, placed, *first);
    rows.push_back(row);
  }
  for (const DeviceSide &side : devices)
    addDevice(rows, side);
  return rows;
}

TargetSum sumOf(const std::vector<TargetRow> &rows, uint64_t clockMhz, double unit) {
  TargetSum sum;
  for (const TargetRow &row : rows) {
    sum.macs += row.macs;
    sum.placed += row.cycles.has_value();
    sum.cycles += row.cycles.value_or(0);
    sum.placedMacs += row.cycles ? row.macs : 0;
    sum.left += row.target == fallbackTarget().name();
    if (row.cycles && clockMhz)
      sum.acceleratorSeconds += rounded(secondsAt(clockMhz, *row.cycles), unit);
    sum.leftSeconds += row.left ? rounded(row.left->median(), unit) : 0;
    sum.cpuSeconds += row.cpu ? rounded(row.cpu->median(), unit) : 0;
  }
  return sum;
}

double secondsAt(uint64_t clockMhz, uint64_t cycles) {
  return static_cast<double>(cycles) / (static_cast<double>(clockMhz) * 1e6);
}

} // namespace daedalus::report
