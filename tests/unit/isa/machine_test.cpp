// Machine files: those of the tree, and one test for each way in which a file can be wrong.
#include "daedalus/isa/dram.h"
#include "daedalus/isa/machine_names.h"
#include "test_programs.h"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

namespace daedalus::isa {
namespace {

using ::testing::HasSubstr;

/// The tiny machine's file with one line of text replaced.
std::string tinyWith(const std::string &from, const std::string &to) {
  std::ifstream file(DAEDALUS_SOURCE_DIR "/isa/machines/tiny.yaml");
  std::stringstream text;
  text << file.rdbuf();
  std::string yaml = text.str();
  const size_t at = yaml.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return yaml.replace(at, from.size(), to);
}

std::string errorWith(const std::string &from, const std::string &to) {
  Result<Machine> machine = parseMachine(tinyWith(from, to), "my.yaml");
  EXPECT_FALSE(machine);
  return machine ? "" : machine.error();
}

TEST(Machine, BuiltinMachinesLoad) {
  EXPECT_EQ(builtinMachines(), (std::vector<std::string>{"default", "large", "tiny", "vta"}));
  for (const std::string &name : builtinMachines())
    EXPECT_EQ(machineNamed(name).name, name);
}

TEST(Machine, SizesOfScopes) {
  const Machine machine = machineNamed("default");
  EXPECT_EQ(machine.rows(Scope::Inp), 2048u);
  EXPECT_EQ(machine.rows(Scope::Wgt), 1024u);
  EXPECT_EQ(machine.slices(Scope::Wgt), 16384u);
  EXPECT_EQ(machine.rows(Scope::Acc), 2048u);
  EXPECT_EQ(machine.rowBytes(Scope::Param), 256u);
  EXPECT_EQ(machine.slicesPerRow(Scope::Param), 16u);
  EXPECT_EQ(machine.rows(Scope::Lut), 8u);
  EXPECT_EQ(machine.slicesPerRow(Scope::Lut), 16u);
  EXPECT_EQ(machine.rows(Scope::Imm), 0u);
  EXPECT_EQ(machine.receiveBeats, 128u);
}

TEST(Machine, AFileIsAMachine) {
  Result<Machine> machine = loadMachine(DAEDALUS_SOURCE_DIR "/isa/machines/tiny.yaml");
  ASSERT_TRUE(machine) << machine.error();
  EXPECT_EQ(machine->name, "tiny");
  EXPECT_EQ(machine->hash(), machineNamed("tiny").hash());
}

TEST(Machine, HashCoversTheCoreAndNotTheMemory) {
  const uint64_t hash = machineNamed("tiny").hash();
  EXPECT_EQ(parseMachine(tinyWith("read_latency: 32", "read_latency: 33"), "m")->hash(), hash);
  EXPECT_NE(parseMachine(tinyWith("fetch_burst: 2", "fetch_burst: 1"), "m")->hash(), hash);
}

/// Programs for machines of before the key was there still fit them.
TEST(Machine, HashLeavesOutAKeyThatCameLater) {
  const auto hashOf = [](const char *name) { return machineNamed(name).hash(); };
  EXPECT_EQ(hashOf("default,inp_interleave=1"), 0xe9404355aebe5e96);
  EXPECT_EQ(hashOf("default,inp_interleave=4"), hashOf("default"));
  EXPECT_NE(hashOf("default,inp_interleave=1"), hashOf("default,inp_interleave=2"));
  EXPECT_NE(hashOf("default,inp_interleave=2"), hashOf("default"));
  EXPECT_EQ(hashOf("tiny,inp_interleave=1"), 0x5d5c318de7d10ae0);
}

TEST(Machine, InterleaveIsOneOrTwoOrFour) {
  EXPECT_EQ(
      loadMachine("tiny,inp_interleave=3").error(),
      "tiny,inp_interleave=3: the key 'core.inp_interleave' is '3'; expected a power of two from 1 to 4");
  EXPECT_THAT(loadMachine("tiny,inp_interleave=8").error(), HasSubstr("expected a power of two from 1 to 4"));
  EXPECT_THAT(loadMachine("tiny,n=16,inp_bytes=512,inp_banks=16").error(),
              HasSubstr("must satisfy inp_bytes (512) >= inp_banks (16) * inp_interleave (4) * n (16)"));
}

TEST(Machine, KeysBehindANameChange) {
  const auto machine = loadMachine("vta,bus_bytes=16,read_latency=200");
  ASSERT_TRUE(machine) << machine.error();
  Machine expected = *loadMachine("vta");
  expected.busBytes = 16, expected.readLatency = 200;
  EXPECT_EQ(writeMachine(*machine), writeMachine(expected));
  EXPECT_EQ(machine->hash(), expected.hash());
  EXPECT_EQ(machine->name, "vta,bus_bytes=16,read_latency=200");
  const auto refusal = [](const char *text) { return loadMachine(text).error(); };
  EXPECT_EQ(refusal("vta,bus=16"), "vta,bus=16: the key 'bus' is unknown; docs/isa.md lists the keys");
  EXPECT_EQ(refusal("vta,16"), "vta,16: '16' changes no key; expected KEY=VALUE");
  EXPECT_EQ(refusal("vta,"), "vta,: '' changes no key; expected KEY=VALUE");
  EXPECT_EQ(refusal("vta,n=9"), "vta,n=9: the key 'core.n' is '9'; expected a power of two from 8 to 64");
  EXPECT_EQ(refusal("vta,bus_bytes=32"),
            "vta,bus_bytes=32: the key 'core.bus_bytes' is 32; expected at most the 16 of 'n'");
  EXPECT_THAT(refusal("nowhere,n=8"), HasSubstr("no machine 'nowhere'"));
}

TEST(Machine, AFileMayHaveABase) {
  const auto machine = parseMachine("base: vta\nmemory: {read_latency: 3}\n", "my.yaml");
  ASSERT_TRUE(machine) << machine.error();
  Machine expected = *loadMachine("vta");
  expected.readLatency = 3;
  EXPECT_EQ(writeMachine(*machine), writeMachine(expected));
  EXPECT_EQ(machine->name, "my");
  EXPECT_THAT(parseMachine("base: nobody\n", "my.yaml").error(),
              HasSubstr("my.yaml: 'base' is 'nobody'; expected one of "));
  EXPECT_THAT(parseMachine("base: [vta]\n", "my.yaml").error(),
              HasSubstr("my.yaml: 'base' is not a single value; expected one of "));
  EXPECT_THAT(parseMachine("base: vta\ncore: {bus_bytes: 32}\n", "my.yaml").error(), HasSubstr("bus_bytes"));
}

TEST(Machine, UnknownName) {
  EXPECT_EQ(loadMachine("deflaut").error(),
            "no machine 'deflaut': neither one of default, large, tiny, vta nor a file that can be read");
}

TEST(Machine, UnknownKey) {
  EXPECT_EQ(errorWith("fetch_burst: 2", "fetch_brust: 2"),
            "my.yaml: the key 'core.fetch_brust' is unknown; docs/isa.md lists the keys");
  EXPECT_EQ(errorWith("memory:", "memoria:"),
            "my.yaml: the key 'memoria' is unknown; expected 'core', 'memory' and 'base'");
}

/// The name that is unknown, and how many there are.
std::string countKnown(const std::string &name, const std::vector<std::string> &known) {
  return " <" + name + " of " + std::to_string(known.size()) + ">";
}

TEST(Machine, SuggestionsFollowUnknownNames) {
  const std::string keys = " of " + std::to_string(std::size(MachineKeys)) + ">";
  const auto refusal = [](const std::string &text) { return loadMachine(text, countKnown).error(); };
  EXPECT_EQ(refusal("deflaut"),
            "no machine 'deflaut' <deflaut of 4>: neither one of default, large, tiny, vta "
            "nor a file that can be read");
  EXPECT_THAT(refusal("nowhere,n=8"), HasSubstr("no machine 'nowhere' <nowhere of 4>: "));
  EXPECT_EQ(refusal("vta,bus=16"),
            "vta,bus=16: the key 'bus' is unknown <bus" + keys + "; docs/isa.md lists the keys");
  const auto refusalOf = [&](const std::string &yaml) {
    const std::string path = ::testing::TempDir() + "suggestions.yaml";
    std::ofstream(path) << yaml;
    return refusal(path).substr(path.size());
  };
  EXPECT_EQ(refusalOf("base: vat\n"),
            ": 'base' is 'vat' <vat of 4>; expected one of default, large, tiny, vta");
  EXPECT_EQ(refusalOf("base: vta\ncore: {bus: 2}\n"),
            ": the key 'core.bus' is unknown <bus" + keys + "; docs/isa.md lists the keys");
  EXPECT_EQ(refusalOf("base: vta\ncor: {bus: 2}\n"),
            ": the key 'cor' is unknown <cor of 3>; expected 'core', 'memory' and 'base'");
  EXPECT_TRUE(loadMachine("vta,bus_bytes=16", countKnown));
}

TEST(Machine, KeyInTheWrongMap) {
  EXPECT_EQ(errorWith("fetch_burst: 2", "clock_mhz: 2"),
            "my.yaml: the key 'clock_mhz' belongs under 'memory', not under 'core'");
}

TEST(Machine, KeyTwice) {
  EXPECT_EQ(errorWith("fetch_burst: 2", "n: 8"), "my.yaml: the key 'core.n' is given twice");
}

TEST(Machine, MissingKey) {
  EXPECT_EQ(errorWith("  inp_bytes: 4096\n", ""),
            "my.yaml: the key 'core.inp_bytes' is missing; expected a power of two from 512 to 524288");
}

TEST(Machine, ZeroSize) {
  EXPECT_EQ(errorWith("inp_bytes: 4096", "inp_bytes: 0"),
            "my.yaml: the key 'core.inp_bytes' is '0'; expected a power of two from 512 to 524288");
}

TEST(Machine, ValueOutsideItsRange) {
  EXPECT_EQ(errorWith("inp_bytes: 4096", "inp_bytes: 1048576"),
            "my.yaml: the key 'core.inp_bytes' is '1048576'; expected a power of two from 512 to 524288");
  EXPECT_EQ(errorWith("read_latency: 32", "read_latency: 10001"),
            "my.yaml: the key 'memory.read_latency' is '10001'; expected a whole number from 1 to 10000");
}

TEST(Machine, NotAPowerOfTwo) {
  EXPECT_EQ(errorWith("n: 8", "n: 12"),
            "my.yaml: the key 'core.n' is '12'; expected a power of two from 8 to 64");
}

TEST(Machine, WrongType) {
  for (const char *value : {"eight", "8.0", "-8", "8 bytes"})
    EXPECT_EQ(errorWith("n: 8", std::string("n: ") + value), std::string("my.yaml: the key 'core.n' is '") +
                                                                 value +
                                                                 "'; expected a power of two from 8 to 64");
  EXPECT_EQ(errorWith("n: 8", "n: [8]"),
            "my.yaml: the key 'core.n' is not a single value; expected a power of two from 8 to 64");
  EXPECT_EQ(errorWith("n: 8", "n:"),
            "my.yaml: the key 'core.n' is not a single value; expected a power of two from 8 to 64");
}

TEST(Machine, BoundByAnotherKey) {
  EXPECT_EQ(errorWith("bus_bytes: 8", "bus_bytes: 16"),
            "my.yaml: the key 'core.bus_bytes' is 16; expected at most the 8 of 'n'");
  EXPECT_EQ(errorWith("fetch_burst: 2", "receive_beats: 15"),
            "my.yaml: the key 'core.receive_beats' is 15; expected at least the 16 of 'max_burst_beats'");
}

TEST(Machine, ConditionsBetweenKeys) {
  EXPECT_EQ(errorWith("fetch_burst: 2", "fetch_burst: 4"),
            "my.yaml: the keys must satisfy 64 * fetch_burst (4) <= max_burst_beats (16) * bus_bytes (8)");
  EXPECT_EQ(errorWith("lut_banks: 1", "lut_banks: 4"),
            "my.yaml: the keys must satisfy lut_bytes (512) >= lut_banks (4) * 256");
  EXPECT_EQ(errorWith("read_latency: 32", "read_latency: 512"),
            "my.yaml: the keys must satisfy memory_timeout_cycles (512) > read_latency (512)");
  EXPECT_EQ(errorWith("write_latency: 32", "write_latency: 10000"),
            "my.yaml: the keys must satisfy memory_timeout_cycles (512) > write_latency (10000)");
}

/// `changes` behind the name of a built-in machine: the sentence behind the machine's name.
std::string refusal(const std::string &changes) {
  const auto machine = loadMachine("default" + changes);
  return machine ? "" : machine.error().substr(("default" + changes + ": ").size());
}

TEST(Machine, ADramTakesThePlaceOfLatencies) {
  const auto machine =
      parseMachine("base: vta\nmemory: {model: ddr4-2400, t_refi: 0, clock_mhz: 800}\n", "m.yaml");
  ASSERT_TRUE(machine) << machine.error();
  EXPECT_EQ(memoryModelName(*machine), "ddr4-2400");
  EXPECT_EQ(machine->tRefi, 0u);
  EXPECT_EQ(machine->tRcd, 16u);
  EXPECT_EQ(machine->readLatency, 24u + 10u) << "t_rcd, cl and four cycles of data: 36 of 1200 MHz";
  EXPECT_EQ(machine->hash(), loadMachine("vta")->hash()) << "memory is not part of the hash";
  const auto again = parseMachine(writeMachine(*machine), "m.yaml");
  ASSERT_TRUE(again) << again.error();
  EXPECT_EQ(writeMachine(*again), writeMachine(*machine));
  EXPECT_EQ(again->readLatency, machine->readLatency);
  const auto named = loadMachine("vta,model=ddr4-2400,t_refi=0,clock_mhz=800");
  ASSERT_TRUE(named) << named.error();
  EXPECT_EQ(writeMachine(*named), writeMachine(*machine));
  EXPECT_EQ(memoryText(*loadMachine("default,model=ddr4-2400,model=fixed")),
            "read_latency=64,write_latency=64");
}

TEST(Machine, ALatencyIsAtLeastTheRegistersOfTheRtl) {
  const std::pair<const char *, const char *> leasts[] = {
      {"load_issue_latency=5", "'core.load_issue_latency' is '5'; expected a whole number from 6 to 16"},
      {"store_issue_latency=4", "'core.store_issue_latency' is '4'; expected a whole number from 5 to 16"},
      {"receive_latency=2", "'core.receive_latency' is '2'; expected a whole number from 3 to 16"},
      {"store_read_latency=2", "'core.store_read_latency' is '2'; expected a whole number from 3 to 16"},
      {"gemm_latency=5", "'core.gemm_latency' is '5'; expected a whole number from 6 to 32"},
      {"vector_latency=10", "'core.vector_latency' is '10'; expected a whole number from 11 to 32"}};
  for (const auto &[setting, expected] : leasts)
    EXPECT_EQ(refusal("," + std::string(setting)), "the key " + std::string(expected));
}

TEST(Machine, KeysOfADramBelongToAModel) {
  EXPECT_EQ(refusal(",model=ddr4"), "the key 'memory.model' is 'ddr4'; expected one of fixed, ddr3-1600, "
                                    "ddr4-2400, ddr4-3200, lpddr4-3200");
  EXPECT_EQ(refusal(",t_rcd=3"),
            "the key 'memory.t_rcd' belongs to a DRAM; name its model with the key 'memory.model'");
  EXPECT_EQ(refusal(",model=ddr4-2400,read_latency=64"),
            "the key 'memory.read_latency' is for a memory without a DRAM; leave it out beside the model "
            "'ddr4-2400'");
  EXPECT_EQ(refusal(",model=ddr4-2400,clock_mhz=1000,t_rcd=0"),
            "the key 'memory.t_rcd' is '0'; expected a whole number from 1 to 500");
  EXPECT_EQ(
      parseMachine("base: vta\nmemory: {model: ddr4-2400}\n", "my.yaml").error(),
      "my.yaml: the key 'memory.clock_mhz' is missing; the memory 'ddr4-2400' has times of its own, which "
      "need the machine's clock (clock_mhz=MHZ behind a machine's name)");
  EXPECT_EQ(errorWith("  read_latency: 32\n", "  model: [ddr4-2400]\n  read_latency: 32\n"),
            "my.yaml: the key 'memory.model' is ''; expected one of fixed, ddr3-1600, ddr4-2400, ddr4-3200, "
            "lpddr4-3200");
}

TEST(Machine, AClockIsOptional) {
  const Machine machine = machineNamed("default");
  EXPECT_EQ(machine.clockMhz, 0u);
  EXPECT_THAT(writeMachine(machine), ::testing::Not(::testing::HasSubstr("clock_mhz")));
  EXPECT_EQ(parseMachine(writeMachine(*loadMachine("tiny,clock_mhz=60")), "m")->clockMhz, 60u);
  EXPECT_EQ(refusal(",clock_mhz=0"),
            "the key 'memory.clock_mhz' is '0'; expected a whole number from 1 to 10000");
  EXPECT_EQ(refusal(",model=ddr4-2400"),
            "the key 'memory.clock_mhz' is missing; the memory 'ddr4-2400' has "
            "times of its own, which need the machine's clock (clock_mhz=MHZ behind a "
            "machine's name)");
}

TEST(Machine, AClockIsThatOfTheSameCore) {
  const uint32_t clock = machineNamed("tiny").clockMhz;
  EXPECT_GT(clock, 0u);
  EXPECT_EQ(machineNamed("tiny,read_latency=64").clockMhz, clock);
  EXPECT_EQ(machineNamed("tiny,gemm_latency=6").clockMhz, clock) << "the value that it has";
  EXPECT_EQ(machineNamed("tiny,gemm_latency=7").clockMhz, 0u) << "nobody timed this one";
  EXPECT_EQ(machineNamed("tiny,gemm_latency=7,clock_mhz=50").clockMhz, 50u);
  EXPECT_EQ(parseMachine("base: tiny\nmemory: {read_latency: 64}\n", "m.yaml")->clockMhz, clock);
  EXPECT_EQ(parseMachine("base: tiny\ncore: {n: 16}\n", "m.yaml")->clockMhz, 0u);
  EXPECT_EQ(parseMachine("base: tiny\ncore: {n: 16}\nmemory: {clock_mhz: 50}\n", "m.yaml")->clockMhz, 50u);
}

TEST(Machine, ConditionsOfADram) {
  EXPECT_EQ(refusal(",model=ddr4-2400,clock_mhz=1000,page_bytes=256,data_bytes=64"),
            "the key 'memory.page_bytes' is 256; expected at least the 512 bytes of an access (data_bytes * "
            "burst_length)");
  EXPECT_EQ(
      refusal(",model=ddr4-2400,clock_mhz=1000,t_refi=500"),
      "the key 'memory.t_refi' is 500; expected 0, or more than 614, so that an access fits between two "
      "refreshes");
  EXPECT_EQ(
      refusal(",model=ddr4-2400,clock_mhz=1000,memory_timeout_cycles=30000"),
      "the key 'core.memory_timeout_cycles' is 30000; the memory 'ddr4-2400' may be silent for 36330 cycles "
      "on this machine: expected more than that, or fewer or shorter bursts");
}

TEST(Machine, NumbersAreDecimal) {
  for (const char *value : {"08", "017", "0x8", "0o10", "8.0", "1e1", "+8", "-8", "8_0", ".inf", ".nan", "~",
                            "true", "99999999999999999999999999", "8 8", "\"8 \""})
    EXPECT_NE(errorWith("n: 8", std::string("n: ") + value).find("the key 'core.n' is "), std::string::npos)
        << value;
  EXPECT_EQ(errorWith("n: 8", "n: 017"),
            "my.yaml: the key 'core.n' is '017'; expected a power of two from 8 to 64");
}

TEST(Machine, LongValuesAreCut) {
  const std::string sentence = errorWith("n: 8", "n: " + std::string(100000, '1'));
  EXPECT_NE(sentence.find("is '" + std::string(60, '1') + "...'; expected"), std::string::npos) << sentence;
  EXPECT_LT(errorWith("n: 8", std::string(500, 'k') + ": 8").size(), 200u);
}

TEST(Machine, OneDocument) {
  const std::string tiny = tinyWith("", "");
  EXPECT_EQ(parseMachine(tiny + "---\n" + tiny, "my.yaml").error(),
            "my.yaml: has more than one YAML document; expected one with the maps 'core' and 'memory'");
  EXPECT_TRUE(parseMachine("---\n" + tiny + "...\n", "my.yaml"));
}

TEST(Machine, AliasesAndTabs) {
  std::string bomb = "a0: &a0 [x, x]\n";
  for (int i = 1; i < 100; ++i)
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" + std::to_string(i - 1) + ", *a" +
            std::to_string(i - 1) + "]\n";
  EXPECT_EQ(parseMachine(bomb, "my.yaml").error(),
            "my.yaml: the key 'a0' is unknown; expected 'core', 'memory' and 'base'");
  EXPECT_FALSE(parseMachine("core: &a {core: *a}", "my.yaml"));
  EXPECT_FALSE(parseMachine("? [core]\n: {n: 8}\n", "my.yaml"));
  EXPECT_EQ(parseMachine("core:\n\tn: 8\n", "my.yaml").error().substr(0, 12), "my.yaml:2: n");
  EXPECT_FALSE(parseMachine(std::string(100000, '['), "my.yaml"));
  EXPECT_FALSE(parseMachine(std::string("core\0: {}", 9), "my.yaml"));
}

TEST(Machine, NotYaml) {
  EXPECT_EQ(parseMachine("core: [", "my.yaml").error().substr(0, 26), "my.yaml:1: not valid YAML:");
  EXPECT_EQ(parseMachine("hello", "my.yaml").error(),
            "my.yaml: not a machine description; expected the maps 'core' and 'memory'");
  EXPECT_EQ(parseMachine("", "my.yaml").error(),
            "my.yaml: not a machine description; expected the maps 'core' and 'memory'");
  EXPECT_EQ(parseMachine("core: 3", "my.yaml").error(), "my.yaml: 'core' is not a map of keys and values");
  EXPECT_EQ(parseMachine("memory: {}", "my.yaml").error(), "my.yaml: the map 'core' is missing");
}

TEST(Machine, FileEndsSomewhere) {
  EXPECT_EQ(loadMachine("/dev/zero").error(),
            "'/dev/zero' has more than 1048576 bytes; expected at most 1048576 bytes of a machine file");
  EXPECT_EQ(loadMachine("/").error(), "cannot read '/': Is a directory");
}

} // namespace
} // namespace daedalus::isa
