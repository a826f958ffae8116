// GPUs of NVIDIA's behind the interface of targets: a device with a memory of its own, which takes every
// kernel but gets those alone that are asked for.

#include "Code.h"
#include "Kernels.h"
#include "Libraries/LibraryChoice.h"
#include "Price/Work.h"
#include "Schedule/Decisions.h"
#include "State.h"

#include "daedalus/Target/CUDA/Passes.h"
#include "daedalus/Target/CUDA/ScheduleOps.h"
#include "daedalus/Target/CUDA/Settings.h"
#include "daedalus/Target/Target.h"

#include "mlir/IR/OwningOpRef.h"

using namespace mlir;

namespace daedalus::cuda {
namespace {

const State &stateOf(const TargetState &state) {
  return static_cast<const State &>(state);
}

State &stateOf(TargetState &state) {
  return static_cast<State &>(state);
}

CodeOptions optionsFor(const Architecture &architecture, const TargetState &state) {
  return {architecture, stateOf(state).libraries};
}

/// The module of kernels through passes. A diagnostic says why not.
FailureOr<OwningOpRef<ModuleOp>> lowered(ArrayRef<func::FuncOp> kernels,
                                         void (*add)(OpPassManager &, const CodeOptions &),
                                         const CodeOptions &options) {
  OwningOpRef<ModuleOp> module = takeKernels(kernels);
  PassManager passes(module->getContext());
  add(passes, options);
  if (failed(passes.run(*module)))
    return failure();
  return module;
}

gpu::GPUModuleOp deviceOf(ModuleOp module) {
  return module.lookupSymbol<gpu::GPUModuleOp>(deviceModule);
}

std::string textOf(Operation *op) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  op->print(stream, OpPrintingFlags().useLocalScope());
  return text;
}

/// The code of all kernels for one GPU. A diagnostic says why there is none.
LogicalResult addImage(ArrayRef<func::FuncOp> kernels, const CodeOptions &options, CodeWriter &writer) {
  const Architecture &architecture = options.architecture;
  FailureOr<OwningOpRef<ModuleOp>> module = lowered(kernels, addLowerKernels, options);
  if (failed(module) || failed(writer.addImage(llvm::to_vector((**module).getOps<func::FuncOp>()))))
    return failure();
  const Result<std::string> text = architecture.isEmulated ? Result<std::string>(textOf(deviceOf(**module)))
                                                           : ptxOf(deviceOf(**module), architecture);
  if (!text)
    return (**module).emitError(text.error());
  Image &image = writer.code.images.back();
  image.capability = architecture.capability;
  image.isExact = architecture.isExact;
  image.kind = architecture.isEmulated ? Image::Kind::Nvvm : Image::Kind::Ptx;
  image.bytes.assign(text->begin(), text->end());
  return success();
}

class CudaTarget : public daedalus::Target {
public:
  std::string name() const override { return Settings::target; }
  std::string title(const TargetState &) const override { return "the GPU"; }
  bool hasOwnMemory() const override { return true; }
  bool isAskedByName() const override { return true; }

  std::vector<TargetOption> options() const override { return targetOptions(); }
  Result<void> check(const TargetSettings &settings) const override {
    if (const auto parsed = parseArchitectures(settings.of<Settings>().architectures); !parsed)
      return error(parsed.error());
    const auto chosen = parseLibraries(settings.of<Settings>().libraries);
    return chosen ? Result<void>() : Result<void>(error(chosen.error()));
  }
  std::shared_ptr<TargetState> newState() const override { return std::make_shared<State>(); }

  Support supports(func::FuncOp, TargetState &) const override {
    return {true, "asked for with target cuda", 0};
  }

  Result<void> canPrice(TargetState &state) const override { return stateOf(state).calibrate(); }
  /// By its launches; of an A100 where no GPU was measured.
  Cost cost(func::FuncOp kernel, TargetState &state) const override {
    FailureOr<OwningOpRef<ModuleOp>> module =
        lowered(kernel, addFormLaunches, optionsFor(stateOf(state).architectures.front(), state));
    if (failed(module))
      return {std::numeric_limits<double>::quiet_NaN(), ""}; // the diagnostic says it
    const auto &works = stateOf(state).works[kernel.getName().str()] = worksOf(**module);
    return {stateOf(state).calibration.nanosecondsOf(works) / 1000, ""};
  }
  double copyCost(uint64_t bytes, const TargetState &state) const override {
    return stateOf(state).calibration.nanosecondsOfCopy(bytes) / 1000;
  }

  void registerDialects(DialectRegistry &registry) const override { cuda::registerDialects(registry); }
  void registerPasses() const override { cuda::registerPasses(); }

  void addKernelPasses(OpPassManager &passes, const TargetPassOptions &options) const override {
    const std::string &libraries = options.settings.of<Settings>().libraries;
    if (!libraries.empty())
      passes.addPass(createCudaExplainLibraries({libraries}));
  }

  LogicalResult compileDevice(ArrayRef<func::FuncOp> kernels, package::Device &device,
                              TargetState &state) const override {
    CodeWriter writer;
    for (const Architecture &architecture : stateOf(state).architectures) {
      if (failed(addImage(kernels, optionsFor(architecture, state), writer)))
        return failure();
      if (architecture.isEmulated)
        device.name = emulationName;
    }
    device.code = writeCode(writer.code);
    return success();
  }

  Result<std::string> schedule(const EmitSource &source, const TargetState &state) const override {
    const SmallVector<func::FuncOp> kernels = kernelsOf(source.module);
    if (kernels.empty())
      return std::string();
    OwningOpRef<ScheduleOp> all;
    for (const Architecture &architecture : stateOf(state).architectures) {
      FailureOr<OwningOpRef<ModuleOp>> module =
          lowered(kernels, addFormLaunches, optionsFor(architecture, state));
      if (failed(module))
        return error(""); // the diagnostic says it
      for (ScheduleOp schedule : llvm::make_early_inc_range((**module).getOps<ScheduleOp>()))
        addEntries(schedule, all);
    }
    return all ? textOf(*all) + "\n" : std::string();
  }

  std::vector<TargetLevel> levels() const override {
    std::vector<TargetLevel> levels = {{"gpu"}, {"nvvm"}, {"ptx"}};
    for (TargetLevel &level : levels)
      level.isOfWholeModel = true;
    return levels;
  }

  Result<std::string> emit(const std::string &level, const EmitSource &source,
                           const TargetState &state) const override {
    const SmallVector<func::FuncOp> kernels = kernelsOf(source.module);
    if (kernels.empty())
      return std::string();
    const Architecture &architecture = stateOf(state).architectures.front();
    FailureOr<OwningOpRef<ModuleOp>> module =
        lowered(kernels, level == "gpu" ? addFormLaunches : addLowerKernels, optionsFor(architecture, state));
    if (failed(module))
      return error(""); // the diagnostic says it
    if (level == "ptx")
      return ptxOf(deviceOf(**module), architecture);
    return textOf(**module);
  }
};

} // namespace

const std::map<std::string, std::vector<LaunchWork>> &worksOfKernels(TargetStates &states) {
  return stateOf(*states.of(*findTarget(Settings::target))).works;
}

std::unique_ptr<daedalus::Target> createTarget() {
  return std::make_unique<CudaTarget>();
}

} // namespace daedalus::cuda
