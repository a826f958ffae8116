// A memory that falls silent on one channel of its bus, at the begin of a program and in its middle (R29,
// R30): the program ends with a fault and an interrupt, in one cycle on all engines that have a bus; what the
// memory sends late is nobody's; the next program runs as if nothing had been.
#include "conformance/engine_test.h"

namespace daedalus::testing {
namespace {

using namespace isa;
using sim::BusChannel;
using sim::Silence;

constexpr uint8_t bit(Module module) {
  return static_cast<uint8_t>(1u << unsigned(module));
}

class SilentMemory : public EngineTest {
protected:
  SilentMemory() {
    std::vector<uint8_t> bytes(64);
    for (unsigned i = 0; i < bytes.size(); ++i)
      bytes[i] = static_cast<uint8_t>(3 * i + 1);
    device.write(DeviceHarness::Base0, bytes);
    device->writeRegister(reg::InterruptEnable, reg::InterruptEnableStop);
  }

  sim::DeviceBase &base() { return dynamic_cast<sim::DeviceBase &>(*device); }

  /// Moves 64 bytes from base register 0 to `offset` of base register 1. FETCH reads 2 bursts of 16 beats,
  /// LOAD and STORE move 8 beats.
  static std::vector<Instruction> program(uint32_t offset) {
    Load load;
    load.unbounded = true;
    load.runBytes = 64;
    load.signal = bit(Module::Vector);
    Vector mov;
    mov.op = VectorOp::Mov;
    mov.dstScope = Scope::Out;
    mov.loops[4] = {8, 1, 1, 0};
    mov.wait = bit(Module::Load);
    mov.signal = bit(Module::Store);
    Store store;
    store.base = 1;
    store.runBytes = 64;
    store.offset = offset;
    store.wait = bit(Module::Vector);
    return {load, mov, store, Finish{}};
  }

  uint64_t cyclesOfSound() {
    device.run(program(256));
    EXPECT_EQ(device.status(), DeviceStatus::Done) << device->faultDetail();
    return device.cycles();
  }

  void expectTimeout(CounterModule module, uint32_t index) {
    EXPECT_EQ(device.status(), DeviceStatus::Fault);
    EXPECT_STREQ(name(device.cause()), "memory_timeout");
    FormLog::instance().record(GetParam(), device.cause());
    EXPECT_STREQ(name(device.faultModule()), name(module));
    EXPECT_EQ(device.faultIndex(), index);
    EXPECT_EQ(device->faultDetail(),
              "the memory owed an answer and was silent for 512 cycles (memory_timeout_cycles)");
    EXPECT_EQ(device->readRegister(reg::Interrupt), 1u);
    EXPECT_TRUE(device->interruptLine());
  }

  /// The program from START on, with or without a RESET before it: whatever the memory sends late is not its.
  void expectSound(uint64_t cycles, uint32_t offset, bool reset) {
    base().setSilence(std::nullopt);
    if (reset)
      device->writeRegister(reg::Control, reg::ControlReset);
    device.run(program(offset));
    EXPECT_EQ(device.status(), DeviceStatus::Done) << device->faultDetail();
    EXPECT_EQ(device.cycles(), cycles);
    const auto moved = dram(offset, 64),
               wanted = std::vector<int>(device->dram().begin() + DeviceHarness::Base0,
                                         device->dram().begin() + DeviceHarness::Base0 + 64);
    EXPECT_EQ(moved, wanted);
  }
};

struct Place {
  Silence silence;
  CounterModule module;
  uint32_t index;
};

const Place places[] = {
    {{BusChannel::Ar, 0}, CounterModule::Fetch, 0}, {{BusChannel::Ar, 1}, CounterModule::Fetch, 2},
    {{BusChannel::Ar, 2}, CounterModule::Load, 0},  {{BusChannel::R, 0}, CounterModule::Fetch, 0},
    {{BusChannel::R, 15}, CounterModule::Fetch, 0}, {{BusChannel::R, 16}, CounterModule::Fetch, 2},
    {{BusChannel::R, 32}, CounterModule::Load, 0},  {{BusChannel::R, 35}, CounterModule::Load, 0},
    {{BusChannel::R, 39}, CounterModule::Load, 0},  {{BusChannel::Aw, 0}, CounterModule::Store, 2},
    {{BusChannel::W, 0}, CounterModule::Store, 2},  {{BusChannel::W, 5}, CounterModule::Store, 2},
    {{BusChannel::B, 0}, CounterModule::Store, 2},
};

TEST_P(SilentMemory, EndsTheProgramAndIsForgotten) {
  const uint64_t cycles = cyclesOfSound();
  DeviceHarness reference("systemc", builtin("tiny"));
  for (const Place &place : places)
    for (const bool reset : {false, true}) {
      SCOPED_TRACE("channel " + std::to_string(unsigned(place.silence.channel)) + " behind " +
                   std::to_string(place.silence.after));
      base().setSilence(place.silence);
      device.run(program(512));
      expectTimeout(place.module, place.index);
      dynamic_cast<sim::DeviceBase &>(*reference).setSilence(place.silence);
      reference.run(program(512));
      EXPECT_EQ(device.cycles(), reference.cycles());
      expectSound(cycles, 1024, reset);
    }
}

/// GEMM runs to its end, which is where the core stops.
TEST_P(SilentMemory, WhatComputesRunsToItsEnd) {
  Gemm gemm;
  gemm.loops[0].count = 4000;
  base().setSilence(Silence{BusChannel::Ar, 1});
  device.run({gemm, Nop{}, Nop{}, Finish{}});
  expectTimeout(CounterModule::Fetch, 2);
  EXPECT_GT(device.cycles(), 4000u);
  EXPECT_EQ(device.events().at(0).end + 1, device.cycles());
}

/// The first fault is kept, and the core stops all the same.
TEST_P(SilentMemory, BehindAnotherFaultTheCoreStopsToo) {
  Load load;
  load.unbounded = true;
  load.runBytes = 64;
  load.loops[2] = {2, static_cast<int32_t>(DeviceHarness::Limit), 0};
  base().setSilence(Silence{BusChannel::R, 32});
  device.run({load, Nop{}, Nop{}, Finish{}});
  EXPECT_EQ(device.cause(), FaultCause::AddressLimit);
  EXPECT_EQ(device.faultIndex(), 0u);
  EXPECT_GT(device.cycles(), 512u);
}

INSTANTIATE_TEST_SUITE_P(Engines, SilentMemory, ::testing::Values("systemc", "rtl"),
                         [](const auto &info) { return info.param; });

/// What only the hardware has: a bus behind the stop.
class DeadMemory : public SilentMemory {};

TEST_P(DeadMemory, EndsEveryProgramUntilItLivesAgain) {
  const uint64_t cycles = cyclesOfSound();
  for (const Place &place : places) {
    SCOPED_TRACE("channel " + std::to_string(unsigned(place.silence.channel)) + " behind " +
                 std::to_string(place.silence.after));
    Silence dead = place.silence;
    dead.forever = true;
    base().setSilence(dead);
    device.run(program(512));
    expectTimeout(place.module, place.index);
    for (const uint32_t control : {reg::ControlStart, reg::ControlStart | reg::ControlReset}) {
      device->writeRegister(reg::Control, control);
      EXPECT_EQ(device.status(), DeviceStatus::Running);
      device->waitForInterrupt(); // R30
      expectTimeout(CounterModule::Fetch, 0);
      EXPECT_EQ(device.cycles(), 1u);
    }
    expectSound(cycles, 1024, true);
  }
}

/// rst_ni forgets what is owed, with the memory's own reset.
TEST_P(DeadMemory, ThePinForgetsIt) {
  const uint64_t cycles = cyclesOfSound();
  base().setSilence(Silence{BusChannel::R, 20, true});
  device.run(program(512));
  expectTimeout(CounterModule::Fetch, 2);
  base().resetHardware();
  device.setBase(0, DeviceHarness::Base0, DeviceHarness::Limit);
  device.setBase(1, DeviceHarness::Base1, DeviceHarness::Limit);
  expectSound(cycles, 1024, false);
}

INSTANTIATE_TEST_SUITE_P(Engines, DeadMemory, ::testing::Values("rtl"),
                         [](const auto &info) { return info.param; });

} // namespace
} // namespace daedalus::testing
