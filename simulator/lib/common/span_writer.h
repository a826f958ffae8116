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
    if (list)
      return append(what, instruction, end);
    if (what != span.what || instruction != span.instruction) {
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
  void append(isa::CounterClass what, uint32_t instruction, uint64_t end) {
    if (!span.end || what != list->back().what || instruction != list->back().instruction) {
      CycleSpan &next = list->emplace_back(); // filled in place: a copy would wait for what it was made of
      next.module = span.module;
      next.what = what;
      next.instruction = instruction;
      next.first = span.end;
    }
    list->back().end = end;
    span.end = end;
  }

  SpanSink *sink = nullptr;
  std::vector<CycleSpan> *list = nullptr; ///< the sink's, where it has one: its last is the current span
  CycleSpan span;
};

} // namespace daedalus::sim
