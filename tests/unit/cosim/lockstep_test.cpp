// What the checker says of a device that is wrong in one known way: its kind, cycle, instruction, place and
// values.
#include "daedalus/simulator/cosim.h"
#include "support/device_harness.h"
#include "wrong_device.h"

namespace daedalus::cosim {
namespace {

using testing::WrongDevice;
using Lie = WrongDevice::Lie;
using Kind = Divergence::Kind;

/// LOAD fills INP and ACC's parameters stand at zero: LOAD, then VECTOR moves INP row 0 to OUT row 5, then
/// STORE.
isa::Program program() {
  isa::Program program;
  isa::Load load;
  load.scope = isa::Scope::Inp;
  load.unbounded = true;
  load.runBytes = 24;
  load.signal = 1u << unsigned(isa::Module::Vector);
  isa::Vector add;
  add.op = isa::VectorOp::Add;
  add.dstScope = isa::Scope::Out;
  add.aScope = isa::Scope::Inp;
  add.bScope = isa::Scope::Imm;
  add.dst = 5;
  add.lo = -128;
  add.hi = 127;
  add.wait = 1u << unsigned(isa::Module::Load);
  add.signal = 1u << unsigned(isa::Module::Store);
  isa::Store store;
  store.base = 1;
  store.src = 5;
  store.runBytes = 8;
  store.offset = 40;
  store.wait = 1u << unsigned(isa::Module::Vector);
  program.instructions = {load, add, store, isa::Finish{}};
  return program;
}

class LockstepTest : public ::testing::Test {
protected:
  std::optional<Divergence> compare(Lie lie, uint32_t at, const isa::Program &program) {
    auto wrong = std::make_unique<WrongDevice>(device("systemc", program), lie, at);
    const auto right = device("systemc", program);
    return compareRuns(*right, "right", *wrong, "wrong", program,
                       [](uint32_t index) { return "node" + std::to_string(index); });
  }
  Divergence found(Lie lie, uint32_t at, const isa::Program &of = program()) {
    const auto divergence = compare(lie, at, of);
    EXPECT_TRUE(divergence);
    return divergence ? *divergence : Divergence();
  }

private:
  std::unique_ptr<sim::Device> device(const std::string &engine, const isa::Program &program) {
    namespace reg = isa::reg;
    sim::DeviceOptions options;
    options.dramBytes = 0x10000;
    auto device = std::move(*sim::createDevice(engine, testing::builtin("tiny"), options));
    for (unsigned i = 0; i < 0x4000; ++i)
      device->dram()[i] = static_cast<uint8_t>(i * 7 + 1);
    const std::vector<uint8_t> words = isa::encodeWords(program.instructions);
    std::copy(words.begin(), words.end(), device->dram().begin() + 0x8000);
    device->writeRegister(reg::Limit, 0x1000);
    device->writeRegister(reg::Limit + reg::LimitStep, 0x1000);
    device->writeRegister(reg::BaseLo + reg::BaseLoStep, 0x2000);
    device->writeRegister(reg::InterruptEnable, reg::InterruptEnableStop);
    device->writeRegister(reg::ProgramLo, 0x8000);
    device->writeRegister(reg::ProgramLength, static_cast<uint32_t>(program.instructions.size()));
    device->writeRegister(reg::ProgramLimit, static_cast<uint32_t>(words.size()));
    return device;
  }
};

TEST_F(LockstepTest, TwoRightDevicesAgree) {
  EXPECT_FALSE(compare(Lie::None, 0, program()));
}

TEST_F(LockstepTest, AStartInAnotherCycleIsNamed) {
  const Divergence divergence = found(Lie::Start, 1);
  EXPECT_EQ(divergence.kind, Kind::Start);
  EXPECT_EQ(divergence.instruction, 1u);
  EXPECT_EQ(divergence.module, isa::CounterModule::Vector);
  EXPECT_EQ(divergence.node, "node1");
  EXPECT_NE(divergence.disassembly.find("vector"), std::string::npos) << divergence.disassembly;
  EXPECT_NE(divergence.text.find("it starts in different cycles"), std::string::npos) << divergence.text;
  EXPECT_NE(divergence.text.find("last events of wrong"), std::string::npos) << divergence.text;
  EXPECT_FALSE(divergence.events[0].empty());
}

TEST_F(LockstepTest, AnEndInAnotherCycleIsNamed) {
  const Divergence divergence = found(Lie::End, 0);
  EXPECT_EQ(divergence.kind, Kind::End);
  EXPECT_EQ(divergence.instruction, 0u);
}

TEST_F(LockstepTest, AWrongByteOfAScratchpadHasScopeRowAndLane) {
  const Divergence divergence = found(Lie::Write, 1);
  EXPECT_EQ(divergence.kind, Kind::Write);
  EXPECT_EQ(divergence.scope, isa::Scope::Out);
  EXPECT_EQ(divergence.row, 5u);
  EXPECT_EQ(divergence.lane, 1u);
  EXPECT_EQ(divergence.values[0], "8"); // DRAM holds 7 i + 1
  EXPECT_EQ(divergence.values[1], "0");
  EXPECT_NE(divergence.text.find("out row 5, lane 1"), std::string::npos) << divergence.text;
}

TEST_F(LockstepTest, AWrongByteOfDramHasItsAddress) {
  const Divergence divergence = found(Lie::Write, 2);
  EXPECT_EQ(divergence.scope, isa::Scope::None);
  EXPECT_EQ(divergence.address, 0x2000u + 40 + 1);
  EXPECT_NE(divergence.text.find("DRAM address 8233"), std::string::npos) << divergence.text;
}

TEST_F(LockstepTest, AMissingWriteIsNotTakenForAZero) {
  const Divergence divergence = found(Lie::MissingWrite, 0);
  EXPECT_EQ(divergence.kind, Kind::Write);
  EXPECT_EQ(divergence.scope, isa::Scope::Inp);
  EXPECT_EQ(divergence.values[1], "not written");
}

TEST_F(LockstepTest, ClassesAndTheirInstructionsAreCompared) {
  const Divergence ofClass = found(Lie::Class, 1), ofInstruction = found(Lie::Span, 1);
  for (const Divergence &divergence : {ofClass, ofInstruction}) {
    EXPECT_EQ(divergence.kind, Kind::Class);
    EXPECT_EQ(divergence.instruction, 1u);
    EXPECT_NE(divergence.values[0].find("for instruction 1"), std::string::npos) << divergence.values[0];
  }
  EXPECT_NE(ofClass.values[1].find("bus in cycles"), std::string::npos) << ofClass.values[1];
  EXPECT_NE(ofInstruction.values[1].find("for instruction 2"), std::string::npos) << ofInstruction.values[1];
}

TEST_F(LockstepTest, CountersAreCompared) {
  const Divergence divergence = found(Lie::Counter, 0);
  EXPECT_EQ(divergence.kind, Kind::Counter);
  EXPECT_NE(divergence.what.find("gemm in class idle"), std::string::npos) << divergence.what;
}

TEST_F(LockstepTest, WhatADramDidIsCompared) {
  const Divergence divergence = found(Lie::Dram, 0);
  EXPECT_EQ(divergence.what, "what the DRAM did differs");
  EXPECT_NE(divergence.values[1].find("reads: 1 hits"), std::string::npos) << divergence.values[1];
}

TEST_F(LockstepTest, CausesAreCompared) {
  isa::Program faulty = program();
  std::get<isa::Load>(faulty.instructions[0]).offset = 0x1000;
  const Divergence divergence = found(Lie::Cause, 0, faulty);
  EXPECT_EQ(divergence.kind, Kind::Stop);
  EXPECT_NE(divergence.values[0].find("address_limit of load at instruction 0"), std::string::npos)
      << divergence.values[0];
  EXPECT_NE(divergence.values[1].find("bus_error"), std::string::npos) << divergence.values[1];
}

TEST_F(LockstepTest, TheInterruptsWireIsCompared) {
  const Divergence divergence = found(Lie::InterruptLine, 0);
  EXPECT_EQ(divergence.kind, Kind::Stop);
  EXPECT_EQ(divergence.values[0], "high");
  EXPECT_EQ(divergence.values[1], "low");
}

TEST_F(LockstepTest, ADeviceThatNeverStopsIsGivenUp) {
  const Divergence divergence = found(Lie::NeverStops, 0);
  EXPECT_EQ(divergence.kind, Kind::Stop);
  EXPECT_NE(divergence.values[1].find("still runs"), std::string::npos) << divergence.values[1];
}

TEST_F(LockstepTest, AnInstructionThatEndsOnOneSideOnlyIsNamed) {
  const Divergence divergence = found(Lie::LostRetirement, 2);
  EXPECT_EQ(divergence.kind, Kind::Retirement);
  EXPECT_EQ(divergence.instruction, 2u);
}

} // namespace
} // namespace daedalus::cosim
