// Small programs on the systemc engine with their cycles worked out by hand from docs/timing.md.
//
// On `default` (N = W = 16, L = LW = 64, A = AS = 3, D = S = 2, F = 16, K = 4): FETCH is granted its first
// burst in cycle 1, so instruction i's last beat is in 1 + 1 + 64 + 4 i + 3 = 69 + 4 i, it is in the head
// register and dispatched in 71 + 4 i, and its module sees it, and starts it when free, in 72 + 4 i.
#pragma once

#include "support/device_harness.h"

namespace daedalus::testing {

class TimingTest : public ::testing::Test {
protected:
  TimingTest() : machine(builtin("default")) {}

  /// Runs the instructions as they are.
  DeviceHarness &run(const std::vector<isa::Instruction> &instructions,
                     uint64_t address = DeviceHarness::Code) {
    device = std::make_unique<DeviceHarness>("systemc", machine);
    device->setBase(2, DeviceHarness::DramBytes - 8, 64); // eight bytes of it are memory
    device->run(instructions, address);
    events = device->events();
    return *device;
  }
  /// Runs the instructions and a finish, which must end.
  DeviceHarness &finish(std::vector<isa::Instruction> instructions, uint64_t address = DeviceHarness::Code) {
    instructions.push_back(isa::Finish{});
    run(instructions, address);
    EXPECT_EQ(device->status(), isa::DeviceStatus::Done) << (*device)->faultDetail();
    return *device;
  }

  void expectCycles(uint32_t index, uint64_t start, uint64_t end) {
    ASSERT_TRUE(events.count(index)) << "instruction " << index << " did not retire";
    EXPECT_EQ(events[index].start, start) << "start of instruction " << index;
    EXPECT_EQ(events[index].end, end) << "end of instruction " << index;
  }
  /// The fault's cause and index, and the cycle in which the core stopped.
  void expectFault(isa::FaultCause cause, uint32_t index, uint64_t stop) {
    EXPECT_STREQ(isa::name(device->cause()), isa::name(cause)) << (*device)->faultDetail();
    EXPECT_EQ(device->faultIndex(), index);
    EXPECT_EQ(device->cycles(), stop);
  }

  static constexpr uint8_t bit(isa::Module module) { return uint8_t(1u << unsigned(module)); }
  static isa::Mark mark(isa::Module module, uint8_t wait = 0, uint8_t signal = 0) {
    return isa::Mark{wait, signal, module, 0};
  }
  static isa::Gemm gemm(uint16_t iterations) {
    isa::Gemm gemm;
    gemm.loops[5].count = iterations;
    return gemm;
  }
  /// One run to INP.
  static isa::Load load(uint16_t bytes, uint32_t offset = 0, uint32_t dst = 0) {
    isa::Load load;
    load.scope = isa::Scope::Inp;
    load.unbounded = true;
    load.runBytes = bytes;
    load.offset = offset;
    load.dst = dst;
    return load;
  }
  static isa::Store store(uint16_t bytes, uint32_t offset = 0) {
    isa::Store store;
    store.base = 1;
    store.runBytes = bytes;
    store.offset = offset;
    return store;
  }

  isa::Machine machine;
  std::unique_ptr<DeviceHarness> device;
  std::map<uint32_t, sim::InstructionEvent> events;
};

} // namespace daedalus::testing
