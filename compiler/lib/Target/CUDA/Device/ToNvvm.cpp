// Functions for the GPU in the NVVM dialect.

#include "AlignedVectors.h"

#include "daedalus/Target/CUDA/CUDA.h"
#include "daedalus/Target/CUDA/Passes.h"
#include "daedalus/Target/CUDA/ScheduleOps.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/GPUCommon/GPUCommonPass.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/NVGPUToNVVM/NVGPUToNVVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace daedalus::cuda {
#define GEN_PASS_DEF_CUDATONVVM
#include "daedalus/Target/CUDA/Passes.h.inc"

namespace {

void addConversions(OpPassManager &passes) {
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
  passes.addPass(memref::createExpandStridedMetadataPass());
  passes.addPass(createLowerAffinePass());
  passes.addPass(createConvertSCFToCFPass());
}

void addCleaning(OpPassManager &passes) {
  passes.addNestedPass<LLVM::LLVMFuncOp>(createConvertMathToLLVMPass());
  passes.addPass(createReconcileUnrealizedCastsPass());
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
}

/// In which address space of a GPU memory lies (PTX ISA, "State Spaces").
unsigned addressSpaceOf(gpu::AddressSpace space) {
  switch (space) {
  case gpu::AddressSpace::Global:
    return NVVM::kGlobalMemorySpace;
  case gpu::AddressSpace::Workgroup:
    return NVVM::kSharedMemorySpace;
  case gpu::AddressSpace::Private:
    break;
  }
  return 0;
}

/// What MLIR's convert-gpu-to-nvvm does, but mathematical functions stay: it would call those of libdevice.
LogicalResult convertToNvvm(gpu::GPUModuleOp module) {
  MLIRContext *context = module.getContext();
  LowerToLLVMOptions options(context, DataLayout(module));
  options.useBarePtrCallConv = true;
  LLVMTypeConverter types(context, options);
  populateGpuMemorySpaceAttributeConversions(types, addressSpaceOf);
  types.addConversion([](nvgpu::DeviceAsyncTokenType token) -> Type { // which nothing reads
    return IntegerType::get(token.getContext(), 32);
  });
  RewritePatternSet patterns(context);
  populateGpuToNVVMConversionPatterns(types, patterns);
  arith::populateArithToLLVMConversionPatterns(types, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(types, patterns);
  populateFinalizeMemRefToLLVMConversionPatterns(types, patterns);
  populateVectorToLLVMConversionPatterns(types, patterns);
  populateNVGPUToNVVMConversionPatterns(types, patterns);
  populateAlignedVectorPatterns(types, patterns);
  LLVMConversionTarget target(*context);
  configureGpuToNVVMConversionLegality(target);
  target.addLegalDialect<math::MathDialect>();
  return applyPartialConversion(module, target, std::move(patterns));
}

/// Each argument is memory of its own, which begins where the largest vector may lie.
void promiseOfArguments(LLVM::LLVMFuncOp function) {
  constexpr int64_t bytesOfVector = 16;
  Builder b(function.getContext());
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (isa<LLVM::LLVMPointerType>(function.getArgument(i).getType())) {
      function.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(), b.getUnitAttr());
      function.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(), b.getI64IntegerAttr(bytesOfVector));
    }
}

/// Dynamic shared memory is nobody's variable, but what a launch asks for; whatever is in it may lie in
/// patterns of 1024 bytes (wgmma), from its first byte on.
void declareDynamicShared(gpu::GPUModuleOp module) {
  constexpr uint64_t alignment = 1024;
  for (auto global : module.getOps<LLVM::GlobalOp>())
    if (auto array = dyn_cast<LLVM::LLVMArrayType>(global.getType()); array && array.getNumElements() == 0) {
      global.setAlignment(alignment);
      global.setLinkage(LLVM::Linkage::External);
    }
}

struct ToNvvm : impl::CudaToNvvmBase<ToNvvm> {
  void runOnOperation() override {
    OpPassManager passes(gpu::GPUModuleOp::getOperationName());
    addConversions(passes);
    OpPassManager cleaning(gpu::GPUModuleOp::getOperationName());
    addCleaning(cleaning);
    if (failed(runPipeline(passes, getOperation())) || failed(convertToNvvm(getOperation())) ||
        failed(runPipeline(cleaning, getOperation())))
      return signalPassFailure();
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      promiseOfArguments(function);
    declareDynamicShared(getOperation());
  }
};

} // namespace

void addLowerKernels(OpPassManager &passes, const CodeOptions &options) {
  addFormLaunches(passes, options);
  passes.addNestedPass<gpu::GPUModuleOp>(createCudaToNvvm());
}

} // namespace daedalus::cuda
