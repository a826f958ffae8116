// The CPU behind the interface of targets: it takes every kernel, each is a step, and all of them become one
// object.

#include "Libraries/Libraries.h"
#include "Passes.h"
#include "Schedule/Schedule.h"
#include "Schedule/ScheduleSearch.h"
#include "State.h"
#include "Transforms/Tasks.h"

#include "daedalus/Target/CPU/CPU.h"
#include "daedalus/Target/CPU/Levels.h"
#include "daedalus/Target/CPU/Passes.h"
#include "daedalus/Target/CPU/Settings.h"
#include "daedalus/Target/Target.h"
#include "daedalus/Target/TensorTypes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace daedalus::cpu {
namespace {

using package::KernelArgument;

/// LLVM IR for reading: lines of constants are cut where they grow long.
std::string withoutLargeConstants(llvm::StringRef ir) {
  constexpr size_t most = 160;
  std::string text;
  while (!ir.empty()) {
    auto [line, rest] = ir.split('\n');
    bool cut = line.starts_with("@") && line.size() > most;
    text += line.take_front(cut ? most : line.size()).str() + (cut ? " ...\n" : "\n");
    ir = rest;
  }
  return text;
}

bool hasVnni(ArrayRef<Level> levels) {
  return llvm::all_of(levels, [](const Level &level) { return featuresOf(level).hasVnni; });
}

class CpuTarget : public Target {
public:
  std::string name() const override { return Settings::target; }
  std::string title(const TargetState &) const override { return "the CPU"; }
  bool isFallback() const override { return true; }

  std::vector<TargetOption> options() const override { return cpu::targetOptions(); }
  Result<void> check(const TargetSettings &settings) const override {
    const Result<std::vector<Level>> parsed = parseSettings(settings);
    if (!parsed)
      return error(parsed.error());
    const std::string &libraries = settings.of<Settings>().libraries;
    const Result<std::vector<LibraryChoice>> chosen = parseLibraries(libraries, hasVnni(*parsed));
    return chosen ? Result<void>() : Result<void>(error(chosen.error()));
  }
  std::shared_ptr<TargetState> newState() const override { return std::make_shared<State>(); }

  Support supports(func::FuncOp, TargetState &) const override { return {true, "", 0}; }
  Result<void> canPrice(TargetState &state) const override { return stateOf(state).calibrate(); }
  Cost cost(func::FuncOp kernel, TargetState &state) const override {
    const Amounts &amounts = stateOf(state).amounts[kernel.getName().str()] = amountsOf(kernel);
    return {stateOf(state).calibration ? stateOf(state).calibration->priceOf(amounts) : 0, ""};
  }

  void registerDialects(DialectRegistry &registry) const override { cpu::registerDialects(registry); }
  void registerPasses() const override { cpu::registerPasses(); }
  void addKernelPasses(OpPassManager &passes, const TargetPassOptions &options) const override {
    const std::string &libraries = options.settings.of<Settings>().libraries;
    if (!libraries.empty())
      passes.addPass(createCpuCallLibraries({libraries, hasVnni(levelsOf(options.settings))}));
    const bool isFirmware = !options.settings.of<Settings>().firmwarePrefix.empty();
    addLowerKernels(passes, lowerOptionsOf(featuresOf(levelsOf(options.settings).front()), isFirmware));
  }

  LogicalResult checkFunction(func::FuncOp function) const override { return checkLowered(function); }
  LogicalResult addStep(host::StepOp from, PackageBuilder &builder, TargetState &) const override {
    package::Step step;
    step.kind = package::Step::Kind::CallKernel;
    step.layer = from.getLayers().front();
    for (Value operand : from.getOperands())
      step.inputs.push_back(builder.ref(operand));
    for (memref::GlobalOp constant : constantsOf(from))
      step.inputs.push_back(builder.constant(cast<DenseElementsAttr>(constant.getConstantInitValue())));
    for (Value value : from.getResults())
      step.outputs.push_back(builder.ref(value));
    FailureOr<uint32_t> index = kernelIndex(from, builder);
    if (failed(index))
      return failure();
    step.index = *index;
    if (const std::optional<int64_t> bytes = scratchBytes(from, builder))
      step.outputs.push_back({package::Space::Arena,
                              from.getScratch().value_or(0),
                              uint64_t(*bytes),
                              {package::DType::I8, {*bytes}}});
    builder.steps().push_back(step);
    return success();
  }

  LogicalResult finish(PackageBuilder &builder, TargetState &state) const override {
    if (builder.package.kernels.empty())
      return success();
    builder.enter("CPU code");
    std::vector<std::string> symbols;
    for (const package::Kernel &kernel : builder.package.kernels)
      symbols.push_back(kernel.symbol);
    const KernelCode how{stateOf(state).firmwarePrefix, builder.cache(),
                         [&](PassManager &passes) { return builder.configure(passes); }};
    for (const Level &level : stateOf(state).levels) {
      FailureOr<package::ElfObject> object = compileKernels(builder.module(), symbols, level, how);
      if (failed(object))
        return failure();
      builder.package.objects.push_back(std::move(*object));
    }
    return success();
  }

  Result<std::string> schedule(const EmitSource &source, const TargetState &state) const override {
    const OwningOpRef<ModuleOp> kernels = kernelsOf(source.module, name());
    const FailureOr<std::string> text = printSchedule(source.module, *kernels, stateOf(state).levels);
    return succeeded(text) ? Result<std::string>(*text) : error(""); // the diagnostic says it
  }

  std::vector<TargetLevel> levels() const override {
    TargetLevel llvm{"llvm"};
    llvm.isOfWholeModel = true;
    return {llvm};
  }

  Result<std::string> emit(const std::string &, const EmitSource &source,
                           const TargetState &state) const override {
    const OwningOpRef<ModuleOp> kernels = kernelsOf(source.module, name());
    const FailureOr<std::string> text = emitLlvm(source.module, *kernels, stateOf(state).levels.front());
    return succeeded(text) ? Result<std::string>(*text) : error(""); // the diagnostic says it
  }

private:
  FailureOr<std::string> emitLlvm(ModuleOp module, ModuleOp kernels, const Level &level) const {
    std::string text;
    host::PackageOp package = host::packageOf(module);
    auto layers = llvm::to_vector(package.getLayers().getAsRange<host::LayerAttr>());
    for (auto step : module.lookupSymbol<func::FuncOp>(package.getEntry()).getOps<host::StepOp>())
      if (step.getTarget() == name())
        text +=
            "; " + step.getCallee().str() + ": " + layers[step.getLayers().front()].getNode().str() + "\n";
    if (failed(placeBlocks(module, kernels, level)))
      return failure();
    FailureOr<std::string> llvm = printLlvm(kernels, level);
    if (failed(llvm))
      return failure();
    return text + "\n" + withoutLargeConstants(*llvm);
  }

  static SmallVector<memref::GlobalOp> constantsOf(host::StepOp step) {
    SmallVector<memref::GlobalOp> globals;
    if (step.getConstants())
      for (auto name : step.getConstants()->getAsRange<FlatSymbolRefAttr>())
        globals.push_back(SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(step, name));
    return globals;
  }

  /// Bytes of the argument behind inputs and outputs; none of a kernel without it.
  static std::optional<int64_t> scratchBytes(host::StepOp step, PackageBuilder &builder) {
    ArrayRef<Type> arguments = builder.callee(step).getArgumentTypes();
    if (arguments.size() == step.numBuffers())
      return std::nullopt;
    return cast<MemRefType>(arguments.back()).getNumElements();
  }

  /// The kernel, with its signature when it is new: what the step gives it, which its arguments have to be.
  static FailureOr<uint32_t> kernelIndex(host::StepOp step, PackageBuilder &builder) {
    func::FuncOp function = builder.callee(step);
    if (failed(checkKernel(step, function)))
      return failure();
    auto [found, isNew] = builder.kernels.try_emplace(function, builder.package.kernels.size());
    if (!isNew)
      return found->second;
    package::Kernel kernel{function.getName().str(), {}};
    kernel.workerBytes = workerBytesOf(function);
    auto add = [&](Type type, KernelArgument::Access access, uint32_t alignment) {
      kernel.arguments.push_back({access, tensorType(type), alignment});
    };
    auto addTensor = [&](Type type, KernelArgument::Access access) {
      add(type, access, package::byteSize(tensorType(type).dtype));
    };
    for (Value operand : step.getOperands())
      addTensor(operand.getType(), KernelArgument::Access::Read);
    for (memref::GlobalOp constant : constantsOf(step))
      add(constant.getType(), KernelArgument::Access::Read, PackageBuilder::constantAlignment);
    for (Value value : step.getResults())
      addTensor(value.getType(), KernelArgument::Access::Write);
    if (scratchBytes(step, builder))
      add(function.getArgumentTypes().back(), KernelArgument::Access::Write, scratchAlignment);
    builder.package.kernels.push_back(std::move(kernel));
    return found->second;
  }

  /// That the buffers of a kernel are those of the step's tensors.
  static LogicalResult checkKernel(host::StepOp step, func::FuncOp kernel) {
    SmallVector<Type> tensors(step.getOperandTypes());
    for (memref::GlobalOp constant : constantsOf(step))
      tensors.push_back(
          RankedTensorType::get(constant.getType().getShape(), constant.getType().getElementType()));
    tensors.append(step.getResultTypes().begin(), step.getResultTypes().end());
    ArrayRef<Type> arguments = kernel.getArgumentTypes();
    const size_t more = arguments.size() - tensors.size();
    bool fits = !kernel.isExternal() && arguments.size() >= tensors.size() && more <= 1 &&
                kernel.getNumResults() == 1 && kernel.getResultTypes()[0].isSignlessInteger(32);
    for (auto [type, argument] : llvm::zip(tensors, arguments)) {
      auto tensor = cast<RankedTensorType>(type);
      auto buffer = dyn_cast<MemRefType>(argument);
      fits &= buffer && buffer.getLayout().isIdentity() && !buffer.getMemorySpace() &&
              buffer.getShape() == tensor.getShape() && buffer.getElementType() == tensor.getElementType();
    }
    if (fits && more) {
      auto scratch = dyn_cast<MemRefType>(arguments.back());
      fits = scratch && scratch.hasStaticShape() && scratch.getRank() == 1 &&
             scratch.getElementType().isSignlessInteger(8) && scratch.getLayout().isIdentity() &&
             !scratch.getMemorySpace();
    }
    if (fits)
      return success();
    return step.emitOpError("calls ") << step.getCalleeAttr() << " of type " << kernel.getFunctionType()
                                      << "; expected a kernel on buffers of its operands and results";
  }
};

} // namespace

std::unique_ptr<Target> createTarget() {
  return std::make_unique<CpuTarget>();
}

} // namespace daedalus::cpu
