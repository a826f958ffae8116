// Systems with firmware and a job, for tests of the engines soc and soc-rtl.
#pragma once

#include "job.h"

#include "daedalus/isa/encoding.h"
#include "daedalus/runtime/system.h"
#include "daedalus/simulator/random_program.h"
#include "daedalus/simulator/soc.h"
#include "daedalus/support/input_file.h"

#include <gtest/gtest.h>

#include "daedalus_soc.h"

#include <cstdlib>

namespace daedalus::test {

/// Whether there is no processor: the test is skipped, or fails where it must not be.
#define DAEDALUS_NEEDS_PROCESSOR()                                                                           \
  if (const auto processor = ::daedalus::sim::checkSocProcessor(); !processor) {                             \
    if (std::getenv("DAEDALUS_NEEDS_SOC"))                                                                   \
      FAIL() << processor.error();                                                                           \
    GTEST_SKIP() << "skipped: " << processor.error();                                                        \
  }

/// The firmware that runs jobs, or one of this test's own.
inline std::vector<uint8_t> firmware(const std::string &path = sim::socRunnerFirmware()) {
  auto elf = readFile(path, input::Firmware);
  EXPECT_TRUE(elf) << elf.error();
  return elf ? *elf : std::vector<uint8_t>();
}

/// One program for the accelerator.
inline package::Package packageOf(const isa::Machine &machine, const cosim::RandomProgram &random) {
  package::Package package;
  package.machineName = machine.name;
  package.machineHash = machine.hash();
  package.constants = random.constants;
  package.arenaBytes = random.arena.size();
  package::AcceleratorProgram program;
  program.words = isa::encodeWords(random.program.instructions);
  program.bases = random.program.bases;
  program.layerOfInstruction.assign(random.program.instructions.size(), package::noLayer);
  package.programs = {program};
  package::Function main{"main", {}, {}, {}};
  main.steps = {{package::Step::Kind::Start, 0, {}, {}, package::noLayer},
                {package::Step::Kind::Wait, 0, {}, {}, package::noLayer}};
  package.functions = {main};
  return package;
}

/// A word of DRAM.
inline void put(Span<uint8_t> dram, uint32_t address, uint32_t word) {
  for (unsigned byte = 0; byte < 4; ++byte)
    dram[address - DAEDALUS_SOC_DRAM + byte] = static_cast<uint8_t>(word >> 8 * byte);
}

/// A job and what is to be changed before the reset.
struct Setting {
  const package::Package *package = nullptr;
  runtime::Job job;
  std::vector<uint8_t> elf;
  sim::SocOptions options;
  bool hasJob = true;
  std::function<void(Span<uint8_t> dram)> change;

  explicit Setting(const package::Package &given) : package(&given), elf(firmware()) {
    auto laidOut = runtime::layOut(given, given.functions[0]);
    EXPECT_TRUE(laidOut) << laidOut.error();
    job = *laidOut;
    job.watchdogCycles = 200000;
    options.dramBytes = job.bytes;
    options.mostCycles = 20000000;
  }
};

struct Ran {
  sim::SocRun run;
  std::vector<uint8_t> dram;
};

inline Ran run(const std::string &engine, const isa::Machine &machine, const Setting &setting) {
  auto soc = sim::Soc::create(engine, machine, setting.options);
  EXPECT_TRUE(soc) << soc.error();
  const auto loaded = (*soc)->load(setting.elf);
  EXPECT_TRUE(loaded) << loaded.error();
  if (setting.hasJob)
    runtime::writeJob(setting.job, *setting.package, setting.package->functions[0], (*soc)->dram());
  if (setting.change)
    setting.change((*soc)->dram());
  auto ran = (*soc)->run();
  EXPECT_TRUE(ran) << ran.error();
  const Span<uint8_t> dram = (*soc)->dram();
  return {ran ? *ran : sim::SocRun(), {dram.begin(), dram.end()}};
}

/// All that two runs of one setting have in common.
inline void expectSame(const Ran &a, const Ran &b) {
  EXPECT_EQ(a.run.end, b.run.end);
  EXPECT_EQ(a.run.exitCode, b.run.exitCode);
  EXPECT_EQ(a.run.cycles, b.run.cycles);
  EXPECT_EQ(a.run.instructions, b.run.instructions);
  EXPECT_EQ(a.run.sleptCycles, b.run.sleptCycles);
  EXPECT_EQ(a.run.contendedCycles, b.run.contendedCycles);
  EXPECT_EQ(a.run.dramReads, b.run.dramReads);
  EXPECT_EQ(a.run.dramWrites, b.run.dramWrites);
  EXPECT_EQ(a.run.printed, b.run.printed);
  ASSERT_EQ(a.run.marks.size(), b.run.marks.size());
  for (size_t i = 0; i < a.run.marks.size(); ++i)
    EXPECT_EQ(a.run.marks[i].cycle, b.run.marks[i].cycle) << "mark " << i;
  ASSERT_EQ(a.run.acceleratorRuns.size(), b.run.acceleratorRuns.size());
  for (size_t i = 0; i < a.run.acceleratorRuns.size(); ++i) {
    EXPECT_EQ(a.run.acceleratorRuns[i].start, b.run.acceleratorRuns[i].start) << "run " << i;
    EXPECT_EQ(a.run.acceleratorRuns[i].stop, b.run.acceleratorRuns[i].stop) << "run " << i;
    EXPECT_EQ(a.run.acceleratorRuns[i].resumed, b.run.acceleratorRuns[i].resumed) << "run " << i;
    EXPECT_EQ(a.run.acceleratorRuns[i].acknowledged, b.run.acceleratorRuns[i].acknowledged) << "run " << i;
  }
  EXPECT_TRUE(a.dram == b.dram) << "the bytes in DRAM differ";
}

} // namespace daedalus::test
