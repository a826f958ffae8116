#include "Tuning/ModelTiming.h"

#include "daedalus/support/stopwatch.h"

#include <algorithm>

namespace daedalus::tuning {

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
    for (size_t i = 0; i < layers.size(); ++i)
      layers[i] += static_cast<double>(result->layers[i].hostNanoseconds) * 1e-9 / static_cast<double>(runs);
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
