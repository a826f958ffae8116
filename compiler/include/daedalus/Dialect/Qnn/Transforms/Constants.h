// Constants and quantized types as the passes at graph level compute with them.

#ifndef DAEDALUS_DIALECT_QNN_TRANSFORMS_CONSTANTS_H
#define DAEDALUS_DIALECT_QNN_TRANSFORMS_CONSTANTS_H

#include "daedalus/Dialect/Shapes.h"

#include "mlir/Dialect/Quant/QuantTypes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"

#include <vector>

namespace daedalus::qnn {

using UniformType = mlir::quant::UniformQuantizedType;
using PerAxisType = mlir::quant::UniformQuantizedPerAxisType;

mlir::RankedTensorType tensorType(mlir::Value value);

/// Whether an element type is quantized to 8 bits with one scale.
bool isByte(mlir::Type element);

/// The largest size of a product of two elements less their zero points, and of how many such products a sum
/// fits 32 bits.
int64_t mostOfProduct(UniformType left, UniformType right);
int64_t mostProducts(UniformType left, UniformType right);

/// The elements of a tosa.const, integers where its type is quantized; null where the value is none.
mlir::DenseElementsAttr constantOf(mlir::Value value);

/// What a quant.dcast dequantizes; null where the value is none.
mlir::Value dequantized(mlir::Value real);
/// The same of a tensor that is computed, of 8 bits with one scale.
mlir::Value dequantizedActivation(mlir::Value real);

/// The scale and zero point of an element of a quantized tensor, by its row-major position.
class ScaleOf {
public:
  explicit ScaleOf(mlir::RankedTensorType type);
  double scale(size_t position) const {
    return perAxis ? perAxis.getScales()[channel(position)] : uniform.getScale();
  }
  int64_t zeroPoint(size_t position) const {
    return perAxis ? perAxis.getZeroPoints()[channel(position)] : uniform.getZeroPoint();
  }
  /// Whether one of them is not 0.
  bool hasZeroPoints() const;

private:
  size_t channel(size_t position) const { return position / inner % perAxis.getScales().size(); }

  UniformType uniform;
  PerAxisType perAxis;
  size_t inner = 1;
};

/// round(x / scale) + zero point, halves to even, saturated: QuantizeLinear's own arithmetic. A NaN is zero.
int64_t quantizeValue(float x, double scale, int64_t zeroPoint, int64_t lo, int64_t hi);
int64_t quantizeValue(float x, UniformType type);
/// (q - zero point) * scale in float32: DequantizeLinear's own arithmetic.
float realValue(int64_t q, double scale, int64_t zeroPoint);
float realValue(int64_t q, UniformType type);

/// The order in which the dimensions of a tensor lie: 0, 1, 2, ...
llvm::SmallVector<int64_t> identityOrder(mlir::Value tensor);
/// `shape` with its dimensions in another order.
llvm::SmallVector<int64_t> permuted(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> order);
/// The tensor in another shape.
mlir::Value reshaped(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tensor,
                     llvm::ArrayRef<int64_t> shape);
/// The tensor with its dimensions in another order.
mlir::Value transposed(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tensor,
                       llvm::ArrayRef<int64_t> order);

/// The integers of a constant, sign-extended or not as its type says.
std::vector<int64_t> integersOf(mlir::DenseElementsAttr elements, bool isSigned);

/// The real numbers of a constant of f32, or of a dequantized one; nothing for all else.
std::optional<std::vector<float>> realNumbers(mlir::Value value);
/// Whether realNumbers() has any.
bool isRealConstant(mlir::Value value);

/// A type of signed integers of `bits` bits with zero points of 0: one scale, or one for each index of
/// `axis`.
mlir::Type signedType(mlir::MLIRContext *context, unsigned bits, llvm::ArrayRef<double> scales, int32_t axis);

/// A tosa.const of integers as a tensor of a quantized element type.
mlir::Value quantizedConstant(mlir::OpBuilder &builder, mlir::Location loc, llvm::ArrayRef<int64_t> shape,
                              mlir::Type element, llvm::ArrayRef<int8_t> values);
mlir::Value quantizedConstant(mlir::OpBuilder &builder, mlir::Location loc, llvm::ArrayRef<int64_t> shape,
                              mlir::Type element, llvm::ArrayRef<int16_t> values);
mlir::Value quantizedConstant(mlir::OpBuilder &builder, mlir::Location loc, llvm::ArrayRef<int64_t> shape,
                              mlir::Type element, llvm::ArrayRef<int32_t> values);

} // namespace daedalus::qnn

#endif
