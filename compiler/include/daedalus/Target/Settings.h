// What targets are told of a compilation: settings of each target's own kind, and the options by which users
// give them. Who holds them knows no target by name.

#ifndef DAEDALUS_TARGET_SETTINGS_H
#define DAEDALUS_TARGET_SETTINGS_H

#include "daedalus/support/result.h"

#include <any>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace daedalus {

/// A value: a copy shares nothing with what it was copied from. A target's kind of settings is a struct whose
/// defaults hold where nobody gave any, and whose `target` is the target's name.
class TargetSettings {
public:
  template <class Settings> Settings &of() {
    std::any &settings = all[Settings::target];
    if (!settings.has_value())
      settings = Settings();
    return std::any_cast<Settings &>(settings);
  }
  template <class Settings> const Settings &of() const {
    static const Settings defaults;
    const auto found = all.find(Settings::target);
    return found == all.end() ? defaults : std::any_cast<const Settings &>(found->second);
  }

  /// A value for the option of this name of any target. The error says which options there are, or what is
  /// wrong with the value.
  Result<void> give(const std::string &option, const std::string &value);
  /// The same of texts "NAME=VALUE"; one without '=' goes on with the value before it, behind a comma.
  Result<void> give(const std::vector<std::string> &list);
  /// What was given, as "NAME=VALUE", in order.
  const std::vector<std::string> &given() const { return texts; }

  /// A folder in which targets keep what they may need again, such as machine code; empty: none.
  std::string cache;

private:
  std::map<std::string, std::any> all; ///< by target
  std::vector<std::string> texts;
};

/// An option that a target declares. Commands that compile have it as --NAME, passes as NAME=VALUE.
struct TargetOption {
  std::string name;
  std::string form;      ///< of the value, such as "NAME|FILE"
  std::string meaning{}; ///< for --help
  std::string initial{}; ///< value where none is given, for --help; may be empty
  bool isFile = false;   ///< whether the value is the path of a file that is read
  /// Why who has a package already cannot give it, such as "which has its code already"; empty: they can.
  std::string refusal{};
  std::function<Result<void>(TargetSettings &, const std::string &value)> give{};
};

/// What gives the value to the text `member` of a target's settings.
template <class Settings>
std::function<Result<void>(TargetSettings &, const std::string &)> given(std::string Settings::*member) {
  return [member](TargetSettings &settings, const std::string &value) -> Result<void> {
    settings.of<Settings>().*member = value;
    return {};
  };
}

/// Of all targets, in their order.
std::vector<TargetOption> targetOptions();

} // namespace daedalus

#endif
