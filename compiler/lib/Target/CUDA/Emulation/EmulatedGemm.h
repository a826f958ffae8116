// What libraries compute, on the emulator's memory.
#pragma once

#include "Emulator.h"

#include "cuda_gemm.h"

namespace daedalus::cuda {

/// x times y to out, by plain loops: sums of float32 in the order of k, of int32 exact. Counted is an
/// instruction a product, and the bytes. The error says which memory is none, or has bytes that nobody wrote.
Result<EmulationCounts> multiply(Emulator &emulator, const Gemm &gemm, uint64_t x, uint64_t y, uint64_t out);

} // namespace daedalus::cuda
