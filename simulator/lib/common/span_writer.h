// Gives the spans of one module to a sink, each as long as it can be.
#pragma once

#include "daedalus/simulator/spans.h"

namespace daedalus::sim {

class SpanWriter {
public:
  /// A run begins; without a sink nothing is kept.
  void begin(SpanSink *to, isa::CounterModule module) {
    sink = to;
    list = to ? to->list(module) : nullptr;
    span = {module};
  }

  bool areKept() const { return sink; }

  /// From where the last cycles ended to `end`: nothing, if that is not later.
  void add(isa::CounterClass what, uint32_t instruction, uint64_t end) {
    if (!sink || end <= span.end)
      return;
    if (what != span.what || instruction != span.instruction || !span.end) {
      finish();
      span.first = span.end;
      span.what = what;
      span.instruction = instruction;
      if (list)
        append(what, instruction);
    }
    span.end = end;
    if (list)
      list->back().end = end;
  }

  void finish() {
    if (sink && !list && span.end > span.first)
      sink->span(span);
  }

private:
  void append(isa::CounterClass what,
              uint32_t instruction) { // not as a copy of `span`, which has just changed
    CycleSpan &next = list->emplace_back();
    next.module = span.module;
    next.what = what;
    next.instruction = instruction;
    next.first = span.end;
  }

  SpanSink *sink = nullptr;
  std::vector<CycleSpan> *list = nullptr; ///< the sink's, where it has one: its last is the current span
  CycleSpan span;
};

} // namespace daedalus::sim
