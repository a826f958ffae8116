// See Window.h.

#include "daedalus/Kernels/Window.h"

using namespace mlir;

namespace daedalus::kernels {

Value padded(Body &body, Value x, const Window &window, Value value, unsigned first) {
  SmallVector<int64_t> before(shapeOf(x).size(), 0), behind = before;
  llvm::copy(window.padBegin, before.begin() + first);
  llvm::copy(window.padEnd, behind.begin() + first);
  return body.pad(x, before, behind, value);
}

Value padded(Body &body, Value x, const Window &window, double value, unsigned first) {
  const auto isZero = [](int64_t pad) { return pad == 0; };
  if (llvm::all_of(window.padBegin, isZero) && llvm::all_of(window.padEnd, isZero))
    return x;
  return padded(body, x, window, body.number(value, elementOf(x)), first);
}

SmallVector<int64_t> countsAlong(const Window &window, unsigned d, int64_t size, int64_t outputs,
                                 std::optional<int64_t> countedEnd) {
  const int64_t first = countedEnd ? -window.padBegin[d] : 0, end = size + countedEnd.value_or(0);
  SmallVector<int64_t> counts(outputs, 0);
  for (int64_t at = 0; at < outputs; ++at)
    for (int64_t i = 0; i < window.kernel[d]; ++i) {
      const int64_t y = at * window.strides[d] - window.padBegin[d] + i * window.dilations[d];
      counts[at] += y >= first && y < end;
    }
  return counts;
}

} // namespace daedalus::kernels
