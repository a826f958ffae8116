// See load_cost_lists.h. A load's costs depend on where in a burst its first byte lies and where in a row it
// goes, not on more of its addresses.
#include "common/load_cost_lists.h"

#include <limits>

namespace daedalus::sim {

bool LoadCostLists::Key::operator==(const Key &other) const {
  return n == other.n && busBytes == other.busBytes && burstBeats == other.burstBeats && load == other.load;
}

size_t LoadCostLists::Hash::operator()(const Key &key) const {
  const isa::Load &load = key.load;
  const isa::LoadLoop &middle = load.loops[1], &inner = load.loops[2];
  const auto pair = [](uint64_t high, uint32_t low) { return high << 32 | low; };
  uint64_t hash = key.n;
  for (uint64_t part : {pair(load.offset, load.dst), pair(load.runBytes, middle.count << 16 | inner.count),
                        pair(uint32_t(middle.dramStride), uint32_t(inner.dramStride)),
                        pair(uint32_t(load.originX), uint32_t(load.originY)),
                        pair(load.extentX, load.extentY << 1 | load.unbounded)})
    hash = (hash ^ part) * 0x9e3779b97f4a7c15; // 2^64 by the golden ratio (Knuth, volume 3, 6.4)
  return hash >> 32;
}

LoadCostLists::Key LoadCostLists::keyOf(const isa::Load &load, const isa::Machine &machine, uint32_t offset) {
  Key key{load, machine.n, machine.busBytes, machine.maxBurstBeats};
  isa::Load &own = key.load;
  own.wait = own.signal = own.base = 0;
  own.scope = isa::Scope::Inp;
  own.offset = offset;
  own.dst = load.dst & (std::max(machine.n, machine.busBytes) - 1);
  own.fill = 0;
  own.unsignedData = own.tailFill = false;
  return key;
}

std::optional<ListedCosts> LoadCostLists::find(const isa::Load &load, const isa::Machine &machine,
                                               uint64_t baseAddress) {
  if (uint64_t(load.loops[0].count) * load.loops[1].count * load.loops[2].count > MostSegments)
    return std::nullopt;
  const uint64_t first = baseAddress + load.offset,
                 burst = uint64_t(machine.maxBurstBeats) * machine.busBytes;
  const Key key = keyOf(load, machine, static_cast<uint32_t>(first % burst));
  const List &list = known(key, machine);
  if (!list.fits)
    return std::nullopt;
  return ListedCosts(list.segments, first - first % burst);
}

const LoadCostLists::List &LoadCostLists::known(const Key &key, const isa::Machine &machine) {
  const Lists::value_type *&latest = recent[Hash()(key) % recent.size()];
  if (latest && latest->first == key)
    return latest->second;
  auto found = all.find(key);
  if (found == all.end()) {
    if (all.size() == MostLists) {
      all.clear();
      recent = {};
    }
    found = all.emplace(key, listOf(key, machine)).first;
  }
  latest = &*found;
  return latest->second;
}

LoadCostLists::List LoadCostLists::listOf(const Key &key, const isa::Machine &machine) {
  constexpr uint64_t origin = uint64_t(1) << 40; // bursts begin there, and strides may be negative
  LoadCosts costs(key.load, machine, origin);
  List list;
  for (LoadCost cost; list.fits && costs.next(cost);) {
    const int64_t offset = cost.beats ? int64_t(costs.address()) - int64_t(origin) : 0;
    list.fits = list.segments.size() < MostSegments && offset == int32_t(offset) &&
                cost.writes <= std::numeric_limits<uint16_t>::max();
    list.segments.push_back({int32_t(offset), uint16_t(cost.beats), uint16_t(cost.writes)});
  }
  return list;
}

} // namespace daedalus::sim
