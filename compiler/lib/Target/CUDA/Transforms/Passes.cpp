// What is done to kernels, as passes.

#include "daedalus/Target/CUDA/Passes.h"

#include "Buffers.h"
#include "Libraries/LibraryChoice.h"
#include "Schedule/Decisions.h"
#include "Transforms.h"

#include "daedalus/Codegen/Passes.h"
#include "daedalus/Target/CUDA/CUDA.h"
#include "daedalus/Target/CUDA/ScheduleOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace daedalus::cuda {
#define GEN_PASS_DEF_CUDASPLITREDUCTIONS
#define GEN_PASS_DEF_CUDABUFFERIZE
#define GEN_PASS_DEF_CUDAREPORTSTATUS
#define GEN_PASS_DEF_CUDAFORMLAUNCHES
#define GEN_PASS_DEF_CUDATAKESTOREDFACTORS
#define GEN_PASS_DEF_CUDALINEUPFACTORS
#include "daedalus/Target/CUDA/Passes.h.inc"

namespace {

struct SplitReductions : impl::CudaSplitReductionsBase<SplitReductions> {
  void runOnOperation() override { splitReductions(getOperation()); }
};

struct Bufferize : impl::CudaBufferizeBase<Bufferize> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<func::FuncOp>())
      if (failed(bufferize(kernel)))
        return signalPassFailure();
  }
};

struct TakeStoredFactors : impl::CudaTakeStoredFactorsBase<TakeStoredFactors> {
  void runOnOperation() override { takeStoredFactors(getOperation()); }
};

struct LineUpFactors : impl::CudaLineUpFactorsBase<LineUpFactors> {
  void runOnOperation() override { lineUpFactors(getOperation()); }
};

struct ReportStatus : impl::CudaReportStatusBase<ReportStatus> {
  void runOnOperation() override { reportStatus(getOperation()); }
};

struct FormLaunches : impl::CudaFormLaunchesBase<FormLaunches> {
  using CudaFormLaunchesBase::CudaFormLaunchesBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    const Result<std::vector<Architecture>> parsed = parseArchitectures(architecture);
    const auto choices = parseLibraries(libraries);
    if (!parsed || parsed->size() != 1 || !choices) {
      module.emitError(!choices  ? choices.error()
                       : !parsed ? parsed.error()
                                 : "architecture '" + architecture + "' is not one; expected one");
      return signalPassFailure();
    }
    gpu::GPUModuleOp device = addDeviceModule(module);
    Decisions schedules(module, parsed->front());
    for (auto kernel : module.getOps<func::FuncOp>())
      if (failed(formLaunches(kernel, device, *choices, schedules)))
        return signalPassFailure();
    schedules.record(module);
  }
};

/// On tensors.
void addTensorPasses(OpPassManager &kernels) {
  kernels.addPass(codegen::createCodegenExpandScales());
  kernels.addPass(createCudaTakeStoredFactors());
  kernels.addPass(createCudaLineUpFactors());
  kernels.addPass(codegen::createCodegenComputeBeforeReshapes());
  kernels.addPass(codegen::createCodegenFuseElementwise());
  kernels.addPass(createCudaSplitReductions());
  kernels.addPass(codegen::createCodegenExpandRequantize());
  kernels.addPass(codegen::createCodegenComputeInDestination());
  kernels.addPass(codegen::createCodegenWidenHalves());
  kernels.addPass(codegen::createCodegenExpandMath());
  kernels.addPass(codegen::createCodegenExpandPads());
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
}

} // namespace

gpu::GPUModuleOp addDeviceModule(ModuleOp module) {
  module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(), UnitAttr::get(module.getContext()));
  auto b = OpBuilder::atBlockEnd(module.getBody());
  return b.create<gpu::GPUModuleOp>(module.getLoc(), deviceModule);
}

void addFormBuffers(OpPassManager &passes) {
  addTensorPasses(passes.nest<func::FuncOp>());
  passes.addPass(createCudaBufferize());
  passes.addNestedPass<func::FuncOp>(createCudaReportStatus());
}

void addFormLaunches(OpPassManager &passes, const CodeOptions &options) {
  addFormBuffers(passes);
  passes.addPass(createCudaFormLaunches({options.architecture.name(), options.libraries}));
}

} // namespace daedalus::cuda
