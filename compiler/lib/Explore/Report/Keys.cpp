// See Keys.h.
#include "Explore/Report/Keys.h"

#include "daedalus/support/decimal.h"

#include <algorithm>

namespace daedalus::explore {

std::vector<Space::Key> variedKeys(const Space &space) {
  std::vector<Space::Key> keys;
  if (space.bases.size() > 1)
    keys.push_back({baseKey, space.bases});
  for (Space::Key key : space.keys) {
    const auto isNumber = [](const std::string &value) { return parseDecimal(value).has_value(); };
    if (std::all_of(key.values.begin(), key.values.end(), isNumber))
      std::stable_sort(key.values.begin(), key.values.end(), [](const std::string &a, const std::string &b) {
        return *parseDecimal(a) < *parseDecimal(b);
      });
    if (key.values.size() > 1)
      keys.push_back(std::move(key));
  }
  return keys;
}

std::map<std::string, std::string> settingsOf(const std::string &machine) {
  std::map<std::string, std::string> settings;
  for (size_t begin = 0; begin <= machine.size();) {
    const size_t end = std::min(machine.find(',', begin), machine.size());
    const std::string part = machine.substr(begin, end - begin);
    const size_t equals = part.find('=');
    if (begin == 0)
      settings[baseKey] = part;
    else if (equals != part.npos)
      settings[part.substr(0, equals)] = part.substr(equals + 1);
    begin = end + 1;
  }
  return settings;
}

std::vector<int> positionsOf(const std::string &machine, const std::vector<Space::Key> &keys) {
  const std::map<std::string, std::string> settings = settingsOf(machine);
  std::vector<int> positions;
  for (const Space::Key &key : keys) {
    const auto setting = settings.find(key.name);
    const auto found = setting == settings.end()
                           ? key.values.end()
                           : std::find(key.values.begin(), key.values.end(), setting->second);
    positions.push_back(found == key.values.end() ? -1 : static_cast<int>(found - key.values.begin()));
  }
  return positions;
}

} // namespace daedalus::explore
