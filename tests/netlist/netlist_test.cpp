// The netlist of an FPGA beside the RTL that it was mapped from: netlist_test.sh builds the model, whose RTL
// has the netlist in it with the same inputs and an assertion that all outputs are alike, and names it in
// DAEDALUS_NETLIST_MODEL. Random programs run on systemc and on that model, so bytes and cycles of the
// netlist are those of systemc. Memories and registers begin with zeros, for only those of the RTL can be
// preset; programs in which modules race on purpose are left out, for what they read is random.
#include "daedalus/simulator/cosim.h"
#include "rtl/engine.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

namespace daedalus::cosim {
namespace {

constexpr uint64_t Seed = 1'000'003;

std::string setting(const char *name, const char *fallback) {
  const char *value = std::getenv(name);
  return value ? value : fallback;
}

Pair withNetlist(const std::string &model) {
  Pair pair = engines("systemc", "rtl");
  pair.makeB = [model](const isa::Machine &machine,
                       const sim::DeviceOptions &options) -> Result<std::unique_ptr<sim::Device>> {
    auto engine = sim::rtl::Engine::createFrom(model, machine, options);
    if (!engine)
      return error(engine.error());
    return std::unique_ptr<sim::Device>(std::move(*engine));
  };
  return pair;
}

TEST(Netlist, RandomProgramsTakeTheCyclesOfSystemc) {
  const std::string model = setting("DAEDALUS_NETLIST_MODEL", "");
  if (model.empty())
    GTEST_SKIP() << "tests/netlist/netlist_test.sh makes the model and names it in DAEDALUS_NETLIST_MODEL";
  const isa::Machine machine = *isa::loadMachine("tiny");
  const Pair pair = withNetlist(model);
  const unsigned programs = static_cast<unsigned>(std::stoul(setting("DAEDALUS_NETLIST_PROGRAMS", "200")));
  uint64_t seed = Seed + std::stoul(setting("DAEDALUS_NETLIST_FIRST", "0"));
  for (unsigned program = 0; program < programs; ++seed) {
    Case test = randomCase(machine, seed);
    if (test.timed)
      continue;
    test.hardware.stateSeed = 0;
    test.hardware.counted = 0;
    const auto found = run(pair, machine, test);
    ASSERT_TRUE(found) << "seed " << seed << ": " << found.error();
    ASSERT_FALSE(*found) << "seed " << seed << " (" << test.what << "): " << (*found)->text;
    ++program;
  }
  std::cout << programs << " programs agree" << std::endl;
}

} // namespace
} // namespace daedalus::cosim
