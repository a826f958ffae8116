// The accelerator behind the interface of targets: consecutive kernels are streams of instructions.

#include "State.h"
#include "StreamCalls.h"

#include "daedalus/Dialect/Dae/IR/Dae.h"
#include "daedalus/Dialect/Dae/Transforms/Intrinsics.h"
#include "daedalus/Dialect/Dae/Transforms/Machine.h"
#include "daedalus/Dialect/Dae/Transforms/Passes.h"
#include "daedalus/Dialect/Dae/Transforms/Transforms.h"
#include "daedalus/Target/Accelerator/Accelerator.h"
#include "daedalus/Target/Accelerator/Passes.h"
#include "daedalus/Target/Accelerator/Settings.h"
#include "daedalus/Target/DidYouMean.h"
#include "daedalus/Target/Schedule.h"
#include "daedalus/Target/Target.h"
#include "daedalus/isa/dram.h"
#include "daedalus/isa/encoding.h"
#include "daedalus/isa/machine_names.h"
#include "daedalus/package/prove.h"
#include "daedalus/support/decimal.h"

#include <algorithm>

using namespace mlir;

namespace daedalus::accelerator {
namespace {

struct PlanScheduling : SchedulingInterface {
  using SchedulingInterface::SchedulingInterface;
  StringRef section() const override { return dae::PlanOp::getOperationName(); }
};

const State &of(const TargetState &state) {
  return static_cast<const State &>(state);
}

State &of(TargetState &state) {
  return static_cast<State &>(state);
}

TargetOption machineOption() {
  TargetOption option{"machine", "NAME|FILE[,KEY=VALUE...]"};
  option.meaning = "One of ";
  for (const std::string &name : isa::builtinMachines())
    option.meaning += name + ", ";
  option.meaning += "or a machine file; KEY=VALUE changes a key of it";
  option.give = [](TargetSettings &settings, const std::string &value) -> Result<void> {
    Result<isa::Machine> machine = isa::loadMachine(value, didYouMean);
    if (!machine)
      return error(machine.error());
    settings.of<Settings>().machine = std::move(*machine);
    return {};
  };
  return option;
}

TargetOption clockOption() {
  TargetOption option{"clock-mhz", "MHZ"};
  option.meaning = "Clock frequency of the accelerator in MHz, a whole number up to 10000, to convert cycles "
                   "to microseconds (default: that of the machine, if it states one)";
  option.refusal = "which was placed when it was compiled";
  option.give = [](TargetSettings &settings, const std::string &value) -> Result<void> {
    const std::optional<uint64_t> clock = parseDecimal(value);
    if (!clock || *clock < 1 || *clock > 10000)
      return error("the accelerator's clock is '" + value +
                   "'; expected a whole number of MHz from 1 to 10000");
    settings.of<Settings>().clockMhz = *clock;
    return {};
  };
  return option;
}

TargetOption intrinsicsOption() {
  TargetOption option{"intrinsics", "FILE.mlir"};
  option.meaning = "Additional blocks that the accelerator can compute, declared in MLIR";
  option.isFile = true;
  option.refusal = "which already holds its instructions";
  option.give = given(&Settings::intrinsics);
  return option;
}

class AcceleratorTarget : public Target {
public:
  std::string name() const override { return Settings::target; }
  std::string title(const TargetState &state) const override {
    return "the accelerator of machine '" + of(state).machine.name + "'";
  }

  std::vector<TargetOption> options() const override {
    return {machineOption(), clockOption(), intrinsicsOption()};
  }
  Result<void> check(const TargetSettings &settings) const override {
    return dae::useIntrinsics(settings.of<Settings>().intrinsics);
  }
  std::shared_ptr<TargetState> newState() const override { return std::make_shared<State>(); }
  Attribute record(const TargetState &state, MLIRContext *context) const override {
    return dae::toRecord(context, of(state).machine);
  }

  Support supports(func::FuncOp kernel, TargetState &state) const override {
    const isa::Machine &machine = of(state).machine;
    const Result<Supported> taken = acceleratorSupports(kernel, machine, &of(state));
    if (!taken)
      return {false, taken.error(), 0};
    return {true,
            "fits machine '" + machine.name + "'" + (taken->expense.empty() ? "" : ", but " + taken->expense),
            taken->instructions};
  }

  Result<void> canPrice(TargetState &state) const override {
    if (of(state).clock())
      return {};
    return error(
        "placement by price needs the clock of the accelerator, which is simulated in cycles; give it with "
        "--clock-mhz");
  }
  /// At the clock that the user says or the machine states; not finite without either.
  Cost cost(func::FuncOp kernel, TargetState &state) const override {
    const isa::Machine &machine = of(state).machine;
    return {estimatedCycles(kernel, machine, of(state)) / static_cast<double>(of(state).clock()), ""};
  }

  MemoryNeeds memoryNeeds(func::FuncOp kernel) const override { return accelerator::memoryNeeds(kernel); }
  uint64_t maximumStepSize() const override { return MostInstructions; }

  void registerDialects(DialectRegistry &registry) const override {
    registry.insert<dae::DaeDialect>();
    registry.addExtension(
        +[](MLIRContext *, dae::DaeDialect *dialect) { dialect->addInterfaces<PlanScheduling>(); });
  }
  void registerPasses() const override {
    dae::registerDaePasses();
    registerAcceleratorPasses();
  }
  void addStreamPasses(OpPassManager &passes, const TargetPassOptions &options) const override {
    passes.addPass(createDaeBlockize({"", options.recordPlan, options.constants},
                                     std::static_pointer_cast<Planning>(options.state)));
    OpPassManager &streams = passes.nest<func::FuncOp>();
    streams.addPass(dae::createDaeTensorize({"", options.settings.of<Settings>().intrinsics}));
    streams.addPass(dae::createDaeAllocate());
    streams.addPass(dae::createDaeTokens());
    streams.addPass(dae::createDaeMasks());
  }

  LogicalResult checkFunction(func::FuncOp function) const override { return checkLowered(function); }
  LogicalResult addStep(host::StepOp from, PackageBuilder &builder, TargetState &state) const override {
    builder.enter("instructions");
    const isa::Machine &machine = of(state).machine;
    FailureOr<dae::Instructions> stream = dae::toInstructions(builder.callee(from), machine);
    if (failed(stream))
      return failure();
    package::Step start;
    start.kind = package::Step::Kind::Start;
    start.index = builder.package.programs.size();
    start.layer = from.getLayers().front();
    package::Step wait = start;
    wait.kind = package::Step::Kind::Wait;
    wait.layer = from.getLayers().back();
    builder.steps().push_back(start);
    builder.steps().push_back(wait);
    package::AcceleratorProgram program;
    program.words = isa::encodeWords(stream->all);
    program.layerOfInstruction = std::move(stream->layers);
    program.bases[0] = {static_cast<uint32_t>(builder.constantBytes), true};
    program.bases[package::arenaBase] = {static_cast<uint32_t>(builder.package.arenaBytes), false};
    of(state).programs.push_back({machine.name, machine.hash(), program.bases, std::move(stream->all)});
    builder.package.programs.push_back(std::move(program));
    return success();
  }

  LogicalResult finish(PackageBuilder &builder, TargetState &state) const override {
    builder.package.machineName = of(state).machine.name;
    builder.package.machineHash = of(state).machine.hash();
    builder.package.memory = isa::memoryText(of(state).machine);
    of(state).figures = figuresOf(builder.module());
    return success();
  }
  Result<void> prove(const package::Package &package, const TargetState &state,
                     const std::string &blame) const override {
    return provePrograms(package, of(state), blame);
  }

  Result<std::string> schedule(const EmitSource &source, const TargetState &) const override {
    std::string text;
    llvm::raw_string_ostream stream(text);
    for (auto plan : ModuleOp(source.module).getOps<dae::PlanOp>()) {
      plan->print(stream, OpPrintingFlags().useLocalScope());
      stream << "\n";
    }
    return text;
  }

  std::vector<TargetLevel> levels() const override {
    TargetLevel assembly{"asm"}, words{"words"};
    assembly.isOfPackage = words.isOfPackage = true;
    return {assembly, words};
  }

  Result<std::string> emit(const std::string &level, const EmitSource &source,
                           const TargetState &state) const override {
    return emitPrograms(level, *source.package, of(state).programs);
  }
};

} // namespace

std::unique_ptr<Target> createTarget() {
  return std::make_unique<AcceleratorTarget>();
}

} // namespace daedalus::accelerator
