// Where the cycles of a run went: what each module did for each instruction, and which instructions and waits
// decided the total (docs/profile.md).
//
//   sim::Profiler profiler;
//   device->trace(&profiler);
//   ... a run ...
//   sim::Profile profile = profiler.finish(instructions, device->events(), cycles);
#pragma once

#include "daedalus/simulator/device.h"

#include <array>
#include <vector>

namespace daedalus::sim {

/// Cycles by class (docs/timing.md R25).
using ClassCycles = std::array<uint64_t, isa::CounterClassCount>;

/// What each module did, in the order of cycles.
using ModuleSpans = std::array<SpanList, isa::CounterModuleCount>;

/// What was done for one instruction. The cycles in which a module is idle count for the next instruction
/// that it gets.
struct InstructionCycles {
  isa::CounterModule module = isa::CounterModule::Fetch; ///< that executed it: FETCH, of FINISH
  uint64_t start = 0, end = 0;                           ///< its first and its last cycle (R9, R10)
  ClassCycles fetch{};                                   ///< of FETCH
  ClassCycles own{};                                     ///< of its module; of FINISH they stand in `fetch`
};

/// The cycles `first` to `end` - 1, for which the end of the run waited: `module` was in class `what` for the
/// instruction.
struct PathSegment {
  uint64_t first = 0, end = 0;
  isa::CounterModule module = isa::CounterModule::Fetch;
  isa::CounterClass what = isa::CounterClass::Idle;
  uint32_t instruction = NoInstruction; ///< none: the cycles before FETCH's first burst is asked for
};

/// Of one run to its FINISH. In each module the cycles of all instructions and of `behind` add up to
/// `cycles`.
struct Profile {
  uint64_t cycles = 0;
  std::vector<InstructionCycles> instructions;               ///< by index
  std::array<ClassCycles, isa::CounterModuleCount> behind{}; ///< idle behind each module's last instruction
  ModuleSpans spans;
  std::vector<PathSegment> path; ///< the critical path: it tiles the cycles from 0 to `cycles`, in order
  DramActivity dram;             ///< of a machine with a DRAM; who gathers the profile adds it
};

/// Gathers the spans of a run, to be attached before START.
class Profiler : public SpanSink {
public:
  Profiler() { clear(); }

  void span(const CycleSpan &span) override { list(span.module)->add(span.what, span.instruction, span.end); }
  SpanList *list(isa::CounterModule module) override { return &spans[static_cast<size_t>(module)]; }

  /// Forgets what has come so far.
  void clear() {
    for (size_t module = 0; module < spans.size(); ++module)
      spans[module].restart(static_cast<isa::CounterModule>(module));
  }

  /// The profile of the run that ended, and room for the next one. `events` are the device's, `cycles` the
  /// run's; it ended without a fault.
  Profile finish(Span<const isa::Instruction> instructions, Span<const InstructionEvent> events,
                 uint64_t cycles);

private:
  ModuleSpans spans;
};

} // namespace daedalus::sim
