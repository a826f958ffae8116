// Accelerators whose registers and memory are mapped into the address space.

#include "daedalus/runtime/accelerator_port.h"

#include "dae_driver.h"

namespace daedalus::runtime {
namespace {

class MappedPort : public AcceleratorPort {
public:
  explicit MappedPort(MappedAccelerator given) : mapped(std::move(given)), io(dae_mmio(mapped.registers)) {}

  uint32_t readRegister(uint32_t offset) override { return io.read32(io.ctx, offset); }
  void writeRegister(uint32_t offset, uint32_t value) override { io.write32(io.ctx, offset, value); }
  Span<uint8_t> memory() override { return mapped.memory; }
  uint64_t origin() const override { return mapped.origin; }

  Result<void> waitForInterrupt() override {
    if (mapped.wait)
      return mapped.wait();
    for (uint64_t poll = 0; poll < mapped.polls; ++poll)
      if (dae_pending(&io))
        return {};
    return error("the accelerator has not stopped after " + std::to_string(mapped.polls) +
                 " reads of its status; reset it");
  }

private:
  const MappedAccelerator mapped;
  const dae_io io;
};

} // namespace

Result<std::unique_ptr<AcceleratorPort>> openMapped(MappedAccelerator mapped,
                                                    const AcceleratorRequest &request) {
  if (mapped.memory.size() < request.memoryBytes)
    return error("the package needs " + std::to_string(request.memoryBytes) +
                 " bytes of the accelerator's memory, of which " + std::to_string(mapped.memory.size()) +
                 " are mapped");
  return Result<std::unique_ptr<AcceleratorPort>>(std::make_unique<MappedPort>(std::move(mapped)));
}

} // namespace daedalus::runtime
