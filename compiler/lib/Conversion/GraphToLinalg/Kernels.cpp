// What kernels share: windows of operations, and requantizations. See Kernels.h.

#include "Kernels.h"

using namespace mlir;

namespace daedalus {

/// `pad` is top, bottom, left, right.
static kernels::Window windowOf(ArrayRef<int64_t> kernel, ArrayRef<int64_t> strides,
                                ArrayRef<int64_t> dilations, ArrayRef<int64_t> pad) {
  const auto sizes = [](ArrayRef<int64_t> values) { return SmallVector<int64_t, 4>(values); };
  return {sizes(kernel), sizes(strides), sizes(dilations), {pad[0], pad[2]}, {pad[1], pad[3]}};
}

kernels::Window windowOf(qnn::ConvOp op) {
  return windowOf(shapeOf(op.getWeights()).slice(op.getChannelsLast() ? 1 : 2, 2), op.getStrides(),
                  op.getDilations(), op.getPad());
}

kernels::Window windowOf(qnn::MaxPoolOp op) {
  return windowOf(op.getKernel(), op.getStrides(), op.getDilations(), op.getPad());
}

kernels::Window windowOf(qnn::AveragePoolOp op) {
  return windowOf(op.getKernel(), op.getStrides(), {1, 1}, op.getPad());
}

std::array<std::optional<int64_t>, 2> countedEnd(qnn::AveragePoolOp op) {
  const std::optional<ArrayRef<int64_t>> counted = op.getCountedEnd();
  if (!counted)
    return {};
  return {(*counted)[0], (*counted)[1]};
}

Requant withRange(Requant requant, const GroupOutput &out) {
  requant.lo = out.lo;
  requant.hi = out.hi;
  return requant;
}

Value rescaled(KernelBuilder &kernel, Value x, UniformType from, const GroupOutput &out) {
  if (from == out.type && out.lo == -128 && out.hi == 127)
    return x;
  auto multiplier = toMultiplier(from.getScale() / out.type.getScale());
  if (!multiplier)
    return tooLarge(kernel.loc);
  Requant requant = uniformRequant(shapeOf(x).back(), static_cast<int32_t>(-from.getZeroPoint()), *multiplier,
                                   out.type.getZeroPoint());
  return kernel.requantized(x, withRange(requant, out));
}

Value tooLarge(Location loc) {
  emitError(loc) << "its input's scale is 2^30 or more of its output's; expected a smaller ratio";
  return nullptr;
}

} // namespace daedalus
