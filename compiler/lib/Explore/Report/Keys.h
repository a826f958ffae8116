// The keys that a space varies, and the values that a point has for them.
#pragma once

#include "Explore/Space.h"

#include <map>
#include <string>
#include <vector>

namespace daedalus::explore {

/// "base" stands for the machine that a point begins with.
constexpr const char *baseKey = "base";

/// Keys with more than one value, "base" first where there are several. Numbers go up; other values keep the
/// order of the space.
std::vector<Space::Key> variedKeys(const Space &space);

/// Of a machine as --machine takes it: its base and what is changed.
std::map<std::string, std::string> settingsOf(const std::string &machine);

/// The position of the point's value for each of the keys; -1 where it is none of the key's.
std::vector<int> positionsOf(const std::string &machine, const std::vector<Space::Key> &keys);

} // namespace daedalus::explore
