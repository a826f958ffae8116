// See Packing.h. Folded kernel positions count as input lanes: with fold width, lane j is (j / c, j mod c) =
// (kernel column, channel); with fold window, kernel rows lie outside of that.

#include "Packing.h"

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
  bool contraction = kernel.kind == KernelKind::Contraction;
  std::vector<Step> steps;
  for (Range kh : cut(r.kh, s.kh))
    for (Range kw : cut(r.kw, s.kw))
      for (Range ic : contraction ? cut(r.blocks, s.ic) : std::vector<Range>{{0, 1}})
        steps.push_back({kh, kw, ic});
  return steps;
}

PackedWeights packWeights(const Kernel &kernel, const Schedule &s, int64_t n) {
  const Window &w = kernel.window;
  Reduction r = reductionOf(kernel, s.fold, n);
  PackedWeights packed;
  packed.bytes.reserve(llvm::divideCeil(w.oc, n) * r.kh * r.kw * r.blocks * n * n);
  std::vector<Step> steps = stepsOf(kernel, s, n);
  auto tile = [&](int64_t oc, int64_t position, int64_t ic) {
    for (int64_t o = oc * n; o < (oc + 1) * n; ++o) {
      size_t at = packed.bytes.size();
      packed.bytes.resize(at + n, 0);
      int64_t lanes = std::min(n, r.lanes - ic * n);
      if (o < w.oc) // [oc][kh][kw][c] is [oc][position][lane] for every fold
        std::memcpy(&packed.bytes[at], &kernel.weights[(o * r.kh * r.kw + position) * r.lanes + ic * n],
                    lanes);
    }
  };
  for (Range ocs : cut(llvm::divideCeil(w.oc, n), s.oc))
    for (size_t k = 0; k < steps.size(); ++k) {
      const Step &step = steps[k];
      packed.pieces[{ocs.begin, k}] = packed.bytes.size();
      for (int64_t oc = ocs.begin; oc < ocs.begin + ocs.count; ++oc)
        for (int64_t kh = step.kh.begin; kh < step.kh.begin + step.kh.count; ++kh)
          for (int64_t kw = step.kw.begin; kw < step.kw.begin + step.kw.count; ++kw)
            for (int64_t ic = step.ic.begin; ic < step.ic.begin + step.ic.count; ++ic)
              tile(oc, kh * r.kw + kw, ic);
    }
  return packed;
}

std::vector<uint8_t> packParameters(const Requant &requant, int64_t n) {
  size_t channels = requant.isUniform() ? n : requant.bias.size();
  std::vector<uint8_t> bytes(llvm::alignTo(channels, n) * 16, 0);
  for (size_t lane = 0; lane < bytes.size() / 16; ++lane) {
    size_t k = requant.isUniform() ? 0 : std::min(lane, channels - 1); // lanes without a channel stay legal
    uint8_t *at = &bytes[lane * 16];
    for (int byte = 0; byte < 4; ++byte) {
      at[byte] = static_cast<uint32_t>(requant.bias[k]) >> (8 * byte);
      at[4 + byte] = static_cast<uint32_t>(requant.multiplier[k]) >> (8 * byte);
    }
    at[8] = requant.shift[k];
  }
  return bytes;
}

int64_t appendConstants(std::vector<uint8_t> &constants, const void *data, size_t size) {
  constants.resize(llvm::alignTo(constants.size(), 64), 0);
  int64_t offset = constants.size();
  auto *bytes = static_cast<const uint8_t *>(data);
  constants.insert(constants.end(), bytes, bytes + size);
  return offset;
}

} // namespace daedalus::accelerator
