// A convolution by hand: 3 x 3, stride 1, padding 1, 56 pixels wide, 64 to 64 channels, on `default`.
//
// Weights and parameters stay on chip. A tile is two output rows; its input (with halo), accumulators and
// results are double-buffered, so that LOAD, GEMM, VECTOR and STORE of neighbouring tiles overlap.
#pragma once

#include "daedalus/isa/instructions.h"
#include "daedalus/isa/machine.h"

#include <vector>

namespace daedalus::testing {

struct ConvProgram {
  static constexpr uint32_t Width = 56, Channels = 64, Kernel = 3, TileRows = 2;

  std::vector<isa::Instruction> instructions;
  uint32_t height = 0;       ///< output rows, a multiple of TileRows
  uint32_t weightOffset = 0; ///< from base register 0: tiles [output block][ky][kx][input block][o][i]
  uint32_t paramOffset = 0;  ///< from base register 0: PARAM rows of the output blocks
  uint32_t inputOffset = 0;  ///< from base register 1: NHWC
  uint32_t outputOffset = 0; ///< from base register 1: NHWC
  uint32_t constantBytes = 0, arenaBytes = 0;

  uint64_t macs() const { return uint64_t(height) * Width * Channels * Channels * Kernel * Kernel; }
};

/// The program for `default` or another machine of N = 16 that is no smaller.
ConvProgram convProgram(const isa::Machine &machine, uint32_t height = 56);

} // namespace daedalus::testing
