#include "EmulatedCode.h"

namespace daedalus::cuda {

Result<std::unique_ptr<Emulator>> emulatorOf(const Code &code) {
  const Result<std::string> text = textForEmulation(code);
  return text ? Emulator::create(*text) : error(text.error());
}

EmulatedLaunch emulatedLaunch(const Launch &launch, const Places &places) {
  return {launch.function, launch.grid, launch.block, launch.sharedBytes, argumentsOf(launch, places)};
}

} // namespace daedalus::cuda
