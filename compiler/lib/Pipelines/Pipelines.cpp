// The passes in order, and everything that the command and dae-opt register.

#include "daedalus/Codegen/Passes.h"
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
  Option<std::string> policy{*this, "policy", llvm::cl::desc("As of place-kernels"),
                             llvm::cl::init("accelerator-first")};
  Option<uint64_t> most{*this, "most", llvm::cl::desc("As of form-streams"), llvm::cl::init(0)};
  ListOption<std::string> targets{*this, "options", llvm::cl::desc("As of place-kernels")};
};

/// Registers a pipeline of passes that `add` adds for the options of its text.
void registerPipeline(StringRef name, StringRef meaning, void (*add)(OpPassManager &, const LowerOptions &)) {
  const auto build = [add](OpPassManager &passes, StringRef text,
                           function_ref<LogicalResult(const Twine &)> fail) -> LogicalResult {
    const auto options = PipelineOptions::createFromString(text);
    if (!options)
      return failure();
    TargetSettings settings;
    if (Result<void> given = settings.give({options->targets.begin(), options->targets.end()}); !given)
      return fail(given.error());
    const auto states = std::make_shared<TargetStates>(std::move(settings));
    if (Result<void> possible = states->check(); !possible)
      return fail(possible.error());
    add(passes, {states, options->target, options->policy, false, options->most, false});
    return success();
  };
  registerPassPipeline(name, meaning, build,
                       [](function_ref<void(const detail::PassOptions &)> show) { show(PipelineOptions()); });
}

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
  passes.addPass(createFuseCalls());
  passes.addPass(createFormKernels());
}

void addPlacement(OpPassManager &passes, const LowerOptions &options) {
  addKernels(passes);
  addPlacementOfKernels(passes, options);
}

void addPlacementOfKernels(OpPassManager &passes, const LowerOptions &options) {
  passes.addNestedPass<func::FuncOp>(qnn::createQnnRaiseScales());
  PlaceKernelsOptions placement;
  placement.target = options.target;
  placement.policy = options.policy;
  placement.prices = options.prices;
  placement.given = options.states->settings().given(); // for who prints the pipeline
  passes.addPass(createPlaceKernels(placement, options.states));
}

void addLowering(OpPassManager &passes, const LowerOptions &options) {
  passes.addPass(createFormStreams({options.most}));
  const auto optionsFor = [&](const Target &target) {
    return TargetPassOptions{options.states->settings(), options.states->of(target), options.recordPlan,
                             options.constants};
  };
  for (const auto &target : targets())
    target->addKernelPasses(passes, optionsFor(*target));
  passes.addPass(createPlanMemory());
  for (const auto &target : targets())
    target->addStreamPasses(passes, optionsFor(*target));
}

void registerPasses() {
  registerConvertGraphToLinalg();
  registerDropEmptyTensors();
  registerFormKernels();
  registerFuseCalls();
  registerPlaceKernels();
  registerFormStreams();
  registerPlanMemory();
  qnn::registerQnnPasses();
  codegen::registerCodegenPasses();
  for (const auto &target : targets())
    target->registerPasses();
  registerTransformsPasses();
  registerLinalgPasses();
  registerPipeline("daedalus-place", "Graphs and tensor programs to placed kernels: level linalg",
                   addPlacement);
  registerPipeline("daedalus-lower", "Graphs and tensor programs to level dae: all passes of the compiler",
                   [](OpPassManager &passes, const LowerOptions &options) {
                     addPlacement(passes, options);
                     addLowering(passes, options);
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
