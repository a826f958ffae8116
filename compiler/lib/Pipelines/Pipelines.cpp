// The passes in order, and everything that the command and dae-opt register.

#include "daedalus/Conversion/GraphToLinalg/GraphToLinalg.h"
#include "daedalus/Dialect/Host/IR/Host.h"
#include "daedalus/Dialect/Qnn/IR/Qnn.h"
#include "daedalus/Dialect/Qnn/Transforms/Passes.h"
#include "daedalus/Pipelines/Passes.h"
#include "daedalus/Target/Target.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Quant/QuantOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace daedalus {
namespace {

#define GEN_PASS_REGISTRATION
#include "daedalus/Pipelines/Passes.h.inc"

/// LowerOptions as options of a pipeline.
struct PipelineOptions : PassPipelineOptions<PipelineOptions> {
  Option<std::string> target{*this, "target", llvm::cl::desc("auto, or the name of a target"),
                             llvm::cl::init("auto")};
  Option<std::string> machine{*this, "machine",
                              llvm::cl::desc("Name of a built-in machine, or path of a machine file"),
                              llvm::cl::init("")};
  Option<uint64_t> most{*this, "most", llvm::cl::desc("Instructions after which another stream begins"),
                        llvm::cl::init(0)};

  Option<std::string> intrinsics{*this, "intrinsics", llvm::cl::desc("File of more intrinsics"),
                                 llvm::cl::init("")};

  Option<std::string> libraries{*this, "libraries", llvm::cl::desc("As of cpu-call-libraries"),
                                llvm::cl::init("")};

  LowerOptions options() const {
    CodeOptions code;
    code.libraries = libraries;
    return {target, machine, most, false, intrinsics, nullptr, code};
  }
};

} // namespace

void addKernels(OpPassManager &passes) {
  passes.addPass(qnn::createQnnFoldConstants());
  passes.addPass(qnn::createQnnSignedStorage());
  passes.addPass(qnn::createQnnTransposedConvolutions());
  passes.addPass(qnn::createQnnFoldIntoWeights());
  passes.addPass(qnn::createQnnFuseQuantization());
  passes.addPass(qnn::createQnnChannelsLast());
  passes.addPass(createConvertGraphToLinalg());
  passes.addPass(createDropEmptyTensors());
  passes.addPass(createFormKernels());
}

void addPlacement(OpPassManager &passes, const LowerOptions &options) {
  addKernels(passes);
  passes.addNestedPass<func::FuncOp>(qnn::createQnnRaiseScales());
  passes.addPass(createPlaceKernels({options.machine, options.target, options.intrinsics}, options.states));
}

void addLowering(OpPassManager &passes, const LowerOptions &options) {
  passes.addPass(createFormStreams({options.most}));
  for (const auto &target : targets())
    target->addKernelPasses(passes, options.code);
  passes.addPass(createPlanMemory());
  for (const auto &target : targets())
    target->addStreamPasses(passes, {options.recordPlan, options.intrinsics,
                                     options.states ? options.states->of(*target) : nullptr});
}

void registerPasses() {
  registerConvertGraphToLinalg();
  registerDropEmptyTensors();
  registerFormKernels();
  registerPlaceKernels();
  registerFormStreams();
  registerPlanMemory();
  qnn::registerQnnPasses();
  for (const auto &target : targets())
    target->registerPasses();
  registerTransformsPasses();
  registerLinalgPasses();
  PassPipelineRegistration<PipelineOptions>(
      "daedalus-place", "Graphs and tensor programs to placed kernels: level linalg",
      [](OpPassManager &passes, const PipelineOptions &options) { addPlacement(passes, options.options()); });
  PassPipelineRegistration<PipelineOptions>(
      "daedalus-lower", "Graphs and tensor programs to level dae: all passes of the compiler",
      [](OpPassManager &passes, const PipelineOptions &options) {
        addPlacement(passes, options.options());
        addLowering(passes, options.options());
      });
}

void registerDialects(DialectRegistry &registry) {
  registry
      .insert<func::FuncDialect, host::HostDialect, linalg::LinalgDialect, math::MathDialect, qnn::QnnDialect,
              quant::QuantizationDialect, scf::SCFDialect, tensor::TensorDialect, tosa::TosaDialect>();
  for (const auto &target : targets())
    target->registerDialects(registry);
}

} // namespace daedalus
