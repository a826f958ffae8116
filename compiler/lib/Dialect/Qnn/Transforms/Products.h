// Convolutions and matrix products with constant weights, before they are quantized operations: their input
// and weights are dequantized. The bias becomes int32 in units of the input's scale times the weights' scale,
// the accumulator's.

#ifndef DAEDALUS_LIB_DIALECT_QNN_TRANSFORMS_PRODUCTS_H
#define DAEDALUS_LIB_DIALECT_QNN_TRANSFORMS_PRODUCTS_H

#include "daedalus/Dialect/Qnn/Transforms/Constants.h"

#include "mlir/IR/Operation.h"

namespace daedalus::qnn {

/// Weights less their zero points, as they lie in the constant.
struct Weights {
  std::vector<int16_t> values; // from -255 to 255, or int8 times a power of two
  std::vector<double> scales;  // one, or one an output channel
  double scale(int64_t channel) const { return scales[scales.size() == 1 ? 0 : channel]; }
  bool fitInt8() const {
    return llvm::all_of(values, [](int16_t value) { return value >= -128 && value <= 127; });
  }
};

/// Numbers added for each output channel: value[c] * scale[c]. Empty: none.
struct Bias {
  std::vector<double> values, scales;
};

/// What the sums of an output channel may be, without its bias, in units of the accumulator.
struct SumRange {
  int64_t least = 0, most = 0;
  int64_t size() const { return std::max(-least, most); }
  bool fitsWith(double bias) const {
    return double(least) + bias >= INT32_MIN && double(most) + bias <= INT32_MAX;
  }
};

/// A qnn.conv or qnn.matmul of real numbers that can be one of quantized tensors.
struct Product {
  mlir::Operation *op;
  mlir::Value input;   // quantized
  mlir::Value weights; // a quantized constant
  mlir::Value bias;    // a constant, or null
  unsigned outputAxis; // of the weights

  /// Nothing where the operation is no such product.
  static std::optional<Product> of(mlir::Value result);

  double inputScale() const;
  int64_t channels() const { return shapeOf(weights)[outputAxis]; }
  /// The output channel of a weight, by its position.
  int64_t channelOf(size_t position) const { return position / inner() % channels(); }
  Weights readWeights() const;
  /// Such weights with those of an output channel one behind the other.
  Weights byChannel(const Weights &weights) const;
  std::vector<SumRange> sumRanges(const Weights &weights) const;
  Bias readBias() const;
  /// The bias in the accumulator's units; nothing where the sums with it may not fit 32 bits. Where the bias
  /// of a channel is at least twice the rest, its weights and bias take units a power of two as large, if
  /// that changes no sum by more than 2^-13 of the bias: so quantizers write channels whose weights are next
  /// to nothing.
  std::optional<std::vector<int32_t>> biasUnits(Weights &weights, const Bias &bias) const;

private:
  size_t inner() const;
};

/// The sum of a product that nothing else reads and a tensor of its shape, quantized with one scale.
struct ResidualSum {
  Product product;
  mlir::Value residual; // quantized

  /// Nothing where the value is no such sum, the residual's scale is 2^20 or more of a channel's unit of the
  /// bias, or a channel's sums may be 2^30 of them.
  static std::optional<ResidualSum> of(mlir::Value result);
};

/// Weights as a quantized constant of the shape, with output channels along `axis`: of 8 bits where they fit,
/// else of 16.
mlir::Value weightConstant(mlir::OpBuilder &builder, mlir::Location loc, llvm::ArrayRef<int64_t> shape,
                           const Weights &weights, int32_t axis);

/// int32 in units of the input's scale times the weights' scales.
mlir::Value biasConstant(mlir::OpBuilder &builder, mlir::Location loc, const Product &product,
                         const Weights &weights, llvm::ArrayRef<int32_t> units);

/// The product of integers with a result of `type`, its weights [OC, ...]; bias and residual may be null.
mlir::Value quantizedProduct(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type,
                             const Product &product, const Weights &weights, mlir::Value bias,
                             mlir::Value residual);

} // namespace daedalus::qnn

#endif
