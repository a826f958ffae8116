#include "cli/Progress.h"

#include <algorithm>
#include <cstdio>
#include <unistd.h>

namespace daedalus::cli {

using namespace std::chrono_literals;

Progress::Progress(uint64_t total, std::string unit) : total(total), unit(std::move(unit)) {
  if (isatty(STDERR_FILENO))
    drawer = std::thread([this] { draw(); });
}

Progress::~Progress() {
  {
    const std::lock_guard lock(mutex);
    ended = true;
  }
  changed.notify_one();
  if (drawer.joinable())
    drawer.join();
}

void Progress::done(uint64_t done) {
  const std::lock_guard lock(mutex);
  count = std::min(done, total);
}

void Progress::phase(const std::string &name) {
  const std::lock_guard lock(mutex);
  now = name;
}

void Progress::draw() {
  std::unique_lock lock(mutex);
  bool shown = false;
  for (auto next = 2000ms; !changed.wait_for(lock, next, [this] { return ended; }); next = 100ms) {
    std::fprintf(stderr, "\r\033[K%s", line().c_str());
    shown = true;
  }
  if (shown)
    std::fprintf(stderr, "\r\033[K");
}

std::string Progress::line() const {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - begin).count();
  const std::string time = ", " + std::to_string(seconds) + " s";
  if (!total)
    return unit + (now.empty() ? "" : ": " + now) + time;
  constexpr uint64_t width = 30;
  const uint64_t full = width * count / total;
  return "[" + std::string(full, '#') + std::string(width - full, '.') + "] " + std::to_string(count) + "/" +
         std::to_string(total) + " " + unit + time;
}

} // namespace daedalus::cli
