// Where quantized images lie while qnn-channels-last walks over @main: in the order [N, H, W, C], whatever
// the values that they stand for say.

#ifndef DAEDALUS_LIB_DIALECT_QNN_TRANSFORMS_IMAGELAYOUTS_H
#define DAEDALUS_LIB_DIALECT_QNN_TRANSFORMS_IMAGELAYOUTS_H

#include "daedalus/Dialect/Qnn/Transforms/Constants.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>

namespace daedalus::qnn {

constexpr int64_t channelsLast[] = {0, 2, 3, 1}, channelsFirst[] = {0, 3, 1, 2};

using Sizes = llvm::SmallVector<int64_t>;

/// Whether a permutation moves an element of a tensor of that shape.
bool movesElements(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> permutation);
/// The elements of a constant of 8 or 16 bits, or of f32, of shape [a, b, c] in the order [a, c, b], as one
/// of `shape`.
mlir::DenseElementsAttr swappedInner(mlir::DenseElementsAttr elements, int64_t a, int64_t b, int64_t c,
                                     llvm::ArrayRef<int64_t> shape);
/// [N, C, H, W], of [N, C, L] with a height of 1.
Sizes imageShape(mlir::Value value);
/// Its type with channels last.
mlir::RankedTensorType imageType(mlir::Value value);

class ImageLayouts {
public:
  explicit ImageLayouts(mlir::MLIRContext *context) : builder(context) {}

  /// What a value is made of.
  struct Source {
    mlir::Value value;
    /// Channels last, of a value that is [N, C, ...]; such an image flattened; a matrix.
    enum { Image, Flattened, Rows } kind;
  };

  void define(mlir::Operation *op, mlir::Value value, Source like = {nullptr, Source::Image});
  std::optional<Source> sourceOf(mlir::Value value) const;
  /// Whether it is made of an image with channels last.
  bool isOfImage(mlir::Value value) const;

  /// The image, with channels last.
  mlir::Value image(mlir::Value value, mlir::Location loc);
  /// The value in ONNX's order.
  mlir::Value inOrder(mlir::Value value, mlir::Location loc);
  void readInOrder(mlir::Operation *op);
  mlir::Value reshaped(mlir::Value value, llvm::ArrayRef<int64_t> shape, mlir::Location loc);
  mlir::Value transposed(mlir::Value value, llvm::ArrayRef<int64_t> permutation, mlir::Location loc);
  /// An operand with the rank of the result.
  mlir::Value ofRank(mlir::Value value, size_t rank, mlir::Location loc);

  /// Where the dimensions of a value lie in `x`, which gives it.
  struct Lying {
    mlir::Value x;
    Sizes dimensions;
  };
  Lying lyingOf(mlir::Value value, mlir::Location loc);

protected:
  mlir::OpBuilder builder;
  unsigned transposes = 0;

private:
  llvm::DenseMap<mlir::Value, Source> sources; ///< of values that lie otherwise than their shape says
};

} // namespace daedalus::qnn

#endif
