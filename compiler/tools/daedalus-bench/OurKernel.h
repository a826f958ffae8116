// A case as the compiler makes it: its model is compiled for the CPU, and the steps of its kernel are run
// again and again.
#pragma once

#include "Report/Figures.h"
#include "Tuning/CaseData.h"
#include "Tuning/Timing.h"
#include "cli/Names.h"

#include "daedalus/runtime/session.h"

#include <memory>

namespace daedalus::cli {

/// Whether there are such levels of the processor; the error says which there are.
Result<void> checkLevels(const std::string &levels);

class OurKernel : public Timed {
public:
  /// With code for `levels`; `threads` run it. The error is the compiler's, or the runtime's.
  static Result<std::unique_ptr<OurKernel>> create(const CpuCase &c, const CaseData &data, unsigned threads,
                                                   const std::string &levels);

  /// Of the kernel's steps alone, by the runtime's clock around each; one more round goes before them where a
  /// round is short.
  Result<double> seconds(uint64_t rounds) override;

  /// Of the last round.
  const std::vector<uint8_t> &output() const { return result; }
  /// Which of its code runs on this host.
  std::string code() const { return session && session->code() ? levelOf(*session->code()) : ""; }
  double compileSeconds() const { return compiling; }
  /// Steps in a round, without the conversions at the boundary of the graph.
  size_t steps() const { return counted; }

private:
  OurKernel() = default;
  Result<void> prepare(uint64_t rounds);
  Result<double> runSteps(uint64_t rounds);

  package::Package package; // with each of its steps once
  size_t counted = 0;
  unsigned threads = 1;
  std::vector<runtime::Tensor> inputs;
  std::unique_ptr<runtime::Session> session; // for `prepared` rounds
  uint64_t prepared = 0;
  std::vector<uint8_t> result;
  bool isRepeatable =
      true; // the steps, one round behind the other: none overwrites what an earlier one reads
  double compiling = 0;
};

} // namespace daedalus::cli
