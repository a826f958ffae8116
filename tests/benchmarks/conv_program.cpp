#include "benchmarks/conv_program.h"

#include "daedalus/isa/tokens.h"

namespace daedalus::testing {
namespace {

using namespace isa;
using Conv = ConvProgram;

constexpr uint32_t N = 16, Blocks = Conv::Channels / N, Padded = Conv::Width + 2;
constexpr uint32_t LineBytes = Conv::Width * Conv::Channels, PaddedBytes = Padded * Conv::Channels;
constexpr uint32_t Pixels = Conv::TileRows * Conv::Width;
constexpr uint32_t Tiles = Blocks * Conv::Kernel * Conv::Kernel * Blocks;

/// The buffer of a tile: the scratchpad's halves, or two banks of ACC, in turn.
uint16_t buffer(const Machine &machine, Scope scope, uint32_t tile) {
  const uint32_t rows = machine.rows(scope);
  return static_cast<uint16_t>(tile % 2 * (scope == Scope::Acc ? rows / machine.banks(scope) : rows / 2));
}

Load loadConstants(Scope scope, uint32_t offset, uint32_t bytes, uint32_t runs) {
  Load load;
  load.scope = scope;
  load.offset = offset;
  load.unbounded = true;
  load.runBytes = static_cast<uint16_t>(bytes / runs);
  load.loops[2] = {static_cast<uint16_t>(runs), load.runBytes, load.runBytes};
  return load;
}

/// The input lines of a tile with a pixel of padding around the tensor.
Load loadTile(const Machine &machine, const Conv &conv, uint32_t tile) {
  const uint32_t line = tile * Conv::TileRows; // the tile begins a line and a pixel before it
  Load load;
  load.base = 1;
  load.scope = Scope::Inp;
  load.offset = conv.inputOffset + line * LineBytes - LineBytes - Conv::Channels;
  load.dst = buffer(machine, Scope::Inp, tile) * N;
  load.runBytes = PaddedBytes;
  load.loops[1] = {Conv::TileRows + 2, LineBytes, PaddedBytes};
  load.originY = static_cast<int16_t>(line) - 1;
  load.originX = -int16_t(Conv::Channels);
  load.extentY = static_cast<uint16_t>(conv.height);
  load.extentX = LineBytes;
  return load;
}

Gemm multiplyTile(const Machine &machine, uint32_t tile) {
  constexpr int16_t pixel = Blocks, line = Padded * Blocks;
  Gemm gemm;
  gemm.inp = buffer(machine, Scope::Inp, tile);
  gemm.acc = buffer(machine, Scope::Acc, tile);
  gemm.reduction = 0b001110;
  gemm.loops[0] = {Blocks, 0, Tiles / Blocks, 1}; // output block
  gemm.loops[1] = {Conv::Kernel, line, Conv::Kernel * Blocks, 0};
  gemm.loops[2] = {Conv::Kernel, pixel, Blocks, 0};
  gemm.loops[3] = {Blocks, 1, 1, 0}; // input block
  gemm.loops[4] = {Conv::TileRows, line, 0, Conv::Width * Blocks};
  gemm.loops[5] = {Conv::Width, pixel, 0, Blocks};
  return gemm;
}

Vector requantTile(const Machine &machine, uint32_t tile) {
  Vector vector;
  vector.op = VectorOp::Requant;
  vector.aScope = Scope::Acc;
  vector.bScope = Scope::Param;
  vector.dstScope = Scope::Out;
  vector.a = buffer(machine, Scope::Acc, tile);
  vector.dst = buffer(machine, Scope::Out, tile);
  vector.lo = -128;
  vector.hi = 127;
  vector.loops[3] = {Blocks, 1, 1, 1};
  vector.loops[4] = {Pixels, Blocks, Blocks, 0};
  return vector;
}

Store storeTile(const Machine &machine, const Conv &conv, uint32_t tile) {
  Store store;
  store.base = 1;
  store.offset = conv.outputOffset + tile * Conv::TileRows * LineBytes;
  store.src = buffer(machine, Scope::Out, tile);
  store.runBytes = Conv::TileRows * LineBytes;
  return store;
}

} // namespace

ConvProgram convProgram(const Machine &machine, uint32_t height) {
  Conv conv;
  conv.height = height;
  const uint32_t weightBytes = Tiles * N * N, paramBytes = Blocks * 16 * N;
  conv.paramOffset = weightBytes;
  conv.constantBytes = weightBytes + paramBytes;
  conv.inputOffset = 4096; // so that the first tile, which begins before the tensor, has an offset
  conv.outputOffset = conv.inputOffset + height * LineBytes;
  conv.arenaBytes = conv.outputOffset + height * LineBytes;
  conv.instructions = {loadConstants(Scope::Wgt, 0, weightBytes, 4),
                       loadConstants(Scope::Param, conv.paramOffset, paramBytes, 1)};
  for (uint32_t tile = 0; tile < height / Conv::TileRows; ++tile) {
    conv.instructions.push_back(loadTile(machine, conv, tile));
    conv.instructions.push_back(multiplyTile(machine, tile));
    conv.instructions.push_back(requantTile(machine, tile));
    conv.instructions.push_back(storeTile(machine, conv, tile));
  }
  assignTokens(conv.instructions, machine, 1);
  conv.instructions.push_back(Finish{});
  return conv;
}

} // namespace daedalus::testing
