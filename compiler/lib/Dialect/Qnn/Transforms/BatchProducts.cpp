// See BatchProducts.h.

#include "BatchProducts.h"

#include "Patterns.h"
#include "Products.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"

namespace daedalus::qnn {

using namespace mlir;

DenseI64ArrayAttr orderAttribute(OpBuilder &builder, ArrayRef<int64_t> order) {
  return llvm::is_sorted(order) ? nullptr : builder.getDenseI64ArrayAttr(order);
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
  product.leftOrder = batch ? batch.orderOf(0) : identityOrder(product.left);
  product.rightOrder = batch ? batch.orderOf(1) : identityOrder(product.right);
  if (matmul && matmul.getTransposed())
    std::swap(product.rightOrder[0], product.rightOrder[1]);
  const int64_t depth = shapeOf(product.left)[product.leftOrder.back()];
  const auto typeOf = [](Value operand) { return cast<UniformType>(tensorType(operand).getElementType()); };
  if (depth > mostProducts(typeOf(product.left), typeOf(product.right)))
    return std::nullopt;
  return product;
}

Value quantizedProduct(OpBuilder &builder, Location loc, Type type, const BatchProduct &product) {
  return builder.create<BatchMatmulOp>(loc, type, product.left, product.right,
                                       orderAttribute(builder, product.leftOrder),
                                       orderAttribute(builder, product.rightOrder));
}

} // namespace daedalus::qnn
