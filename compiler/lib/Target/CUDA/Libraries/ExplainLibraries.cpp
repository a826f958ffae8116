// What libraries compute of each layer, in its reason, which --placement prints. Kernels are looked at as
// cuda-form-launches leaves them, in a module of their own.

#include "LibraryCall.h"

#include "daedalus/Target/CUDA/CUDA.h"
#include "daedalus/Target/CUDA/Passes.h"
#include "daedalus/Target/CUDA/ScheduleOps.h"
#include "daedalus/Target/CUDA/Settings.h"

#include "daedalus/Dialect/Host/IR/Layers.h"

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
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/PassManager.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace daedalus::cuda {
#define GEN_PASS_DEF_CUDAEXPLAINLIBRARIES
#include "daedalus/Target/CUDA/Passes.h.inc"

namespace {

using Functions = llvm::SetVector<Attribute>; // by their names

struct ExplainLibraries : impl::CudaExplainLibrariesBase<ExplainLibraries> {
  using CudaExplainLibrariesBase::CudaExplainLibrariesBase;

  void runOnOperation() override {
    llvm::MapVector<func::FuncOp, SmallVector<int64_t>> layers = layersOfKernels();
    if (layers.empty() || libraries.empty())
      return;
    SmallVector<func::FuncOp> kernels;
    for (auto &[kernel, of] : layers)
      kernels.push_back(kernel);
    OwningOpRef<ModuleOp> module = takeKernels(kernels);
    PassManager passes(&getContext());
    addFormLaunches(passes, {Architecture(), libraries});
    if (failed(passes.run(*module)))
      return signalPassFailure();
    llvm::MapVector<int64_t, Functions> called;
    for (auto [kernel, formed] : llvm::zip(kernels, module->getOps<func::FuncOp>()))
      for (Operation &call :
           llvm::make_filter_range(formed.getOps(), [](Operation &op) { return isLibraryCall(&op); }))
        for (int64_t layer : layers[kernel])
          called[layer].insert(call.getAttr("function"));
    for (auto package : getOperation().getOps<host::PackageOp>())
      explain(package, called);
  }

private:
  /// The first one of each step, which its reason stands for.
  llvm::MapVector<func::FuncOp, SmallVector<int64_t>> layersOfKernels() {
    const SymbolTable symbols(getOperation());
    llvm::MapVector<func::FuncOp, SmallVector<int64_t>> layers;
    getOperation().walk([&](host::StepOp step) {
      if (step.getTarget() == Settings::target && !step.getLayers().empty())
        layers[symbols.lookup<func::FuncOp>(step.getCallee())].push_back(step.getLayers().front());
    });
    return layers;
  }

  void explain(host::PackageOp package, const llvm::MapVector<int64_t, Functions> &called) {
    for (const auto &[layer, functions] : called)
      host::addCalls(package, layer, functions.getArrayRef());
  }
};

} // namespace
} // namespace daedalus::cuda
