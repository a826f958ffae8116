// Rows of runs: what is looked up once for all runs of the innermost loop.
#include "common/load_costs.h"

namespace daedalus::sim {
namespace {

/// Of a power of two.
uint32_t shiftOf(uint32_t power) {
  return static_cast<uint32_t>(__builtin_ctz(power));
}

} // namespace

LoadCosts::LoadCosts(const isa::Load &load, const isa::Machine &machine, uint64_t baseAddress)
    : load(load), inner(load.loops[2]), baseAddress(baseAddress), runBytes(load.runBytes),
      burstMask(machine.maxBurstBeats * machine.busBytes - 1), beatMask(machine.busBytes - 1),
      beatShift(shiftOf(machine.busBytes)), rowMask(machine.n - 1), rowShift(shiftOf(machine.n)),
      isDiagonal(load.diagonal), extentX(load.extentX) {
  beginRow();
}

void LoadCosts::beginRow() {
  int64_t offset = load.offset, dst = load.dst;
  for (unsigned loop = 0; loop < 2; ++loop) {
    offset += int64_t(index[loop]) * load.loops[loop].dramStride;
    dst += int64_t(index[loop]) * load.loops[loop].dstStride;
  }
  runAddress = baseAddress + static_cast<uint64_t>(offset);
  runDst = static_cast<uint64_t>(dst);
  x = load.originX;
  const int64_t y = int64_t(load.originY) + index[1];
  const bool isFill = !load.unbounded && (y < 0 || y >= load.extentY);
  isUniform = load.unbounded || isFill;
  dataBegin = isFill ? runBytes : 0;
  dataEnd = runBytes;
  if (!isUniform)
    placeData();
}

void LoadCosts::nextRow() {
  index[2] = 0;
  for (int loop = 1; loop >= 0; --loop) {
    if (++index[loop] < load.loops[loop].count)
      return beginRow();
    index[loop] = 0;
  }
  done = true;
}

} // namespace daedalus::sim
