// See BatchProducts.h.

#include "BatchProducts.h"

#include "Patterns.h"
#include "Products.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"

#include "llvm/ADT/Sequence.h"

namespace daedalus::qnn {

using namespace mlir;

/// The largest size of an element less its zero point.
static int64_t mostOf(Value quantized) {
  const auto type = cast<UniformType>(tensorType(quantized).getElementType());
  return std::max(type.getStorageTypeMax() - type.getZeroPoint(),
                  type.getZeroPoint() - type.getStorageTypeMin());
}

std::optional<BatchProduct> BatchProduct::of(Value result) {
  Operation *op = result.getDefiningOp();
  auto batch = dyn_cast_or_null<BatchMatmulOp>(op);
  auto matmul = dyn_cast_or_null<MatmulOp>(op);
  if ((!batch && (!matmul || matmul.getBias())) || !tensorType(result).getElementType().isF32() ||
      !isByteOperand(op->getOperand(0)) || !isByteOperand(op->getOperand(1)))
    return std::nullopt;
  const bool isComputed =
      dequantizedActivation(op->getOperand(0)) || dequantizedActivation(op->getOperand(1));
  if (!isComputed || Product::of(result))
    return std::nullopt;
  BatchProduct product{op, dequantized(op->getOperand(0)), dequantized(op->getOperand(1)), {}, {}};
  const auto asItLies = [](Value operand) {
    return llvm::to_vector(llvm::seq<int64_t>(0, tensorType(operand).getRank()));
  };
  product.leftOrder = batch ? batch.orderOf(0) : asItLies(product.left);
  product.rightOrder = batch ? batch.orderOf(1) : asItLies(product.right);
  if (matmul && matmul.getTransposed())
    std::swap(product.rightOrder[0], product.rightOrder[1]);
  const int64_t depth = shapeOf(product.left)[product.leftOrder.back()];
  constexpr int64_t most = (int64_t(1) << 31) - 1;
  if (depth > most / (mostOf(product.left) * mostOf(product.right)))
    return std::nullopt;
  return product;
}

} // namespace daedalus::qnn
