#include "Models/TuneText.h"

#include "Report/Figures.h"
#include "Report/Table.h"

#include <cstdio>

namespace daedalus::cli {
namespace {

using namespace plansearch;

/// How many percent `now` is less than `before`.
std::string gainText(double before, double now) {
  return report::decimal(before > 0 ? 100 * (1 - now / before) : 0, "%.2f%%");
}

std::string plansText(const Tuning &tuning) {
  Table table({"kernels", ">cycles before", ">cycles", ">saved"});
  for (const Improvement &one : tuning.improvements)
    table.row({one.first == one.last ? one.first : one.first + " to " + one.last, grouped(one.before),
               grouped(one.after), gainText(double(one.before), double(one.after))});
  std::string text = tuning.improvements.empty() ? "" : table.text() + "\n";
  text += "the planner's plan: " + grouped(tuning.planned) + " cycles; tuned: " + grouped(tuning.tuned) +
          " (" + gainText(double(tuning.planned), double(tuning.tuned)) + " fewer) in " +
          grouped(tuning.trials) + " trials\n";
  return text + "no plan takes fewer than " + grouped(tuning.bound) + " cycles; the tuned one is within " +
         report::decimal(100 * (double(tuning.tuned) / double(tuning.bound) - 1), "%.1f%%") + " of that\n";
}

std::string timeText(double seconds, Clock clock) {
  if (clock == Clock::None)
    return grouped(static_cast<uint64_t>(seconds * 1e9 + 0.5)) + " instructions";
  return report::decimal(seconds * 1e6, "%.1f us");
}

std::string placeText(Clock clock) {
  return clock == Clock::Host     ? "on the CPU"
         : clock == Clock::Device ? "on the device"
                                  : "on the emulated device";
}

std::string schedulesText(const Searched &searched, unsigned threads) {
  Table table({"kernel", ">by the compiler", ">tuned", ">saved"});
  for (const SearchedKernel &kernel : searched.kernels)
    if (!kernel.entry.text.empty())
      table.row({kernel.node, timeText(kernel.before, kernel.clock), timeText(kernel.after, kernel.clock),
                 gainText(kernel.before, kernel.after)});
  std::string text = searched.better() ? table.text() + "\n" : "";
  for (const auto &[clock, before] : searched.before) {
    const double after = searched.after.at(clock);
    text += "kernels " + placeText(clock) + ": " + timeText(before, clock) +
            " by the compiler's schedules; tuned: " + timeText(after, clock) + " (" +
            gainText(before, after) + " less)";
    if (clock == Clock::Host)
      text += " with " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
    text += "\n";
  }
  return text + std::to_string(searched.better()) + " of " + std::to_string(searched.kernels.size()) +
         " kernels that take noticeable time are faster, in " + grouped(searched.trials) + " trials\n";
}

Json plansJson(const Tuning &tuning) {
  Json improvements = Json::array();
  for (const Improvement &one : tuning.improvements)
    improvements.push_back(
        {{"first", one.first}, {"last", one.last}, {"before", one.before}, {"after", one.after}});
  return {{"planned_cycles", tuning.planned},
          {"tuned_cycles", tuning.tuned},
          {"bound_cycles", tuning.bound},
          {"trials", tuning.trials},
          {"improvements", improvements}};
}

const char *unitOf(Clock clock) {
  return clock == Clock::None ? "instructions" : "us";
}

double numberOf(double seconds, Clock clock) {
  return seconds * (clock == Clock::None ? 1e9 : 1e6);
}

Json schedulesJson(const Searched &searched, unsigned threads) {
  Json kernels = Json::array(), sums = Json::array();
  for (const SearchedKernel &kernel : searched.kernels)
    kernels.push_back({{"node", kernel.node},
                       {"section", kernel.entry.section},
                       {"before", numberOf(kernel.before, kernel.clock)},
                       {"after", numberOf(kernel.after, kernel.clock)},
                       {"unit", unitOf(kernel.clock)},
                       {"is_tuned", !kernel.entry.text.empty()}});
  for (const auto &[clock, before] : searched.before)
    sums.push_back({{"where", placeText(clock)},
                    {"before", numberOf(before, clock)},
                    {"after", numberOf(searched.after.at(clock), clock)},
                    {"unit", unitOf(clock)}});
  return {{"threads", threads}, {"trials", searched.trials}, {"kernels", kernels}, {"sums", sums}};
}

} // namespace

std::string tunedText(const Tuned &tuned, const std::string &use) {
  std::string text = tuned.plans ? plansText(*tuned.plans) : "";
  if (tuned.schedules)
    text += (text.empty() ? "" : "\n") + schedulesText(*tuned.schedules, tuned.threads);
  if (!tuned.unmeasured.empty())
    text += "\nkernels on other targets are not tuned: " + tuned.unmeasured + "\n";
  return text + "use it: " + use + "\n";
}

Json tunedJson(const Tuned &tuned) {
  Json all = {{"schema", 2}, {"version", DAEDALUS_VERSION}};
  if (tuned.plans)
    all["plans"] = plansJson(*tuned.plans);
  if (tuned.schedules)
    all["schedules"] = schedulesJson(*tuned.schedules, tuned.threads);
  if (!tuned.unmeasured.empty())
    all["unmeasured"] = tuned.unmeasured;
  return all;
}

} // namespace daedalus::cli
