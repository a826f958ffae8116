// Which build of daedalus this is: another one may count other cycles.
#pragma once

#include <string>

namespace daedalus::explore {

/// The build ids that the linker gave this program and those of the project's libraries that are loaded, by
/// name; without ids the same for all builds.
std::string buildOfThis();

} // namespace daedalus::explore
