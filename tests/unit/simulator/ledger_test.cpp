// The ledger of counter classes on its own.
#include "systemc/ledger.h"

#include "daedalus/simulator/profile.h"

#include <gtest/gtest.h>

namespace daedalus::sim::systemc {
namespace {

using isa::CounterClass;
using isa::CounterModule;

uint64_t of(const Ledger::Counts &counts, CounterClass what) {
  return counts[unsigned(what)];
}

TEST(Ledger, CountsTheClassFromACycleOn) {
  Ledger ledger(CounterModule::Load);
  ledger.reset(CounterClass::Idle, nullptr);
  ledger.mark(5, CounterClass::Busy);
  ledger.mark(6, CounterClass::Memory);
  ledger.mark(6, CounterClass::Bus); // the last of a cycle counts
  ledger.mark(7, CounterClass::Memory);
  const auto &counts = ledger.finish(10);
  EXPECT_EQ(of(counts, CounterClass::Idle), 5u);
  EXPECT_EQ(of(counts, CounterClass::Busy), 1u);
  EXPECT_EQ(of(counts, CounterClass::Bus), 1u);
  EXPECT_EQ(of(counts, CounterClass::Memory), 3u);
}

TEST(Ledger, TheWritersCyclesAreBusyWhateverTheClass) {
  Ledger ledger(CounterModule::Load);
  ledger.reset(CounterClass::Memory, nullptr);
  ledger.markBusy(3, 4, 1);
  ledger.markBusy(5, 5, 1); // joins
  ledger.markBusy(8, 20, 2);
  ledger.mark(4, CounterClass::Bus);
  ledger.mark(7, CounterClass::Idle);
  const auto &counts = ledger.finish(12);
  EXPECT_EQ(of(counts, CounterClass::Memory), 3u); // 0-2
  EXPECT_EQ(of(counts, CounterClass::Busy), 7u);   // 3-5, 8-11
  EXPECT_EQ(of(counts, CounterClass::Bus), 1u);    // 6
  EXPECT_EQ(of(counts, CounterClass::Idle), 1u);   // 7
}

struct Spans : SpanSink {
  void span(const CycleSpan &span) override { all.push_back(span); }
  std::vector<CycleSpan> all;
};

struct Lists : SpanSink {
  void span(const CycleSpan &) override { FAIL() << "there is a list"; }
  SpanList *list(CounterModule) override { return &all; }
  SpanList all;
};

/// A wait for data counts for the instruction that they are written for, though a later one asks for more;
/// every cycle is in one span, and each span is as long as it can be, whether the sink gets them one by one
/// or has a list, which then holds those of the last run.
TEST(Ledger, SpansAreOfInstructions) {
  Spans spans;
  Lists lists;
  for (unsigned run = 0; run < 2; ++run)
    for (SpanSink *sink : {static_cast<SpanSink *>(&spans), static_cast<SpanSink *>(&lists)}) {
      Ledger ledger(CounterModule::Load);
      ledger.reset(CounterClass::Idle, sink);
      ledger.mark(2, CounterClass::Busy, 7); // starts
      ledger.mark(3, CounterClass::Memory, 7);
      ledger.markBusy(6, 7, 7);
      ledger.mark(4, CounterClass::Busy, 8);
      ledger.mark(5, CounterClass::Memory, 8);
      ledger.markBusy(8, 8, 8);
      ledger.mark(9, CounterClass::WaitGemm, 9);
      ledger.mark(10, CounterClass::WaitGemm, 9);
      ledger.mark(11, CounterClass::Idle);
      ledger.finish(12);
    }
  constexpr CounterModule load = CounterModule::Load;
  const std::vector<CycleSpan> ofRun = {{load, CounterClass::Idle, NoInstruction, 0, 2},
                                        {load, CounterClass::Busy, 7, 2, 3},
                                        {load, CounterClass::Memory, 7, 3, 4},
                                        {load, CounterClass::Busy, 8, 4, 5},
                                        {load, CounterClass::Memory, 7, 5, 6},
                                        {load, CounterClass::Busy, 7, 6, 8},
                                        {load, CounterClass::Busy, 8, 8, 9},
                                        {load, CounterClass::WaitGemm, 9, 9, 11},
                                        {load, CounterClass::Idle, NoInstruction, 11, 12}};
  std::vector<CycleSpan> expected = ofRun;
  expected.insert(expected.end(), ofRun.begin(), ofRun.end());
  EXPECT_EQ(spans.all, expected);
  std::vector<CycleSpan> listed;
  for (const CycleSpan span : lists.all)
    listed.push_back(span);
  EXPECT_EQ(listed, ofRun);
  EXPECT_EQ(lists.all.size(), ofRun.size());
  for (const CycleSpan &span : ofRun) {
    EXPECT_EQ(lists.all.at(span.first), span);
    EXPECT_EQ(lists.all.at(span.end - 1), span);
  }
  EXPECT_EQ(lists.all.at(12), std::nullopt);
}

/// A profiler that gets spans one by one, as of a sink that passes them on, knows whose they are.
TEST(Profiler, KeepsTheModuleOfASpan) {
  Profiler profiler;
  for (unsigned run = 0; run < 2; ++run) {
    const CycleSpan span{CounterModule::Store, CounterClass::Busy, 3, 0, 5};
    profiler.span(span);
    EXPECT_EQ(profiler.list(CounterModule::Store)->at(4), span);
    profiler.clear();
  }
}

} // namespace
} // namespace daedalus::sim::systemc
