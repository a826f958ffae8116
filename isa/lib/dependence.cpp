// The tracker: flat arrays over slices (a footprint's ranges are walked in order), range maps over DRAM
// bytes.
#include "daedalus/isa/dependence.h"
#include "daedalus/isa/work.h"

#include <algorithm>

namespace daedalus::isa {

/// The first range of the map that ends behind `place`; `from` is at it, before it or, with luck, near it.
template <class M, class Iterator>
Iterator DependenceTracker::LastTouch::firstEndingBehind(M &map, Iterator from, int64_t place) {
  for (unsigned step = 0; step < 4; ++step, ++from)
    if (from == map.end() || from->second.first > place)
      return from;
  from = map.upper_bound(place);
  return from != map.begin() && std::prev(from)->second.first > place ? std::prev(from) : from;
}

/// `at`: the first range that ends behind the beginning of the new one. Returns the new one.
auto DependenceTracker::LastTouch::assign(Map::iterator at, Range range, int64_t index, uint64_t &looked)
    -> Map::iterator {
  ++looked;
  if (at != ranges.end() && at->first == range.begin && at->second.first == range.end) {
    ++looked;
    at->second.second = index;
    return at;
  }
  if (at != ranges.end() && at->first < range.begin) { // it keeps what it has on both sides
    const auto [end, old] = at->second;
    at->second.first = range.begin;
    ++at;
    if (end > range.end)
      at = ranges.emplace_hint(at, range.end, std::pair(end, old));
  }
  while (at != ranges.end() && at->first < range.end) {
    const auto [end, old] = at->second;
    ++looked;
    at = ranges.erase(at);
    if (end > range.end)
      at = ranges.emplace_hint(at, range.end, std::pair(end, old));
  }
  return ranges.emplace_hint(at, range.begin, std::pair(range.end, index));
}

uint64_t DependenceTracker::LastTouch::assign(const std::vector<Range> &set, int64_t index) {
  uint64_t looked = 0;
  auto at = set.empty() ? ranges.end() : ranges.upper_bound(set.front().begin);
  if (at != ranges.begin())
    --at;
  for (const Range &range : set)
    at = assign(firstEndingBehind(ranges, at, range.begin), range, index, looked);
  return looked;
}

uint64_t DependenceTracker::LastTouch::latest(const std::vector<Range> &set, Conflict &conflict,
                                              RangeSet *untouched) const {
  uint64_t looked = 0;
  auto at = set.empty() ? ranges.end() : ranges.upper_bound(set.front().begin);
  if (at != ranges.begin())
    --at;
  for (const Range &range : set) {
    int64_t from = range.begin; // what is before it was looked at
    auto next = at = firstEndingBehind(ranges, at, range.begin);
    for (++looked; next != ranges.end() && next->first < range.end; at = next++, ++looked) {
      if (next->second.second > conflict.index) {
        conflict.index = next->second.second;
        conflict.place = std::max(range.begin, next->first);
      }
      if (untouched)
        untouched->add({from, next->first});
      from = std::max(from, next->second.first);
    }
    if (untouched)
      untouched->add({from, range.end});
  }
  return looked;
}

RangeSet DependenceTracker::LastTouch::touched() const {
  RangeSet set;
  for (const auto &[begin, rest] : ranges)
    set.add({begin, rest.first});
  return set;
}

DependenceTracker::DependenceTracker(const Machine &machine, uint16_t readOnlyBases)
    : machine(machine), readOnlyBases(readOnlyBases) {
  for (auto &kinds : banks)
    for (BankTouches &touches : kinds)
      for (auto &module : touches)
        module.fill(-1);
}

uint64_t DependenceTracker::rangesKept() const {
  uint64_t ranges = 0;
  for (const auto &kinds : dram)
    for (const LastTouch &touches : kinds)
      ranges += touches.size();
  for (const RangeSet &set : exposed)
    ranges += set.size();
  return ranges;
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
  done +=
      WorkOfLookup * dram[footprint.base][!footprint.dramWrite].latest(
                         footprint.dram, conflict, footprint.dramWrite ? nullptr : &exposed[footprint.base]);
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
      done += static_cast<uint64_t>(range.end - range.begin) / SlicesOfUnit;
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
  done += WorkOfLookup * dram[footprint.base][footprint.dramWrite].assign(footprint.dram, count);
}

} // namespace daedalus::isa
