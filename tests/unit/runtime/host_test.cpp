// Which objects a host can execute: tiles are a part of the processor that Linux has to give, too.

#include "host.h"

#include <gtest/gtest.h>

#include <thread>

namespace daedalus::runtime::cpu {
namespace {

constexpr uint32_t tileBit = 1u << 24, int8Bit = 1u << 25;
int asked = 0;

template <uint32_t edx> uint32_t cpuid() {
  return edx;
}

template <bool answer> bool linuxSays() {
  ++asked;
  return answer;
}

template <TileRegisters answer> TileRegisters tilesAre() {
  ++asked;
  return answer;
}

/// An object that this host can execute but for what `features` needs.
package::ElfObject objectOf(std::vector<std::string> features, const std::string &cpu = "x86-64") {
  return {"x86_64-pc-linux-gnu", cpu, std::move(features), {}, {}};
}

std::string reason(const package::ElfObject &object, TileRegisters (*tiles)()) {
  const auto result = checkHost(object, tiles);
  return result ? "" : result.error();
}

/// Bits 24 and 25 of CPUID's leaf 7, both of them: without these nothing is asked of Linux.
TEST(Host, TilesAreTwoBitsAndWhatLinuxSays) {
  asked = 0;
  EXPECT_EQ(askForTiles({cpuid<0>, linuxSays<true>}), TileRegisters::Missing);
  EXPECT_EQ(askForTiles({cpuid<tileBit>, linuxSays<true>}), TileRegisters::Missing);
  EXPECT_EQ(askForTiles({cpuid<int8Bit>, linuxSays<true>}), TileRegisters::Missing);
  EXPECT_EQ(askForTiles({cpuid<~(tileBit | int8Bit)>, linuxSays<true>}), TileRegisters::Missing);
  EXPECT_EQ(asked, 0);
  EXPECT_EQ(askForTiles({cpuid<tileBit | int8Bit>, linuxSays<false>}), TileRegisters::Refused);
  EXPECT_EQ(askForTiles({cpuid<tileBit | int8Bit>, linuxSays<true>}), TileRegisters::Given);
  EXPECT_EQ(asked, 2);
}

TEST(Host, EveryThreadGetsTheSameAnswer) {
  const TileRegisters here = tilesOfProcess();
  TileRegisters there = TileRegisters::Missing;
  std::thread([&] { there = tilesOfProcess(); }).join();
  EXPECT_EQ(here, there);
}

#if defined(__x86_64__)
TEST(Host, ObjectsWithTilesAreRefusedWithTheReason) {
  const auto object = objectOf({"amx-tile", "amx-int8"});
  EXPECT_EQ(reason(object, tilesAre<TileRegisters::Given>), "");
  EXPECT_EQ(reason(object, tilesAre<TileRegisters::Missing>), "needs the feature amx-tile");
  EXPECT_EQ(reason(object, tilesAre<TileRegisters::Refused>),
            "needs the feature amx-tile, whose registers Linux refuses to this process");
}

TEST(Host, IsAskedForTilesByObjectsThatItHasAllElseOf) {
  asked = 0;
  EXPECT_EQ(reason(objectOf({}), tilesAre<TileRegisters::Refused>), "");
  EXPECT_EQ(reason(objectOf({"amx-tile", "unheard-of"}), tilesAre<TileRegisters::Given>),
            "needs the feature unheard-of");
  EXPECT_EQ(reason(objectOf({"amx-tile"}, "x86-64-v5"), tilesAre<TileRegisters::Given>), "needs x86-64-v5");
  EXPECT_EQ(asked, 0);
}
#endif

} // namespace
} // namespace daedalus::runtime::cpu
