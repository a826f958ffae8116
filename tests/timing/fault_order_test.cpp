// Faults reported in one and the same cycle: R21 says which is kept, in the clocked model, in `systemc` and
// in the RTL.
//
// A trigger lets the other three modules start in one cycle; each has an instruction that reports its fault
// in start + 6 on `default` with A = AS = 6: a first segment, or the fourth iteration (R28).
#include "device_run.h"

namespace daedalus::timing {
namespace {

using isa::FaultCause;
using isa::Instruction;
using isa::Module;
using isa::Scope;

isa::Machine evenMachine() {
  isa::Machine machine = testing::builtin("default");
  machine.storeIssueLatency = machine.loadIssueLatency;
  return machine;
}

constexpr uint8_t bit(Module module) {
  return 1u << clocked::code(module);
}

Instruction faultyLoad(uint8_t wait, FaultCause cause) {
  isa::Load load;
  load.wait = wait;
  load.unbounded = true;
  load.dst = 1u << 20; // out of INP in any case, which comes behind the limit
  load.offset = cause == FaultCause::AddressLimit ? ~0u : 0;
  return load;
}

Instruction faultyStore(uint8_t wait, FaultCause cause) {
  isa::Store store;
  store.wait = wait;
  store.src = 0xffff;
  store.offset = cause == FaultCause::AddressLimit ? ~0u : 0;
  return store;
}

/// Rows 0, 683, 1366, 2049 of ACC and OUT, which have 2048.
Instruction faultyGemm(uint8_t wait) {
  isa::Gemm gemm;
  gemm.wait = wait;
  gemm.loops[5] = {4, 0, 0, 683};
  return gemm;
}

Instruction faultyVector(uint8_t wait) {
  isa::Vector vector;
  vector.wait = wait;
  vector.op = isa::VectorOp::Mov;
  vector.dstScope = Scope::Out;
  vector.loops[4] = {4, 683, 0, 0};
  return vector;
}

Instruction faulty(Module module, uint8_t wait, FaultCause cause) {
  switch (module) {
  case Module::Load:
    return faultyLoad(wait, cause);
  case Module::Gemm:
    return faultyGemm(wait);
  case Module::Vector:
    return faultyVector(wait);
  case Module::Store:
    break;
  }
  return faultyStore(wait, cause);
}

/// A long GEMM, so that everything is dispatched when it ends; then `trigger` signals `others`.
TestProgram makeProgram(Module trigger, uint8_t others, FaultCause cause) {
  TestProgram program;
  program.setup.machine = evenMachine();
  program.setup.dramBytes = DramBytes;
  program.setup.programAddress = Code;
  program.setup.bases[0] = {0, 0x4000};
  isa::Gemm longGemm;
  longGemm.loops[0].count = 500;
  longGemm.signal = trigger == Module::Gemm ? 0 : bit(trigger);
  program.instructions.push_back(longGemm);
  program.instructions.push_back(
      isa::Nop{longGemm.signal ? bit(Module::Gemm) : uint8_t(0), others, trigger, 0});
  for (unsigned m = isa::ModuleCount; m-- > 0;) // the index does not decide
    if (others >> m & 1)
      program.instructions.push_back(faulty(static_cast<Module>(m), bit(trigger), cause));
  program.instructions.push_back(isa::Finish());
  encodeProgram(program);
  return program;
}

class FaultOrderTest : public ::testing::TestWithParam<std::string> {};

TEST_P(FaultOrderTest, R21TheFirstModuleOfACycleIsKept) {
  testing::DeviceHarness device(GetParam(), evenMachine(), true, DramBytes);
  for (unsigned trigger = 0; trigger < isa::ModuleCount; ++trigger)
    for (unsigned others = 1; others < 16; ++others) {
      if (others >> trigger & 1)
        continue;
      for (const FaultCause cause : {FaultCause::AddressLimit, FaultCause::ScratchpadRange}) {
        const TestProgram program = makeProgram(static_cast<Module>(trigger), others, cause);
        const clocked::Outcome expected = clocked::Core(program.setup).run();
        const Module first = static_cast<Module>(__builtin_ctz(others));
        const bool isTransfer = first == Module::Load || first == Module::Store;
        EXPECT_EQ(expected.fault.module, clocked::counterOf(first));
        EXPECT_EQ(expected.fault.cause, isTransfer ? cause : FaultCause::ScratchpadRange);
        EXPECT_EQ(difference(expected, runOnDevice(device, program)), "") << describe(program);
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Engines, FaultOrderTest, ::testing::Values("systemc", "rtl"),
                         [](const auto &info) { return std::string(info.param); });

} // namespace
} // namespace daedalus::timing
