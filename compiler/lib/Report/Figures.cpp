#include "Report/Figures.h"

#include <cstdio>

namespace daedalus::report {

std::string threadsText(uint64_t threads) {
  return std::to_string(threads) + (threads == 1 ? " thread" : " threads");
}

std::string levelOf(const package::ElfObject &object) {
  std::string text = object.cpu;
  for (size_t i = 0; i < object.features.size(); ++i)
    text += (i ? ", " : " with ") + object.features[i];
  return text;
}

std::string decimal(double value, const char *format) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string microseconds(const tuning::Timing &timing) {
  return decimal(timing.median() * 1e6, "%.1f");
}

std::string spreadOf(const tuning::Timing &timing) {
  return timing.samples.size() < 2 ? "-" : decimal(timing.spread() * 100, "%.1f%%");
}

bool isDisturbed(const tuning::Timing &timing) {
  constexpr double enough = 0.9;
  return !timing.samples.empty() && timing.leastProcessors < enough;
}

Json timingJson(const tuning::Timing &timing) {
  return {{"seconds", timing.median()},
          {"spread", timing.spread()},
          {"samples", timing.samples},
          {"batch", timing.batch},
          {"most_processors", timing.mostProcessors},
          {"least_processors", timing.leastProcessors}};
}

} // namespace daedalus::report
