#include "EmulatedCode.h"

#include "EmulatedConv.h"
#include "EmulatedGemm.h"

namespace daedalus::cuda {

Result<std::unique_ptr<Emulator>> emulatorOf(const Code &code) {
  const Result<const Image *> image = emulatedImage(code);
  if (!image)
    return error(image.error());
  return Emulator::create(std::string((*image)->bytes.begin(), (*image)->bytes.end()));
}

const std::vector<Launch> &emulatedLaunches(const Code &code, size_t kernel) {
  return (*emulatedImage(code))->kernels[kernel].launches;
}

EmulatedLaunch emulatedLaunch(const Launch &launch, const Places &places) {
  return {launch.function, launch.grid, launch.block, launch.sharedBytes, argumentsOf(launch, places)};
}

Result<EmulationCounts> execute(Emulator &emulator, const Launch &launch, const Places &places) {
  if (!launch.call)
    return emulator.run(emulatedLaunch(launch, places));
  const std::vector<uint64_t> at = argumentsOf(launch, places);
  const auto *gemm = std::get_if<Gemm>(&*launch.call);
  Result<EmulationCounts> counts =
      gemm ? multiply(emulator, *gemm, at[0], at[1], at[2])
           : convolve(emulator, std::get<Conv>(*launch.call), at[0], at[1], at[2]);
  return counts ? std::move(counts) : error("'" + launch.function + "': " + counts.error());
}

} // namespace daedalus::cuda
