// The costs of loads worked out before: those of a convolution are alike but for their places, so few lists
// serve thousands of instructions.
#pragma once

#include "common/load_costs.h"

#include <array>
#include <optional>
#include <unordered_map>
#include <vector>

namespace daedalus::sim {

/// A load's segments, listed.
class ListedCosts {
public:
  /// Its first byte lies so far from the load's origin.
  struct Segment {
    int32_t offset;
    uint16_t beats, writes;
  };

  ListedCosts(const std::vector<Segment> &segments, uint64_t origin)
      : at(segments.data()), end(segments.data() + segments.size()), origin(origin) {}

  /// As LoadCosts::next().
  [[gnu::always_inline]] bool next(LoadCost &cost) {
    if (at == end)
      return false;
    cost = {at->beats, at->writes};
    ++at;
    return true;
  }
  /// As LoadCosts::address().
  uint64_t address() const { return origin + static_cast<uint64_t>(int64_t(at[-1].offset)); }

private:
  const Segment *at, *end;
  uint64_t origin;
};

/// The lists of loads on any machines.
class LoadCostLists {
public:
  /// Of a load whose base register holds `baseAddress`; nothing where it has too many segments for a list.
  /// The list is there up to the next call.
  std::optional<ListedCosts> find(const isa::Load &load, const isa::Machine &machine, uint64_t baseAddress);

private:
  static constexpr size_t MostSegments = 128, MostLists = 4096;

  /// What the costs depend on.
  struct Key {
    isa::Load load; ///< without what they do not
    uint32_t n = 0, busBytes = 0, burstBeats = 0;

    bool operator==(const Key &other) const;
  };
  struct Hash {
    size_t operator()(const Key &key) const;
  };
  struct List {
    bool fits = true;
    std::vector<ListedCosts::Segment> segments;
  };

  static Key keyOf(const isa::Load &load, const isa::Machine &machine, uint32_t offset);
  static List listOf(const Key &key, const isa::Machine &machine);

  using Lists = std::unordered_map<Key, List, Hash>;
  const List &known(const Key &key, const isa::Machine &machine);

  Lists all;
  std::array<const Lists::value_type *, 256> recent{}; ///< by the hash's low bits, looked at first
};

} // namespace daedalus::sim
