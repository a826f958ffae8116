// The code of a package for emulation, and its launches as the emulator takes them.
#pragma once

#include "Emulator.h"

#include "cuda_code.h"

namespace daedalus::cuda {

/// Of code with an image for emulation; the error says that it has none, or is the emulator's.
Result<std::unique_ptr<Emulator>> emulatorOf(const Code &code);

/// What a kernel of such code launches.
const std::vector<Launch> &emulatedLaunches(const Code &code, size_t kernel);

/// Of a function of the image.
EmulatedLaunch emulatedLaunch(const Launch &launch, const Places &places);

/// Executes a launch of either kind: a function of the image, or what a library computes.
Result<EmulationCounts> execute(Emulator &emulator, const Launch &launch, const Places &places);

} // namespace daedalus::cuda
