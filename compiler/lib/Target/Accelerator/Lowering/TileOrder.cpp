// See TileOrder.h.

#include "Lowering/TileOrder.h"

#include "Transforms/Transforms.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace daedalus::accelerator {

TileOrder::TileOrder(const Kernel &kernel, const Schedule &schedule, int64_t n)
    : kernel(kernel), w(kernel.window), schedule(schedule), n(n),
      band(llvm::divideCeil(blocksOf(w.oc, n), schedule.oc) *
           (w.oh > 1 ? llvm::divideCeil(w.ow, schedule.ow) : 1)),
      channelBand(w.b * llvm::divideCeil(w.oh, schedule.oh) * llvm::divideCeil(w.ow, schedule.ow)) {
  for (int64_t b = 0; b < w.b; ++b)
    for (Range oh : cut(w.oh, schedule.oh))
      for (Range ow : cut(w.ow, schedule.ow))
        for (Range oc : cut(blocksOf(w.oc, n), schedule.oc))
          order.push_back({b, oh, ow, oc});
  if (schedule.order == dae::Order::Channels)
    llvm::stable_sort(order, [](const Tile &x, const Tile &y) { return x.oc.begin < y.oc.begin; });
  if (schedule.ramp)
    ramp();
}

/// The first tile in pieces.
void TileOrder::ramp() {
  const Tile first = order.front();
  std::vector<Tile> pieces;
  for (const Range &blocks : rampOf(first.oc))
    pieces.push_back({first.batch, first.oh, first.ow, blocks});
  order.erase(order.begin());
  order.insert(order.begin(), pieces.begin(), pieces.end());
}

TileOrder::Progress TileOrder::needed(size_t tile, unsigned operand) const {
  const Tile &t = order[tile];
  const bool isDirect = !isWindowed(kernel, operand);
  const int64_t h = isDirect ? w.oh : w.h, width = isDirect ? w.ow : w.w, c = isDirect ? w.oc : w.c;
  auto last = [&](Range out, int64_t stride, int64_t pad, int64_t kernelSize, int64_t dilation) {
    const int64_t end = out.begin + out.count;
    return isDirect ? end : (end - 1) * stride - pad + (kernelSize - 1) * dilation + 1;
  };
  const int64_t whole = w.b * h * width * c;
  if (kernel.layouts[operand])
    return {whole, whole};
  if (w.b * h * width == 1) // one long pixel, or all channels of one
    return {readsOwnChannels(kernel) ? std::min(c, (t.oc.begin + t.oc.count) * n) : c, whole};
  if (w.b * h == 1)
    return {std::clamp<int64_t>(last(t.ow, w.sw, w.pl, w.kw, w.dw), 0, width) * c, whole};
  const int64_t row = std::clamp<int64_t>(last(t.oh, w.sh, w.pt, w.kh, w.dh), 0, h);
  return {(t.batch * h + row) * width * c, whole};
}

TileOrder::Progress TileOrder::complete(size_t next, int64_t lag) const {
  const int64_t whole = w.b * w.oh * w.ow * w.oc, behind = static_cast<int64_t>(next) - lag * band;
  if (next == size())
    return {whole, whole};
  const bool byChannels = schedule.order == dae::Order::Channels && schedule.oc * n < w.oc;
  if (behind <= 0 || byChannels)
    return {0, whole};
  const Tile &t = order[behind];
  if (w.b * w.oh * w.ow == 1)
    return {std::min(w.oc, t.oc.begin * n), whole};
  if (w.b * w.oh == 1)
    return {t.ow.begin * w.oc, whole};
  return {(t.batch * w.oh + t.oh.begin) * w.ow * w.oc, whole};
}

int64_t TileOrder::completeChannels(size_t next, int64_t lag) const {
  if (next == size())
    return w.oc;
  if (schedule.ramp || !isByChannels(kernel, schedule))
    return 0;
  const int64_t behind = static_cast<int64_t>(next) - lag * channelBand;
  return behind <= 0 ? 0 : order[behind].oc.begin * n;
}

int64_t TileOrder::neededChannels(size_t tile) const {
  return std::min(w.oc, (order[tile].oc.begin + order[tile].oc.count) * n);
}

} // namespace daedalus::accelerator
