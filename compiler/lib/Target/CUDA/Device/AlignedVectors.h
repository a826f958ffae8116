// Vectors in memory that lie at multiples of their size.

#ifndef DAEDALUS_LIB_TARGET_CUDA_DEVICE_ALIGNEDVECTORS_H
#define DAEDALUS_LIB_TARGET_CUDA_DEVICE_ALIGNEDVECTORS_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/IR/PatternMatch.h"

namespace daedalus::cuda {

/// Of a vector.load or vector.store: its address is a multiple of the vector's size.
constexpr const char *alignedAttribute = "daedalus.aligned";

/// Such loads and stores to those of the dialect llvm, which say so.
void populateAlignedVectorPatterns(mlir::LLVMTypeConverter &types, mlir::RewritePatternSet &patterns);

} // namespace daedalus::cuda

#endif
