// The benchmark's convolution, shortened: a legal program whose bytes agree on both engines and whose modules
// overlap.
#include "benchmarks/conv_program.h"
#include "daedalus/isa/verify.h"
#include "support/device_harness.h"

namespace daedalus::testing {
namespace {

using isa::CounterClass;
using isa::CounterModule;

TEST(Convolution, PassesTheVerifier) {
  const isa::Machine machine = builtin("default");
  const ConvProgram conv = convProgram(machine);
  isa::Program program;
  program.machineName = machine.name;
  program.machineHash = machine.hash();
  program.bases[0] = {conv.constantBytes, true};
  program.bases[1] = {conv.arenaBytes, false};
  program.instructions = conv.instructions;
  for (const isa::Finding &finding : isa::verify(program, machine))
    ADD_FAILURE() << finding.instruction << ": " << finding.message;
}

TEST(Convolution, OverlapsItsModules) {
  const isa::Machine machine = builtin("default");
  const ConvProgram conv = convProgram(machine, 8);
  DeviceHarness functional("functional", machine), systemc("systemc", machine);
  for (DeviceHarness *device : {&functional, &systemc}) {
    device->setBase(0, DeviceHarness::Base0, conv.constantBytes);
    device->setBase(1, DeviceHarness::Base1, conv.arenaBytes);
    uint32_t state = 1;
    for (uint64_t at = DeviceHarness::Base0; at < DeviceHarness::Code; ++at)
      (*device)->dram()[at] = static_cast<uint8_t>((state = state * 1664525 + 1013904223) >> 24);
    device->run(conv.instructions);
    ASSERT_EQ(device->status(), isa::DeviceStatus::Done) << (*device)->faultDetail();
  }
  EXPECT_TRUE(std::equal(functional->dram().begin(), functional->dram().end(), systemc->dram().begin()));
  // Four tiles of 16,128 products: GEMM never waits between them, the other modules work beside it.
  const auto busy = [&](CounterModule module) { return systemc.counter(module, CounterClass::Busy); };
  EXPECT_EQ(busy(CounterModule::Gemm), 4u * (16128 + machine.gemmLatency + 1));
  EXPECT_GE(busy(CounterModule::Load), 4u * 900);
  EXPECT_EQ(busy(CounterModule::Vector), 4u * (448 + machine.vectorLatency + 1));
  EXPECT_LT(systemc.cycles(), busy(CounterModule::Gemm) + 5000);
}

} // namespace
} // namespace daedalus::testing
