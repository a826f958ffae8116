// What can go wrong in a system, one at a time: each ends with its named code, on both engines in the same
// cycle.
#include "soc_harness.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>
#include <elf.h>

namespace daedalus::test {
namespace {

using ::testing::HasSubstr;

struct SystemFault {
  const char *name;
  std::function<void(Setting &, package::Package &)>
      put; ///< before the job is laid out where it changes that
  uint32_t code;
  const char *printed = "";
  bool sameCycles = true; ///< S12: not behind a RESET in the middle of a program
};

/// An executable of these words at address 0.
std::vector<uint8_t> executable(const std::vector<uint32_t> &words) {
  Elf32_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS32;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_type = ET_EXEC;
  header.e_machine = EM_RISCV;
  header.e_phoff = sizeof header;
  header.e_phnum = 1;
  Elf32_Phdr segment{};
  segment.p_type = PT_LOAD;
  segment.p_offset = sizeof header + sizeof segment;
  segment.p_filesz = segment.p_memsz = static_cast<uint32_t>(4 * words.size());
  std::vector<uint8_t> file(segment.p_offset + segment.p_filesz);
  std::memcpy(file.data(), &header, sizeof header);
  std::memcpy(file.data() + sizeof header, &segment, sizeof segment);
  if (!words.empty())
    std::memcpy(file.data() + segment.p_offset, words.data(), segment.p_filesz);
  return file;
}

void flip(Setting &setting, uint32_t address) {
  setting.change = [address](Span<uint8_t> dram) { dram[address - DAEDALUS_SOC_DRAM] ^= 0x10; };
}

void silence(Setting &setting, sim::BusChannel channel) {
  setting.options.memory.silence = sim::Silence{channel, 2, false};
}

void errorAt(Setting &setting, uint32_t address) {
  setting.options.memory.errorAddress = address;
  setting.options.memory.errorBytes = 4096;
}

const SystemFault faults[] = {
    {"nothing", [](Setting &, auto &) {}, DAEDALUS_SOC_EXIT_OK, "ok"},
    {"no job", [](Setting &s, auto &) { s.hasJob = false; }, DAEDALUS_SOC_EXIT_NO_JOB, "no_job"},
    {"a bit of the constants", [](Setting &s, auto &) { flip(s, s.job.constants + 77); },
     DAEDALUS_SOC_EXIT_DAMAGED, "damaged"},
    {"a bit of the program", [](Setting &s, auto &) { flip(s, s.job.programs[0] + 130); },
     DAEDALUS_SOC_EXIT_DAMAGED, "damaged"},
    {"a bit of the steps", [](Setting &s, auto &) { flip(s, DAEDALUS_SOC_DRAM + 60); },
     DAEDALUS_SOC_EXIT_DAMAGED, "damaged"},
    {"a bit of the checksum", [](Setting &s, auto &) { flip(s, DAEDALUS_SOC_DRAM + 9); },
     DAEDALUS_SOC_EXIT_DAMAGED, "damaged"},
    {"another machine", [](Setting &s, auto &) { s.job.machineHash ^= 1; }, DAEDALUS_SOC_EXIT_WRONG_MACHINE,
     "wrong_machine"},
    {"the program is not aligned", [](Setting &s, auto &) { s.job.programs[0] += 32; },
     DAEDALUS_SOC_EXIT_UNALIGNED, "unaligned"},
    {"the constants are not aligned", [](Setting &s, auto &) { s.job.constants += 4; },
     DAEDALUS_SOC_EXIT_UNALIGNED, "unaligned"},
    {"the arena is not aligned", [](Setting &s, auto &) { s.job.arena += 8; }, DAEDALUS_SOC_EXIT_UNALIGNED,
     "unaligned"},
    {"the program lies in the arena", [](Setting &s, auto &) { s.job.programs[0] = s.job.arena; },
     DAEDALUS_SOC_EXIT_BAD_ADDRESSES, "bad_addresses"},
    {"the arena is the constants", [](Setting &s, auto &) { s.job.arena = s.job.constants; },
     DAEDALUS_SOC_EXIT_BAD_ADDRESSES, "bad_addresses"},
    {"the program is empty", [](Setting &, package::Package &p) { p.programs[0].words.clear(); },
     DAEDALUS_SOC_EXIT_BAD_ADDRESSES, "bad_addresses"},
    {"no interrupt", [](Setting &s, auto &) { s.options.cutsInterrupt = true; }, DAEDALUS_SOC_EXIT_WATCHDOG,
     "watchdog"},
    {"the alarm comes too early", [](Setting &s, auto &) { s.job.watchdogCycles = 300; },
     DAEDALUS_SOC_EXIT_WATCHDOG, "watchdog", false},
    {"a bus error at the arena", [](Setting &s, auto &) { errorAt(s, s.job.arena); },
     DAEDALUS_SOC_EXIT_ACCELERATOR_FAULT, "fault 4 at instruction"},
    {"a bus error at the constants", [](Setting &s, auto &) { errorAt(s, s.job.constants); },
     DAEDALUS_SOC_EXIT_BUS_ERROR, "address 1073745920"},
    {"DRAM ends in the job",
     [](Setting &s, auto &) {
       s.options.dramBytes = 8192;
       s.hasJob = false;
       s.change = [](Span<uint8_t> dram) {
         put(dram, DAEDALUS_SOC_DRAM, 0x424f4a44);
         put(dram, DAEDALUS_SOC_DRAM + 4, 16384);
       };
     },
     DAEDALUS_SOC_EXIT_BUS_ERROR, "address 1073750016"},
    {"a limit that is too small", [](Setting &, package::Package &p) { p.programs[0].bases[1].limit = 64; },
     DAEDALUS_SOC_EXIT_ACCELERATOR_FAULT, "fault 5 at instruction"},
    {"a reserved bit", [](Setting &, package::Package &p) { p.programs[0].words[64 + 3] = 0x80; },
     DAEDALUS_SOC_EXIT_ACCELERATOR_FAULT, "fault 1 at instruction 1"},
    {"no finish", [](Setting &, package::Package &p) { p.programs[0].words.resize(64); },
     DAEDALUS_SOC_EXIT_ACCELERATOR_FAULT, "fault 2 at instruction 0"},
    {"no more read addresses are taken", [](Setting &s, auto &) { silence(s, sim::BusChannel::Ar); },
     DAEDALUS_SOC_EXIT_ACCELERATOR_FAULT, "fault 8 at instruction"},
    {"no more data are read", [](Setting &s, auto &) { silence(s, sim::BusChannel::R); },
     DAEDALUS_SOC_EXIT_ACCELERATOR_FAULT, "fault 8 at instruction"},
    {"no more write addresses are taken", [](Setting &s, auto &) { silence(s, sim::BusChannel::Aw); },
     DAEDALUS_SOC_EXIT_ACCELERATOR_FAULT, "fault 8 at instruction"},
    {"no more data are written", [](Setting &s, auto &) { silence(s, sim::BusChannel::W); },
     DAEDALUS_SOC_EXIT_ACCELERATOR_FAULT, "fault 8 at instruction"},
    {"no more writes are answered", [](Setting &s, auto &) { silence(s, sim::BusChannel::B); },
     DAEDALUS_SOC_EXIT_ACCELERATOR_FAULT, "fault 8 at instruction"},
};

class Faults : public ::testing::TestWithParam<SystemFault> {};

TEST_P(Faults, EndWithTheirCode) {
  DAEDALUS_NEEDS_PROCESSOR();
  const SystemFault &fault = GetParam();
  const auto machine = isa::loadMachine("tiny,memory_timeout_cycles=4096");
  ASSERT_TRUE(machine) << machine.error();
  package::Package package = packageOf(*machine, cosim::randomProgram(*machine, 7));
  Setting setting(package);
  fault.put(setting, package);
  const Ran modelled = run("soc", *machine, setting);
  EXPECT_EQ(modelled.run.end, sim::SocEnd::Exit);
  EXPECT_EQ(sim::socExitName(modelled.run.exitCode), sim::socExitName(fault.code));
  EXPECT_THAT(modelled.run.printed, HasSubstr(fault.printed));
  EXPECT_LT(modelled.run.cycles, setting.options.mostCycles);
}

INSTANTIATE_TEST_SUITE_P(System, Faults, ::testing::ValuesIn(faults), [](const auto &info) {
  std::string name = info.param.name;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
});

/// On the RTL, whose model of a machine is there: the built-in tiny one.
TEST(FaultsOnBothEngines, EndInTheSameCycle) {
  DAEDALUS_NEEDS_PROCESSOR();
  const auto machine = isa::loadMachine("tiny");
  ASSERT_TRUE(machine) << machine.error();
  for (const SystemFault &fault : faults) {
    SCOPED_TRACE(fault.name);
    package::Package package = packageOf(*machine, cosim::randomProgram(*machine, 7));
    Setting setting(package);
    fault.put(setting, package);
    if (!fault.sameCycles)
      continue;
    const Ran modelled = run("soc", *machine, setting), clocked = run("soc-rtl", *machine, setting);
    EXPECT_EQ(sim::socExitName(clocked.run.exitCode), sim::socExitName(fault.code));
    EXPECT_EQ(modelled.run.cycles, clocked.run.cycles);
    EXPECT_EQ(modelled.run.printed, clocked.run.printed);
  }
}

sim::SocRun runWords(const std::vector<uint32_t> &words) {
  const auto machine = isa::loadMachine("tiny");
  sim::SocOptions options;
  options.dramBytes = 4096;
  options.mostCycles = 100000;
  auto soc = sim::Soc::create("soc", *machine, options);
  EXPECT_TRUE(soc) << soc.error();
  const auto loaded = (*soc)->load(executable(words));
  EXPECT_TRUE(loaded) << loaded.error();
  auto ran = (*soc)->run();
  EXPECT_TRUE(ran) << ran.error();
  return ran ? *ran : sim::SocRun();
}

TEST(Firmware, ThatCannotGoOnEnds) {
  DAEDALUS_NEEDS_PROCESSOR();
  EXPECT_EQ(runWords({0xffffffff}).end, sim::SocEnd::Trap);                 // no instruction
  EXPECT_EQ(runWords({0x0000006f}).end, sim::SocEnd::CycleLimit);           // j .
  EXPECT_EQ(runWords({0x0800050b, 0xffdff06f}).end, sim::SocEnd::Deadlock); // waitirq, which nothing ends
  const sim::SocRun exit = runWords({0x200302b7, 0x02a00313, 0x0062a023, 0x0000006f}); // EXIT = 42
  EXPECT_EQ(exit.end, sim::SocEnd::Exit);
  EXPECT_EQ(exit.exitCode, 42u);
  EXPECT_EQ(sim::socExitName(exit.exitCode), "code 42");
}

std::string loadError(const std::vector<uint8_t> &file) {
  const auto machine = isa::loadMachine("tiny");
  sim::SocOptions options;
  options.dramBytes = 4096;
  auto soc = sim::Soc::create("soc", *machine, options);
  EXPECT_TRUE(soc) << soc.error();
  const auto loaded = (*soc)->load(file);
  return loaded ? "" : loaded.error();
}

TEST(Firmware, ThatIsNoneIsRefused) {
  DAEDALUS_NEEDS_PROCESSOR();
  const std::string none = "it is no executable ELF file for a RISC-V processor of 32 bits";
  EXPECT_EQ(loadError({}), none);
  const std::vector<uint8_t> good = executable({0x0000006f});
  EXPECT_EQ(loadError(good), "");
  const auto changed = [&](size_t at, uint8_t value) {
    std::vector<uint8_t> file = good;
    file[at] = value;
    return loadError(file);
  };
  EXPECT_EQ(changed(EI_CLASS, ELFCLASS64), none);
  EXPECT_EQ(changed(18, EM_386), none);
  EXPECT_EQ(changed(44, 200), "its table of segments lies outside of the file");                   // e_phnum
  EXPECT_EQ(changed(52 + 17, 1), "segment 0 lies outside of the file");                            // p_filesz
  EXPECT_THAT(changed(52 + 15, 0x30), HasSubstr("is not in ROM, SRAM or the DRAM of 4096 bytes")); // p_paddr
  for (size_t bytes = 0; bytes < good.size(); ++bytes)
    EXPECT_NE(loadError({good.begin(), good.begin() + bytes}), "") << bytes << " bytes";
}

TEST(System, RefusesWhatItCannotBe) {
  DAEDALUS_NEEDS_PROCESSOR();
  const auto machine = isa::loadMachine("tiny");
  sim::SocOptions options;
  EXPECT_EQ(sim::Soc::create("soc2", *machine, options).error(),
            "unknown engine 'soc2': expected soc or soc-rtl");
  options.dramBytes = 100;
  EXPECT_EQ(sim::Soc::create("soc", *machine, options).error(),
            "a DRAM of 100 bytes: expected a multiple of 64, at most 1073741824");
  options.dramBytes = uint64_t(2) << 30;
  EXPECT_EQ(sim::Soc::create("soc", *machine, options).error(),
            "a DRAM of 2147483648 bytes: expected a multiple of 64, at most 1073741824");
}

} // namespace
} // namespace daedalus::test
