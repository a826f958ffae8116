// The runs of a package's programs as a trace for Perfetto (https://ui.perfetto.dev): a track a module, one
// of the critical path, one of a DRAM's refreshes, slices for what each module did, arrows for tokens. A
// nanosecond of the trace is a cycle.
#pragma once

#include "Report/Trace/PacketFile.h"

#include "daedalus/isa/instructions.h"
#include "daedalus/package/package.h"
#include "daedalus/runtime/session.h"
#include "daedalus/simulator/profile.h"

#include <string>
#include <vector>

namespace daedalus::report {

class RunTrace {
public:
  /// Writes the tracks to the file, which outlives this.
  RunTrace(PacketFile &file, const package::Package &package, const std::string &name);

  /// The next run, behind those before.
  void add(const runtime::ProgramProfile &run);

private:
  void begin(uint32_t program);
  void add(const sim::CycleSpan &span);
  void add(const sim::PathSegment &segment);
  void addRefreshes(const sim::DramActivity &dram);
  void describe(uint64_t track, const std::string &name);
  void slice(uint64_t track, uint64_t first, uint64_t end, trace::TrackEvent event);
  std::string nodeOf(uint32_t instruction) const;
  trace::TrackEvent eventOf(isa::CounterClass what, uint32_t instruction) const;
  void addFlows(uint32_t instruction, trace::TrackEvent &event);

  PacketFile &file;
  const package::Package &package;
  bool hasMemory = false; ///< its track was described
  uint32_t program = 0;
  uint64_t from = 0; ///< the cycles of the programs before
  std::vector<isa::Instruction> instructions;
  std::vector<std::vector<uint64_t>> given, taken; ///< by instruction: flows that begin or end there
  std::vector<bool> shown;                         ///< whether its first slice of work was written
};

} // namespace daedalus::report
