#include "Tuning/ModelTiming.h"

#include "daedalus/support/stopwatch.h"

#include <algorithm>

namespace daedalus::tuning {

static double secondsOf(const runtime::LayerCycles &layer) {
  const Clock clock = clockOf(layer);
  if (clock == Clock::Host)
    return static_cast<double>(layer.hostNanoseconds) * 1e-9;
  return static_cast<double>(layer.deviceTicks) / (clock == Clock::Device ? layer.ticksPerMicrosecond : 1e3) *
         1e-6;
}

Clock clockOf(const runtime::LayerCycles &layer) {
  return !layer.deviceTicks ? Clock::Host : layer.ticksPerMicrosecond > 0 ? Clock::Device : Clock::None;
}

TimedModel::TimedModel(runtime::Session &session, std::vector<runtime::Tensor> inputs)
    : session(session), inputs(std::move(inputs)) {}

Result<double> TimedModel::seconds(uint64_t runs) {
  std::vector<double> layers;
  double sum = 0;
  for (uint64_t run = 0; run < runs; ++run) {
    Stopwatch stopwatch;
    auto result = session.run(size_t(0), inputs);
    sum += stopwatch.lap();
    if (!result)
      return error(result.error());
    layers.resize(result->layers.size());
    ofLayers.clear();
    for (size_t i = 0; i < layers.size(); ++i) {
      layers[i] += secondsOf(result->layers[i]) / static_cast<double>(runs);
      ofLayers.push_back(clockOf(result->layers[i]));
    }
  }
  batches.push_back(std::move(layers));
  return sum;
}

std::vector<Timing> TimedModel::layers(const Timing &whole) const {
  Timing empty = whole;
  empty.samples.clear();
  std::vector<Timing> timings(batches.empty() ? 0 : batches.back().size(), empty);
  for (size_t batch = batches.size() - whole.samples.size(); batch < batches.size(); ++batch)
    for (size_t i = 0; i < timings.size(); ++i)
      timings[i].samples.push_back(batches[batch][i]);
  for (Timing &timing : timings)
    std::sort(timing.samples.begin(), timing.samples.end());
  return timings;
}

} // namespace daedalus::tuning
