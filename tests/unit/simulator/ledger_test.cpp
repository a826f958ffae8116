// The ledger of counter classes on its own.
#include "systemc/ledger.h"

#include <gtest/gtest.h>

namespace daedalus::sim::systemc {
namespace {

using isa::CounterClass;

uint64_t of(const Ledger::Counts &counts, CounterClass what) {
  return counts[unsigned(what)];
}

TEST(Ledger, CountsTheClassFromACycleOn) {
  Ledger ledger;
  ledger.reset(CounterClass::Idle);
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
  Ledger ledger;
  ledger.reset(CounterClass::Memory);
  ledger.markBusy(3, 4);
  ledger.markBusy(5, 5); // joins
  ledger.markBusy(8, 20);
  ledger.mark(4, CounterClass::Bus);
  ledger.mark(7, CounterClass::Idle);
  const auto &counts = ledger.finish(12);
  EXPECT_EQ(of(counts, CounterClass::Memory), 3u); // 0-2
  EXPECT_EQ(of(counts, CounterClass::Busy), 7u);   // 3-5, 8-11
  EXPECT_EQ(of(counts, CounterClass::Bus), 1u);    // 6
  EXPECT_EQ(of(counts, CounterClass::Idle), 1u);   // 7
}

} // namespace
} // namespace daedalus::sim::systemc
