// The accelerator by Linux's UIO, without the kernel's part: the registers are a file that a thread plays the
// hardware on, the memory another. A file has no registers that are cleared by a write, so each test starts
// one program.

#include "run_package.h"
#include "uio_files.h"

#include "daedalus/runtime/drivers.h"
#include "daedalus/simulator/device.h"

#include <gmock/gmock.h>

#include <atomic>
#include <sys/socket.h>
#include <thread>

namespace daedalus::runtime {
namespace {

using test::UioFiles;
using ::testing::Contains;
using ::testing::HasSubstr;

/// Hardware: does what the register CONTROL says, on its own mapping of the two files.
class Hardware {
public:
  Hardware(void *registers, void *memory, uint64_t bytes, uint64_t address, const isa::Machine &machine)
      : registers(static_cast<std::atomic<uint32_t> *>(registers)) {
    sim::DeviceOptions options;
    options.dram = static_cast<uint8_t *>(memory);
    options.dramBytes = bytes;
    options.memory.origin = address;
    device = std::move(*sim::createDevice("systemc", machine, options));
    show();
    thread = std::thread([this] { play(); });
  }
  ~Hardware() {
    ends = true;
    thread.join();
  }

  std::atomic<bool> answers{true};

private:
  void play() {
    for (; !ends; std::this_thread::yield()) {
      const uint32_t told = registers[DAEDALUS_REG_CONTROL / 4].exchange(0);
      if (!told || !answers)
        continue;
      for (uint32_t i = 0; told == DAEDALUS_CONTROL_START && i < count; ++i)
        device->writeRegister(4 * i, registers[i]);
      device->writeRegister(DAEDALUS_REG_CONTROL, told);
      device->waitForInterrupt();
      show();
    }
  }

  /// What the hardware writes: INTERRUPT comes last, so that who sees it sees the others.
  void show() {
    show(DAEDALUS_REG_VERSION, DAEDALUS_REG_HASH_HI);
    show(DAEDALUS_REG_STATUS, DAEDALUS_REG_STATUS);
    show(DAEDALUS_REG_FAULT_CAUSE, DAEDALUS_REG_CYCLES_HI);
    show(DAEDALUS_REG_COUNTER_LO, 4 * count - 4);
    show(DAEDALUS_REG_INTERRUPT, DAEDALUS_REG_INTERRUPT);
  }
  void show(uint32_t first, uint32_t last) {
    for (uint32_t offset = first; offset <= last; offset += 4)
      registers[offset / 4] = device->readRegister(offset);
  }

  static constexpr uint32_t count = 1024;
  std::atomic<uint32_t> *registers;
  std::unique_ptr<sim::Device> device;
  std::atomic<bool> ends{false};
  std::thread thread;
};

class Uio : public UioFiles {
protected:
  void start(const std::string &machine = "tiny") {
    hardware = std::make_unique<Hardware>(map("registers", registerBytes), map("memory", memoryBytes),
                                          memoryBytes, address, *isa::loadMachine(machine));
    variables.set("DAEDALUS_UIO", path("registers"));
    variables.set("DAEDALUS_UIO_MEMORY", path("memory"));
  }
  std::atomic<uint32_t> &pending() {
    return static_cast<std::atomic<uint32_t> *>(device.registers)[DAEDALUS_REG_INTERRUPT / 4];
  }

  std::unique_ptr<Hardware> hardware;
  test::Variables variables;
};

TEST_F(Uio, RunsAPackage) {
  start();
  EXPECT_THAT(engineNames(), Contains(hardwareEngine));
  test::expectRunOfSystemc(hardwareEngine);
}

/// What makes a package fail on the engine.
std::string problemOf(package::Package package = test::runnablePackage()) {
  const auto run = test::runPackage(hardwareEngine, std::move(package));
  return run ? "it runs" : run.error();
}

TEST_F(Uio, SaysWhatKeepsAPackageFromRunning) {
  start();
  variables.set("DAEDALUS_UIO_TIMEOUT", "50");
  hardware->answers = false;
  EXPECT_EQ(problemOf(), "accelerator program 0 did not stop: no interrupt came within 50 ms");
  for (const char *text : {"0", "fast", "86400001"}) {
    variables.set("DAEDALUS_UIO_TIMEOUT", text);
    EXPECT_THAT(problemOf(), HasSubstr(std::string("DAEDALUS_UIO_TIMEOUT is '") + text +
                                       "'; expected milliseconds, a whole number from 1 to 86400000"));
  }
  variables.set("DAEDALUS_UIO_TIMEOUT", "1000");
  package::Package large = test::runnablePackage();
  large.arenaBytes = memoryBytes;
  EXPECT_THAT(problemOf(large), HasSubstr("the engine 'uio' cannot be opened: the package needs"));
  variables.set("DAEDALUS_UIO", path("nothing"));
  EXPECT_THAT(problemOf(),
              HasSubstr("the engine 'uio' cannot be opened: cannot open '" + path("nothing") +
                        "': No such file or directory; DAEDALUS_UIO and DAEDALUS_UIO_MEMORY name"));
}

TEST_F(Uio, SaysWhichMachineTheHardwareIs) {
  start("vta");
  EXPECT_THAT(problemOf(), HasSubstr("the package was made for the machine 'tiny' (hash "));
  EXPECT_THAT(problemOf(), HasSubstr("), the device is 'vta' (hash "));
  hardware.reset();
  start("vta,n=8,bus_bytes=8");
  EXPECT_THAT(problemOf(), HasSubstr("), the device is another one (hash "));
}

TEST_F(Uio, HasNoOptionsOfSimulators) {
  start();
  SessionOptions options;
  options.engine = hardwareEngine;
  options.timingOnly = true;
  EXPECT_THAT(Session::create(test::runnablePackage(), options).error(), HasSubstr("it has no timing only"));
  options.timingOnly = false;
  options.waves = path("waves.fst");
  EXPECT_THAT(Session::create(test::runnablePackage(), options).error(), HasSubstr("it has no waves"));
}

TEST_F(Uio, MapsRegistersAndMemory) {
  ASSERT_EQ(open(), 0) << device.error;
  device.platform.io.write32(device.platform.io.ctx, DAEDALUS_REG_PROGRAM_LENGTH, 0x12345678);
  device.memory[5] = 9;
  EXPECT_EQ(read("registers").substr(DAEDALUS_REG_PROGRAM_LENGTH, 4), "\x78\x56\x34\x12");
  EXPECT_EQ(read("memory")[5], 9);
  EXPECT_EQ(device.memory_bytes, memoryBytes);
  EXPECT_EQ(device.platform.physical(device.platform.ctx, device.memory + 100), address + 100);
  EXPECT_EQ(device.platform.clean, nullptr);
  EXPECT_EQ(device.platform.invalidate, nullptr);
}

TEST_F(Uio, KeepsTheCacheByTheAttributesOfTheBuffer) {
  write("sync_for_device", "");
  write("sync_for_cpu", "");
  ASSERT_EQ(open(), 0) << device.error;
  device.platform.clean(device.platform.ctx, device.memory + 100, 100);
  device.platform.invalidate(device.platform.ctx, device.memory + 0x10000, 4096);
  EXPECT_EQ(read("sync_for_device"), "0x00000040000000C5"); // three lines to the device
  EXPECT_EQ(read("sync_for_cpu"), "0x0001000000001009");    // 4096 bytes from it
}

TEST_F(Uio, SaysWhatIsWrongWithFiles) {
  write("size", "1048577\n");
  EXPECT_EQ(problem(), "cannot use the memory 'memory': it is smaller than its attribute 'size' says");
  write("size", "0\n");
  EXPECT_EQ(problem(), "cannot use the memory 'memory': it is smaller than its attribute 'size' says");
  write("size", "large\n");
  EXPECT_EQ(problem(), "expected a number in 'size': it holds another text");
  write("size", "1048576\n");
  write("phys_addr", "0x40000800\n");
  EXPECT_EQ(problem(), "cannot use the memory 'memory': its 'phys_addr' is no multiple of 4096");
  unlink(path("phys_addr").c_str());
  EXPECT_EQ(problem(), "cannot open 'phys_addr': No such file or directory");
  unlink(path("memory").c_str());
  EXPECT_EQ(problem(), "cannot open 'memory': No such file or directory");
  write("registers", "short");
  EXPECT_EQ(problem(), "cannot use the registers 'registers': the map is smaller than they are");
}

TEST_F(Uio, TheBufferHasOneUser) {
  ASSERT_EQ(open(), 0) << device.error;
  dae_linux second{};
  EXPECT_EQ(dae_linux_open(&second, path("registers").c_str(), path("memory").c_str(), 1), -1);
  EXPECT_EQ(second.error, "cannot use the memory '" + path("memory") + "': somebody uses it already");
  dae_linux_close(&device);
  EXPECT_EQ(dae_linux_open(&second, path("registers").c_str(), path("memory").c_str(), 1), 0) << second.error;
  dae_linux_close(&second);
}

/// The interrupt of a UIO device: counts are read, and a number that is written enables the next one.
TEST_F(Uio, SleepsUntilTheInterruptThatCounts) {
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), 0);
  ASSERT_EQ(open(), 0) << device.error;
  device.interrupt_file = ends[0];
  std::thread driver([&] {
    uint32_t number = 0;
    for (uint32_t count = 1; count <= 3; ++count) { // the first two are of earlier programs
      EXPECT_EQ(::read(ends[1], &number, sizeof number), ssize_t(sizeof number));
      EXPECT_EQ(number, 1u);
      pending() = count == 3;
      EXPECT_EQ(::write(ends[1], &count, sizeof count), ssize_t(sizeof count));
    }
  });
  EXPECT_EQ(device.platform.wait(device.platform.ctx), 0) << device.error;
  driver.join();
  close(ends[1]);
  pending() = 0;
  EXPECT_EQ(device.platform.wait(device.platform.ctx), 1);
  EXPECT_THAT(device.error, HasSubstr("cannot wait for an interrupt: "));
  close(ends[0]);
}

TEST_F(Uio, AWaitGivesUpAndMayBeTriedAgain) {
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), 0);
  ASSERT_EQ(open(20), 0) << device.error;
  for (int file : {-1, ends[0]}) {
    device.interrupt_file = file;
    pending() = 0;
    EXPECT_EQ(device.platform.wait(device.platform.ctx), 1);
    EXPECT_STREQ(device.error, "no interrupt came within 20 ms");
    pending() = 1;
    EXPECT_EQ(device.platform.wait(device.platform.ctx), 0);
    EXPECT_STREQ(device.error, "");
  }
  close(ends[0]);
  close(ends[1]);
}

} // namespace
} // namespace daedalus::runtime
