// The driver core against a register file that records what it is told.

#include "dae_driver.h"

#include <gtest/gtest.h>

#include <map>

namespace {

struct FakeCore {
  std::map<uint32_t, uint32_t> registers;
  int starts = 0, writes = 0;

  static uint32_t read(void *self, uint32_t offset) {
    return static_cast<FakeCore *>(self)->registers[offset];
  }
  static void write(void *self, uint32_t offset, uint32_t value) {
    auto &core = *static_cast<FakeCore *>(self);
    ++core.writes;
    if (offset == DAEDALUS_REG_INTERRUPT)
      core.registers[offset] &= ~value;
    else if (offset == DAEDALUS_REG_CONTROL) {
      core.starts += value == DAEDALUS_CONTROL_START;
      core.registers[DAEDALUS_REG_INTERRUPT] = 0; // both bits clear it
    } else
      core.registers[offset] = value;
  }
  void stop(uint32_t status) {
    registers[DAEDALUS_REG_STATUS] = status;
    registers[DAEDALUS_REG_INTERRUPT] = DAEDALUS_INTERRUPT_PENDING;
  }
  dae_io io() { return {read, write, this}; }
};

class Driver : public ::testing::Test {
protected:
  Driver() {
    core.registers[DAEDALUS_REG_VERSION] = DAEDALUS_ISA_VERSION;
    core.registers[DAEDALUS_REG_HASH_LO] = 0x89abcdef;
    core.registers[DAEDALUS_REG_HASH_HI] = 0x01234567;
    job.bases[0] = {0x1000, 0x1000, 1};
    job.bases[1] = {0x2000, 0x800, 0};
    job.program = 0x3000;
    job.instructions = 4;
  }
  dae_result configure() { return dae_configure(&io, &job, &culprit); }

  FakeCore core;
  dae_io io = core.io();
  dae_job job{};
  uint32_t culprit = 99;
};

TEST_F(Driver, ProbesVersionAndMachine) {
  dae_identity identity{};
  EXPECT_EQ(dae_probe(&io, 0x0123456789abcdefu, &identity), DAE_OK);
  EXPECT_EQ(identity.machine_hash, 0x0123456789abcdefu);
  EXPECT_EQ(dae_probe(&io, 1, &identity), DAE_WRONG_MACHINE);
  core.registers[DAEDALUS_REG_VERSION] = DAEDALUS_ISA_VERSION + 1;
  EXPECT_EQ(dae_probe(&io, 0x0123456789abcdefu, &identity), DAE_WRONG_VERSION);
}

TEST_F(Driver, ConfiguresBasesAndProgram) {
  job.bases[15] = {0x123456789abcu, 7, 0};
  job.program = 0x500000000c0u;
  ASSERT_EQ(configure(), DAE_OK);
  EXPECT_EQ(core.registers[DAEDALUS_REG_BASE_LO + 15 * DAEDALUS_REG_BASE_LO_STEP], 0x56789abcu);
  EXPECT_EQ(core.registers[DAEDALUS_REG_BASE_HI + 15 * DAEDALUS_REG_BASE_HI_STEP], 0x1234u);
  EXPECT_EQ(core.registers[DAEDALUS_REG_LIMIT + 15 * DAEDALUS_REG_LIMIT_STEP], 7u);
  EXPECT_EQ(core.registers[DAEDALUS_REG_LIMIT + DAEDALUS_REG_LIMIT_STEP], 0x800u);
  EXPECT_EQ(core.registers[DAEDALUS_REG_PROGRAM_LO], 0xc0u);
  EXPECT_EQ(core.registers[DAEDALUS_REG_PROGRAM_HI], 0x500u);
  EXPECT_EQ(core.registers[DAEDALUS_REG_PROGRAM_LENGTH], 4u);
  EXPECT_EQ(core.registers[DAEDALUS_REG_PROGRAM_LIMIT], 256u);
}

TEST_F(Driver, RefusesOverlapUnlessBothAreReadOnly) {
  job.bases[3] = {0x27ff, 1, 0};
  EXPECT_EQ(configure(), DAE_RANGES_OVERLAP);
  EXPECT_EQ(culprit, 3u);
  job.bases[3].read_only = 1; // the other one is written
  EXPECT_EQ(configure(), DAE_RANGES_OVERLAP);
  job.bases[1].read_only = 1;
  EXPECT_EQ(configure(), DAE_OK);
}

TEST_F(Driver, AdjacentAndEmptyRangesDoNotOverlap) {
  job.bases[3] = {0x2800, 0x800, 0};
  job.bases[4] = {0x2400, 0, 0};
  EXPECT_EQ(configure(), DAE_OK);
}

TEST_F(Driver, RefusesWritableProgram) {
  job.bases[3] = {0x30ff, 1, 0};
  EXPECT_EQ(configure(), DAE_RANGES_OVERLAP);
  job.bases[3].address = 0x3100; // behind its four instructions
  EXPECT_EQ(configure(), DAE_OK);
  job.bases[3] = {0x3000, 64, 1};
  EXPECT_EQ(configure(), DAE_OK);
}

TEST_F(Driver, RefusesBadAddresses) {
  job.program = 0x3020;
  EXPECT_EQ(configure(), DAE_BAD_ADDRESS);
  EXPECT_EQ(culprit, DAEDALUS_BASE_REGISTERS);
  job.program = 0x3000;
  job.instructions = 0;
  EXPECT_EQ(configure(), DAE_BAD_ADDRESS);
  job.instructions = 1u << 26; // 4 GiB, which no limit holds
  EXPECT_EQ(configure(), DAE_BAD_ADDRESS);
  job.instructions = 1;
  job.bases[2] = {~0ull, 2, 1};
  EXPECT_EQ(configure(), DAE_BAD_ADDRESS);
  EXPECT_EQ(culprit, 2u);
  EXPECT_EQ(core.writes, 0);
}

TEST_F(Driver, StartsAndFinishes) {
  core.registers[DAEDALUS_REG_INTERRUPT] = DAEDALUS_INTERRUPT_PENDING; // an old one
  EXPECT_EQ(dae_start(&io), DAE_OK);
  EXPECT_EQ(core.starts, 1);
  EXPECT_EQ(dae_finish(&io), DAE_NOT_DONE);
  EXPECT_EQ(dae_wait(&io, 10), DAE_NOT_DONE);
  core.stop(DAEDALUS_STATUS_DONE);
  EXPECT_EQ(dae_wait(&io, 10), DAE_OK);
  EXPECT_FALSE(dae_pending(&io));
}

TEST_F(Driver, EnablesTheInterrupt) {
  dae_enable_interrupt(&io, 7);
  EXPECT_EQ(core.registers[DAEDALUS_REG_INTERRUPT_ENABLE], DAEDALUS_INTERRUPT_ENABLE_STOP);
  dae_enable_interrupt(&io, 0);
  EXPECT_EQ(core.registers[DAEDALUS_REG_INTERRUPT_ENABLE], 0u);
}

TEST_F(Driver, ReportsFaults) {
  core.stop(DAEDALUS_STATUS_FAULT);
  core.registers[DAEDALUS_REG_FAULT_CAUSE] = DAEDALUS_FAULT_BUS_ERROR;
  core.registers[DAEDALUS_REG_FAULT_INDEX] = 12;
  core.registers[DAEDALUS_REG_FAULT_MODULE] = DAEDALUS_COUNTER_MODULE_STORE;
  EXPECT_EQ(dae_finish(&io), DAE_STOPPED_WITH_FAULT);
  const dae_fault fault = dae_read_fault(&io);
  EXPECT_EQ(fault.cause, DAEDALUS_FAULT_BUS_ERROR);
  EXPECT_EQ(fault.instruction, 12u);
  EXPECT_EQ(fault.module, DAEDALUS_COUNTER_MODULE_STORE);
}

TEST_F(Driver, LeavesARunningCoreAlone) {
  core.registers[DAEDALUS_REG_STATUS] = DAEDALUS_STATUS_RUNNING;
  EXPECT_EQ(configure(), DAE_BUSY);
  EXPECT_EQ(dae_start(&io), DAE_BUSY);
  EXPECT_EQ(core.writes, 0);
}

TEST_F(Driver, ReadsCounters) {
  core.registers[DAEDALUS_REG_CYCLES_LO] = 5;
  core.registers[DAEDALUS_REG_CYCLES_HI] = 2;
  core.registers[DAEDALUS_REG_COUNTER_LO + (9 * 3 + 4) * 8] = 6;
  core.registers[DAEDALUS_REG_COUNTER_HI + (9 * 3 + 4) * 8] = 1;
  EXPECT_EQ(dae_cycles(&io), 0x200000005u);
  EXPECT_EQ(dae_read_counter(&io, 3, 4), 0x100000006u);
}

TEST(DriverMmio, AccessesMappedRegisters) {
  uint32_t registers[8] = {};
  const dae_io io = dae_mmio(registers);
  io.write32(io.ctx, 0x14, 7);
  EXPECT_EQ(registers[5], 7u);
  EXPECT_EQ(dae_status(&io), 7u);
}

} // namespace
