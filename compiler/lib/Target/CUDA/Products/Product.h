// Sums of products on buffers, in the terms in which blocks of threads compute them: a matrix of M rows and K
// columns times one of K rows and N columns, once for each of a batch. A convolution is one whose rows are
// pixels.

#ifndef DAEDALUS_LIB_TARGET_CUDA_PRODUCT_H
#define DAEDALUS_LIB_TARGET_CUDA_PRODUCT_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace daedalus::cuda {

/// Loops of an operation that are one dimension of a product, the first the slowest.
struct Dimension {
  llvm::SmallVector<unsigned> loops;
  int64_t size = 1; ///< of all of them together
};

/// Whether all bits of a number are 0.
bool isZero(mlir::TypedAttr constant);

/// Constants around an image that a factor reads: in no memory.
struct Border {
  /// A dimension of the image that has some in front of it or behind it.
  struct Side {
    int64_t before, extent;           ///< constants in front of the image, and the image's elements
    llvm::SmallVector<int64_t> steps; ///< along it with a step of a loop, by the operation's loops
  };
  mlir::Value image;
  mlir::TypedAttr constant;
  llvm::SmallVector<Side> sides;

  bool isOfZeros() const { return isZero(constant); }
  bool dependsOn(unsigned loop) const;
};

/// One of the two factors.
struct Factor {
  mlir::OpOperand *operand;
  /// Elements between neighbours along a loop, by the operation's loops.
  llvm::SmallVector<int64_t> strides;
  int64_t first = 0; ///< of its elements, in the buffer; in front of that where it is one of the border
  std::optional<Border> border = std::nullopt;

  mlir::Type type() const;
  mlir::Value buffer() const { return border ? border->image : operand->get(); }
};

struct Product {
  mutable mlir::linalg::LinalgOp op;
  Factor a, b; ///< of M and K, and of N and K
  Dimension batch, m, n, k;
  llvm::SmallVector<int64_t> sizes; ///< of the loops

  /// `out += a * b` of float32, of floats of 16 bits that are widened to it, or of bytes that are extended to
  /// int32 with their signs, with linear indices of whole buffers; nothing of others.
  static std::optional<Product> of(mlir::linalg::LinalgOp op);

  bool isInt8() const { return a.type().isSignlessInteger(8); }
  bool isHalf() const { return a.type().isF16() || a.type().isBF16(); }
};

/// Elements between neighbours along each loop of an operation, of a whole buffer that is read or written
/// by the map; nothing where indices are not linear.
std::optional<llvm::SmallVector<int64_t>> stridesOf(mlir::AffineMap map, mlir::MemRefType type);

/// How a factor's elements lie in memory, so that several are copied at once.
enum class Contiguity {
  AlongK,    ///< neighbours of the reduction are
  AlongRows, ///< neighbours of M or N are
  None       ///< neither is, or not at multiples of what is copied
};

/// `rows`: M or N. `elements`: that are copied at once, of 16 bytes.
Contiguity contiguityOf(const Product &product, const Factor &factor, const Dimension &rows,
                        int64_t elements);

} // namespace daedalus::cuda

#endif
