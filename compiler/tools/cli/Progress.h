// What a long command is at, on one line of stderr: only on a terminal, and only after two seconds. A thread
// of its own draws it, so that it moves while a library works for minutes without a word.
#pragma once

#include "daedalus/Pipelines/Compile.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

namespace daedalus::cli {

class Progress {
public:
  /// `unit` is what is counted, such as "images".
  Progress(uint64_t total, std::string unit);
  /// Of work that is not counted, such as "compiling".
  explicit Progress(std::string work) : Progress(0, std::move(work)) {}
  /// Wipes the line.
  ~Progress();
  Progress(const Progress &) = delete;

  void done(uint64_t count);
  /// What of the work goes on now, such as "plan".
  void phase(const std::string &name);

private:
  using Clock = std::chrono::steady_clock;
  void draw();
  std::string line() const;

  const uint64_t total;
  const std::string unit;
  const Clock::time_point begin = Clock::now();
  std::mutex mutex; ///< of what follows
  std::condition_variable changed;
  uint64_t count = 0;
  std::string now;
  bool ended = false;
  std::thread drawer; ///< none where stderr is no terminal
};

/// compile(options), whose phases are shown meanwhile.
template <class Compile> auto showingPhases(CompileOptions options, Compile compile) {
  Progress progress("compiling");
  options.phaseBegins = [&](const std::string &phase) { progress.phase(phase); };
  return compile(options);
}

} // namespace daedalus::cli
