// See ProfileReport.h.
#include "Report/Profile/ProfileReport.h"
#include "Report/Profile/Utilisation.h"
#include "Report/RunReport.h"
#include "Report/Table.h"
#include "daedalus/Target/Target.h"

#include <algorithm>

namespace daedalus::report {
namespace {

using isa::CounterClass;
using isa::CounterModule;

/// "gemm busy 80%, load memory 15%": what most of these cycles were.
std::string mostOf(const ProfileSums &sums) {
  constexpr size_t shown = 2;
  constexpr uint64_t least = 1000; // of so many cycles a part has one
  std::vector<std::pair<uint64_t, std::string>> parts;
  for (size_t m = 0; m < sums.path.size(); ++m)
    for (size_t c = 0; c < sums.path[m].size(); ++c)
      if (sums.path[m][c] && sums.path[m][c] * least >= sums.pathCycles())
        parts.push_back({sums.path[m][c], std::string(isa::name(static_cast<CounterModule>(m))) + " " +
                                              isa::name(static_cast<CounterClass>(c))});
  std::stable_sort(parts.begin(), parts.end(),
                   [](const auto &x, const auto &y) { return x.first > y.first; });
  std::string text;
  for (size_t i = 0; i < std::min(shown, parts.size()); ++i)
    text += (i ? ", " : "") + parts[i].second + " " +
            percent(static_cast<double>(parts[i].first), static_cast<double>(sums.pathCycles()));
  return text.empty() ? "-" : text;
}

std::string cyclesOrNone(uint64_t cycles) {
  return cycles ? grouped(cycles) : ".";
}

class LayerTable {
public:
  explicit LayerTable(const ProfiledRun &run) : run(run), table(headersOf(run)) {}

  void add(const runtime::LayerCycles &layer, const LayerUse &use, const ProfileSums &sums) {
    row(layer.node.empty() ? "(none)" : layer.node, layer.target, sums, textOf(use),
        layer.hostNanoseconds ? microsecondsText(layer.hostNanoseconds) : "-",
        {deviceTimeText(layer.deviceTicks, layer.ticksPerMicrosecond),
         layer.copiedBytes ? grouped(layer.copiedBytes) : "-",
         layer.copiedBytes ? microsecondsText(layer.copyNanoseconds) : "-"});
    nanoseconds += layer.hostNanoseconds;
    copiedBytes += layer.copiedBytes;
    copyNanoseconds += layer.copyNanoseconds;
    macs += runsStreams(layer.target) ? layer.macs : 0;
    total.instructions += sums.instructions;
    for (size_t m = 0; m < sums.modules.size(); ++m)
      for (size_t c = 0; c < sums.modules[m].size(); ++c) {
        total.modules[m][c] += sums.modules[m][c];
        total.path[m][c] += sums.path[m][c];
      }
  }

  std::string text() {
    row("total", "", total,
        run.machine ? percent(static_cast<double>(macs), products(run.result.cycles, *run.machine)) : "-",
        nanoseconds ? microsecondsText(nanoseconds) : "-",
        {"-", copiedBytes ? grouped(copiedBytes) : "-",
         copiedBytes ? microsecondsText(copyNanoseconds) : "-"});
    return table.text();
  }

private:
  static std::vector<std::string> headersOf(const ProfiledRun &run) {
    std::vector<std::string> headers{"ONNX node",    "target",       ">on the path", ">share",
                                     "of that",      ">utilisation", ">load busy",   ">gemm busy",
                                     ">vector busy", ">store busy",  ">CPU us"};
    if (hasDevices(run.result))
      headers.insert(headers.end(), {">device", ">copied bytes", ">copies us"});
    return headers;
  }

  void row(const std::string &node, const std::string &target, const ProfileSums &sums,
           const std::string &utilisation, const std::string &cpu, const std::vector<std::string> &device) {
    const auto busy = [&](CounterModule module) {
      return cyclesOrNone(sums.modules[size_t(module)][size_t(CounterClass::Busy)]);
    };
    const uint64_t path = sums.pathCycles();
    std::vector<std::string> cells{
        node,
        target,
        cyclesOrNone(path),
        path ? percent(static_cast<double>(path), static_cast<double>(run.result.cycles)) : ".",
        mostOf(sums),
        utilisation,
        busy(CounterModule::Load),
        busy(CounterModule::Gemm),
        busy(CounterModule::Vector),
        busy(CounterModule::Store),
        cpu};
    if (hasDevices(run.result))
      cells.insert(cells.end(), device.begin(), device.end());
    table.row(cells);
  }

  const ProfiledRun &run;
  Table table;
  ProfileSums total;
  uint64_t macs = 0, nanoseconds = 0, copiedBytes = 0, copyNanoseconds = 0;
};

} // namespace

std::string profileText(const ProfiledRun &run) {
  LayerTable table(run);
  const std::vector<ProfileSums> all = profileSums(run.result, run.package);
  const std::vector<LayerUse> uses = usesOf(run.result, run.machine);
  for (size_t i = 0; i < run.package.layers.size(); ++i)
    table.add(run.result.layers[i], uses[i], all[i]);
  const ProfileSums &none = all.back();
  if (none.instructions || none.pathCycles())
    table.add({}, std::nullopt, none);
  std::string text = table.text();
  if (run.result.cycles)
    text += "\n" + counterTable(run.result);
  return text;
}

} // namespace daedalus::report
