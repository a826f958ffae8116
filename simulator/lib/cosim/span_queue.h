// The spans of one device that are still to be compared.
#pragma once

#include "daedalus/simulator/spans.h"

#include <array>
#include <deque>

namespace daedalus::cosim {

class SpanQueue : public sim::SpanSink {
public:
  void span(const sim::CycleSpan &span) override { of(span.module).push_back(span); }
  std::deque<sim::CycleSpan> &of(isa::CounterModule module) { return spans[static_cast<unsigned>(module)]; }

private:
  std::array<std::deque<sim::CycleSpan>, isa::CounterModuleCount> spans;
};

} // namespace daedalus::cosim
