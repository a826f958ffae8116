#include "common/store_costs.h"

namespace daedalus::sim {

StoreBounds boundsOf(const isa::Store &store, const isa::Machine &machine) {
  const int64_t rows = (int64_t(store.runBytes) + machine.n - 1) / machine.n;
  StoreBounds bounds{store.offset, int64_t(store.offset) + store.runBytes, store.src,
                     int64_t(store.src) + rows};
  for (const isa::StoreLoop &loop : store.loops) {
    const int64_t last = int64_t(loop.count) - 1;
    (loop.dramStride < 0 ? bounds.dramBegin : bounds.dramEnd) += last * loop.dramStride;
    (loop.srcStride < 0 ? bounds.rowBegin : bounds.rowEnd) += last * loop.srcStride;
  }
  return bounds;
}

StoreCosts::StoreCosts(const isa::Store &store, const isa::Machine &machine, uint64_t baseAddress)
    : loops(store.loops), begin(baseAddress + store.offset),
      innerStride(static_cast<uint64_t>(int64_t(store.loops[2].dramStride))),
      innerCount(store.loops[2].count), runBytes(store.runBytes),
      burstMask(machine.maxBurstBeats * machine.busBytes - 1), beatMask(machine.busBytes - 1),
      beatShift(static_cast<uint32_t>(__builtin_ctz(machine.busBytes))), runAddress(begin) {}

void StoreCosts::nextRow() {
  index[2] = 0;
  for (int loop = 1; loop >= 0; --loop) {
    if (++index[loop] < loops[loop].count)
      return beginRow();
    index[loop] = 0;
  }
  done = true;
}

void StoreCosts::beginRow() {
  runAddress = begin;
  for (unsigned loop = 0; loop < 2; ++loop)
    runAddress += static_cast<uint64_t>(int64_t(index[loop]) * loops[loop].dramStride);
}

} // namespace daedalus::sim
