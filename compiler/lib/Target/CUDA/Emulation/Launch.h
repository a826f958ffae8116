// A launch that runs: the block that it is at, its memories and what was counted.
#pragma once

#include "Emulator.h"
#include "Memory.h"
#include "Warpgroups.h"

#include <optional>

namespace daedalus::cuda {

struct RunningLaunch {
  const DecodedKernel &kernel;
  const EmulatedLaunch &request;
  GlobalMemory &global;
  Order &order;
  Region shared;
  std::array<uint32_t, 3> block = {}; ///< its index
  EmulationCounts counts;
  std::optional<std::string> fault;
  /// Products that each group of four warps of the block began.
  std::array<std::vector<PendingProduct>, 8> warpgroupLogs = {};

  uint32_t threads() const { return request.block[0] * request.block[1] * request.block[2]; }

  /// An index in the block, x first.
  std::array<uint32_t, 3> threadIndex(uint32_t thread) const {
    const uint32_t x = request.block[0], y = request.block[1];
    return {thread % x, thread / x % y, thread / x / y};
  }

  std::string threadName(uint32_t thread) const;
  /// Keeps the first one: in which function, block and thread, what, at which operation.
  void fail(uint32_t thread, const Instruction &instruction, const std::string &what);
};

/// "(1, 2, 3)".
std::string nameOf(const std::array<uint32_t, 3> &index);

/// Runs the blocks that are asked for; false after a fault.
bool runBlocks(RunningLaunch &launch);

} // namespace daedalus::cuda
