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
  finish({mark(Module::Gemm), mark(Module::Gemm)}); // 72-73, 76-77; finish in 79
  EXPECT_EQ(device->cycles(), 79u);
  expectCounter(CounterModule::Gemm, {{CounterClass::Busy, 4}, {CounterClass::Idle, 75}});
  expectCounter(
      CounterModule::Fetch,
      {{CounterClass::Busy, 2}, {CounterClass::Idle, 1}, {CounterClass::Memory, 76}}); // cycle 0 is idle
  expectCounter(CounterModule::Load, {{CounterClass::Idle, 79}});
}

TEST_F(Counters, OfALoadAndWhoWaitsForIt) {
  Load giving = load(16);
  giving.signal = bit(Module::Gemm);
  finish({giving, mark(Module::Gemm, bit(Module::Load))});
  EXPECT_EQ(device->cycles(), 145u); // LOAD 72-142, GEMM 143-144, finish in the head register from 79 on
  expectCounter(CounterModule::Load,
                {{CounterClass::Busy, 2}, {CounterClass::Memory, 69}, {CounterClass::Idle, 72 + 2}});
  expectCounter(
      CounterModule::Gemm,
      {{CounterClass::WaitLoad, 67}, {CounterClass::Busy, 2}, {CounterClass::Idle, 76}}); // seen in 76
  expectCounter(CounterModule::Fetch,
                {{CounterClass::Busy, 2}, {CounterClass::Idle, 1 + 66}, {CounterClass::Memory, 76}});
}

TEST_F(Counters, TheFirstMissingTokenCounts) {
  Store giving = store(16);
  giving.signal = bit(Module::Gemm);
  Gemm products = gemm(20);
  products.signal = bit(Module::Load);
  finish({giving,                                                   // 72-143
          mark(Module::Gemm, bit(Module::Store)),                   // waits in 76-143, 144-145
          products,                                                 // 146-172
          mark(Module::Load, uint8_t(bit(Module::Gemm)))});         // seen in 84, waits to 172
  expectCounter(CounterModule::Gemm, {{CounterClass::Idle, 76 + 5}, // 173-177
                                      {CounterClass::WaitStore, 68},
                                      {CounterClass::Busy, 2 + 27}});
  EXPECT_EQ(device->cycles(), 178u); // LOAD 173-177
  EXPECT_EQ(device->counter(CounterModule::Load, CounterClass::WaitGemm), 89u);
}

TEST_F(Counters, StoreIsBusyUntilItsLastSegmentLeaves) {
  finish({store(16)}); // 72-143, its segment leaves in 75
  expectCounter(CounterModule::Store, {{CounterClass::Busy, 4}, {CounterClass::Idle, 140}});
}

TEST_F(Counters, FetchWaitsAtAFullQueue) {
  machine.queueDepth = 1;
  finish({gemm(200), mark(Module::Gemm), mark(Module::Gemm)}); // dispatched in 71, 75 and, from 79 on, 280
  EXPECT_EQ(device->counter(CounterModule::Fetch, CounterClass::QueueFull), 280u - 79u);
}

} // namespace
} // namespace daedalus::testing
