// LOAD run by run: the data bytes of a run are one copy, its fill one or two more.
#include "common/loop_nest.h"
#include "kernels/kernels.h"

#include <algorithm>
#include <cstring>

namespace daedalus::sim::kernels {
namespace {

void copy(uint8_t *dst, const uint8_t *src, size_t bytes, bool flip) {
  if (!flip) {
    std::memcpy(dst, src, bytes);
    return;
  }
  for (size_t k = 0; k < bytes; ++k)
    dst[k] = src[k] ^ 0x80;
}

/// The data bytes [begin, end) of the run of this iteration; the others are fill.
struct Data {
  int64_t begin, end;
};

Data dataOf(const isa::Load &load, const LoopNest<isa::LoadLoop, 3> &nest) {
  const int64_t run = load.runBytes;
  if (load.unbounded)
    return {0, run};
  const int64_t y = load.originY + int64_t(nest.index(1));
  if (y < 0 || y >= load.extentY)
    return {run, run};
  const int64_t x = load.originX + int64_t(nest.index(2)) * load.loops[2].dramStride;
  const int64_t begin = std::clamp<int64_t>(-x, 0, run);
  return {begin, std::clamp<int64_t>(load.extentX - x, begin, run)};
}

/// `src` is the first data byte of the run.
void writeDiagonal(const isa::Load &load, uint8_t *dst, const uint8_t *src, const Data &data, int64_t n) {
  std::memset(dst, 0, size_t(load.runBytes * n));
  for (int64_t k = 0; k < load.runBytes; ++k) {
    const bool isData = k >= data.begin && k < data.end;
    const uint8_t flip = load.unsignedData ? 0x80 : 0;
    dst[k * n + k] = isData ? src[k - data.begin] ^ flip : static_cast<uint8_t>(load.fill);
  }
}

void writeRun(const isa::Load &load, uint8_t *dst, const uint8_t *src, const Data &data, int64_t tail) {
  std::memset(dst, load.fill, size_t(data.begin));
  if (data.end > data.begin)
    copy(dst + data.begin, src, size_t(data.end - data.begin), load.unsignedData);
  std::memset(dst + data.end, load.fill, size_t(load.runBytes - data.end + tail));
}

} // namespace

bool execute(const isa::Load &load, CoreState &core) {
  std::vector<uint8_t> &scope = core.scratchpad(load.scope);
  const BaseRegister &base = core.bases[load.base];
  const int64_t n = core.machine.n;
  LoopNest nest(load.loops);
  do {
    const int64_t dram = int64_t(load.offset) + nest.offset(&isa::LoadLoop::dramStride);
    const int64_t dst = int64_t(load.dst) + nest.offset(&isa::LoadLoop::dstStride);
    const int64_t written = load.runBytes * (load.diagonal ? n : 1);
    if (dst < 0 || dst + written > int64_t(scope.size()))
      return false;
    const Data data = dataOf(load, nest);
    const bool reads = data.end > data.begin;
    if (reads &&
        (dram + data.begin < 0 || dram + data.end > int64_t(base.limit) ||
         !core.dram.holds(base.address + uint64_t(dram + data.begin), uint64_t(data.end - data.begin))))
      return false;
    const uint8_t *src = reads ? core.dram.at(base.address + uint64_t(dram + data.begin)) : nullptr;
    if (load.diagonal)
      writeDiagonal(load, scope.data() + dst, src, data, n);
    else
      writeRun(load, scope.data() + dst, src, data, load.tailFill ? (n - (dst + load.runBytes) % n) % n : 0);
  } while (nest.next());
  return true;
}

} // namespace daedalus::sim::kernels
