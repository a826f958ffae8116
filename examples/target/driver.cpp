// The runtime's part of the lanes machine: a simulator of it, which works in a thread of its own while the
// host goes on. Code and sizes may come from anyone, and are checked.

#include "lanes.h"

#include <daedalus/runtime/drivers.h>

#include <algorithm>
#include <future>

using namespace daedalus;

namespace {

constexpr uint64_t mostMemory = uint64_t(1) << 30;

uint8_t computed(lanes::Operation operation, int8_t a, int8_t b) {
  switch (operation) {
  case lanes::Operation::SaturatingSum:
    return static_cast<uint8_t>(std::clamp(int(a) + int(b), -128, 127));
  case lanes::Operation::Maximum:
    return static_cast<uint8_t>(std::max(a, b));
  case lanes::Operation::Minimum:
    return static_cast<uint8_t>(std::min(a, b));
  }
  return 0;
}

class Driver : public runtime::DeviceDriver {
public:
  Driver(std::vector<lanes::Kernel> kernels, uint64_t bytes) : kernels(std::move(kernels)), memory(bytes) {}

  /// Its cycles are simulated: they are no time.
  runtime::DeviceProperties properties() const override { return {"lanes machine, simulated", 0}; }

  Result<void> write(uint64_t offset, Span<const uint8_t> bytes) override {
    std::copy(bytes.begin(), bytes.end(), &memory[offset]);
    return {};
  }
  Result<void> read(uint64_t offset, Span<uint8_t> bytes) override {
    std::copy_n(&memory[offset], bytes.size(), bytes.begin());
    return {};
  }

  Result<uint64_t> submit(size_t kernel, Span<const uint64_t> operands) override {
    std::shared_future<uint64_t> before = events.empty() ? std::shared_future<uint64_t>() : events.back();
    events.push_back(std::async(std::launch::async, [this, before, kernel, a = operands[0], b = operands[1],
                                                     out = operands[2]] {
                       if (before.valid())
                         before.wait();
                       return run(kernels[kernel], a, b, out);
                     }).share());
    return events.size() - 1;
  }
  Result<uint64_t> wait(uint64_t event) override { return events[event].get(); }

private:
  uint64_t run(const lanes::Kernel &kernel, uint64_t a, uint64_t b, uint64_t out) {
    for (uint64_t i = 0; i < kernel.elements; ++i)
      memory[out + i] =
          computed(kernel.operation, static_cast<int8_t>(memory[a + i]), static_cast<int8_t>(memory[b + i]));
    return lanes::cyclesOf(kernel);
  }

  const std::vector<lanes::Kernel> kernels;
  std::vector<uint8_t> memory;
  std::vector<std::shared_future<uint64_t>> events;
};

/// The kernel at a place of the code, if its signature is the one that the code needs.
Result<lanes::Kernel> kernelAt(const package::Device &device, size_t index) {
  uint64_t numbers[3];
  std::memcpy(numbers, &device.code[index * lanes::kernelBytes], sizeof numbers);
  const lanes::Kernel kernel{lanes::Operation(numbers[0]), numbers[1], numbers[2]};
  const std::vector<package::KernelArgument> &arguments = device.kernels[index].arguments;
  const bool fits =
      arguments.size() == 3 && std::all_of(arguments.begin(), arguments.end(), [&](const auto &argument) {
        return argument.type.dtype == package::DType::I8 &&
               package::elementCount(argument.type) == kernel.elements;
      });
  if (!fits || kernel.operation > lanes::Operation::Minimum || kernel.lanes < 1)
    return error("the code of the kernel '" + device.kernels[index].symbol + "' is damaged");
  return kernel;
}

Result<std::unique_ptr<runtime::DeviceDriver>> openLanes(const package::Device &device) {
  if (device.memoryBytes > mostMemory)
    return error("it has " + std::to_string(mostMemory) + " bytes of memory, and the package needs " +
                 std::to_string(device.memoryBytes));
  if (device.code.size() != device.kernels.size() * lanes::kernelBytes)
    return error("its code has " + std::to_string(device.code.size()) + " bytes for " +
                 std::to_string(device.kernels.size()) + " kernels; expected " +
                 std::to_string(lanes::kernelBytes) + " for each");
  std::vector<lanes::Kernel> kernels;
  for (size_t i = 0; i < device.kernels.size(); ++i) {
    const Result<lanes::Kernel> kernel = kernelAt(device, i);
    if (!kernel)
      return error(kernel.error());
    kernels.push_back(*kernel);
  }
  return std::unique_ptr<runtime::DeviceDriver>(
      std::make_unique<Driver>(std::move(kernels), device.memoryBytes));
}

} // namespace

DAEDALUS_DRIVER(lanes::name, openLanes)
