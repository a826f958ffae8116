// The text of a schedule of the CPU's kernels, line by line; and a program of float32 whose kernels are of
// all kinds: sums of products, windows, reductions, and what reads every second element.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace daedalus::testing {

/// A line cpu.kernel.
struct ScheduleEntry {
  std::string fingerprint, functions, blocks; ///< the latter two with their brackets; may be empty
  std::vector<int64_t> loops, tile;
  bool isUndivided = false, isParallel = false;

  bool hasBlocks() const { return !blocks.empty(); }
};

std::vector<ScheduleEntry> entriesOf(const std::string &schedule);

/// A file with these entries from line 2 on.
std::string textOf(const std::vector<ScheduleEntry> &entries);

std::string blocksText(const std::string &level, int64_t rows, int64_t panels);

/// The first level that a schedule has a block for.
std::string nativeLevelOf(const std::string &schedule);

/// @main takes %x: 48x40, float32.
std::string floatProgram();

} // namespace daedalus::testing
