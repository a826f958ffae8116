// Seconds since it was last asked, on the wall clock.
#pragma once

#include <chrono>
#include <utility>

namespace daedalus {

class Stopwatch {
public:
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(now - std::exchange(last, now)).count();
  }

private:
  std::chrono::steady_clock::time_point last = std::chrono::steady_clock::now();
};

} // namespace daedalus
