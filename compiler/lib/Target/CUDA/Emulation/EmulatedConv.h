// Convolutions that libraries compute, on the emulator's memory.
#pragma once

#include "Emulator.h"

#include "cuda_conv.h"

namespace daedalus::cuda {

/// x by the filters w to out, by plain loops: sums of float32 in the order of channels, rows and columns of a
/// window. Counted is an instruction a product, those with zeros around the image too, and the bytes. The
/// error says which memory is none, or has bytes that nobody wrote.
Result<EmulationCounts> convolve(Emulator &emulator, const Conv &conv, uint64_t x, uint64_t w, uint64_t out);

} // namespace daedalus::cuda
