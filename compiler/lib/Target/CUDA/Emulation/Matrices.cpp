// ldmatrix and stmatrix: matrices of 8 by 8 elements of 16 bits, a row for each lane's address.
#include "Accesses.h"
#include "Fragments.h"
#include "WarpOperations.h"

#include <cstring>

namespace daedalus::cuda {
namespace {

constexpr unsigned rows = 8, rowBytes = 16;

using Rows = std::array<uint8_t *, warpSize>;

/// The rows' bytes, checked and counted; nothing after a fault.
template <class Check> bool findRows(Warp &warp, const Instruction &instruction, Check check, Rows &found) {
  const uint64_t *addresses = warp.slot(instruction.operands[0]);
  Addresses places;
  const unsigned count = rows * instruction.width;
  bool isFine = true;
  for (unsigned lane = 0; lane < count; ++lane) {
    places[lane] = addresses[lane];
    const Space space = static_cast<Space>(instruction.immediate >> 1);
    found[lane] = check(warp, {instruction, lane, space, addresses[lane], rowBytes, rowBytes});
    isFine = isFine && found[lane];
  }
  countShared(warp, places, count == warpSize ? allLanes : (uint32_t(1) << count) - 1, rowBytes);
  return isFine;
}

/// For each lane, register and half of it: its byte in a row.
template <class Function>
void eachElement(const Instruction &instruction, const Rows &found, Function function) {
  const bool isTransposed = instruction.immediate & 1;
  for (unsigned matrix = 0; matrix < instruction.width; ++matrix)
    for (unsigned lane = 0; lane < warpSize; ++lane)
      for (unsigned half = 0; half < 2; ++half) {
        const Position position = positionInLoaded(lane, half, isTransposed);
        function(matrix, lane, half, found[matrix * rows + position.row] + position.column * 2);
      }
}

} // namespace

void loadMatrix(Warp &warp, const Instruction &instruction) {
  Rows found = {};
  if (!warp.gather(instruction, allLanes) || !findRows(warp, instruction, readable, found))
    return;
  const std::vector<uint32_t> &results = warp.launch.kernel.lists[instruction.extra];
  eachElement(instruction, found, [&](unsigned matrix, unsigned lane, unsigned half, const uint8_t *bytes) {
    uint16_t value = 0;
    std::memcpy(&value, bytes, sizeof value);
    uint64_t &result = warp.slot(results[matrix])[lane];
    result = half ? result | uint64_t(value) << 16 : value;
  });
}

void storeMatrix(Warp &warp, const Instruction &instruction) {
  Rows found = {};
  if (!warp.gather(instruction, allLanes) || !findRows(warp, instruction, writable, found))
    return;
  const std::vector<uint32_t> &sources = warp.launch.kernel.lists[instruction.extra];
  eachElement(instruction, found, [&](unsigned matrix, unsigned lane, unsigned half, uint8_t *bytes) {
    const auto value = static_cast<uint16_t>(warp.slot(sources[matrix])[lane] >> 16 * half);
    std::memcpy(bytes, &value, sizeof value);
  });
}

} // namespace daedalus::cuda
