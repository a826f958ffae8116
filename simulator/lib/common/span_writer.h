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
    if (list)
      list->restart(module);
    span = {module};
  }

  bool areKept() const { return sink; }

  /// From where the last cycles ended to `end`: nothing, if that is not later.
  void add(isa::CounterClass what, uint32_t instruction, uint64_t end) {
    if (list)
      return list->add(what, instruction, end);
    if (!sink || end <= span.end)
      return;
    if (what != span.what || instruction != span.instruction || !span.end) {
      finish();
      span.first = span.end;
      span.what = what;
      span.instruction = instruction;
    }
    span.end = end;
  }

  void finish() {
    if (sink && !list && span.end > span.first)
      sink->span(span);
  }

private:
  SpanSink *sink = nullptr;
  SpanList *list = nullptr; ///< the sink's, where it has one
  CycleSpan span;           ///< without a list: the current one
};

} // namespace daedalus::sim
