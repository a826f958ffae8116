// Vectors that lie at multiples of their size are loaded and stored at once.

#include "AlignedVectors.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace daedalus::cuda {
namespace {

unsigned bytesOf(VectorType type) {
  return static_cast<unsigned>(type.getNumElements() * type.getElementTypeBitWidth() / 8);
}

struct AlignedLoad : ConvertOpToLLVMPattern<vector::LoadOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(vector::LoadOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!op->hasAttr(alignedAttribute))
      return failure();
    Value address = getStridedElementPtr(op.getLoc(), op.getMemRefType(), adaptor.getBase(),
                                         adaptor.getIndices(), rewriter);
    rewriter.replaceOpWithNewOp<LLVM::LoadOp>(op, typeConverter->convertType(op.getType()), address,
                                              bytesOf(op.getVectorType()));
    return success();
  }
};

struct AlignedStore : ConvertOpToLLVMPattern<vector::StoreOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(vector::StoreOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!op->hasAttr(alignedAttribute))
      return failure();
    Value address = getStridedElementPtr(op.getLoc(), op.getMemRefType(), adaptor.getBase(),
                                         adaptor.getIndices(), rewriter);
    rewriter.replaceOpWithNewOp<LLVM::StoreOp>(op, adaptor.getValueToStore(), address,
                                               bytesOf(op.getVectorType()));
    return success();
  }
};

} // namespace

void populateAlignedVectorPatterns(LLVMTypeConverter &types, RewritePatternSet &patterns) {
  patterns.add<AlignedLoad, AlignedStore>(types, /*benefit=*/2);
}

} // namespace daedalus::cuda
