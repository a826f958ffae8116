// Measures a case: ours is compiled, both sides' results are compared, and both run in turns.
#include "Definition.h"
#include "OurKernel.h"
#include "Row.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace daedalus::cli {
namespace {

std::vector<float> numbersOf(const CpuCase &c, const std::vector<uint8_t> &bytes) {
  std::vector<float> numbers(elementCount(c.output()));
  if (c.isInt8)
    std::transform(bytes.begin(), bytes.end(), numbers.begin(),
                   [](uint8_t byte) { return static_cast<float>(static_cast<int8_t>(byte)); });
  else
    std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

/// What results may differ by: a step of int8, or in float32 a part of the largest one.
double tolerance(const CpuCase &c, double largest) {
  return c.isInt8 ? 1 : largest * 1e-4;
}

std::string differs(const std::string &what, uint64_t index, double ours, double other) {
  return "the result is wrong: element " + std::to_string(index) + " is " + std::to_string(ours) + ", " +
         what + " " + std::to_string(other);
}

double largestOf(const std::vector<float> &numbers) {
  double largest = 0;
  for (float number : numbers)
    largest = std::max(largest, std::fabs(double(number)));
  return largest;
}

/// A few hundred elements against the definition of the operator; empty: they agree.
std::string compareWithDefinition(const CpuCase &c, const CaseData &data, const std::vector<float> &ours) {
  const double most = tolerance(c, largestOf(ours));
  const uint64_t stride =
      std::max<uint64_t>(1, ours.size() / (c.kind == CaseKind::GlobalAveragePool ? 16 : 256)) | 1;
  for (uint64_t index = 0; index < ours.size(); index += stride) {
    const double expected = expectedAt(c, data, index);
    if (!(std::fabs(ours[index] - expected) <= most))
      return differs("by definition", index, ours[index], expected);
  }
  return "";
}

/// All elements against the peer's.
std::string compareWithPeer(const CpuCase &c, const Peer &peer, const std::vector<float> &ours) {
  const std::vector<float> theirs = peer.result();
  const double most = tolerance(c, largestOf(ours));
  for (size_t i = 0; i < theirs.size(); ++i)
    if (!(std::fabs(double(ours[i]) - theirs[i]) <= most))
      return differs("of " + peer.name() + " (" + peer.implementation() + ")", i, ours[i], theirs[i]);
  return "";
}

std::string compare(const CpuCase &c, const CaseData &data, const OurKernel &kernel, const Peers &peers) {
  const std::vector<float> ours = numbersOf(c, kernel.output());
  std::string problem = compareWithDefinition(c, data, ours);
  for (const auto &peer : peers.present)
    if (problem.empty())
      problem = compareWithPeer(c, *peer, ours);
  return problem;
}

Result<void> measure(CpuRow &row, const CpuOptions &options) {
  const CaseData data = caseData(row.c);
  auto kernel = OurKernel::create(row.c, data, options.peers.threads, options.levels);
  if (!kernel)
    return error(kernel.error());
  row.compileSeconds = (*kernel)->compileSeconds();
  const Peers peers = openPeers(row.c, data, options.peers);
  row.absent = peers.absent;
  std::vector<Timed *> sides = {kernel->get()};
  for (const auto &peer : peers.present)
    sides.push_back(peer.get());
  auto timings = timeInTurns(sides, options.timing);
  if (!timings)
    return error(timings.error());
  if (std::string problem = compare(row.c, data, **kernel, peers); !problem.empty())
    return error(problem);
  row.ours = timings->front();
  row.code = (*kernel)->code();
  for (size_t i = 0; i < peers.present.size(); ++i)
    row.peers.push_back({peers.present[i]->name(), peers.present[i]->implementation(), (*timings)[i + 1]});
  return {};
}

} // namespace

CpuRow measureCase(const CpuCase &c, const CpuOptions &options) {
  CpuRow row;
  row.c = c;
  row.threads = options.peers.threads;
  if (auto done = measure(row, options); !done)
    row.problem = done.error();
  return row;
}

} // namespace daedalus::cli
