// See Occupancy.h. What instructions touch is known before the run (footprint.h), and when is known after it.
#include "Report/Profile/Occupancy.h"
#include "Report/AccessBytes.h"

#include "daedalus/isa/encoding.h"

#include <algorithm>

namespace daedalus::report {
namespace {

using Changes = std::vector<std::pair<uint64_t, int64_t>>;

/// The first cycle of a part: cycles * part / parts, rounded down, without that large product.
uint64_t beginOf(uint64_t part, uint64_t parts, uint64_t cycles) {
  return cycles / parts * part + cycles % parts * part / parts;
}

/// Adds `bytes` in each of the cycles [first, end) to the parts that they lie in. `part` is one of `first` or
/// before, and becomes the last one.
void spread(std::vector<uint64_t> &sums, uint64_t cycles, uint64_t &part, uint64_t first, uint64_t end,
            uint64_t bytes) {
  while (first < end) {
    while (beginOf(part + 1, sums.size(), cycles) <= first)
      ++part;
    const uint64_t until = std::min(end, beginOf(part + 1, sums.size(), cycles));
    sums[part] += bytes * (until - first);
    first = until;
  }
}

ScopeOccupancy summed(const Changes &changes, uint64_t cycles) {
  ScopeOccupancy result;
  result.mean.resize(std::min(cycles, Occupancy::mostParts));
  uint64_t live = 0, since = 0, part = 0;
  for (size_t i = 0; i < changes.size();) {
    const uint64_t cycle = changes[i].first;
    spread(result.mean, cycles, part, since, cycle, live);
    for (; i < changes.size() && changes[i].first == cycle; ++i)
      live += static_cast<uint64_t>(changes[i].second);
    result.peak = std::max(result.peak, live);
    since = cycle;
  }
  for (uint64_t i = 0, parts = result.mean.size(); i < parts; ++i) {
    const uint64_t length = beginOf(i + 1, parts, cycles) - beginOf(i, parts, cycles);
    result.mean[i] = (result.mean[i] + length / 2) / length;
  }
  return result;
}

} // namespace

void Occupancy::add(const isa::Instruction &instruction, const sim::InstructionCycles &times) {
  const isa::Footprint footprint = isa::footprintOf(instruction, machine);
  for (const isa::ScratchAccess &access : footprint.scratch)
    if (!access.write && !access.ownRows)
      for (const isa::Range &bytes : bytesOf(access, machine))
        live[static_cast<size_t>(access.scope)].read(bytes, from + times.end + 1);
  for (const isa::ScratchAccess &access : footprint.scratch)
    if (access.write)
      for (const isa::Range &bytes : bytesOf(access, machine))
        live[static_cast<size_t>(access.scope)].write(bytes, from + times.start);
}

void Occupancy::add(Span<const isa::Instruction> instructions, Span<const sim::InstructionCycles> times,
                    uint64_t cycles) {
  for (size_t i = 0; i < times.size(); ++i)
    add(instructions[i], times[i]);
  from += cycles;
}

std::vector<ScopeOccupancy> Occupancy::take() {
  std::vector<ScopeOccupancy> all;
  for (unsigned s = 0; s < isa::ScopeCount && from; ++s) {
    const auto scope = static_cast<isa::Scope>(s);
    if (!machine.bytes(scope))
      continue;
    all.push_back(summed(live[s].takeChanges(), from));
    all.back().scope = scope;
    all.back().capacity = machine.bytes(scope);
  }
  return all;
}

std::vector<ScopeOccupancy> occupancyOf(const ProfiledRun &run) {
  if (!run.machine)
    return {};
  Occupancy occupancy(*run.machine);
  for (const runtime::ProgramProfile &program : run.result.profiles) {
    const auto instructions = *isa::decodeWords(run.package.programs[program.program].words);
    occupancy.add(instructions, program.profile->instructions, program.profile->cycles);
  }
  return occupancy.take();
}

} // namespace daedalus::report
