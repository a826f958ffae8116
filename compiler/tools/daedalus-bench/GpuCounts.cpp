// See GpuCounts.h.

#include "GpuCounts.h"

#include <algorithm>

namespace daedalus::cli {
namespace {

using cuda::EmulationCounts;
using cuda::Emulator;

/// The first, the last, and between them as many as are wanted at equal distances.
std::vector<uint64_t> someOf(uint64_t blocks, uint64_t wanted) {
  std::vector<uint64_t> some;
  wanted = std::max<uint64_t>(2, wanted);
  if (blocks > wanted)
    for (uint64_t i = 0; i < wanted; ++i)
      some.push_back(i * (blocks - 1) / (wanted - 1));
  return some;
}

void scale(EmulationCounts &counts, uint64_t blocks, uint64_t counted) {
  for (uint64_t *count : {&counts.instructions, &counts.globalBytesLoaded, &counts.globalBytesStored,
                          &counts.globalSectors, &counts.sharedAccesses, &counts.bankConflicts,
                          &counts.barriers, &counts.asyncCopies, &counts.tensorInstructions})
    *count = *count * blocks / counted;
}

class Counting {
public:
  Counting(const package::Package &package, const cuda::Code &code, Emulator &emulator, uint64_t blocksOfEach)
      : package(package), device(package.devices.front()), code(code), emulator(emulator),
        blocksOfEach(blocksOfEach), constants(filled(code.constants)) {}

  Result<std::vector<LaunchCounts>> run() {
    for (const package::Step &step : package.functions.front().steps)
      if (step.kind == package::Step::Kind::CallDevice)
        if (auto ok = call(step); !ok)
          return error(ok.error());
    return std::move(all);
  }

private:
  uint64_t filled(const std::vector<uint8_t> &bytes) {
    const uint64_t address = emulator.allocate(std::max<uint64_t>(bytes.size(), 1));
    (void)emulator.write(address, {bytes.data(), bytes.size()});
    return address;
  }
  uint64_t zeros(uint64_t bytes) { return filled(std::vector<uint8_t>(bytes, 0)); }

  Result<void> call(const package::Step &step) {
    cuda::Places places{{}, zeros(code.scratchBytes), constants, zeros(cuda::statusBytes)};
    for (const package::KernelArgument &argument : device.kernels[step.index].arguments)
      places.operands.push_back(zeros(package::byteSize(argument.type)));
    for (const cuda::Launch &launch : cuda::emulatedLaunches(code, step.index)) {
      if (launch.call) // a library's, whose launches nobody knows
        continue;
      cuda::EmulatedLaunch made = cuda::emulatedLaunch(launch, places);
      LaunchCounts result;
      result.node = step.layer == package::noLayer ? "" : package.layers[step.layer].node;
      result.launch = launch;
      result.blocks = uint64_t(launch.grid[0]) * launch.grid[1] * launch.grid[2];
      made.blocks = someOf(result.blocks, blocksOfEach);
      result.counted = made.blocks.empty() ? result.blocks : made.blocks.size();
      const Result<EmulationCounts> counts = emulator.run(made);
      if (!counts)
        return error(counts.error());
      result.counts = *counts;
      scale(result.counts, result.blocks, result.counted);
      all.push_back(std::move(result));
    }
    return {};
  }

  const package::Package &package;
  const package::Device &device;
  const cuda::Code &code;
  Emulator &emulator;
  const uint64_t blocksOfEach, constants;
  std::vector<LaunchCounts> all;
};

} // namespace

Result<std::vector<LaunchCounts>> countLaunches(const package::Package &package, uint64_t blocksOfEach) {
  if (package.devices.size() != 1 || package.devices.front().name != cuda::emulationName)
    return error("nothing of the model runs on the GPU");
  const package::Device &device = package.devices.front();
  const Result<cuda::Code> code = cuda::readCode(device);
  if (!code)
    return error(code.error());
  const Result<std::unique_ptr<Emulator>> emulator = cuda::emulatorOf(*code);
  if (!emulator)
    return error(emulator.error());
  return Counting(package, *code, **emulator, blocksOfEach).run();
}

} // namespace daedalus::cli
