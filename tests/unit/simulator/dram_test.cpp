// The DRAM alone: against one that keeps all commands, on random parameters, and against the arithmetic of
// its parameters.
#include "common/dram_model.h"
#include "dram_by_commands.h"

#include <gtest/gtest.h>

#include <iostream>
#include <random>

namespace daedalus::sim {
namespace {

isa::Machine machineOf(const std::string &name) {
  const auto machine = isa::loadMachine(name);
  EXPECT_TRUE(machine) << machine.error();
  return *machine;
}

/// One clock for both, no controller, and a bus that takes an access in one beat: a latency is that of the
/// DRAM.
isa::Machine bareDram(const std::string &model) {
  isa::Machine machine = machineOf("default,clock_mhz=1000,model=" + model);
  machine.clockMhz = machine.dramMhz;
  machine.controllerCycles = 0;
  machine.busBytes = static_cast<uint32_t>(isa::accessBytes(machine));
  return machine;
}

std::vector<std::string> models() {
  std::vector<std::string> names;
  for (const isa::DramModel &model : isa::DramModels)
    names.push_back(model.name);
  return names;
}

class DramTest : public ::testing::TestWithParam<std::string> {
protected:
  isa::Machine machine = bareDram(GetParam());
  const uint64_t size = isa::accessBytes(machine), columns = machine.pageBytes / size;
  const uint64_t rowStride = machine.pageBytes * machine.bankGroups * machine.banksPerGroup;
  /// Of all cycles, those in which no refresh is going on.
  double unrefreshed() const { return 1 - double(machine.tRfc) / machine.tRefi; }

  /// Cycles of an access in a long run of reads that all ask at once.
  template <class AddressOf> double cyclesOfRead(AddressOf addressOf) {
    constexpr uint64_t count = 200'000;
    DramModel dram(machine);
    uint64_t last = 0;
    for (uint64_t i = 0; i < count; ++i)
      last = 1 + dram.read(1, addressOf(i), 1);
    return double(last) / count;
  }
};

TEST_P(DramTest, AStreamMovesDataInEveryCycleThatRefreshLeaves) {
  const double least = machine.burstLength / 2.0 / unrefreshed();
  const double found = cyclesOfRead([&](uint64_t i) { return i * size; });
  std::cout << GetParam() << ": stream " << 100 * machine.burstLength / 2.0 / found << "% of the bus, "
            << size / found * machine.dramMhz / 1000 << " GB/s\n";
  EXPECT_GE(found, 0.999 * least);
  EXPECT_LE(found, 1.05 * least);
}

TEST_P(DramTest, RowsOfOneBankTakeARowCycleEach) {
  const double rowCycle = std::max(machine.tRas, machine.tRcd + machine.tRtp) + machine.tRp;
  const double found = cyclesOfRead([&](uint64_t i) { return i * rowStride; });
  EXPECT_NEAR(found, rowCycle / unrefreshed(), 0.05 * rowCycle);
}

/// Banks in turn, another row each time: as many rows as t_faw and t_rrd_s let be opened.
TEST_P(DramTest, RowsOfAllBanksAreOpenedAsFastAsAllowed) {
  const uint64_t banks = machine.bankGroups * machine.banksPerGroup;
  const auto addressOf = [&](uint64_t i) {
    const uint64_t bank = i % banks, row = i / banks;
    return (bank % machine.bankGroups) * size +
           bank / machine.bankGroups * machine.pageBytes * machine.bankGroups + row * rowStride;
  };
  const double rowCycle = std::max(machine.tRas, machine.tRcd + machine.tRtp) + machine.tRp;
  const double least = std::max(
      {machine.tFaw / 4.0, double(machine.tRrdS), machine.burstLength / 2.0, rowCycle / double(banks)});
  EXPECT_NEAR(cyclesOfRead(addressOf), least / unrefreshed(), 0.05 * least);
}

/// Random rows, one read behind the other: each waits for its row to be closed and opened.
TEST_P(DramTest, RandomRowsOneByOneTakeTheirLatency) {
  std::mt19937_64 random(1);
  DramModel dram(machine);
  constexpr uint64_t count = 100'000;
  uint64_t now = 1;
  for (uint64_t i = 0; i < count; ++i)
    now += dram.read(now, random() % (uint64_t(1) << 32) / size * size, 1);
  const double conflict = machine.tRp + machine.tRcd + machine.cl + machine.burstLength / 2.0;
  EXPECT_NEAR(double(now) / count, conflict / unrefreshed(), 0.05 * conflict);
}

TEST_P(DramTest, CountsWhatAccessesFind) {
  DramModel dram(machine);
  const uint64_t far = 10'000; // no access waits for another
  EXPECT_EQ(dram.read(1, 0, 1), machine.tRcd + machine.cl + machine.burstLength / 2);
  EXPECT_EQ(dram.read(1 + far / 4, 0, 1), machine.cl + machine.burstLength / 2);
  EXPECT_EQ(dram.write(1 + far / 2, rowStride, 1),
            machine.tRp + machine.tRcd + machine.cwl + machine.burstLength / 2);
  const DramActivity &activity = dram.activity();
  EXPECT_EQ(activity.reads, (RowCounts{1, 1, 0}));
  EXPECT_EQ(activity.writes, (RowCounts{0, 0, 1}));
  EXPECT_TRUE(activity.refreshes.empty());
  dram.read(2 * machine.tRefi + machine.tRfc, rowStride, 1);
  ASSERT_EQ(activity.refreshes.size(), 2u);
  for (uint64_t i = 0; i < 2; ++i)
    EXPECT_EQ(activity.refreshes[i],
              (DramRefresh{(i + 1) * machine.tRefi, (i + 1) * machine.tRefi + machine.tRfc}));
  EXPECT_EQ(activity.reads, (RowCounts{1, 2, 0})) << "a refresh closes all rows";
  dram.reset();
  EXPECT_EQ(dram.read(1, 0, 1), machine.tRcd + machine.cl + machine.burstLength / 2);
}

INSTANTIATE_TEST_SUITE_P(Models, DramTest, ::testing::ValuesIn(models()), [](const auto &info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

/// Times up to twice those of a model, small rows, and refreshes often or never.
isa::Machine randomDram(std::mt19937_64 &random) {
  const auto names = models();
  isa::Machine machine = bareDram(names[random() % names.size()]);
  for (const isa::MachineKey &key : isa::DramKeys)
    if (std::string(key.name).rfind("t_", 0) == 0 || std::string(key.name) == "cl" ||
        std::string(key.name) == "cwl")
      machine.*(key.member) = 1 + random() % (2 * machine.*(key.member));
  machine.bankGroups = 1u << random() % 3;
  machine.banksPerGroup = 1u << random() % 3;
  machine.pageBytes = static_cast<uint32_t>(isa::accessBytes(machine)) << random() % 3;
  machine.tRfc = 1 + random() % 100;
  machine.tRefi = random() % 3 ? 1000 + random() % 2000 : 0;
  return machine;
}

TEST(DramModel, AgreesWithAllCommandsOnRandomParameters) {
  std::mt19937_64 random(7);
  for (unsigned round = 0; round < 60; ++round) {
    const isa::Machine machine = randomDram(random);
    DramModel dram(machine);
    testing::DramByCommands byCommands(machine);
    const uint64_t accesses = 1 + random() % 64, size = isa::accessBytes(machine);
    uint64_t now = 1;
    for (unsigned i = 0; i < 100; ++i) {
      now += random() % 4 ? random() % 8 : random() % 1500;
      const uint64_t access = random() % accesses;
      const bool isWrite = random() % 3 == 0;
      const uint64_t latency = isWrite ? dram.write(now, access * size, 1) : dram.read(now, access * size, 1);
      ASSERT_EQ(now + latency, byCommands.access(access, now, isWrite))
          << "round " << round << ", access " << i << " of\n"
          << isa::writeMachine(machine);
      now += isWrite; // a read comes before a write of its cycle
    }
  }
}

/// The burst waits until none of its beats will.
TEST(DramModel, ABurstHasNoGaps) {
  isa::Machine machine = machineOf("default,model=lpddr4-3200,t_refi=0,clock_mhz=1000");
  DramModel dram(machine);
  const uint64_t accesses = 4, beats = accesses * isa::accessBytes(machine) / machine.busBytes;
  const uint64_t perAccess = machine.burstLength / 2, opened = machine.tRcd + machine.cl;
  uint64_t first = 0;
  const uint64_t from = isa::toDramCycle(machine, 1);
  for (uint64_t i = 0; i < accesses; ++i)
    first = std::max(first, isa::toMachineCycle(machine, from + opened + (i + 1) * perAccess) -
                                i * beats / accesses);
  EXPECT_EQ(1 + dram.read(1, 0, beats), first + machine.controllerCycles);
}

/// Of a machine at another clock: its cycles begin where the DRAM's have begun.
TEST(DramModel, ClocksNeedNotFit) {
  const isa::Machine machine = machineOf("default,model=ddr4-2400,clock_mhz=700");
  DramModel dram(machine);
  const uint64_t cycles = machine.tRcd + machine.cl + machine.burstLength / 2; // 36 of 1200 MHz: 21 of 700
  EXPECT_EQ(isa::toDramCycle(machine, 7), 12u);
  EXPECT_EQ(dram.read(7, 0, 1), isa::toMachineCycle(machine, 12 + cycles) - 7 + machine.controllerCycles);
  EXPECT_EQ(machine.readLatency, 21 + machine.controllerCycles);
}

} // namespace
} // namespace daedalus::sim
