#include "Progress.h"

#include <cstdio>
#include <unistd.h>

namespace daedalus::cli {

using namespace std::chrono_literals;

Progress::Progress(uint64_t total, std::string unit)
    : total(total), unit(std::move(unit)), terminal(isatty(STDERR_FILENO)), next(Clock::now() + 2s) {}

Progress::~Progress() {
  if (shown)
    std::fprintf(stderr, "\r\033[K");
}

void Progress::done(uint64_t count) {
  constexpr int width = 30;
  if (!terminal || total == 0 || Clock::now() < next)
    return;
  std::string bar(width, '.');
  bar.replace(0, width * count / total, std::string(width * count / total, '#'));
  std::fprintf(stderr, "\r[%s] %llu/%llu %s", bar.c_str(), static_cast<unsigned long long>(count),
               static_cast<unsigned long long>(total), unit.c_str());
  shown = true;
  next = Clock::now() + 100ms;
}

} // namespace daedalus::cli
