// An operand of a product of integers less its zero point.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_BODY_CENTRED_H
#define DAEDALUS_LIB_IMPORT_ONNX_BODY_CENTRED_H

#include "Body/Kernel.h"

namespace daedalus::onnximport {

/// What a product of integers reads of an input and its zero point, and from these the difference in int32.
/// The zero point is a scalar, is left out, or has one entry an index of a channel.
class Centred {
public:
  Centred(GeneralKernel &k, size_t input, size_t zeroPoint) : k(k), input(input), zeroPoint(zeroPoint) {}

  /// Adds to `reads` the input where `map` says, and its zero point for the channel.
  void read(mlir::AffineMap map, mlir::AffineExpr channel, llvm::SmallVectorImpl<Read> &reads) {
    first = reads.size();
    reads.push_back({k.in(input), map});
    if (!k.has(zeroPoint))
      return;
    llvm::SmallVector<mlir::AffineExpr> at(k.rank(zeroPoint), k.b.getAffineConstantExpr(0));
    if (product(k.shape(zeroPoint)) != 1)
      at[0] = channel;
    reads.push_back(k.read(zeroPoint, mlir::AffineMap::get(map.getNumDims(), 0, at, k.b.getContext())));
  }
  /// Of the elements that all reads gave.
  mlir::Value element(mlir::ValueRange elements) const {
    const auto wide = [&](mlir::Value value, size_t of) {
      return k.convert(value, k.dtype(of), onnx::TensorProto::INT32);
    };
    mlir::Value x = wide(elements[first], input);
    return k.has(zeroPoint) ? k.sub(x, wide(elements[first + 1], zeroPoint)) : x;
  }

private:
  GeneralKernel &k;
  const size_t input, zeroPoint;
  size_t first = 0; ///< of its reads
};

} // namespace daedalus::onnximport

#endif
