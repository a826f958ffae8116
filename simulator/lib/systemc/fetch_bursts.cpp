#include "systemc/fetch_bursts.h"

#include "daedalus/isa/encoding.h"
#include "daedalus/isa/timing.h"

#include <algorithm>

namespace daedalus::sim::systemc {
namespace {

/// The beats of the load's bursts, or `most`, where they are more.
uint64_t beatsOf(const isa::Load &load, const isa::Machine &machine, uint64_t base, uint64_t most) {
  isa::LoadSegments segments(load, machine, base);
  isa::LoadSegment segment;
  uint64_t beats = 0;
  while (beats < most && segments.next(segment))
    beats += segment.kind == isa::LoadSegment::Kind::Burst ? segment.beats : 0;
  return std::min(beats, most);
}

/// No burst of LOAD is asked for before this cycle: the first instruction has to come (R4, R5, R12), start
/// and show a segment (R6, R9, R14).
uint64_t firstRequest(const isa::Machine &machine, uint64_t leastLatency) {
  const uint64_t lastBeat = 2 + leastLatency + isa::InstructionBytes / machine.busBytes - 1;
  return lastBeat + 3 + 1 + machine.loadIssueLatency;
}

} // namespace

FetchBursts fetchBursts(const std::vector<isa::Instruction> &instructions, const PlacedProgram &program,
                        const isa::Machine &machine, uint64_t leastLatency) {
  const uint64_t most =
      std::min<uint64_t>(machine.receiveBeats, uint64_t(machine.outstandingReads) * machine.maxBurstBeats);
  const uint64_t start = program.address / isa::InstructionBytes, burst = machine.fetchBurst;
  FetchBursts bursts;
  uint64_t loaded = 0; // beats, of the loads so far
  for (uint64_t first = 0, next; first < instructions.size(); first = next) {
    next = std::min<uint64_t>(instructions.size(), first + burst - (start + first) % burst); // R4
    // FETCH asks for what fits its empty buffer in the first cycles, one burst a cycle.
    const bool isFirst =
        next <= machine.fetchBuffer && bursts.beatsAhead.size() + 1 < firstRequest(machine, leastLatency);
    bursts.beatsAhead.push_back(isFirst ? 0 : loaded);
    if (bursts.beatsAhead.back())
      bursts.between += (next - first) * isa::InstructionBytes / machine.busBytes;
    for (uint64_t i = first; i < next; ++i)
      if (const auto *load = std::get_if<isa::Load>(&instructions[i]))
        loaded += beatsOf(*load, machine, program.bases[load->base].address, most - loaded);
  }
  return bursts;
}

} // namespace daedalus::sim::systemc
