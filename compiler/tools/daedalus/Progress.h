// A progress bar on stderr, shown only on a terminal and only after two seconds.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace daedalus::cli {

class Progress {
public:
  /// `unit` is what is counted, such as "images".
  Progress(uint64_t total, std::string unit);
  /// Wipes the bar.
  ~Progress();
  Progress(const Progress &) = delete;

  void done(uint64_t count);

private:
  using Clock = std::chrono::steady_clock;
  uint64_t total;
  std::string unit;
  bool terminal;
  bool shown = false;
  Clock::time_point next; // when the bar is drawn again
};

} // namespace daedalus::cli
