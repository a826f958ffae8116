// See Packing.h. Folded kernel positions count as input lanes: with fold width, lane j is (j / c, j mod c) =
// (kernel column, channel); with fold window, kernel rows lie outside of that.

#include "Lowering/PackedConstants.h"
#include "Transforms/Transforms.h"

#include "llvm/Support/MathExtras.h"

#include <cstring>

namespace daedalus::accelerator {

std::vector<Range> cut(int64_t size, int64_t tile) {
  std::vector<Range> ranges;
  for (int64_t begin = 0; begin < size; begin += tile)
    ranges.push_back({begin, std::min(tile, size - begin)});
  return ranges;
}

std::vector<Step> stepsOf(const Kernel &kernel, const Schedule &s, int64_t n) {
  Reduction r = reductionOf(kernel, s.fold, n);
  const bool isWeighted = kernel.isWeighted();
  std::vector<Step> steps;
  for (Range kh : cut(r.kh, s.kh))
    for (Range kw : cut(r.kw, s.kw))
      for (Range ic : isWeighted ? cut(r.blocks, s.ic) : std::vector<Range>{{0, 1}})
        steps.push_back({kh, kw, ic});
  return steps;
}

namespace {

/// Calls f(block of oc, kernel position, block of lanes) for every tile of weights in the order of the
/// schedule.
template <class F> void forEachWeightTile(const Kernel &kernel, const Schedule &s, int64_t n, F f) {
  const int64_t columns = reductionOf(kernel, s.fold, n).kw;
  const std::vector<Step> steps = stepsOf(kernel, s, n);
  for (Range ocs : cut(llvm::divideCeil(kernel.window.oc, n), s.oc))
    for (const Step &step : steps)
      for (int64_t oc = ocs.begin; oc < ocs.begin + ocs.count; ++oc)
        for (int64_t kh = step.kh.begin; kh < step.kh.begin + step.kh.count; ++kh)
          for (int64_t kw = step.kw.begin; kw < step.kw.begin + step.kw.count; ++kw)
            for (int64_t ic = step.ic.begin; ic < step.ic.begin + step.ic.count; ++ic)
              f(oc, kh * columns + kw, ic);
}

} // namespace

WeightPieces weightPieces(const Kernel &kernel, const Schedule &s, int64_t n) {
  WeightPieces pieces;
  if (!kernel.isWeighted())
    return pieces;
  const std::vector<Step> steps = stepsOf(kernel, s, n);
  int64_t tiles = 0;
  for (Range ocs : cut(llvm::divideCeil(kernel.window.oc, n), s.oc))
    for (size_t k = 0; k < steps.size(); ++k) {
      pieces[{ocs.begin, k}] = tiles * n * n;
      Schedule step = s;
      step.kh = steps[k].kh.count, step.kw = steps[k].kw.count, step.ic = steps[k].ic.count;
      tiles += ocs.count * weightTiles(kernel, step);
    }
  return pieces;
}

size_t weightBytes(const Kernel &kernel, const Schedule &s, int64_t n) {
  const Reduction r = reductionOf(kernel, s.fold, n);
  Schedule whole = s;
  whole.kh = r.kh, whole.kw = r.kw, whole.ic = r.blocks;
  return llvm::divideCeil(kernel.window.oc, n) * weightTiles(kernel, whole) * n * n;
}

size_t laneWeightBytes(const Kernel &kernel, const Schedule &s, int64_t n) {
  return weightBytes(kernel, withoutSlide(s), n) / n;
}

size_t sumWeightBytes(const Kernel &kernel, const Schedule &s, int64_t n) {
  return weightBytes(kernel, s, n) / blocksOf(kernel.window.oc, n);
}

size_t parameterBytes(const Parameters &p, int64_t n) {
  return llvm::alignTo(p.isUniform() ? n : p.bias.size(), n) * 16;
}

size_t rowBytes(const std::vector<int8_t> &rows, int64_t n) {
  return llvm::alignTo(rows.size(), n);
}

/// The kernel's row or column of tap `tap` of a pass, which passes before do not have; -1 where it has none.
static int64_t ownTap(int64_t pass, int64_t tap, int64_t shift, int64_t size, int64_t gap) {
  const int64_t position = pass * shift + tap;
  const bool isBefore = pass > 0 && position < (pass - 1) * shift + size;
  return isBefore || position % gap ? -1 : position / gap;
}

/// A row of a tile for a window that slides: byte r * chain + k is the tap of row r that is k columns before
/// the last.
static void packTaps(const Kernel &kernel, const Slide &slide, int64_t o, int64_t rowPass, int64_t columnPass,
                     int8_t *bytes) {
  const Window &w = kernel.window;
  for (int64_t r = 0; r < slide.rows; ++r)
    for (int64_t k = 0; k < slide.columns; ++k) {
      const int64_t i = ownTap(rowPass, r, slide.rowShift, slide.rows, 1),
                    j = ownTap(columnPass, slide.columns - 1 - k, slide.columnShift, slide.columns,
                               slide.columnGap);
      if (i >= 0 && j >= 0)
        bytes[r * slide.chain + k] =
            kernel.weights[((o * w.kh + i) * w.kw + j) * kernel.lanes + o % kernel.lanes];
    }
}

static std::vector<int8_t> packSlide(const Kernel &kernel, const Slide &slide, int64_t n) {
  const int64_t blocks = llvm::divideCeil(kernel.window.oc, n);
  std::vector<int8_t> bytes(blocks * slide.passes() * n * n, 0);
  int8_t *row = bytes.data();
  for (int64_t block = 0; block < blocks; ++block)
    for (int64_t rowPass = 0; rowPass < slide.rowPasses; ++rowPass)
      for (int64_t columnPass = 0; columnPass < slide.columnPasses; ++columnPass)
        for (int64_t o = block * n; o < (block + 1) * n; ++o, row += n)
          if (o < kernel.window.oc)
            packTaps(kernel, slide, o, rowPass, columnPass, row);
  return bytes;
}

std::vector<int8_t> packWeights(const Kernel &kernel, const Schedule &s, int64_t n) {
  if (const std::optional<Slide> slide = slideOf(kernel, s))
    return packSlide(kernel, *slide, n);
  const Window &w = kernel.window;
  const Reduction r = reductionOf(kernel, s.fold, n);
  std::vector<int8_t> bytes;
  bytes.reserve(weightBytes(kernel, s, n));
  forEachWeightTile(kernel, s, n, [&](int64_t oc, int64_t position, int64_t ic) {
    const int64_t lanes = std::min(n, r.lanes - ic * n);
    for (int64_t o = oc * n; o < (oc + 1) * n; ++o) {
      const size_t at = bytes.size();
      bytes.resize(at + n, 0);
      if (o < w.oc) // [oc][kh][kw][c] is [oc][position][lane] for every fold
        std::memcpy(&bytes[at], &kernel.weights[(o * r.kh * r.kw + position) * r.lanes + ic * n], lanes);
    }
  });
  return bytes;
}

std::vector<int8_t> packLaneWeights(const Kernel &kernel, const Schedule &s, int64_t n) {
  const Window &w = kernel.window;
  std::vector<int8_t> bytes;
  forEachWeightTile(kernel, s, n, [&](int64_t oc, int64_t position, int64_t) {
    for (int64_t o = oc * n; o < (oc + 1) * n; ++o)
      bytes.push_back(o < w.oc ? kernel.weights[(o * w.kh * w.kw + position) * n + o % n] : 0);
  });
  return bytes;
}

std::vector<uint8_t> packParameters(const Parameters &p, int64_t n) {
  const size_t channels = p.isUniform() ? n : p.bias.size();
  std::vector<uint8_t> bytes(parameterBytes(p, n), 0);
  for (size_t lane = 0; lane < bytes.size() / 16; ++lane) {
    size_t k = p.isUniform() ? 0 : std::min(lane, channels - 1); // lanes without a channel stay legal
    uint8_t *at = &bytes[lane * 16];
    for (int byte = 0; byte < 4; ++byte) {
      at[byte] = static_cast<uint32_t>(p.bias[k]) >> (8 * byte);
      at[4 + byte] = static_cast<uint32_t>(p.multiplier[k]) >> (8 * byte);
    }
    at[8] = p.shift[k];
  }
  return bytes;
}

std::vector<int8_t> packRows(std::vector<int8_t> rows, int64_t n) {
  rows.resize(rowBytes(rows, n), 0);
  return rows;
}

size_t mostConstantBytes(const Kernel &kernel, const Schedule &s, int64_t n) {
  constexpr size_t alignment = PackedConstants::Alignment, table = 256;
  size_t bytes = 0;
  if (kernel.isWeighted() && !kernel.weightsInput)
    bytes += weightBytes(kernel, s, n) + alignment;
  if (kernel.sumsData && !kernel.weightsInput)
    bytes += sumWeightBytes(kernel, s, n) + alignment;
  bytes += excessTileCount(kernel, s) * n * n + alignment;
  if (kernel.isWeighted() && kernel.diagonal)
    bytes += laneWeightBytes(kernel, s, n) + alignment;
  for (const StageConstant &constant : kernel.constants)
    bytes += alignment + (constant.isTable()  ? table
                          : constant.isRows() ? rowBytes(constant.rows, n)
                                              : parameterBytes(constant.parameters, n));
  return bytes;
}

} // namespace daedalus::accelerator
