// What each module does in every cycle of a run, as spans.
//
//   class Print : public sim::SpanSink { void span(const sim::CycleSpan &span) override { ... } };
//   device->trace(&print);
#pragma once

#include "daedalus/isa/instructions.h"

#include <cstdint>
#include <vector>

namespace daedalus::sim {

/// The instruction of what belongs to none.
constexpr uint32_t NoInstruction = 0xffffffffu;

/// The cycles `first` to `end` - 1, counted from START, in which `module` is in one class of
/// docs/timing.md R25, all of them for one instruction (docs/profile.md, "Whose cycle it is").
struct CycleSpan {
  isa::CounterModule module = isa::CounterModule::Fetch;
  isa::CounterClass what = isa::CounterClass::Idle;
  uint32_t instruction = NoInstruction; ///< its index in the program
  uint64_t first = 0, end = 0;

  bool operator==(const CycleSpan &other) const {
    return module == other.module && what == other.what && instruction == other.instruction &&
           first == other.first && end == other.end;
  }
};

/// Sees the spans of runs on engines that count cycles. Those of one module come in the order of cycles,
/// without gaps, each as long as it can be, and make up all cycles of a run that comes to its stop: done, or
/// a fault. Those of several modules come in any order.
class SpanSink {
public:
  virtual ~SpanSink();
  virtual void span(const CycleSpan &span) = 0;
  /// Where an engine puts the spans of the module in place of calls of span(): it appends them, and the last
  /// one grows while the run lasts. Null, before START: it calls span().
  virtual std::vector<CycleSpan> *list(isa::CounterModule) { return nullptr; }
};

} // namespace daedalus::sim
