// The list of engines.
#include "daedalus/simulator/device.h"

#include "daedalus/isa/dram.h"
#include "functional/engine.h"
#include "rtl/engine.h"
#include "systemc/engine.h"

namespace daedalus::sim {

Device::~Device() = default;

std::vector<std::string> engineNames() {
  return {"functional", "systemc", "rtl"};
}

Result<std::unique_ptr<Device>> createDevice(const std::string &engine, const isa::Machine &machine,
                                             const DeviceOptions &options) {
  if (options.dramBytes % 64)
    return error("a DRAM of " + std::to_string(options.dramBytes) + " bytes: expected a multiple of 64");
  if (reinterpret_cast<uintptr_t>(options.dram) % 4096)
    return error("the memory that is given for a DRAM does not begin at a multiple of 4096");
  if (machine.memoryModel && (options.memory.latencySpread || options.memory.silence))
    return error("the memory '" + isa::memoryModelName(machine) + "' of machine " + machine.name +
                 " has latencies of its own; latencySpread and silence are for a memory without a model");
  std::unique_ptr<Device> device;
  if (engine == "functional")
    device = std::make_unique<functional::Engine>(machine, options);
  else if (engine == "systemc")
    device = std::make_unique<systemc::Engine>(machine, options);
  else if (engine == "rtl") {
    auto created = rtl::Engine::create(machine, options);
    if (!created)
      return error(created.error());
    device = std::move(*created);
  } else
    return error("unknown engine '" + engine + "': expected functional, systemc or rtl");
  if (device->dram().size() != options.dramBytes)
    return error("no memory for a DRAM of " + std::to_string(options.dramBytes) +
                 " bytes: choose a smaller one");
  return device;
}

} // namespace daedalus::sim
