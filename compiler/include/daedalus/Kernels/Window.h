// The windows of convolutions and pools, over images of any number of dimensions.

#ifndef DAEDALUS_KERNELS_WINDOW_H
#define DAEDALUS_KERNELS_WINDOW_H

#include "daedalus/Kernels/Body.h"

namespace daedalus::kernels {

/// One entry a dimension of the image, y before x.
struct Window {
  llvm::SmallVector<int64_t, 4> kernel, strides, dilations, padBegin, padEnd;

  unsigned rank() const { return kernel.size(); }
};

/// The image with the window's padding of `value`; its dimensions are those of `x` from `first` on.
mlir::Value padded(Body &body, mlir::Value x, const Window &window, mlir::Value value, unsigned first = 2);
mlir::Value padded(Body &body, mlir::Value x, const Window &window, double value, unsigned first = 2);

/// How many elements each of `outputs` windows has along dimension `d` of an image, `size` elements long:
/// those inside, or where `countedEnd` says how much of the padding at the end counts too, those in the
/// padding at the beginning and in that much of it at the end.
llvm::SmallVector<int64_t> countsAlong(const Window &window, unsigned d, int64_t size, int64_t outputs,
                                       std::optional<int64_t> countedEnd);

} // namespace daedalus::kernels

#endif
