// See Variants.h.
#include "Tuning/Variants.h"

#include "Tuning/Costs.h"
#include "Tuning/Inputs.h"
#include "daedalus/Pipelines/Schedules.h"
#include "daedalus/runtime/session.h"

#include <algorithm>

namespace daedalus::tuning {
namespace {

constexpr TimingOptions counting{1, 0};

/// A package that runs.
struct Side {
  std::unique_ptr<runtime::Session> session;
  std::unique_ptr<TimedModel> model;
};

Result<Side> sideOf(const package::Package &package, unsigned threads, uint64_t seed) {
  runtime::SessionOptions options;
  options.threads = threads;
  options.verify = false; // the compiler has just proved it
  auto session = runtime::Session::create(package, options);
  if (!session)
    return error(session.error());
  auto model = std::make_unique<TimedModel>(
      **session, randomInputs(**(*session)->function(0), static_cast<uint32_t>(seed)));
  return Side{std::move(*session), std::move(model)};
}

} // namespace

double LayerTimes::of(const ScheduledKernel &kernel, const std::vector<double> &layers) {
  double sum = 0;
  for (uint32_t layer : kernel.layers)
    sum += layer < layers.size() ? layers[layer] : 0;
  return sum;
}

CompileOptions Variants::optionsWith(const Entries &entries) const {
  CompileOptions with = options;
  for (const auto &[key, entry] : entries)
    with.tuned.push_back(entry);
  return with;
}

Result<package::Package> Variants::compiled(const Entries &entries) const {
  Result<Compiled> compiled = compileModel(model, optionsWith(entries));
  if (!compiled)
    return error(compiled.error());
  return hostPart(std::move(compiled->package));
}

Result<std::vector<ScheduledKernel>> Variants::kernels(const Entries &entries) const {
  return scheduledKernels(model, optionsWith(entries), threads);
}

Result<std::vector<LayerTimes>> Variants::inTurns(const package::Package &one, const package::Package &other,
                                                  const TimingOptions &timing) {
  std::vector<Side> sides;
  std::vector<Timed *> timed;
  for (const package::Package *package : {&one, &other}) {
    Result<Side> side = sideOf(*package, threads, seed);
    if (!side)
      return error(side.error());
    sides.push_back(std::move(*side));
    timed.push_back(sides.back().model.get());
  }
  if (Result<double> first = timed.front()->seconds(1); !first)
    return error(first.error());
  clocks = sides.front().model->clocks();
  // Where a device counts instructions, one run says what others would, and takes long.
  const bool isCounted = std::find(clocks.begin(), clocks.end(), Clock::None) != clocks.end();
  const Result<std::vector<Timing>> whole = timeInTurns(timed, isCounted ? counting : timing);
  if (!whole)
    return error(whole.error());
  std::vector<LayerTimes> all(sides.size());
  for (size_t i = 0; i < sides.size(); ++i)
    for (const Timing &layer : sides[i].model->layers((*whole)[i])) {
      all[i].median.push_back(layer.median());
      all[i].fast.push_back(quantile(layer.samples, 0.25));
    }
  return all;
}

Clock Variants::clockOf(const ScheduledKernel &kernel) const {
  return kernel.layers.empty() || kernel.layers.front() >= clocks.size() ? Clock::Host
                                                                         : clocks[kernel.layers.front()];
}

} // namespace daedalus::tuning
