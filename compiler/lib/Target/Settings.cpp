// See Settings.h.

#include "daedalus/Target/Settings.h"

#include "daedalus/Target/DidYouMean.h"
#include "daedalus/Target/Target.h"

#include "llvm/ADT/StringExtras.h"

namespace daedalus {

Result<void> TargetSettings::give(const std::string &option, const std::string &value) {
  std::vector<std::string> names;
  for (const TargetOption &known : targetOptions()) {
    if (known.name == option) {
      texts.push_back(option + "=" + value);
      return known.give(*this, value);
    }
    names.push_back(known.name);
  }
  return error("no target has an option '" + option + "'" + didYouMean(option, names) + "; expected one of " +
               llvm::join(names, ", "));
}

Result<void> TargetSettings::give(const std::vector<std::string> &list) {
  std::vector<std::pair<std::string, std::string>> options;
  for (const std::string &text : list) {
    const size_t end = text.find('=');
    if (end != std::string::npos)
      options.emplace_back(text.substr(0, end), text.substr(end + 1));
    else if (!options.empty())
      options.back().second += "," + text;
    else
      return error("'" + text + "' gives no value to an option of a target; expected NAME=VALUE");
  }
  for (const auto &[name, value] : options)
    if (Result<void> taken = give(name, value); !taken)
      return taken;
  return {};
}

std::vector<TargetOption> targetOptions() {
  std::vector<TargetOption> all;
  for (const auto &target : targets())
    for (TargetOption &option : target->options())
      all.push_back(std::move(option));
  return all;
}

} // namespace daedalus
