// A board with an accelerator whose registers and memory are mapped: a page, a memory, and a simulator that
// reads and writes both while the host waits.
#pragma once

#include "daedalus/runtime/accelerator_port.h"
#include "daedalus/simulator/device.h"

#include "daedalus_isa.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace daedalus::test {

using runtime::AcceleratorPort;
using runtime::AcceleratorRequest;
using runtime::MappedAccelerator;

class Board {
public:
  static constexpr uint64_t origin = uint64_t(1) << 30; ///< of the memory, as the accelerator sees it

  Board(const isa::Machine &machine, uint64_t bytes) : memory(bytes), registers(1024) {
    sim::DeviceOptions options;
    options.dramBytes = bytes;
    options.memory.origin = origin;
    device = std::move(*sim::createDevice("systemc", machine, options));
    show();
  }

  MappedAccelerator mapped() {
    return {registers.data(), {memory.data(), memory.size()}, origin, [this] { return run(); }};
  }

  bool answers = true;

private:
  /// What the hardware does meanwhile: it sees the registers and the memory as the host left them.
  Result<void> run() {
    if (!answers)
      return error("no interrupt within a second");
    if (registers[DAEDALUS_REG_CONTROL / 4] != DAEDALUS_CONTROL_START)
      return error("nothing was started");
    for (size_t i = 0; i < registers.size(); ++i)
      if (i != DAEDALUS_REG_CONTROL / 4)
        device->writeRegister(static_cast<uint32_t>(4 * i), registers[i]);
    std::copy(memory.begin(), memory.end(), device->dram().data());
    device->writeRegister(DAEDALUS_REG_CONTROL, DAEDALUS_CONTROL_START);
    device->waitForInterrupt();
    std::copy_n(device->dram().data(), memory.size(), memory.begin());
    show();
    return {};
  }

  void show() {
    for (size_t i = 0; i < registers.size(); ++i)
      registers[i] = device->readRegister(static_cast<uint32_t>(4 * i));
  }

  std::vector<uint8_t> memory;
  std::vector<uint32_t> registers;
  std::unique_ptr<sim::Device> device;
};

} // namespace daedalus::test
