#include "cuda_graph.h"

#include <algorithm>

namespace daedalus::cuda {

Result<std::unique_ptr<CapturedGraph>> CapturedGraph::capture(const DriverApi &api, Stream stream,
                                                              const std::function<Result<void>()> &work) {
  if (auto ok = api.check(api.streamBeginCapture(stream, captureThreadLocal), "beginning to capture a graph");
      !ok)
    return error(ok.error());
  const Result<void> worked = work();
  GraphTemplate made = nullptr;
  const Status ended = api.streamEndCapture(stream, &made); // also behind an error
  Result<void> ok =
      worked ? api.check(ended, "capturing a graph") : error("capturing a graph failed: " + worked.error());
  Graph graph = nullptr;
  if (ok)
    ok = api.check(api.graphInstantiate(&graph, made, 0), "making a graph ready");
  if (ended == 0 && made)
    api.graphDestroy(made);
  if (!ok)
    return error(ok.error());
  return std::make_unique<CapturedGraph>(api, stream, graph);
}

Result<void> CapturedGraph::launch() const {
  return api.check(api.graphLaunch(graph, stream), "launching a graph");
}

void Repetitions::begin() {
  forget();
  isOpen = true;
  for (const Repeated &repeated : graphs)
    if (repeated.graph)
      followed.push_back(&repeated);
}

void Repetitions::forget() {
  sequence.clear();
  given = 0;
  followed.clear();
  isOpen = false;
}

Result<void> Repetitions::submit(Submission next, size_t ticket) {
  if (!isOpen)
    return outcome ? give(next, ticket, false) : outcome;
  const size_t place = sequence.size();
  std::vector<const Repeated *> still;
  for (const Repeated *repeated : followed)
    if (repeated->sequence.size() > place && repeated->sequence[place] == next)
      still.push_back(repeated);
  if (still.empty() && !giveHeld())
    return outcome;
  followed = std::move(still);
  sequence.push_back(std::move(next));
  return isLonger() ? outcome : giveHeld();
}

Result<void> Repetitions::flush() {
  isOpen = false;
  return giveHeld();
}

/// As one, where the sequence is that of a graph.
Result<void> Repetitions::giveHeld() {
  const Repeated *repeated = complete();
  followed.clear();
  if (outcome && repeated) {
    given = sequence.size();
    return outcome = repeated->graph->launch();
  }
  for (; outcome && given < sequence.size(); ++given)
    outcome = give(sequence[given], given, false);
  return outcome;
}

/// The followed graph that is no longer than the sequence.
const Repetitions::Repeated *Repetitions::complete() const {
  const auto found = std::find_if(followed.begin(), followed.end(), [&](const Repeated *repeated) {
    return repeated->sequence.size() == sequence.size();
  });
  return found == followed.end() ? nullptr : *found;
}

bool Repetitions::isLonger() const {
  return std::any_of(followed.begin(), followed.end(),
                     [&](const Repeated *repeated) { return repeated->sequence.size() > sequence.size(); });
}

/// Whether a graph of the sequence spares something, and nobody tried to make it yet.
bool Repetitions::isWorthwhile() const {
  size_t launches = 0;
  for (const Submission &submission : sequence)
    launches += kernels[submission.kernel].launches.size();
  return launches >= 2 && graphs.size() < mostGraphs &&
         std::none_of(graphs.begin(), graphs.end(),
                      [&](const Repeated &repeated) { return repeated.sequence == sequence; });
}

Result<void> Repetitions::end() {
  Result<void> ok = outcome && isWorthwhile() ? remember() : Result<void>();
  forget();
  outcome = {};
  return ok;
}

Result<void> Repetitions::remember() {
  if (std::find(seen.begin(), seen.end(), sequence) != seen.end())
    return capture();
  seen.push_back(sequence);
  return {};
}

Result<void> Repetitions::capture() {
  const auto giveAll = [&] {
    Result<void> ok;
    for (size_t ticket = 0; ok && ticket < sequence.size(); ++ticket)
      ok = give(sequence[ticket], ticket, true);
    return ok;
  };
  auto graph = CapturedGraph::capture(api, stream, giveAll);
  graphs.push_back({sequence, graph ? std::move(*graph) : nullptr});
  return graph ? Result<void>() : error(graph.error());
}

} // namespace daedalus::cuda
