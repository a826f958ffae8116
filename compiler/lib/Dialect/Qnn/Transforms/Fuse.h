// The patterns of qnn-fuse-quantization, one file a kind.

#ifndef DAEDALUS_LIB_DIALECT_QNN_TRANSFORMS_FUSE_H
#define DAEDALUS_LIB_DIALECT_QNN_TRANSFORMS_FUSE_H

#include "mlir/IR/PatternMatch.h"

#include <cstdint>

namespace daedalus::qnn {

/// A quantization goes into the product, the sum, difference or product of two, the mean, or the
/// concatenation that it quantizes.
void addFusedOperations(mlir::RewritePatternSet &patterns, uint64_t &count);

/// A quantization goes into the product of two tensors that it quantizes.
void addBatchProducts(mlir::RewritePatternSet &patterns, uint64_t &count);

/// A product of quantized tensors whose result nobody quantizes becomes sums of i32 and a function that makes
/// real numbers of them. Behind all that quantizes.
void addSums(mlir::RewritePatternSet &patterns, uint64_t &count);

/// Products of two tensors read both along their reduction: what transpositions in front of them read, or
/// what is transposed for them. Behind all others.
void addReadingOrders(mlir::RewritePatternSet &patterns, uint64_t &count);

/// A quantization goes in front of clamps and maxima; a quantization of what is dequantized is a rescaling.
void addCommuting(mlir::RewritePatternSet &patterns, uint64_t &count);

/// A quantization of a function of one tensor becomes a table.
void addTables(mlir::RewritePatternSet &patterns, uint64_t &count);

/// What only moves elements, or compares them, takes what is dequantized as it is stored; a quantization
/// behind a reshape, a transposition or a slice goes in front of it.
void addMoves(mlir::RewritePatternSet &patterns, uint64_t &count);

/// A reshape of a reshape is one; what is dequantized in front of a reshape or transposition is so behind it.
void addViews(mlir::RewritePatternSet &patterns, uint64_t &count);

} // namespace daedalus::qnn

#endif
