// See Sensitivity.h.
#include "Explore/Report/Sensitivity.h"

#include "Explore/Report/Keys.h"

#include <map>

namespace daedalus::explore {
namespace {

/// Points by the position of one key's value; all others are the same.
using Row = std::map<int, const Ranked *>;

/// Of the key of this number, by the positions of the others.
std::map<std::vector<int>, Row> rowsAlong(size_t key, const std::vector<std::vector<int>> &positions,
                                          const std::vector<Ranked> &all) {
  std::map<std::vector<int>, Row> rows;
  for (size_t i = 0; i < all.size(); ++i) {
    std::vector<int> others = positions[i];
    const int own = std::exchange(others[key], -1);
    if (own >= 0)
      rows[others][own] = &all[i];
  }
  return rows;
}

void add(KeyChange &change, const Ranked &before, const Ranked &behind) {
  ++change.pairs;
  change.changes.resize(before.values.size());
  for (size_t i = 0; i < before.values.size(); ++i)
    if (before.values[i] != 0)
      change.changes[i] += (behind.values[i] - before.values[i]) / before.values[i];
}

} // namespace

std::vector<KeyChange> sensitivities(const std::vector<Ranked> &all, const std::vector<Space::Key> &keys) {
  std::vector<std::vector<int>> positions;
  for (const Ranked &one : all)
    positions.push_back(positionsOf(one.point.machine, keys));
  std::vector<KeyChange> changes;
  for (size_t key = 0; key < keys.size(); ++key) {
    const std::vector<std::string> &values = keys[key].values;
    std::vector<KeyChange> own{{keys[key].name, "", "", 0, {}}}; // all steps, then each
    for (size_t step = 1; step < values.size(); ++step)
      own.push_back({keys[key].name, values[step - 1], values[step], 0, {}});
    for (const auto &[others, row] : rowsAlong(key, positions, all))
      for (const auto &[position, behind] : row)
        if (const auto before = row.find(position - 1); before != row.end()) {
          add(own.front(), *before->second, *behind);
          add(own[static_cast<size_t>(position)], *before->second, *behind);
        }
    for (KeyChange &change : own)
      for (double &sum : change.changes)
        sum /= static_cast<double>(change.pairs);
    changes.insert(changes.end(), own.begin(), own.end());
  }
  return changes;
}

} // namespace daedalus::explore
