// Pools of quantized images. What surrounds them is the least value, or stands for zero.

#include "Kernels.h"

#include "daedalus/Kernels/Pools.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace daedalus {

Value buildMaxPool(KernelBuilder &kernel, qnn::MaxPoolOp op, const GroupOutput &out) {
  const kernels::Window window = windowOf(op);
  Value x = kernels::padded(kernel, kernel.argument(0), window, -128, 1);
  Value size = kernels::extents(kernel, window);
  Value result = kernel.named<linalg::PoolingNhwcMaxOp>(
      {x, size}, kernel.filled(shapeOf(op.getOutput()), -128, kernel.b.getI8Type()),
      kernel.b.getI64TensorAttr(window.strides), kernel.b.getI64TensorAttr(window.dilations));
  return rescaled(kernel, result, uniformType(op.getInput()), out);
}

static Value windowSum(KernelBuilder &kernel, qnn::AveragePoolOp op) {
  const kernels::Window window = windowOf(op);
  const double zeroPoint = double(uniformType(op.getInput()).getZeroPoint());
  Value x = kernels::padded(kernel, kernel.argument(0), window, zeroPoint, 1);
  Value size = kernels::extents(kernel, window);
  return kernel.named<linalg::PoolingNhwcSumOp>(
      {x, size}, kernel.filled(shapeOf(op.getOutput()), 0, kernel.b.getI32Type()),
      kernel.b.getI64TensorAttr(window.strides), kernel.b.getI64TensorAttr(window.dilations));
}

/// How many elements the windows of an average hold at each row and at each column of the result.
static std::array<SmallVector<int64_t>, 2> windowCounts(qnn::AveragePoolOp op) {
  std::array<SmallVector<int64_t>, 2> counts;
  for (unsigned d : {0, 1})
    counts[d] = kernels::countsAlong(windowOf(op), d, shapeOf(op.getInput())[1 + d],
                                     shapeOf(op.getOutput())[1 + d], countedEnd(op)[d]);
  return counts;
}

/// Windows at borders may hold fewer elements: a requantization by position then.
Value buildMean(KernelBuilder &kernel, qnn::AveragePoolOp op, const GroupOutput &out) {
  UniformType in = uniformType(op.getInput());
  const std::array<SmallVector<int64_t>, 2> counts = windowCounts(op);
  const int64_t area = op.getKernel()[0] * op.getKernel()[1];
  if (area > INT32_MAX / 255) {
    emitError(kernel.loc) << "averages " << area << " elements; expected at most " << INT32_MAX / 255
                          << ", for their sum to fit 32 bits";
    return nullptr;
  }
  Requant requant;
  requant.zeroPoint = out.type.getZeroPoint();
  for (int64_t rows : counts[0])
    for (int64_t columns : counts[1]) {
      auto multiplier =
          toMultiplier(in.getScale() / (out.type.getScale() * static_cast<double>(rows * columns)));
      if (!multiplier)
        return tooLarge(kernel.loc);
      requant.bias.push_back(static_cast<int32_t>(-in.getZeroPoint() * area));
      requant.multipliers.push_back(multiplier->multiplier);
      requant.shifts.push_back(multiplier->shift);
    }
  Value acc = windowSum(kernel, op);
  if (!llvm::all_equal(counts[0]) || !llvm::all_equal(counts[1]))
    return kernel.requantizedByPosition(acc, withRange(requant, out));
  Requant uniform = uniformRequant(shapeOf(acc).back(), requant.bias[0],
                                   {requant.multipliers[0], requant.shifts[0]}, requant.zeroPoint);
  return kernel.requantized(acc, withRange(uniform, out));
}

} // namespace daedalus
