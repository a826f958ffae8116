// One case measured, and all of them as a table and as JSON.
#pragma once

#include "Peer.h"
#include "Report/Json.h"
#include "Tuning/Case.h"
#include "Tuning/Timing.h"
#include "cli/Names.h"

#include <optional>
#include <string>
#include <vector>

namespace daedalus::cli {

struct PeerTiming {
  std::string name, implementation;
  Timing timing;
};

struct CpuRow {
  CpuCase c;
  unsigned threads = 1;
  Timing ours;
  std::string code; ///< which of ours ran
  double compileSeconds = 0;
  std::vector<PeerTiming> peers;
  std::vector<std::string> absent; ///< sentences that say which peer is missing, and why
  std::string problem;             ///< why there is no figure, or that a result is wrong; empty: all is well

  /// The peer that it is compared with: the fastest one; null where there is none.
  const PeerTiming *peer() const;
  /// How many times faster than the peer; nothing without one.
  std::optional<double> ratio() const;
};

/// What stands above the table: the processor, the unit, what is counted, and the peers.
struct CpuHeader {
  std::string processor;
  unsigned threads = 1;
  uint64_t repeats = 0;
  std::vector<std::string> peers;
};

/// "12.3 GMAC/s", or of what is bound by memory "8.1 GB/s" read and written.
std::string rateOf(const CpuCase &c, double seconds);

/// A group is what is compared like with like: "float32", "int8", "float32 against a copy".
struct RatioSummary {
  std::string group;
  size_t count = 0;
  double geometricMean = 0, least = 0;
  std::string leastCase;
};
/// In the order of their first rows; rows without a ratio are left out.
std::vector<RatioSummary> summariesOf(const std::vector<CpuRow> &rows);

std::string textOf(const CpuHeader &header, const std::vector<CpuRow> &rows);
Json jsonOf(const CpuHeader &header, const std::vector<CpuRow> &rows);

struct CpuOptions {
  TimingOptions timing;
  PeerOptions peers;
  std::string levels; ///< of our code
};

/// Compiled, compared and measured. What goes wrong is the row's `problem`.
CpuRow measureCase(const CpuCase &c, const CpuOptions &options);

} // namespace daedalus::cli
