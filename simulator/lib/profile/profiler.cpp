// Spans to the cycles of instructions.
#include "daedalus/simulator/profile.h"

#include "profile/critical_path.h"

namespace daedalus::sim {
namespace {

using isa::CounterClass;
using isa::CounterModule;

/// Of a module whose idle cycles are those of its next instruction.
class Attribution {
public:
  Attribution(Profile &profile, CounterModule module) : profile(profile), module(module) {}

  void add(const CycleSpan &span) {
    const uint64_t cycles = span.end - span.first;
    if (span.instruction >= profile.instructions.size()) {
      waiting += cycles;
      return;
    }
    ClassCycles &counts = countsOf(span.instruction);
    counts[static_cast<size_t>(CounterClass::Idle)] += waiting;
    waiting = 0;
    counts[static_cast<size_t>(span.what)] += cycles;
  }

  void finish() {
    profile.behind[static_cast<size_t>(module)][static_cast<size_t>(CounterClass::Idle)] = waiting;
  }

private:
  ClassCycles &countsOf(uint32_t instruction) {
    InstructionCycles &cycles = profile.instructions[instruction];
    return module == CounterModule::Fetch ? cycles.fetch : cycles.own;
  }

  Profile &profile;
  const CounterModule module;
  uint64_t waiting = 0;
};

} // namespace

Profile Profiler::finish(Span<const isa::Instruction> instructions, Span<const InstructionEvent> events,
                         uint64_t cycles) {
  Profile profile;
  profile.cycles = cycles;
  profile.instructions.resize(instructions.size());
  for (const InstructionEvent &event : events)
    if (event.index < profile.instructions.size()) {
      InstructionCycles &of = profile.instructions[event.index];
      of.module = event.module;
      of.start = event.start;
      of.end = event.end;
    }
  for (size_t module = 0; module < spans.size(); ++module) {
    Attribution attribution(profile, static_cast<CounterModule>(module));
    for (const CycleSpan span : spans[module])
      attribution.add(span);
    attribution.finish();
  }
  profile.path = criticalPath(instructions, profile, spans);
  profile.spans = std::move(spans);
  clear();
  for (size_t module = 0; module < spans.size(); ++module) // another run of the program has as many
    spans[module].reserve(profile.spans[module].size());
  return profile;
}

} // namespace daedalus::sim
