// R25: every module is in one class in each cycle. That the classes add up to the total is asserted in every
// run.
#include "unit/simulator/timing_test.h"

namespace daedalus::testing {
namespace {

using namespace isa;

class Counters : public TimingTest {
protected:
  void expectCounter(CounterModule module, std::map<CounterClass, uint64_t> expected) {
    for (unsigned what = 0; what < CounterClassCount; ++what)
      EXPECT_EQ(device->counter(module, CounterClass(what)), expected[CounterClass(what)])
          << name(module) << " " << name(CounterClass(what));
  }
};

TEST_F(Counters, OfMarks) {
  finish({mark(Module::Gemm), mark(Module::Gemm)}); // 73-74, 77-78; finish in 80
  EXPECT_EQ(device->cycles(), 80u);
  expectCounter(CounterModule::Gemm, {{CounterClass::Busy, 4}, {CounterClass::Idle, 76}});
  expectCounter(
      CounterModule::Fetch,
      {{CounterClass::Busy, 2}, {CounterClass::Idle, 1}, {CounterClass::Memory, 77}}); // cycle 0 is idle
  expectCounter(CounterModule::Load, {{CounterClass::Idle, 80}});
}

TEST_F(Counters, OfALoadAndWhoWaitsForIt) {
  Load giving = load(16);
  giving.signal = bit(Module::Gemm);
  finish({giving, mark(Module::Gemm, bit(Module::Load))});
  EXPECT_EQ(device->cycles(), 150u); // LOAD 73-147, GEMM 148-149, finish in the head register from 80 on
  expectCounter(CounterModule::Load,
                {{CounterClass::Busy, 2}, {CounterClass::Memory, 73}, {CounterClass::Idle, 73 + 2}});
  expectCounter(
      CounterModule::Gemm,
      {{CounterClass::WaitLoad, 71}, {CounterClass::Busy, 2}, {CounterClass::Idle, 77}}); // seen in 77
  expectCounter(CounterModule::Fetch,
                {{CounterClass::Busy, 2}, {CounterClass::Idle, 1 + 70}, {CounterClass::Memory, 77}});
}

TEST_F(Counters, TheFirstMissingTokenCounts) {
  Store giving = store(16);
  giving.signal = bit(Module::Gemm);
  Gemm products = gemm(20);
  products.signal = bit(Module::Load);
  finish({giving,                                                   // 73-147
          mark(Module::Gemm, bit(Module::Store)),                   // waits in 77-147, 148-149
          products,                                                 // 150-176
          mark(Module::Load, uint8_t(bit(Module::Gemm)))});         // seen in 85, waits to 176
  expectCounter(CounterModule::Gemm, {{CounterClass::Idle, 77 + 9}, // 177-185
                                      {CounterClass::WaitStore, 71},
                                      {CounterClass::Busy, 2 + 27}});
  EXPECT_EQ(device->cycles(), 186u); // LOAD 177-185
  EXPECT_EQ(device->counter(CounterModule::Load, CounterClass::WaitGemm), 92u);
}

TEST_F(Counters, StoreIsBusyUntilItsLastSegmentLeaves) {
  finish({store(16)}); // 73-147, its segment leaves in 78
  expectCounter(CounterModule::Store, {{CounterClass::Busy, 6}, {CounterClass::Idle, 142}});
}

TEST_F(Counters, FetchWaitsAtAFullQueue) {
  machine.queueDepth = 1;
  finish({gemm(200), mark(Module::Gemm), mark(Module::Gemm)}); // dispatched in 72, 76 and, from 80 on, 281
  EXPECT_EQ(device->counter(CounterModule::Fetch, CounterClass::QueueFull), 281u - 80u);
}

} // namespace
} // namespace daedalus::testing
