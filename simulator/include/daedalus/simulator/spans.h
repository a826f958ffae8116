// What each module does in every cycle of a run, as spans.
//
//   class Print : public sim::SpanSink { void span(const sim::CycleSpan &span) override { ... } };
//   device->trace(&print);
#pragma once

#include "daedalus/isa/instructions.h"

#include <algorithm>
#include <cstdint>
#include <optional>
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

/// The spans of one module in a run. They make up its cycles from 0 on without gaps, so of each one its end
/// is kept, and it begins where the one before ends.
class SpanList {
  struct Entry {
    uint64_t end;
    uint32_t instruction;
    isa::CounterClass what;
  };

public:
  class Iterator {
  public:
    CycleSpan operator*() const { return {module, at->what, at->instruction, first, at->end}; }
    Iterator &operator++() {
      first = at++->end;
      return *this;
    }
    bool operator!=(const Iterator &other) const { return at != other.at; }

  private:
    friend class SpanList;
    Iterator(isa::CounterModule module, uint64_t first, const Entry *at)
        : module(module), first(first), at(at) {}

    isa::CounterModule module;
    uint64_t first;
    const Entry *at;
  };

  /// Forgets all spans: those of `of` follow.
  void restart(isa::CounterModule of) {
    module = of;
    entries.clear();
    last = {};
  }
  void reserve(size_t spans) { entries.reserve(spans); }

  /// The cycles up to `end` - 1 that are in no span yet, if there are any; where the last span is of the same
  /// class and instruction, it grows.
  void add(isa::CounterClass what, uint32_t instruction, uint64_t end) {
    if (end <= last.end)
      return;
    if (what != last.what || instruction != last.instruction || entries.empty()) {
      Entry &next = entries.emplace_back(); // no copy of `last`, whose parts have just been written
      next.instruction = last.instruction = instruction;
      next.what = last.what = what;
    }
    entries.back().end = last.end = end;
  }

  size_t size() const { return entries.size(); }
  Iterator begin() const { return from(0); }
  Iterator end() const { return from(entries.size()); }

  /// The span that holds a cycle.
  std::optional<CycleSpan> at(uint64_t cycle) const {
    const auto found = std::upper_bound(entries.begin(), entries.end(), cycle,
                                        [](uint64_t at, const Entry &entry) { return at < entry.end; });
    if (found == entries.end())
      return std::nullopt;
    return *from(static_cast<size_t>(found - entries.begin()));
  }

private:
  Iterator from(size_t index) const {
    return {module, index ? entries[index - 1].end : 0, entries.data() + index};
  }

  isa::CounterModule module = isa::CounterModule::Fetch;
  std::vector<Entry> entries;
  Entry last = {}; ///< as entries.back(), if there is one
};

/// Sees the spans of runs on engines that count cycles. Those of one module come in the order of cycles,
/// without gaps, each as long as it can be, and make up all cycles of a run that comes to its stop: done, or
/// a fault. Those of several modules come in any order.
class SpanSink {
public:
  virtual ~SpanSink();
  virtual void span(const CycleSpan &span) = 0;
  /// Where an engine puts the spans of the module in place of calls of span(), from its start on. Null,
  /// before START: it calls span().
  virtual SpanList *list(isa::CounterModule) { return nullptr; }
};

} // namespace daedalus::sim
