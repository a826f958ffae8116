// What `daedalus certify` says of a package: the cycles of a run, which are the same for all data, and
// between which numbers they lie where the memory's latencies vary.
#pragma once

#include "Report/Json.h"
#include "daedalus/isa/machine.h"
#include "daedalus/package/package.h"
#include "daedalus/simulator/interval.h"

#include <optional>
#include <string>
#include <vector>

namespace daedalus::report {

struct Certificate {
  /// Runs with results that took as many cycles.
  struct Runs {
    std::string engine;
    uint64_t count = 0;
  };

  std::string model;
  isa::Machine machine;
  uint64_t cycles = 0; ///< with the latencies of the machine
  std::vector<Runs> runs;
  std::optional<uint64_t> rtlCycles; ///< not run on rtl, for it takes more cycles than these
  size_t hostLayers = 0;             ///< on the host's CPU
  sim::MemoryLatencies latencies;
  std::optional<sim::Interval> interval; ///< with `latencies`; none: those of the machine
  std::optional<uint64_t> deadline;      ///< cycles

  /// The most cycles that a run takes.
  uint64_t most() const { return interval ? interval->upper : cycles; }
  bool meetsDeadline() const { return !deadline || most() <= *deadline; }
};

/// Lines, each ending with a newline.
std::string certificateText(const Certificate &certificate);
/// `version` is that of the program that certifies.
Json certificateJson(const Certificate &certificate, const std::string &version);

/// The cycles of a run of the function, all its accelerator programs together, with such latencies
/// (docs/intervals.md). Errors are those of sim::intervalOf.
Result<sim::Interval> intervalOf(const package::Package &package, const package::Function &function,
                                 const isa::Machine &machine, const sim::MemoryLatencies &latencies);

/// The cycles of each call of the function on the machine with its memory. Errors are those of sim::cyclesOf.
Result<uint64_t> cyclesOf(const package::Package &package, const package::Function &function,
                          const isa::Machine &machine);

/// Writes the cycles of all functions into the package, for the machine that it was compiled for.
Result<void> certify(package::Package &package, const isa::Machine &machine);

/// A program of a package as sessions place it: how long it takes depends on addresses modulo 4096 alone, or
/// with a DRAM on all of them.
sim::PlacedProgram placedProgram(const package::Package &package, size_t program);

} // namespace daedalus::report
