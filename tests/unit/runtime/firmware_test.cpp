// What exported models share (dae_firmware.h), by itself: names, checksum, checks of memory.

#include "dae_firmware.h"

#include "daedalus/isa/instructions.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace daedalus;

TEST(Firmware, NamesEveryFault) {
  for (uint32_t cause = 0; cause < DAEDALUS_FAULT_COUNT; ++cause)
    EXPECT_EQ(dae_fault_name(cause), std::string(isa::name(static_cast<isa::FaultCause>(cause))));
  EXPECT_STREQ(dae_fault_name(DAEDALUS_FAULT_COUNT), "unknown");
}

TEST(Firmware, NamesEveryResultOnce) {
  std::set<std::string> names;
  for (int result = DAE_OK; result <= DAE_OTHER_INDEX; ++result)
    names.insert(dae_result_name(static_cast<dae_result>(result)));
  EXPECT_EQ(names.size(), size_t(DAE_OTHER_INDEX) + 1);
  EXPECT_FALSE(names.count("unknown"));
  EXPECT_STREQ(dae_result_name(DAE_OTHER_INDEX), "DAE_OTHER_INDEX");
  EXPECT_STREQ(dae_result_name(DAE_TIMED_OUT), "DAE_TIMED_OUT");
  EXPECT_STREQ(dae_result_name(static_cast<dae_result>(DAE_OTHER_INDEX + 1)), "unknown");
}

/// XXH32 as its specification has it, for bytes in multiples of 16.
uint32_t referenceChecksum(const std::vector<uint32_t> &words) {
  constexpr uint32_t prime[] = {2654435761u, 2246822519u, 3266489917u};
  const auto rotated = [](uint32_t x, unsigned bits) { return (x << bits) | (x >> (32 - bits)); };
  std::array<uint32_t, 4> lanes = {prime[0] + prime[1], prime[1], 0, 0u - prime[0]};
  for (size_t i = 0; i < words.size(); ++i)
    lanes[i % 4] = rotated(lanes[i % 4] + words[i] * prime[1], 13) * prime[0];
  uint32_t hash = rotated(lanes[0], 1) + rotated(lanes[1], 7) + rotated(lanes[2], 12) +
                  rotated(lanes[3], 18) + uint32_t(words.size() * 4);
  hash = (hash ^ hash >> 15) * prime[1];
  hash = (hash ^ hash >> 13) * prime[2];
  return hash ^ hash >> 16;
}

TEST(Firmware, ChecksumIsXxh32) {
  std::vector<uint32_t> words(16);
  words[0] = 1;
  EXPECT_EQ(dae_checksum(words.data(), 64), 1814146738u); // xxhsum -H32
  for (uint32_t i = 0; i < words.size(); ++i)
    words[i] = i * 0x01234567u;
  EXPECT_EQ(dae_checksum(words.data(), 64), referenceChecksum(words));
}

TEST(Firmware, ChecksumSeesEveryBit) {
  std::vector<uint32_t> words(32, 0x5a5a5a5a);
  const uint32_t before = dae_checksum(words.data(), 128);
  for (uint32_t bit = 0; bit < 1024; ++bit) {
    words[bit / 32] ^= 1u << bit % 32;
    EXPECT_NE(dae_checksum(words.data(), 128), before) << bit;
    words[bit / 32] ^= 1u << bit % 32;
  }
}

dae_result runNothing(dae_session *) {
  return DAE_OK;
}

class OpenFirmware : public testing::Test {
protected:
  OpenFirmware() {
    model.blob_bytes = model.arena_bytes = 64;
    model.blob_alignment = model.arena_alignment = 64;
    model.blob_checksum = dae_checksum(blob.data(), 64);
    model.run = runNothing;
  }

  dae_result open() {
    return dae_open(&session, &model, nullptr, blob.data(), blobBytes, arena.data(), arenaBytes);
  }

  alignas(64) std::array<uint32_t, 32> blob{};
  alignas(64) std::array<uint8_t, 128> arena{};
  size_t blobBytes = 64, arenaBytes = 64;
  dae_model model{};
  dae_session session{};
};

TEST_F(OpenFirmware, TakesWhatTheModelNeeds) {
  EXPECT_EQ(open(), DAE_OK);
  EXPECT_EQ(dae_run(&session), DAE_OK);
  EXPECT_EQ(dae_input(&session, 0), nullptr);
  EXPECT_EQ(dae_output(&session, 0), nullptr);
}

TEST_F(OpenFirmware, RefusesSmallAndUnalignedMemory) {
  blobBytes = 63;
  EXPECT_EQ(open(), DAE_BLOB_TOO_SMALL);
  blobBytes = 64;
  arenaBytes = 63;
  EXPECT_EQ(open(), DAE_ARENA_TOO_SMALL);
  arenaBytes = 64;
  EXPECT_EQ(dae_open(&session, &model, nullptr, blob.data() + 4, 64, arena.data(), 64), DAE_BLOB_UNALIGNED);
  EXPECT_EQ(dae_open(&session, &model, nullptr, blob.data(), 64, arena.data() + 32, 64), DAE_ARENA_UNALIGNED);
}

TEST_F(OpenFirmware, RefusesADamagedBlob) {
  blob[15] ^= 1;
  EXPECT_EQ(open(), DAE_BLOB_DAMAGED);
}

TEST_F(OpenFirmware, NeedsRegistersForPrograms) {
  model.programs = 1;
  EXPECT_EQ(open(), DAE_NO_PLATFORM);
}

/// An accelerator that is done at once, or never.
struct FakeAccelerator {
  std::map<uint32_t, uint32_t> registers;
  bool stops = true;
  int resets = 0, polls = 0, waits = 0;
  std::vector<std::pair<uint32_t, int>> steps;

  static FakeAccelerator &of(void *ctx) { return *static_cast<FakeAccelerator *>(ctx); }
  static uint32_t read(void *ctx, uint32_t offset) {
    of(ctx).polls += offset == DAEDALUS_REG_INTERRUPT;
    return of(ctx).registers[offset];
  }
  static void write(void *ctx, uint32_t offset, uint32_t value) {
    FakeAccelerator &self = of(ctx);
    self.resets += offset == DAEDALUS_REG_CONTROL && value == DAEDALUS_CONTROL_RESET;
    if (offset == DAEDALUS_REG_CONTROL && value == DAEDALUS_CONTROL_START && self.stops) {
      self.registers[DAEDALUS_REG_INTERRUPT] = DAEDALUS_INTERRUPT_PENDING;
      self.registers[DAEDALUS_REG_STATUS] = DAEDALUS_STATUS_DONE;
      self.registers[DAEDALUS_REG_CYCLES_LO] = 42;
    } else {
      self.registers[offset] = value;
    }
  }
  static int wait(void *ctx) { return ++of(ctx).waits == 3; }
  static void step(void *ctx, uint32_t step, int ends) { of(ctx).steps.push_back({step, ends}); }
  static uint64_t physical(void *, const void *) { return 0x1000; }
};

dae_result runProgram(dae_session *session) {
  static const dae_program program = {0, 1, 64, 0};
  dae_step_begins(session, 7);
  return dae_step_ends(session, dae_execute(session, &program));
}

class RunFirmware : public OpenFirmware {
protected:
  RunFirmware() {
    model.programs = 1;
    model.run = runProgram;
    accelerator.registers[DAEDALUS_REG_VERSION] = DAEDALUS_ISA_VERSION;
    platform.io = {FakeAccelerator::read, FakeAccelerator::write, &accelerator};
    platform.ctx = &accelerator;
    platform.step = FakeAccelerator::step;
  }

  dae_result openAndRun() {
    const dae_result opened =
        dae_open(&session, &model, &platform, blob.data(), blobBytes, arena.data(), arenaBytes);
    accelerator.resets = accelerator.polls = 0;
    return opened == DAE_OK ? dae_run(&session) : opened;
  }

  FakeAccelerator accelerator;
  dae_platform platform{};
};

TEST_F(RunFirmware, CountsCyclesAndTellsSteps) {
  EXPECT_EQ(openAndRun(), DAE_OK);
  EXPECT_EQ(session.cycles, 42u);
  EXPECT_EQ(accelerator.steps, (std::vector<std::pair<uint32_t, int>>{{7, 0}, {7, 1}}));
}

TEST_F(RunFirmware, RefusesAnotherMachineAndVersion) {
  model.machine_hash = 1;
  EXPECT_EQ(openAndRun(), DAE_WRONG_MACHINE);
  accelerator.registers[DAEDALUS_REG_VERSION] = DAEDALUS_ISA_VERSION + 1;
  EXPECT_EQ(openAndRun(), DAE_WRONG_VERSION);
}

TEST_F(RunFirmware, PollsAsOftenAsThePlatformSays) {
  accelerator.stops = false;
  platform.polls = 10;
  EXPECT_EQ(openAndRun(), DAE_TIMED_OUT);
  EXPECT_EQ(accelerator.polls, 10);
  EXPECT_EQ(accelerator.resets, 1);
  EXPECT_EQ(session.step, 7u);
}

TEST_F(RunFirmware, WaitsUntilThePlatformGivesUp) {
  accelerator.stops = false;
  platform.wait = FakeAccelerator::wait;
  EXPECT_EQ(openAndRun(), DAE_TIMED_OUT);
  EXPECT_EQ(accelerator.waits, 3);
  EXPECT_EQ(accelerator.resets, 1);
}

TEST_F(RunFirmware, RefusesAddressesThatOverlap) {
  platform.physical = FakeAccelerator::physical; // the same for blob and arena
  model.run = [](dae_session *session) {
    static const dae_program program = {0, 1, 64, 64};
    return dae_execute(session, &program);
  };
  EXPECT_EQ(openAndRun(), DAE_RANGES_OVERLAP);
}

} // namespace
