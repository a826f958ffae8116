// What the segments of a load cost, in the order of isa::LoadSegments and equal to it and loadWriteCycles
// (R13, R16), without what only faults and traces want to know: addresses go from run to run by one addition.
#pragma once

#include "daedalus/isa/instructions.h"
#include "daedalus/isa/machine.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace daedalus::sim {

struct LoadCost {
  uint32_t beats = 0;  ///< of a burst; 0: fill
  uint32_t writes = 0; ///< cycles of the writer
};

class LoadCosts {
public:
  /// `baseAddress` is the content of the load's base register.
  LoadCosts(const isa::Load &load, const isa::Machine &machine, uint64_t baseAddress);

  /// Writes the next segment's; false when there is none.
  [[gnu::always_inline]] bool next(LoadCost &cost) { // in registers, where a loop takes all of them
    if (done)
      return false;
    const bool isBurst = position >= dataBegin && position < dataEnd;
    const uint32_t bytes = isBurst ? nextBurst(cost) : nextFill(cost);
    position += bytes;
    if (position == runBytes)
      nextRun();
    return true;
  }
  /// Of the first byte of the burst that next() gave last.
  uint64_t address() const { return burstAddress; }

private:
  /// Rows that `bytes` bytes touch behind the first.
  uint32_t furtherRows(uint64_t dst, uint32_t bytes) const {
    return ((static_cast<uint32_t>(dst) & rowMask) + bytes - 1) >> rowShift;
  }

  uint32_t nextBurst(LoadCost &cost) {
    const uint64_t address = runAddress + position, dst = runDst + position;
    const uint32_t within = static_cast<uint32_t>(address);
    const uint32_t bytes = std::min(dataEnd - position, burstMask + 1 - (within & burstMask));
    burstAddress = address;
    cost.beats = (((within & beatMask) + bytes - 1) >> beatShift) + 1;
    const bool isShifted = ((static_cast<uint32_t>(dst) - within) & beatMask) != 0;
    cost.writes = isDiagonal ? bytes : cost.beats + (isShifted ? furtherRows(dst, bytes) : 0);
    return bytes;
  }

  uint32_t nextFill(LoadCost &cost) {
    const uint32_t bytes = (position < dataBegin ? dataBegin : runBytes) - position;
    cost = {0, isDiagonal ? bytes : furtherRows(runDst + position, bytes) + 1};
    return bytes;
  }

  void nextRun() {
    position = 0;
    if (++index[2] == inner.count)
      return nextRow();
    runAddress += static_cast<uint64_t>(int64_t(inner.dramStride));
    runDst += static_cast<uint64_t>(int64_t(inner.dstStride));
    x += inner.dramStride;
    if (!isUniform)
      placeData();
  }

  /// Which of the run's bytes are data, where its row is not all fill or all data.
  void placeData() {
    const int64_t run = runBytes, begin = std::clamp<int64_t>(-x, 0, run);
    const int64_t end = std::clamp<int64_t>(extentX - x, begin, run);
    dataBegin = static_cast<uint32_t>(begin == end ? run : begin); // a run without data is one fill segment
    dataEnd = static_cast<uint32_t>(begin == end ? run : end);
  }
  void beginRow();
  void nextRow();

  const isa::Load load;
  const isa::LoadLoop inner;
  const uint64_t baseAddress;
  const uint32_t runBytes, burstMask, beatMask, beatShift, rowMask, rowShift;
  const bool isDiagonal;
  const int64_t extentX;

  std::array<uint32_t, 3> index{};
  bool done = false;
  bool isUniform = false; ///< the runs of the row are all fill, or all data
  uint64_t runAddress = 0, runDst = 0, burstAddress = 0;
  int64_t x = 0; ///< of the run's first byte
  uint32_t dataBegin = 0, dataEnd = 0, position = 0;
};

} // namespace daedalus::sim
