// The tracker: flat arrays over slices (a footprint's ranges are walked in order), range maps over DRAM
// bytes.
#include "daedalus/isa/dependence.h"

#include <algorithm>

namespace daedalus::isa {

uint64_t DependenceTracker::LastTouch::assign(Range range, int64_t index) {
  uint64_t looked = 1;
  auto at = ranges.lower_bound(range.begin);
  if (at != ranges.begin()) {
    auto before = std::prev(at);
    const auto [end, old] = before->second;
    if (end > range.begin) { // cut the range that reaches in from the left, keep what it has on the right
      before->second.first = range.begin;
      if (end > range.end)
        ranges.emplace(range.end, std::pair(end, old));
    }
  }
  at = ranges.lower_bound(range.begin);
  while (at != ranges.end() && at->first < range.end) {
    const auto [end, old] = at->second;
    ++looked;
    at = ranges.erase(at);
    if (end > range.end)
      at = ranges.emplace(range.end, std::pair(end, old)).first;
  }
  ranges.emplace(range.begin, std::pair(range.end, index));
  return looked;
}

uint64_t DependenceTracker::LastTouch::latest(Range range, Conflict &conflict) const {
  uint64_t looked = 1;
  auto at = ranges.upper_bound(range.begin);
  if (at != ranges.begin() && std::prev(at)->second.first > range.begin)
    --at;
  for (; at != ranges.end() && at->first < range.end; ++at, ++looked)
    if (at->second.second > conflict.index) {
      conflict.index = at->second.second;
      conflict.place = std::max(range.begin, at->first);
    }
  return looked;
}

DependenceTracker::DependenceTracker(const Machine &machine, uint16_t readOnlyBases)
    : machine(machine), readOnlyBases(readOnlyBases) {
  for (auto &kinds : banks)
    for (BankTouches &touches : kinds)
      for (auto &module : touches)
        module.fill(-1);
}

Dependences DependenceTracker::add(const Instruction &instruction) {
  return add(instruction, footprintOf(instruction, machine));
}

Dependences DependenceTracker::add(const Instruction &instruction, const Footprint &footprint) {
  Dependences found;
  const std::optional<Module> module = moduleOf(instruction);
  if (module) {
    const unsigned self = static_cast<unsigned>(*module);
    for (const ScratchAccess &access : footprint.scratch) {
      findScratch(access, self, found);
      findPort(access, self, found);
    }
    findDram(footprint, self, found);
    record(footprint, self);
  }
  ++count;
  return found;
}

void DependenceTracker::findScratch(const ScratchAccess &access, unsigned self, Dependences &found) const {
  for (unsigned other = 0; other < Modules; ++other) {
    if (other == self)
      continue;
    for (bool write : {true, false}) { // a write conflicts with reads and writes, a read with writes
      const std::vector<int32_t> &touched = slices[static_cast<unsigned>(access.scope)][write][other];
      if (touched.empty() || !(write || access.write))
        continue;
      Conflict &conflict = found.data[other];
      for (const Range &range : access.slices)
        for (int64_t slice = range.begin; slice < range.end; ++slice)
          if (touched[static_cast<size_t>(slice)] > conflict.index)
            conflict = {touched[static_cast<size_t>(slice)], access.scope, slice, access.write};
    }
  }
}

void DependenceTracker::findPort(const ScratchAccess &access, unsigned self, Dependences &found) const {
  if (!usesSharedPort(access.scope, access.write))
    return;
  const BankTouches &touches = banks[static_cast<unsigned>(access.scope)][access.write];
  const uint32_t used = banksOf(access, machine);
  for (unsigned other = 0; other < Modules; ++other)
    for (unsigned bank = 0; other != self && bank < 32; ++bank)
      if ((used >> bank & 1) && touches[other][bank] > found.ports[other].index)
        found.ports[other] = {touches[other][bank], access.scope, bank, access.write};
}

void DependenceTracker::findDram(const Footprint &footprint, unsigned self, Dependences &found) {
  const unsigned other = static_cast<unsigned>(footprint.dramWrite ? Module::Load : Module::Store);
  Conflict conflict;
  conflict.write = footprint.dramWrite;
  for (const Range &range : footprint.dram)
    done += dram[footprint.base][!footprint.dramWrite].latest(range, conflict);
  if (other != self && conflict.index > found.data[other].index)
    found.data[other] = conflict;
}

void DependenceTracker::record(const Footprint &footprint, unsigned self) {
  for (const ScratchAccess &access : footprint.scratch) {
    const unsigned scope = static_cast<unsigned>(access.scope);
    std::vector<int32_t> &touched = slices[scope][access.write][self];
    if (touched.empty())
      touched.assign(machine.slices(access.scope), -1);
    for (const Range &range : access.slices) {
      std::fill(touched.begin() + range.begin, touched.begin() + range.end, static_cast<int32_t>(count));
      done += static_cast<uint64_t>(range.end - range.begin) / 16;
    }
    if (!usesSharedPort(access.scope, access.write))
      continue;
    const uint32_t used = banksOf(access, machine);
    for (unsigned bank = 0; bank < 32; ++bank)
      if (used >> bank & 1)
        banks[scope][access.write][self][bank] = count;
  }
  if (!footprint.dramWrite && (readOnlyBases >> footprint.base & 1))
    return;
  for (const Range &range : footprint.dram)
    done += dram[footprint.base][footprint.dramWrite].assign(range, count);
}

} // namespace daedalus::isa
