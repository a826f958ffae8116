// See Compile.h.

#include "daedalus/Pipelines/Compile.h"

#include "Assemble.h"
#include "Diagnostics.h"
#include "Phases.h"
#include "Placement.h"
#include "PlanFile.h"

#include "daedalus/Conversion/GraphToLinalg/GraphToLinalg.h"
#include "daedalus/Dialect/Dae/Transforms/Intrinsics.h"
#include "daedalus/Import/ONNX/Import.h"
#include "daedalus/Dialect/Dae/IR/Dae.h"
#include "daedalus/Dialect/Dae/Transforms/Machine.h"
#include "daedalus/Pipelines/Passes.h"
#include "daedalus/Pipelines/Program.h"
#include "daedalus/Target/Accelerator/Planning.h"
#include "daedalus/Target/CPU/CPU.h"
#include "daedalus/isa/assembly.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Pass/PassManager.h"

#include <algorithm>

using namespace mlir;

namespace daedalus {
namespace {

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

Error nothingRuns(const std::string &level) {
  return error("nothing of the model runs on the accelerator, so it has no level '" + level +
               "'; use --placement to see why");
}

/// One compilation: its context, and the model at the level reached so far.
class Compilation {
public:
  Compilation(const std::string &path, const CompileOptions &options)
      : context(MLIRContext::Threading::DISABLED), diagnostics(context), phases(options.phaseBegins), path(path),
        options(options) {
    DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
  }

  Result<void> toGraph() {
    if (isTensorProgram(path))
      return error(path +
                   " is a tensor program, which begins at level linalg; expected another level than graph");
    if (Result<void> known = checkOptions(); !known)
      return known;
    phases.enter("import");
    module = importOnnx(path, context);
    return check(static_cast<bool>(module));
  }

  /// Placed kernels; of a file at level dae there are none any more.
  Result<void> toLinalg() {
    if (Result<void> made = toKernels(); !made)
      return made;
    if (isLowered(*module))
      return error(path + " is at level dae, behind level linalg; expected --emit dae, asm or words, or a package");
    return run([this](PassManager &passes) { addPlacement(passes, lowerOptions()); });
  }

  /// Everything but the package; `wantsPlan`: the module holds what was planned too.
  Result<void> toDae(bool wantsPlan = false) {
    if (Result<void> plan = readPlan(); !plan)
      return plan;
    if (Result<void> made = toKernels(); !made)
      return made;
    if (planFile)
      module->push_back(planOf(planFile)->clone());
    if (!isLowered(*module))
      return run([&](PassManager &passes) {
        addPlacement(passes, lowerOptions());
        addLowering(passes, lowerOptions(wantsPlan));
      });
    isOwn = false;
    if (options.target == "auto" && !planFile && !wantsPlan)
      return {};
    return error(path + " is at level dae, where targets and plans are chosen already; expected target auto and "
                        "no plan");
  }

  /// The plan of a model some of which runs on the accelerator.
  Result<std::string> toPlan() {
    if (Result<void> lowered = toDae(true); !lowered)
      return error(lowered.error());
    auto plans = module->getOps<dae::PlanOp>();
    dae::PackageOp package = *module->getOps<dae::PackageOp>().begin();
    const bool runs = llvm::any_of(package.getLayers().getAsRange<dae::LayerAttr>(), [](dae::LayerAttr layer) {
      return layer.getTarget().getValue() == "accelerator";
    });
    if (plans.empty() || !runs)
      return nothingRuns("plan");
    return printPlan(*plans.begin());
  }

  Result<Assembled> toPackage() {
    if (Result<void> lowered = toDae(); !lowered)
      return error(lowered.error());
    AssembleOptions assemble{options.machine, options.verify};
    if (!isOwn)
      assemble.blame = ": ";
    FailureOr<Assembled> assembled = assemblePackage(*module, assemble, phases);
    if (failed(assembled))
      return diagnostics.take();
    return std::move(*assembled);
  }

  Result<std::string> toLlvm() {
    if (Result<void> lowered = toDae(); !lowered)
      return error(lowered.error());
    std::string text;
    dae::PackageOp package = *module->getOps<dae::PackageOp>().begin();
    auto layers = llvm::to_vector(package.getLayers().getAsRange<dae::LayerAttr>());
    for (auto step : module->lookupSymbol<func::FuncOp>(package.getEntry()).getOps<dae::StepOp>())
      if (step.getTarget() == "cpu")
        text += "; " + step.getCallee().str() + ": " +
                layers[step.getLayers().front()].getNode().str() + "\n";
    const OwningOpRef<ModuleOp> kernels = kernelsOf(*module);
    FailureOr<std::string> llvm = cpu::printLlvm(*kernels);
    if (failed(llvm))
      return diagnostics.take();
    return text + "\n" + withoutLargeConstants(*llvm);
  }

  ModuleOp level() { return *module; }
  const PlanEffort &planEffort() const { return planning->effort; }
  std::vector<Phase> takePhases() { return phases.take(); }

private:
  Result<void> checkOptions() const {
    if (options.target != "auto" && options.target != "accelerator" && options.target != "cpu")
      return error("target '" + options.target + "' is unknown; expected auto, accelerator or cpu");
    return dae::useIntrinsics(options.intrinsics);
  }

  /// A tensor program as it was written, or the kernels of a graph.
  Result<void> toKernels() {
    if (!isTensorProgram(path)) {
      if (Result<void> graph = toGraph(); !graph)
        return graph;
      phases.enter("kernels");
      module = convertGraphToLinalg(*module);
      return check(static_cast<bool>(module));
    }
    if (Result<void> known = checkOptions(); !known)
      return known;
    phases.enter("import");
    Result<OwningOpRef<ModuleOp>> program = readProgram(path, context);
    if (!program)
      return error(program.error());
    module = std::move(*program);
    return check(static_cast<bool>(module));
  }

  LowerOptions lowerOptions(bool recordPlan = false) const {
    return {options.target, "", options.mostInstructions, recordPlan, options.intrinsics, planning};
  }

  /// The file of a plan that is to be obeyed.
  Result<void> readPlan() {
    if (options.plan.empty())
      return {};
    Result<OwningOpRef<ModuleOp>> file = readPlanFile(options.plan, context);
    if (!file)
      return error(file.error());
    planFile = std::move(*file);
    return check(static_cast<bool>(planFile));
  }

  Result<void> run(llvm::function_ref<void(PassManager &)> add) {
    (*module)->setAttr(dae::machineName, dae::toAttribute(&context, options.machine));
    PassManager passes(&context);
    passes.addInstrumentation(phases.instrumentation());
    add(passes);
    if (options.configure && !options.configure(passes))
      return error("MLIR's options cannot be applied to the passes");
    return check(succeeded(passes.run(*module)));
  }

  Result<void> check(bool good) const {
    if (good)
      return {};
    return diagnostics.take();
  }

  MLIRContext context;
  Diagnostics diagnostics;
  Phases phases;
  std::string path;
  CompileOptions options;
  OwningOpRef<ModuleOp> module, planFile;
  std::shared_ptr<accelerator::Planning> planning = std::make_shared<accelerator::Planning>();
  bool isOwn = true; ///< what is translated was lowered here
};

/// In full, but for what `elide` leaves out. Where constants are resources, locations are at the end, for MLIR prints
/// no resources when they are in place.
std::string print(ModuleOp module, bool elide, bool hasResources) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  OpPrintingFlags flags;
  flags.enableDebugInfo(true, false);
  if (!hasResources)
    flags.useLocalScope();
  if (elide)
    flags.elideLargeElementsAttrs(16).elideLargeResourceString(16);
  module.print(stream, flags);
  stream << "\n";
  return text;
}

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

/// The streams of a package at one of the levels asm and words.
Result<std::string> emitStreams(const Assembled &assembled, const std::string &level) {
  if (assembled.programs.empty())
    return nothingRuns(level);
  std::string text;
  for (size_t i = 0; i < assembled.programs.size(); ++i) {
    if (level == "words" && assembled.programs.size() != 1)
      return error("the model has " + std::to_string(assembled.programs.size()) +
                   " streams, and a program file holds one; use --emit asm, or compile a package");
    if (level == "words") {
      std::vector<uint8_t> bytes = isa::writeProgram(assembled.programs[i]);
      text.append(bytes.begin(), bytes.end());
    } else {
      text += i ? "\n# stream " + std::to_string(i) + "\n" : "";
      text += annotated(assembled.programs[i], assembled.package.programs[i].layerOfInstruction,
                        assembled.package.layers);
    }
  }
  return text;
}

} // namespace

/// By the layers and the sums that the accelerator's passes left.
static Demand demandOf(dae::PackageOp package) {
  Demand demand;
  demand.tileCycles = package.getTileCycles();
  demand.readBytes = package.getReadBytes();
  demand.writtenBytes = package.getWrittenBytes();
  for (auto layer : package.getLayers().getAsRange<dae::LayerAttr>())
    if (layer.getTarget().getValue() == "accelerator")
      demand.macs += layer.getMacs();
    else
      demand.cpuLayers += !layer.getBoundary();
  return demand;
}

Result<Compiled> compileModel(const std::string &path, const CompileOptions &options) {
  Compilation compilation(path, options);
  Result<Assembled> assembled = compilation.toPackage();
  if (!assembled)
    return error(assembled.error());
  dae::PackageOp package = *compilation.level().getOps<dae::PackageOp>().begin();
  Compiled compiled;
  compiled.package = std::move(assembled->package);
  compiled.placement = placementTable(compiled.package.layers);
  compiled.demand = demandOf(package);
  compiled.expectedCycles = package.getExpectedCycles();
  compiled.phases = compilation.takePhases();
  compiled.planEffort = compilation.planEffort();
  return compiled;
}

const std::vector<std::string> &emitLevels() {
  static const std::vector<std::string> levels = {"graph", "linalg", "plan", "dae", "asm", "words", "llvm"};
  return levels;
}

Result<std::string> emitLevel(const std::string &path, const CompileOptions &options,
                              const std::string &level) {
  const auto &levels = emitLevels();
  if (std::find(levels.begin(), levels.end(), level) == levels.end())
    return error("level '" + level + "' is unknown; expected graph, linalg, plan, dae, asm, words or llvm");
  CompileOptions forLevel = options;
  if (level == "llvm")
    forLevel.target = "cpu";
  Compilation compilation(path, forLevel);
  if (level == "graph" || level == "linalg" || level == "dae") {
    Result<void> reached = level == "graph"    ? compilation.toGraph()
                           : level == "linalg" ? compilation.toLinalg()
                                               : compilation.toDae();
    if (!reached)
      return error(reached.error());
    return print(compilation.level(), options.elide, level == "dae");
  }
  if (level == "llvm")
    return compilation.toLlvm();
  if (level == "plan")
    return compilation.toPlan();
  Result<Assembled> assembled = compilation.toPackage();
  if (!assembled)
    return error(assembled.error());
  return emitStreams(*assembled, level);
}

} // namespace daedalus
