// See bound.h. The constants follow from rules R4 to R20 and R26 to R28 of docs/timing.md.

#include "daedalus/runtime/bound.h"

#include "daedalus/isa/dram.h"
#include "daedalus/isa/encoding.h"

#include <set>

namespace daedalus::runtime {
namespace {

using package::LeastWork;

/// The first and the last cycles of any program that loads, computes and stores.
class Ends {
public:
  explicit Ends(const isa::Machine &machine) : m(machine) {}

  /// The first instruction starts: its burst was asked for in cycle 1, it was dispatched (R4, R5, R9, R12).
  uint64_t start() const { return isa::leastReadLatency(m) + isa::InstructionBytes / m.busBytes + 5; }
  /// LOAD's first beat is on the bus (R12, R14).
  uint64_t firstBeat() const { return start() + m.loadIssueLatency + 1 + isa::leastReadLatency(m); }
  /// A module that waits for `beats` of LOAD starts (R16, R17, R10).
  uint64_t startBehind(uint64_t beats) const { return firstBeat() + m.receiveLatency + beats; }
  /// From VECTOR's start to the end of a row of it (R27), and STORE starts.
  uint64_t vectorRow() const { return 1 + m.vectorLatency + 1; }
  /// From STORE's start to the end of FINISH, of one beat (R18 to R20, R8).
  uint64_t store() const { return m.storeIssueLatency + m.storeReadLatency + isa::leastWriteLatency(m) + 3; }

private:
  const isa::Machine &m;
};

/// Of what one run of a program does.
LeastWork workOf(const package::Package &package, const package::AcceleratorProgram &program) {
  const std::vector<uint32_t> &owners = program.layerOfInstruction;
  LeastWork work;
  for (uint32_t layer : std::set<uint32_t>(owners.begin(), owners.end()))
    if (layer != package::noLayer)
      work += leastWorkOf(package.layers[layer]);
  return work;
}

} // namespace

LeastWork leastWorkOf(const package::Layer &layer) {
  LeastWork work;
  for (const auto &[name, member] : LeastWork::fields())
    if (const auto found = layer.least.find(name); found != layer.least.end())
      work.*member = found->second;
  return work;
}

uint64_t leastCyclesOf(const package::Layer &layer) {
  const auto found = layer.least.find(package::leastCycles);
  return found == layer.least.end() ? 0 : found->second;
}

uint64_t boundOf(const LeastWork &work, const isa::Machine &machine) {
  const Ends ends(machine);
  const uint64_t behindGemm = machine.gemmLatency + 1 + ends.vectorRow() + ends.store();
  const uint64_t behindVector = machine.vectorLatency + 1 + ends.store();
  uint64_t cycles = 0;
  const auto atLeast = [&](uint64_t begins, uint64_t busy, uint64_t behind) {
    if (busy)
      cycles = std::max(cycles, begins + busy + behind);
  };
  atLeast(ends.startBehind(1), work.gemm, behindGemm); // weights come from DRAM, data may be padding
  atLeast(ends.start(), work.vector, behindVector);    // which needs no burst
  if (work.either)
    atLeast(ends.start(), (work.gemm + work.vector + work.either + 1) / 2, behindVector);
  atLeast(ends.startBehind(0), work.read, ends.vectorRow() + ends.store());
  atLeast(ends.start() + ends.vectorRow(), work.write ? work.write - 1 : 0, ends.store());
  return cycles;
}

uint64_t boundOf(const package::Package &package, const isa::Machine &machine) {
  uint64_t cycles = 0;
  if (!package.functions.empty())
    for (const package::Step &step : package.functions.front().steps)
      if (step.kind == package::Step::Kind::Start)
        cycles += boundOf(workOf(package, package.programs[step.index]), machine);
  return cycles;
}

} // namespace daedalus::runtime
