// What a job does in a system: the same cycles asleep and stepped, steps whose cycles the processor counts as
// they are seen from outside, and copies.
#include "soc_harness.h"

namespace daedalus::test {
namespace {

TEST(Sleep, TakesTheSameCyclesWhenItIsSteppedThrough) {
  DAEDALUS_NEEDS_PROCESSOR();
  for (const char *name : {"default", "tiny", "vta,model=ddr3-1600,clock_mhz=1000"}) {
    SCOPED_TRACE(name);
    const auto machine = isa::loadMachine(name);
    ASSERT_TRUE(machine) << machine.error();
    const package::Package package = packageOf(*machine, cosim::randomProgram(*machine, 3));
    Setting setting(package);
    const Ran skipped = run("soc", *machine, setting), clocked = run("soc-rtl", *machine, setting);
    setting.options.skipsSleep = false;
    const Ran stepped = run("soc", *machine, setting), both = run("soc-rtl", *machine, setting);
    EXPECT_EQ(skipped.run.exitCode, DAEDALUS_SOC_EXIT_OK) << skipped.run.printed;
    EXPECT_GT(skipped.run.sleptCycles, 1000u);
    expectSame(skipped, stepped);
    expectSame(skipped, clocked);
    expectSame(skipped, both);
  }
}

/// The alarm ends the sleep in its cycle, while the accelerator works.
TEST(Sleep, EndsWithTheAlarmInTheSameCycle) {
  DAEDALUS_NEEDS_PROCESSOR();
  const auto machine = isa::loadMachine("default");
  const package::Package package = packageOf(*machine, cosim::randomProgram(*machine, 3));
  Setting setting(package);
  setting.job.watchdogCycles = 900;
  const Ran skipped = run("soc", *machine, setting);
  setting.options.skipsSleep = false;
  const Ran stepped = run("soc", *machine, setting);
  EXPECT_EQ(skipped.run.exitCode, DAEDALUS_SOC_EXIT_WATCHDOG);
  EXPECT_GT(skipped.run.sleptCycles, 500u);
  expectSame(skipped, stepped);
}

package::Ref ref(package::Space space, uint64_t offset, uint64_t bytes) {
  return {space, offset, bytes, {package::DType::U8, {static_cast<int64_t>(bytes)}}};
}

TEST(Steps, AreCountedInsideAsOutside) {
  DAEDALUS_NEEDS_PROCESSOR();
  const auto machine = isa::loadMachine("default");
  package::Package package = packageOf(*machine, cosim::randomProgram(*machine, 5));
  package.arenaBytes += 256;
  const auto copy = [&](uint64_t from, uint64_t to, uint64_t bytes) {
    const uint64_t behind = package.arenaBytes - 256;
    package.functions[0].steps.push_back({package::Step::Kind::Copy,
                                          0,
                                          {ref(package::Space::Constants, from, bytes)},
                                          {ref(package::Space::Arena, behind + to, bytes)},
                                          package::noLayer});
  };
  copy(0, 0, 64);
  copy(3, 65, 31);
  copy(128, 128, 30);
  const Setting setting(package);
  const Ran ran = run("soc", *machine, setting);
  ASSERT_EQ(ran.run.exitCode, DAEDALUS_SOC_EXIT_OK) << ran.run.printed;
  const auto marks = runtime::readMarks(setting.job, {ran.dram.data(), ran.dram.size()});
  ASSERT_EQ(marks.size(), ran.run.marks.size());
  EXPECT_EQ(marks.size(), 8u); // booted, checked, probed, four steps, done
  for (size_t i = 1; i < marks.size(); ++i) {
    EXPECT_EQ(marks[i].number, ran.run.marks[i].value);
    EXPECT_EQ(marks[i].cycle - marks[i - 1].cycle, ran.run.marks[i].cycle - ran.run.marks[i - 1].cycle)
        << "step " << i;
  }
  const uint8_t *copied =
      ran.dram.data() + (setting.job.arena - DAEDALUS_SOC_DRAM) + package.arenaBytes - 256;
  EXPECT_TRUE(std::equal(copied, copied + 64, package.constants.begin()));
  EXPECT_TRUE(std::equal(copied + 65, copied + 96, package.constants.begin() + 3));
  EXPECT_TRUE(std::equal(copied + 128, copied + 158, package.constants.begin() + 128));
}

TEST(Jobs, OfOtherStepsAreRefused) {
  const auto machine = isa::loadMachine("default");
  package::Package package = packageOf(*machine, cosim::randomProgram(*machine, 5));
  package.layers = {{"Softmax_3", "cpu", "", 0, {}}};
  package.functions[0].steps.push_back({package::Step::Kind::CallKernel, 0, {}, {}, 0});
  EXPECT_EQ(
      runtime::layOut(package, package.functions[0]).error(),
      "the firmware of a simulated system runs programs of the accelerator and copies, and node "
      "'Softmax_3' runs on the target 'cpu'; run the model on the engine systemc or rtl, or leave the node "
      "out of it");
  package.functions[0].steps.pop_back();
  package.arenaBytes = uint64_t(1) << 30;
  EXPECT_EQ(runtime::layOut(package, package.functions[0]).error().substr(0, 18), "the package needs ");
}

} // namespace
} // namespace daedalus::test
