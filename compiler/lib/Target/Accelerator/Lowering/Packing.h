// Constants in the layout the accelerator reads: weight tiles in the order of the schedule, parameter rows.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_LOWERING_PACKING_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_LOWERING_PACKING_H

#include "Schedule/Schedule.h"

#include <map>

namespace daedalus::accelerator {

/// A part of an iteration range: [begin, begin + count).
struct Range {
  int64_t begin, count;
};

/// `size` cut into ranges of `tile`, the last one shorter.
std::vector<Range> cut(int64_t size, int64_t tile);

/// One step of a contraction's reduction: kernel rows, kernel columns, blocks of input lanes.
struct Step {
  Range kh, kw, ic;
};
std::vector<Step> stepsOf(const Kernel &kernel, const Schedule &schedule, int64_t n);

/// Weights as N x N tiles (row = output lane, byte = input lane, zero where there is no channel), grouped by
/// piece: what one tile of output channels needs in one step, [oc][kh][kw][ic] tiles; of a window that slides
/// (row = lane, byte = tap) [oc][row pass][column pass] tiles.
using WeightPieces = std::map<std::pair<int64_t, size_t>, int64_t>; ///< (first block of oc, step) to byte
WeightPieces weightPieces(const Kernel &kernel, const Schedule &schedule, int64_t n);
std::vector<int8_t> packWeights(const Kernel &kernel, const Schedule &schedule, int64_t n);

/// Diagonal weights with only the diagonal of each tile, in the same order.
std::vector<int8_t> packLaneWeights(const Kernel &kernel, const Schedule &schedule, int64_t n);

/// The tiles of weights that have excess, and these with the excess alone, in the order of packed weights; of
/// a window that slides, a block's passes are one, whose position and lanes are 0.
std::vector<WeightTile> excessTiles(const Kernel &kernel, const Schedule &schedule, int64_t n);
std::vector<int8_t> packExcess(const Kernel &kernel, const Schedule &schedule, int64_t n);

/// Rows of N lanes of 16 bytes: bias, multiplier, shift. One row where all channels agree.
std::vector<uint8_t> packParameters(const Parameters &parameters, int64_t n);

/// Whole rows of N bytes.
std::vector<int8_t> packRows(std::vector<int8_t> rows, int64_t n);

/// How many bytes these make: of packWeights of a kernel, and of its ofSums.
size_t weightBytes(const Kernel &kernel, const Schedule &schedule, int64_t n);
size_t sumWeightBytes(const Kernel &kernel, const Schedule &schedule, int64_t n);
size_t laneWeightBytes(const Kernel &kernel, const Schedule &schedule, int64_t n);
size_t parameterBytes(const Parameters &parameters, int64_t n);
size_t rowBytes(const std::vector<int8_t> &rows, int64_t n);

/// What all constants of a kernel take, or somewhat more.
size_t mostConstantBytes(const Kernel &kernel, const Schedule &schedule, int64_t n);

} // namespace daedalus::accelerator

#endif
