// See LayerFigures.h.
#include "Report/Profile/LayerFigures.h"

#include "daedalus/runtime/bound.h"

#include <algorithm>
#include <map>

namespace daedalus::report {
namespace {

using isa::CounterClass;
using isa::CounterModule;

/// The part of the machine that a module needs for its work.
const char *partOfWork(CounterModule module) {
  switch (module) {
  case CounterModule::Gemm:
    return "array";
  case CounterModule::Vector:
    return "VECTOR";
  case CounterModule::Fetch:
    return "FETCH";
  case CounterModule::Load:
  case CounterModule::Store:
    break;
  }
  return "bus";
}

/// The part of the machine that a module needs in a class.
const char *partOf(CounterModule module, CounterClass what) {
  switch (what) {
  case CounterClass::Memory:
    return module == CounterModule::Store ? "write latency" : "read latency";
  case CounterClass::Bus:
    return "bus";
  case CounterClass::Busy:
    return partOfWork(module);
  case CounterClass::QueueFull:
  case CounterClass::Idle:
    return "FETCH";
  case CounterClass::WaitLoad:
  case CounterClass::WaitGemm:
  case CounterClass::WaitVector:
  case CounterClass::WaitStore:
    break;
  }
  return "tokens";
}

} // namespace

std::string limitOf(const runtime::Counters &path) {
  std::map<std::string, uint64_t> cycles;
  for (size_t m = 0; m < path.size(); ++m)
    for (size_t c = 0; c < path[m].size(); ++c)
      if (path[m][c])
        cycles[partOf(static_cast<CounterModule>(m), static_cast<CounterClass>(c))] += path[m][c];
  const auto most = std::max_element(cycles.begin(), cycles.end(),
                                     [](const auto &a, const auto &b) { return a.second < b.second; });
  return most == cycles.end() ? "-" : most->first;
}

std::vector<LayerFigures> layerFigures(const ProfiledRun &run) {
  std::vector<LayerFigures> all(run.package.layers.size() + 1);
  for (size_t i = 0; i < run.package.layers.size(); ++i) {
    all[i].least = runtime::leastWorkOf(run.package.layers[i]);
    all[i].bound = runtime::leastCyclesOf(run.package.layers[i]);
  }
  if (!run.machine)
    return all;
  const std::vector<tuning::DramBytes> bytes = tuning::dramBytesOf(run.package, *run.machine);
  for (size_t i = 0; i < all.size(); ++i)
    all[i].bytes = bytes[i];
  if (run.energy) {
    const std::vector<Energy> energies = layerEnergies(run.package, *run.machine, *run.energy);
    for (size_t i = 0; i < all.size(); ++i)
      all[i].energy = energies[i];
  }
  return all;
}

std::optional<double> macsPerByte(uint64_t macs, const tuning::DramBytes &bytes) {
  if (!bytes.total())
    return std::nullopt;
  return static_cast<double>(macs) / static_cast<double>(bytes.total());
}

uint64_t boundOf(const ProfiledRun &run) {
  return run.machine ? runtime::boundOf(run.package, *run.machine) : 0;
}

} // namespace daedalus::report
