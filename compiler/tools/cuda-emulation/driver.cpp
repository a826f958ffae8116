// A driver of no GPU: executes what --cuda-arch emulated leaves in a package, one thread after the other, and
// stops at what no GPU would notice, such as races. `daedalus run model.dae --driver
// daedalus-cuda-emulation.so`
#include "Emulation/EmulatedCode.h"

#include "daedalus/runtime/drivers.h"

#include <map>

namespace daedalus::cuda {
namespace {

using runtime::DeviceDriver;

uint64_t bytesOf(const package::KernelArgument &argument) {
  return package::byteSize(argument.type);
}

class EmulationDriver : public DeviceDriver {
public:
  EmulationDriver(const package::Device &device, Code code, std::unique_ptr<Emulator> emulator)
      : device(device), code(std::move(code)), emulator(std::move(emulator)), memory(device.memoryBytes) {}

  /// Ticks are instructions of all threads.
  runtime::DeviceProperties properties() const override { return {"emulated GPU", 0}; }
  Span<uint8_t> map() override { return {memory.data(), memory.size()}; }
  Result<void> write(uint64_t offset, Span<const uint8_t> bytes) override {
    std::copy(bytes.begin(), bytes.end(), memory.begin() + offset);
    return {};
  }
  Result<void> read(uint64_t offset, Span<uint8_t> bytes) override {
    std::copy_n(memory.begin() + offset, bytes.size(), bytes.begin());
    return {};
  }

  Result<uint64_t> submit(size_t number, Span<const uint64_t> operands) override {
    const package::Kernel &kernel = device.kernels[number];
    Result<std::map<uint64_t, uint64_t>> buffers = place(kernel, operands);
    if (!buffers)
      return error(buffers.error());
    const uint64_t scratch = emulator->allocate(code.scratchBytes), status = emulator->allocate(statusBytes);
    StatusWords words{};
    if (auto ok = emulator->write(status, {reinterpret_cast<uint8_t *>(words.data()), statusBytes}); !ok)
      return error(ok.error());
    Places places{{}, scratch, firstConstant(), status};
    for (uint64_t operand : operands)
      places.operands.push_back((*buffers)[operand]);
    uint64_t instructions = 0;
    for (const Launch &launch : emulatedLaunches(code, number)) {
      const Result<EmulationCounts> counts = execute(*emulator, launch, places);
      if (!counts)
        return error(counts.error());
      instructions += counts->instructions;
    }
    if (auto ok = emulator->read(status, {reinterpret_cast<uint8_t *>(words.data()), statusBytes}); !ok)
      return error(ok.error());
    if (auto ok = outcomeOf(words); !ok)
      return error(ok.error());
    if (auto ok = takeBack(kernel, operands, *buffers); !ok)
      return error(ok.error());
    ticks.push_back(instructions);
    return ticks.size() - 1;
  }
  Result<uint64_t> wait(uint64_t event) override { return ticks[event]; }

private:
  /// Memory of its own for each operand, of which outputs are written by nobody yet.
  Result<std::map<uint64_t, uint64_t>> place(const package::Kernel &kernel, Span<const uint64_t> operands) {
    std::map<uint64_t, uint64_t> buffers;
    for (size_t i = 0; i < operands.size(); ++i) {
      const uint64_t bytes = bytesOf(kernel.arguments[i]);
      const auto [found, isNew] = buffers.try_emplace(operands[i], 0);
      if (isNew)
        found->second = emulator->allocate(bytes);
      if (kernel.arguments[i].access == package::KernelArgument::Access::Write)
        continue;
      if (auto ok = emulator->write(found->second, {memory.data() + operands[i], bytes}); !ok)
        return error(ok.error());
    }
    return buffers;
  }

  Result<void> takeBack(const package::Kernel &kernel, Span<const uint64_t> operands,
                        std::map<uint64_t, uint64_t> &buffers) {
    for (size_t i = 0; i < operands.size(); ++i)
      if (kernel.arguments[i].access == package::KernelArgument::Access::Write)
        if (auto ok = emulator->read(buffers[operands[i]],
                                     {memory.data() + operands[i], bytesOf(kernel.arguments[i])});
            !ok)
          return ok;
    return {};
  }

  uint64_t firstConstant() {
    if (!constants) {
      constants = emulator->allocate(code.constants.size());
      (void)emulator->write(*constants, {code.constants.data(), code.constants.size()});
    }
    return *constants;
  }

  const package::Device &device;
  const Code code;
  const std::unique_ptr<Emulator> emulator;
  std::vector<uint8_t> memory;
  std::optional<uint64_t> constants;
  std::vector<uint64_t> ticks;
};

} // namespace

Result<std::unique_ptr<DeviceDriver>> openEmulation(const package::Device &device) {
  Result<Code> code = readCode(device);
  if (!code)
    return error(code.error());
  Result<std::unique_ptr<Emulator>> emulator = emulatorOf(*code);
  if (!emulator)
    return error(emulator.error());
  return std::unique_ptr<DeviceDriver>(
      std::make_unique<EmulationDriver>(device, std::move(*code), std::move(*emulator)));
}

} // namespace daedalus::cuda

DAEDALUS_DRIVER(daedalus::cuda::emulationName, daedalus::cuda::openEmulation)
