// The accelerator behind the interface of targets: consecutive kernels are streams of instructions.

#include "StreamCalls.h"

#include "daedalus/Dialect/Dae/IR/Dae.h"
#include "daedalus/Dialect/Dae/Transforms/Passes.h"
#include "daedalus/Dialect/Dae/Transforms/Transforms.h"
#include "daedalus/Target/Accelerator/Accelerator.h"
#include "daedalus/Target/Accelerator/Passes.h"
#include "daedalus/Target/Accelerator/Planning.h"
#include "daedalus/Target/Schedule.h"
#include "daedalus/Target/Target.h"
#include "daedalus/isa/assembly.h"
#include "daedalus/isa/encoding.h"
#include "daedalus/package/prove.h"

#include <algorithm>
#include <numeric>

using namespace mlir;

namespace daedalus::accelerator {
namespace {

/// A stream's text with a comment wherever the next instruction belongs to another layer.
std::string annotated(const isa::Program &program, const std::vector<uint32_t> &layerOfInstruction,
                      const std::vector<package::Layer> &layers) {
  isa::Program head = program;
  head.instructions.clear();
  std::string text = isa::disassemble(head);
  uint32_t last = package::noLayer;
  for (size_t i = 0; i < program.instructions.size(); ++i) {
    uint32_t layer = i < layerOfInstruction.size() ? layerOfInstruction[i] : package::noLayer;
    if (layer != last && layer < layers.size()) {
      std::string node = layers[layer].node;
      std::replace(node.begin(), node.end(), '\n', ' '); // a name is free text, a comment one line
      text += "# " + node + "\n";
    }
    last = layer;
    text += isa::disassemble(program.instructions[i]) + "\n";
  }
  return text;
}

struct PlanScheduling : SchedulingInterface {
  using SchedulingInterface::SchedulingInterface;
  StringRef section() const override { return dae::PlanOp::getOperationName(); }
};

class AcceleratorTarget : public Target {
public:
  std::string name() const override { return targetName; }
  std::string title(const isa::Machine &machine) const override {
    return "the accelerator of machine '" + machine.name + "'";
  }

  std::shared_ptr<TargetState> newState() const override { return std::make_shared<Planning>(); }

  Support supports(func::FuncOp kernel, const isa::Machine &machine, TargetState *state) const override {
    const Result<Supported> taken = acceleratorSupports(kernel, machine, static_cast<Planning *>(state));
    if (!taken)
      return {false, taken.error(), 0};
    return {true,
            "fits machine '" + machine.name + "'" +
                (taken->dearness.empty() ? "" : ", but " + taken->dearness),
            taken->instructions};
  }

  /// The products of GEMM, or the bytes that cross the bus, whichever take longer.
  Cost cost(func::FuncOp kernel, const isa::Machine &machine) const override {
    const Work work = workOf(kernel, machine);
    const uint64_t bytes = std::accumulate(work.readBytes.begin(), work.readBytes.end(), work.constantBytes);
    const uint64_t cycles =
        std::max<uint64_t>(work.tileCycles, bytes / static_cast<uint64_t>(machine.busBytes));
    return {static_cast<double>(cycles) / machine.clockMhz, ""};
  }

  MemoryNeeds memoryNeeds(func::FuncOp kernel) const override { return accelerator::memoryNeeds(kernel); }
  uint64_t mostOfStep() const override { return MostInstructions; }

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
    passes.addPass(
        createDaeBlockize({"", options.recordPlan}, std::static_pointer_cast<Planning>(options.state)));
    OpPassManager &streams = passes.nest<func::FuncOp>();
    streams.addPass(dae::createDaeTensorize({"", options.intrinsics}));
    streams.addPass(dae::createDaeAllocate());
    streams.addPass(dae::createDaeTokens());
    streams.addPass(dae::createDaeMasks());
  }

  LogicalResult checkFunction(func::FuncOp function) const override { return checkLowered(function); }
  LogicalResult addStep(host::StepOp from, PackageBuilder &builder) const override {
    builder.enter("instructions");
    FailureOr<dae::Instructions> stream = dae::toInstructions(builder.callee(from), builder.machine());
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
    program.bases[0] = {static_cast<uint32_t>(builder.package.constants.size()), true};
    program.bases[package::arenaBase] = {static_cast<uint32_t>(builder.package.arenaBytes), false};
    builder.programs.push_back(
        {builder.machine().name, builder.machine().hash(), program.bases, std::move(stream->all)});
    builder.package.programs.push_back(std::move(program));
    return success();
  }

  Result<std::string> schedule(const EmitSource &source) const override {
    std::string text;
    llvm::raw_string_ostream stream(text);
    if (!runsHere(source.module))
      return text;
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

  Result<std::string> emit(const std::string &level, const EmitSource &source) const override {
    if (!runsHere(source.module))
      return error("nothing of the model runs on the accelerator, so it has no level '" + level +
                   "'; use --placement to see why");
    return emitPrograms(level, source);
  }

private:
  bool runsHere(ModuleOp module) const {
    bool any = false;
    module.walk([&](host::StepOp step) { any |= step.getTarget() == name(); });
    return any;
  }

  static Result<std::string> emitPrograms(const std::string &level, const EmitSource &source) {
    std::string text;
    const std::vector<isa::Program> &programs = *source.programs;
    if (level == "words" && programs.size() != 1)
      return error("the model has " + std::to_string(programs.size()) +
                   " streams, and a program file holds one; use --emit asm, or compile a package");
    for (size_t i = 0; i < programs.size(); ++i) {
      if (level == "words") {
        std::vector<uint8_t> bytes = isa::writeProgram(programs[i]);
        text.append(bytes.begin(), bytes.end());
      } else {
        text += i ? "\n# stream " + std::to_string(i) + "\n" : "";
        text +=
            annotated(programs[i], source.package->programs[i].layerOfInstruction, source.package->layers);
      }
    }
    return text;
  }
};

} // namespace

std::unique_ptr<Target> createTarget() {
  return std::make_unique<AcceleratorTarget>();
}

} // namespace daedalus::accelerator
