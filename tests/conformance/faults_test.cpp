// Each fault by a program that has it alone: status, cause, index, module and a sentence, the same on every
// engine; and a device that works again afterwards.
#include "conformance/engine_test.h"

namespace daedalus::testing {
namespace {

using namespace isa;

constexpr unsigned bit(Module module) {
  return 1u << unsigned(module);
}

class Faults : public EngineTest {
protected:
  void expectFault(FaultCause cause, uint32_t index, CounterModule module, const std::string &sentence) {
    EXPECT_EQ(device.status(), DeviceStatus::Fault);
    EXPECT_STREQ(name(device.cause()), name(cause));
    FormLog::instance().record(GetParam(), device.cause());
    EXPECT_EQ(device.faultIndex(), index);
    EXPECT_STREQ(name(device.faultModule()), name(module));
    EXPECT_NE(device->faultDetail().find(sentence), std::string::npos) << device->faultDetail();
    EXPECT_EQ(device->readRegister(reg::Interrupt), 1u);
    expectRecovery();
  }

  /// START clears the fault, and the next program runs.
  void expectRecovery() {
    device.programLimit.reset();
    run({Mark{0, 0, Module::Gemm, 7}});
    EXPECT_EQ(device.cause(), FaultCause::None);
    EXPECT_EQ(device->faultDetail(), "");
  }

  /// A nop of the module before and a finish behind, so that the fault's index is 1.
  void runBetween(const Instruction &instruction) {
    device.run({Nop{0, 0, Module::Gemm, 0}, instruction, Finish{}});
  }

  static Load load(uint32_t offset, uint32_t dst, uint16_t bytes) {
    Load load;
    load.scope = Scope::Inp;
    load.unbounded = true;
    load.offset = offset;
    load.dst = dst;
    load.runBytes = bytes;
    return load;
  }
};

TEST_P(Faults, IllegalEncoding) {
  std::vector<uint8_t> words = encodeWords(std::vector<Instruction>{Nop{}, Gemm{}, Finish{}});
  words[64 + 3] = 0x40; // a reserved bit of instruction 1
  device.write(DeviceHarness::Code, words);
  device.start(DeviceHarness::Code, 3);
  expectFault(FaultCause::IllegalEncoding, 1, CounterModule::Fetch, "reserved");
  words[64] = 0xee;
  device.write(DeviceHarness::Code, words);
  device.start(DeviceHarness::Code, 3);
  expectFault(FaultCause::IllegalEncoding, 1, CounterModule::Fetch, "opcode");
}

TEST_P(Faults, MissingFinish) {
  device.run({Nop{}, Mark{}});
  expectFault(FaultCause::MissingFinish, 1, CounterModule::Fetch, "no finish");
  device.start(DeviceHarness::Code, 0);
  expectFault(FaultCause::MissingFinish, 0, CounterModule::Fetch, "no finish");
}

TEST_P(Faults, NoProgress) {
  Gemm gemm;
  gemm.wait = bit(Module::Load);
  device.run({Nop{0, 0, Module::Load, 0}, gemm, Finish{}});
  expectFault(FaultCause::NoProgress, 1, CounterModule::Gemm, "token from load");
}

TEST_P(Faults, FetchBusError) {
  const uint64_t last = DeviceHarness::DramBytes - 64; // one instruction before the end of the memory
  device.write(last, encodeWords(std::vector<Instruction>{Nop{}}));
  device.start(last, 2);
  expectFault(FaultCause::BusError, 1, CounterModule::Fetch, "outside the memory");
}

TEST_P(Faults, FetchLimit) {
  const std::vector<Instruction> program = {Nop{}, Nop{}, Nop{}, Nop{}, Finish{}}; // bursts of two
  device.programLimit = 5 * 64 - 1;
  device.run(program);
  expectFault(FaultCause::AddressLimit, 4, CounterModule::Fetch, "its limit is 319 bytes");
  device.programLimit = 0;
  device.run(program);
  expectFault(FaultCause::AddressLimit, 0, CounterModule::Fetch, "its limit is 0 bytes");
  device.programLimit = 5 * 64;
  device.run(program);
  EXPECT_EQ(device.status(), DeviceStatus::Done);
}

TEST_P(Faults, LoadLimit) {
  runBetween(load(DeviceHarness::Limit - 7, 0, 8));
  expectFault(FaultCause::AddressLimit, 1, CounterModule::Load, "limit is 131072");
  Load negative = load(8, 0, 4);
  negative.loops[0] = {3, -8, 0};
  runBetween(negative);
  expectFault(FaultCause::AddressLimit, 1, CounterModule::Load, "[-8,");
}

TEST_P(Faults, LoadScratchpadRange) {
  runBetween(load(0, state().machine.inpBytes - 4, 8));
  expectFault(FaultCause::ScratchpadRange, 1, CounterModule::Load, "inp, which has 4096 bytes");
}

TEST_P(Faults, LoadBusError) {
  device.setBase(2, DeviceHarness::DramBytes - 8, 64);
  Load beyond = load(0, 0, 16);
  beyond.base = 2;
  runBetween(beyond);
  expectFault(FaultCause::BusError, 1, CounterModule::Load, "memory of 1048576 bytes");
}

TEST_P(Faults, GemmScratchpadRange) {
  for (auto [stride, sentence] : {std::pair{&GemmLoop::inpStride, "inp"},
                                  {&GemmLoop::wgtStride, "wgt"},
                                  {&GemmLoop::accStride, "acc"}}) {
    Gemm gemm;
    gemm.loops[5].count = 3;
    gemm.loops[5].*stride = -1;
    runBetween(gemm);
    expectFault(FaultCause::ScratchpadRange, 1, CounterModule::Gemm, sentence);
  }
}

TEST_P(Faults, VectorScratchpadRange) {
  Vector mov;
  mov.op = VectorOp::Mov32;
  mov.dstScope = Scope::Out;
  mov.aScope = Scope::Acc;
  mov.dst = static_cast<uint16_t>(state().machine.rows(Scope::Out) - 3); // needs four
  runBetween(mov);
  expectFault(FaultCause::ScratchpadRange, 1, CounterModule::Vector, "out, which has 512 rows");
  Vector lut;
  lut.op = VectorOp::Lut;
  lut.dstScope = Scope::Acc;
  lut.aScope = Scope::Acc;
  lut.table = 2; // `tiny` has two
  runBetween(lut);
  expectFault(FaultCause::ScratchpadRange, 1, CounterModule::Vector, "lut, which has 2");
  Vector both = lut;
  both.op = VectorOp::RequantLut;
  both.bScope = Scope::Param;
  runBetween(both);
  expectFault(FaultCause::ScratchpadRange, 1, CounterModule::Vector, "lut, which has 2");
  both.table = 0;
  both.b = static_cast<uint16_t>(state().machine.rows(Scope::Param)); // of 16 N bytes
  runBetween(both);
  expectFault(FaultCause::ScratchpadRange, 1, CounterModule::Vector, "param, which has");
}

TEST_P(Faults, StoreFaults) {
  Store store;
  store.base = 1;
  store.runBytes = 16;
  store.offset = DeviceHarness::Limit - 8;
  runBetween(store);
  expectFault(FaultCause::AddressLimit, 1, CounterModule::Store, "limit");
  store.offset = 0;
  store.src = static_cast<uint16_t>(state().machine.rows(Scope::Out) - 1);
  runBetween(store);
  expectFault(FaultCause::ScratchpadRange, 1, CounterModule::Store, "out");
  store.src = 0;
  store.base = 2;
  device.setBase(2, DeviceHarness::DramBytes - 8, 64);
  runBetween(store);
  expectFault(FaultCause::BusError, 1, CounterModule::Store, "memory");
}

TEST_P(Faults, CounterOverflow) {
  std::vector<Instruction> program(TokenCounterMax + 1, Nop{0, uint8_t(bit(Module::Store)), Module::Gemm, 0});
  program.push_back(Finish{});
  device.run(program);
  expectFault(FaultCause::CounterOverflow, TokenCounterMax, CounterModule::Gemm, "token to store");
}

TEST_P(Faults, ResetEndsARunThatHasNotBegun) {
  device->writeRegister(reg::ProgramLength, 1000); // nops: DRAM is zero
  device->writeRegister(reg::ProgramLimit, 64000);
  device->writeRegister(reg::Control, 1);
  EXPECT_EQ(device.status(), DeviceStatus::Running);
  device->writeRegister(reg::ProgramLength, 12345); // not while the core runs
  device->writeRegister(reg::ProgramLimit, 12345);
  EXPECT_EQ(device->readRegister(reg::ProgramLength), 1000u);
  EXPECT_EQ(device->readRegister(reg::ProgramLimit), 64000u);
  device->writeRegister(reg::Control, 2);
  EXPECT_EQ(device.status(), DeviceStatus::Idle);
  device->waitForInterrupt();
  EXPECT_EQ(device->readRegister(reg::Interrupt), 0u);
  expectRecovery();
}

TEST_P(Faults, ResetAndStartInOneWriteStartAnew) {
  device.run({Nop{0, 0, Module::Gemm, 0}, Mark{0, 0, Module::Gemm, 7}, Finish{}});
  const uint64_t cycles = device.cycles();
  device->writeRegister(reg::ProgramLo, 0); // 1000 nops: DRAM is zero
  device->writeRegister(reg::ProgramLength, 1000);
  device->writeRegister(reg::ProgramLimit, 64000);
  for (uint32_t control : {1u, 3u, 1u}) { // the last one changes nothing: the core runs
    device->writeRegister(reg::Control, control);
    EXPECT_EQ(device.status(), DeviceStatus::Running);
  }
  device->waitForInterrupt();
  EXPECT_EQ(device.cause(), FaultCause::MissingFinish);
  EXPECT_EQ(device.faultIndex(), 999u);
  device.run({Nop{0, 0, Module::Gemm, 0}, Mark{0, 0, Module::Gemm, 7}, Finish{}});
  EXPECT_EQ(device.status(), DeviceStatus::Done);
  device->writeRegister(reg::Control, 3); // of a core that has ended
  device->waitForInterrupt();
  EXPECT_EQ(device.status(), DeviceStatus::Done);
  EXPECT_EQ(device.cycles(), cycles);
}

TEST_P(Faults, StartAndResetClearAPendingInterrupt) {
  run({Nop{}});
  for (uint32_t control : {reg::ControlStart, reg::ControlStart | reg::ControlReset}) {
    EXPECT_EQ(device->readRegister(reg::Interrupt), 1u); // nobody has acknowledged it
    device->writeRegister(reg::Control, control);
    EXPECT_EQ(device.status(), DeviceStatus::Running);
    EXPECT_EQ(device->readRegister(reg::Interrupt), 0u);
    device->waitForInterrupt();
    EXPECT_EQ(device.status(), DeviceStatus::Done);
  }
  EXPECT_EQ(device->readRegister(reg::Interrupt), 1u);
  device->writeRegister(reg::Control, reg::ControlReset);
  EXPECT_EQ(device->readRegister(reg::Interrupt), 0u);
}

/// irq_o is what both registers say, whatever else the host does.
TEST_P(Faults, TheInterruptsWireIsPendingAndEnabled) {
  EXPECT_EQ(device->readRegister(reg::InterruptEnable), 0u);
  run({Nop{}});
  EXPECT_FALSE(device->interruptLine());
  device->writeRegister(reg::InterruptEnable, ~0u);
  EXPECT_EQ(device->readRegister(reg::InterruptEnable), reg::InterruptEnableStop);
  EXPECT_TRUE(device->interruptLine());
  device->writeRegister(reg::Control, reg::ControlStart);
  EXPECT_FALSE(device->interruptLine());
  device->waitForInterrupt();
  EXPECT_TRUE(device->interruptLine());
  device->writeRegister(reg::Interrupt, reg::InterruptPending);
  EXPECT_FALSE(device->interruptLine());
  device->writeRegister(reg::Control, reg::ControlStart);
  device->writeRegister(reg::InterruptEnable, 0); // in the run
  device->waitForInterrupt();
  EXPECT_EQ(device->readRegister(reg::Interrupt), 1u);
  EXPECT_FALSE(device->interruptLine());
  device->writeRegister(reg::InterruptEnable, reg::InterruptEnableStop);
  EXPECT_TRUE(device->interruptLine());
  device->writeRegister(reg::Control, reg::ControlReset);
  EXPECT_FALSE(device->interruptLine());
  EXPECT_EQ(device->readRegister(reg::InterruptEnable), reg::InterruptEnableStop);
  dynamic_cast<sim::DeviceBase &>(*device).resetHardware();
  EXPECT_EQ(device->readRegister(reg::InterruptEnable), 0u);
}

/// A number that counts between the reads of its halves would tear.
TEST_P(Faults, TheResultsOfARunStandStill) {
  std::vector<Instruction> program(300, Nop{0, 0, Module::Gemm, 0});
  program.push_back(Finish{});
  device.write(DeviceHarness::Code, encodeWords(program));
  device.begin(DeviceHarness::Code, static_cast<uint32_t>(program.size()));
  const auto results = [&] {
    std::vector<uint32_t> values;
    for (uint32_t offset = reg::FaultCause; offset <= reg::CyclesHi; offset += 4)
      values.push_back(device->readRegister(offset));
    for (uint32_t offset = 0; offset < reg::CounterLoCount * reg::CounterLoStep; offset += 4)
      values.push_back(device->readRegister(reg::CounterLo + offset));
    return values;
  };
  const std::vector<uint32_t> none(results().size(), 0);
  bool stopped = false;
  for (unsigned i = 0; i < 3 && !stopped; ++i) { // the RTL runs on while it is read
    EXPECT_EQ(results(), none);
    stopped = device->advance(100);
  }
  device->waitForInterrupt();
  const std::vector<uint32_t> after = results();
  EXPECT_EQ(device.status(), DeviceStatus::Done);
  EXPECT_EQ(after != none, GetParam() != "functional");
  EXPECT_EQ(results(), after);
}

TEST_P(Faults, RegistersSayWhatTheDeviceIs) {
  const uint64_t hash = state().machine.hash();
  EXPECT_EQ(device->readRegister(reg::Version), Version);
  EXPECT_EQ(device->readRegister(reg::HashLo), uint32_t(hash));
  EXPECT_EQ(device->readRegister(reg::HashHi), uint32_t(hash >> 32));
  device.setBase(15, 0x123456789aull, 77);
  EXPECT_EQ(device->readRegister(reg::BaseLo + 15 * reg::BaseLoStep), 0x3456789au);
  EXPECT_EQ(device->readRegister(reg::BaseHi + 15 * reg::BaseHiStep), 0x12u);
  EXPECT_EQ(device->readRegister(reg::Limit + 15 * reg::LimitStep), 77u);
  device->writeRegister(reg::ProgramLo, 0x7f); // a multiple of 64
  EXPECT_EQ(device->readRegister(reg::ProgramLo), 0x40u);
  run({Nop{}});
  device->writeRegister(reg::Interrupt, 1);
  EXPECT_EQ(device->readRegister(reg::Interrupt), 0u);
}

INSTANTIATE_TEST_SUITE_P(Engines, Faults, ::testing::ValuesIn(sim::engineNames()),
                         [](const auto &info) { return info.param; });

TEST(Engines, AnUnknownNameIsRefused) {
  const auto device = sim::createDevice("verilog", builtin("tiny"), {});
  ASSERT_FALSE(device);
  EXPECT_EQ(device.error(), "unknown engine 'verilog': expected functional, systemc or rtl");
}

} // namespace
} // namespace daedalus::testing
