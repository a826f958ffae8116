// See Preferences.h.
#include "Explore/Preferences.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace daedalus::explore {
namespace {

/// The numbers of "NAME=NUMBER,...", at the places of their names; `others` where a place is not named.
Result<std::vector<double>> numbersOf(const std::string &list, size_t count, double others,
                                      const std::function<Result<size_t>(const std::string &)> &placeOf) {
  std::vector<double> numbers(count, others);
  std::vector<bool> isNamed(count);
  for (size_t begin = 0; begin < list.size();) {
    const size_t end = std::min(list.find(',', begin), list.size());
    const std::string entry = list.substr(begin, end - begin), name = entry.substr(0, entry.rfind('='));
    begin = end + 1;
    const std::string text = name.size() < entry.size() ? entry.substr(name.size() + 1) : "";
    char *rest = nullptr;
    const double number = std::strtod(text.c_str(), &rest);
    if (text.empty() || *rest || !std::isfinite(number) || number <= 0)
      return error("'" + entry + "' is not NAME=NUMBER with a number above 0");
    const Result<size_t> place = placeOf(name);
    if (!place)
      return error(place.error());
    if (isNamed[*place])
      return error("'" + name + "' is given twice");
    isNamed[*place] = true;
    numbers[*place] = number;
  }
  return numbers;
}

} // namespace

Result<size_t> networkOf(const std::string &name, const std::vector<std::string> &networks) {
  for (size_t i = 0; i < networks.size(); ++i)
    if (networks[i] == name)
      return i;
  for (size_t i = 0; i < networks.size(); ++i)
    if (networks[i].substr(networks[i].rfind('/') + 1) == name)
      return i;
  return error("the network '" + name + "' is none of the models; expected one of " +
               llvm::join(networks, ", "));
}

Result<std::vector<double>> weightsOf(const std::string &list, const std::vector<std::string> &networks) {
  return numbersOf(list, networks.size(), 1,
                   [&](const std::string &name) { return networkOf(name, networks); });
}

Result<std::vector<double>> referenceOf(const std::string &list, const std::vector<Objective> &objectives) {
  return numbersOf(list, objectives.size(), INFINITY, [&](const std::string &name) -> Result<size_t> {
    std::vector<std::string> names;
    for (const Objective &objective : objectives)
      if (names.push_back(objective.name); objective.name == name)
        return names.size() - 1;
    return error("'" + name + "' is none of the objectives; expected one of " + llvm::join(names, ", "));
  });
}

void leaveOutBeyond(const std::vector<double> &reference, std::vector<Ranked> &all) {
  for (Ranked &one : all)
    one.isOnFront =
        one.isOnFront && std::equal(one.values.begin(), one.values.end(), reference.begin(), std::less<>());
}

} // namespace daedalus::explore
