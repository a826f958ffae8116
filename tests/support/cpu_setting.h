// What code for the CPU tests have and how many threads run it, as the environment says
// (docs/verification.md).
#pragma once

#include "daedalus/Target/CPU/Levels.h"
#include "daedalus/support/decimal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

namespace daedalus::test {

/// DAEDALUS_CPU_LEVELS where this host has that level or emulates it, else its own.
inline std::string cpuLevels() {
  const char *asked = std::getenv("DAEDALUS_CPU_LEVELS");
  const auto place = [](const cpu::Level &level) {
    return std::find(cpu::levels().begin(), cpu::levels().end(), level) - cpu::levels().begin();
  };
  const auto levels = cpu::parseLevels(asked ? asked : "native");
  if (!levels)
    ADD_FAILURE() << "DAEDALUS_CPU_LEVELS: " << levels.error();
  const bool isHere =
      levels && (levels->front().emulatesAmx || place(levels->front()) <= place(cpu::nativeLevel()));
  return isHere ? levels->front().name : "native";
}

/// DAEDALUS_CPU_THREADS, else 1.
inline unsigned cpuThreads() {
  const char *asked = std::getenv("DAEDALUS_CPU_THREADS");
  const auto threads = parseDecimal(asked ? asked : "1");
  if (!threads)
    ADD_FAILURE() << "DAEDALUS_CPU_THREADS is '" << asked << "'; expected a whole number";
  return threads ? static_cast<unsigned>(*threads) : 1;
}

} // namespace daedalus::test
