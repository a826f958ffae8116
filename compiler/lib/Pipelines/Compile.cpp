// See Compile.h.

#include "daedalus/Pipelines/Compile.h"

#include "Diagnostics.h"
#include "Kernels/PartOfMain.h"
#include "Package/Assemble.h"
#include "Phases.h"
#include "Placement/Placement.h"
#include "ScheduleFile.h"

#include "daedalus/Dialect/Host/IR/Host.h"
#include "daedalus/Dialect/Qnn/Transforms/Graph.h"
#include "daedalus/Import/ONNX/Import.h"
#include "daedalus/Pipelines/Passes.h"
#include "daedalus/Pipelines/Program.h"
#include "daedalus/Pipelines/Schedules.h"
#include "daedalus/Target/DidYouMean.h"
#include "daedalus/Target/Target.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Pass/PassManager.h"

#include <algorithm>

using namespace mlir;

namespace daedalus {
namespace {

/// One compilation: its context, and the model at the level reached so far.
class Compilation {
public:
  Compilation(const std::string &path, const CompileOptions &options)
      : context(MLIRContext::Threading::DISABLED), diagnostics(context), phases(options.phaseBegins),
        path(path), options(options), states(std::make_shared<TargetStates>(options.settings)) {
    DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
  }

  /// The graph of a model, or one as it was written.
  Result<void> toGraph() {
    if (Result<void> made = toInput(); !made)
      return made;
    if (!isTensorProgram(path) || qnn::isGraph(*module))
      return {};
    return error(path + " has no operation of level graph; expected another level than graph");
  }

  /// Placed kernels; of a file at level dae there are none any more.
  Result<void> toLinalg() {
    if (Result<void> made = toInput(); !made)
      return made;
    if (isLowered(*module))
      return error(path +
                   " is at level dae, behind level linalg; expected --emit dae, asm or words, or a package");
    return run([this](PassManager &passes) { addPlacement(passes, lowerOptions()); });
  }

  /// Everything but the package; `wantsPlan`: the module holds what was planned too.
  Result<void> toDae(bool wantsPlan = false) {
    if (Result<void> read = readSchedule(); !read)
      return read;
    if (Result<void> made = toInput(); !made)
      return made;
    if (scheduleFile)
      for (Operation &schedule : scheduleFile->getOps())
        module->push_back(schedule.clone());
    if (!isLowered(*module)) {
      if (Result<void> added = check(succeeded(addEntries(*module, options.tuned, options.tunedFrom)));
          !added)
        return added;
      Result<void> placed = run([&](PassManager &passes) { addPlacement(passes, lowerOptions()); });
      if (!placed)
        return placed;
      return run([&](PassManager &passes) { addLowering(passes, lowerOptions(wantsPlan)); },
                 /*verifies=*/false);
    }
    isOwn = false;
    if (options.target == "auto" && !scheduleFile && options.tuned.empty() && !wantsPlan)
      return {};
    return error(path + " is at level dae, where targets and schedules are chosen already; expected target "
                        "auto and no schedule");
  }

  /// Kernels without targets.
  Result<void> toKernels() {
    if (Result<void> made = toInput(); !made)
      return made;
    if (isLowered(*module))
      return error(path + " is at level dae, where targets are chosen already; expected a model or a graph");
    return run(addKernels);
  }

  /// The package of these kernels, which it leaves as they are.
  Result<Assembled> compileKernels(ModuleOp kernels, const TargetSettings &settings) {
    options.settings = settings;
    diagnostics.forget();
    states = std::make_shared<TargetStates>(settings);
    if (Result<void> possible = states->check(); !possible)
      return error(possible.error());
    module = kernels.clone();
    if (Result<void> opened = states->open(*module); !opened)
      return error(path + ": " + opened.error());
    Result<void> lowered = run(
        [&](PassManager &passes) {
          addPlacementOfKernels(passes, lowerOptions());
          addLowering(passes, lowerOptions());
        },
        /*verifies=*/false);
    return lowered ? assemble(false) : error(lowered.error());
  }

  /// `keepsModule`: what it was made of stays; else it ends before the package is checked.
  Result<Assembled> toPackage(bool keepsModule = false) {
    if (Result<void> lowered = toDae(); !lowered)
      return error(lowered.error());
    return assemble(keepsModule);
  }

  Result<Assembled> assemble(bool keepsModule) {
    FailureOr<Assembled> assembled =
        assemblePackage(*module, *states, phases, options.configure, options.code);
    if (failed(assembled))
      return diagnostics.take();
    if (!keepsModule)
      module = nullptr; // proofs need room
    if (!options.code)
      return std::move(*assembled);
    const std::string blame = isOwn ? ", which is a mistake of the compiler: " : ": ";
    if (Result<void> good = checkPackage(assembled->package, *states, options.verify, blame, phases); !good)
      return error((isOwn ? "" : path + ": ") + good.error());
    return std::move(*assembled);
  }

  /// A level of a target's own.
  Result<std::string> toLevel(const Target &target, const TargetLevel &level) {
    std::optional<Assembled> assembled;
    if (level.isOfPackage) {
      Result<Assembled> package = toPackage(true);
      if (!package)
        return error(package.error());
      assembled = std::move(*package);
    } else if (Result<void> lowered = toDae(); !lowered) {
      return error(lowered.error());
    }
    const TargetState &state = *states->of(target);
    if (!host::hasStepsOf(*module, target.name()))
      return error("nothing of the model runs on " + target.title(state) + ", so it has no level '" +
                   level.name + "'; use --placement to see why");
    Result<std::string> text =
        target.emit(level.name, {*module, assembled ? &assembled->package : nullptr}, state);
    return text || !text.error().empty() ? std::move(text) : Result<std::string>(diagnostics.take());
  }

  /// What was decided about the kernels of each target.
  Result<std::string> toSchedule() {
    if (Result<void> lowered = toDae(/*wantsPlan=*/true); !lowered)
      return error(lowered.error());
    std::string all;
    for (const auto &target : targets()) {
      if (!host::hasStepsOf(*module, target->name()))
        continue;
      const Result<std::string> section = target->schedule({*module, nullptr}, *states->of(*target));
      if (!section)
        return section.error().empty() ? Result<std::string>(diagnostics.take()) : error(section.error());
      all += *section;
    }
    if (all.empty())
      return error("no kernel of the model has a schedule; use --placement to see why");
    return all;
  }

  ModuleOp level() { return *module; }
  OwningOpRef<ModuleOp> takeModule() { return std::move(module); }
  const std::shared_ptr<TargetStates> &targetStates() const { return states; }
  std::vector<Phase> takePhases() { return phases.take(); }

private:
  Result<void> checkOptions() const {
    if (Result<void> known = checkTargetChoice(options.target); !known)
      return known;
    if (Result<void> known = checkPlacementPolicy(options.policy); !known)
      return known;
    return states->check();
  }

  /// What the passes begin with: a module as it was written, or the graph of a model.
  Result<void> toInput() {
    if (Result<void> known = checkOptions(); !known)
      return known;
    phases.enter("import");
    if (Result<void> made = isTensorProgram(path) ? toProgram() : toModel(); !made)
      return made;
    if (Result<void> opened = states->open(*module); !opened)
      return error(path + ": " + opened.error());
    return {};
  }

  Result<void> toModel() {
    module = importOnnx(path, context, options.inputs);
    return check(static_cast<bool>(module));
  }

  Result<void> toProgram() {
    if (!options.inputs.empty())
      return error("--shape and --set are for ONNX models: '" + path +
                   "' is a tensor program, which states the shapes of its inputs");
    Result<OwningOpRef<ModuleOp>> program = readProgram(path, context);
    if (!program)
      return error(program.error());
    module = std::move(*program);
    if (!module)
      return diagnostics.take(path);
    return {};
  }

  LowerOptions lowerOptions(bool recordPlan = false) const {
    return {states,
            options.target,
            options.policy,
            options.prices,
            options.stepSize,
            recordPlan,
            options.code || options.verify};
  }

  /// The file of a schedule that is to be obeyed.
  Result<void> readSchedule() {
    if (options.schedule.empty())
      return {};
    Result<OwningOpRef<ModuleOp>> read = readScheduleFile(options.schedule, context);
    if (!read)
      return error(read.error());
    scheduleFile = std::move(*read);
    return check(static_cast<bool>(scheduleFile));
  }

  /// `verifies`: after each pass. Streams have so many operations that this takes a fifth of a compilation;
  /// their words are proven right instead, and dae-opt verifies after each pass of the same.
  Result<void> run(llvm::function_ref<void(PassManager &)> add, bool verifies = true) {
    if (!host::packageOf(*module))
      host::placementOf(*module).setTargetsAttr(states->record(&context));
    PassManager passes(&context);
    passes.enableVerifier(verifies);
    add(passes);
    if (options.configure && !options.configure(passes))
      return error("MLIR's options cannot be applied to the passes");
    phases.time(passes);
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
  OwningOpRef<ModuleOp> module, scheduleFile;
  std::shared_ptr<TargetStates> states;
  bool isOwn = true; ///< what is translated was lowered here
};

/// In full, but for what `elide` leaves out. Where constants are resources, locations are at the end, for
/// MLIR prints no resources when they are in place.
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

} // namespace

static Result<Compiled> compiledOf(Compilation &compilation, Result<Assembled> assembled) {
  if (!assembled)
    return error(assembled.error());
  Compiled compiled;
  compiled.package = std::move(assembled->package);
  compiled.prices = std::move(assembled->prices);
  compiled.demand = assembled->demand;
  compiled.phases = compilation.takePhases();
  compiled.states = compilation.targetStates();
  return compiled;
}

Result<Compiled> compileModel(const std::string &path, const CompileOptions &options) {
  Compilation compilation(path, options);
  return compiledOf(compilation, compilation.toPackage());
}

struct ModelKernels::State {
  State(const std::string &path, const CompileOptions &options) : compilation(path, options) {}

  Compilation compilation;
  OwningOpRef<ModuleOp> kernels; ///< in the compilation's context
};

ModelKernels::ModelKernels(std::unique_ptr<State> state) : state(std::move(state)) {}
ModelKernels::~ModelKernels() = default;

Result<std::unique_ptr<ModelKernels>> ModelKernels::of(const std::string &path,
                                                       const CompileOptions &options) {
  auto state = std::make_unique<State>(path, options);
  if (Result<void> made = state->compilation.toKernels(); !made)
    return error(made.error());
  state->kernels = state->compilation.takeModule();
  return std::unique_ptr<ModelKernels>(new ModelKernels(std::move(state)));
}

Result<Compiled> ModelKernels::compile(const TargetSettings &settings) {
  Compilation &compilation = state->compilation;
  return compiledOf(compilation, compilation.compileKernels(*state->kernels, settings));
}

Result<Compiled> ModelKernels::compilePart(const KernelCalls &calls, const TargetSettings &settings) {
  Compilation &compilation = state->compilation;
  return compiledOf(compilation, compilation.compileKernels(*partOfMain(*state->kernels, calls), settings));
}

Result<std::vector<ScheduledKernel>> scheduledKernels(const std::string &path, const CompileOptions &options,
                                                      unsigned threads) {
  Compilation compilation(path, options);
  if (Result<void> lowered = compilation.toDae(); !lowered)
    return error(lowered.error());
  std::vector<ScheduledKernel> all;
  for (const SchedulingInterface *scheduling : searchedSchedules(*compilation.level().getContext()))
    for (ScheduledKernel &kernel : scheduling->kernelsOf(compilation.level(), options.settings, threads)) {
      kernel.entry.section = scheduling->section().str();
      kernel.device = scheduling->deviceOf(options.settings, threads);
      for (ScheduleEntry &near : kernel.near)
        near.section = kernel.entry.section;
      all.push_back(std::move(kernel));
    }
  return all;
}

/// A target's level of this name.
static std::optional<std::pair<const Target *, TargetLevel>> targetLevel(const std::string &name) {
  for (const auto &target : targets())
    for (const TargetLevel &level : target->levels())
      if (level.name == name)
        return std::pair(target.get(), level);
  return std::nullopt;
}

std::vector<std::string> emitLevels() {
  std::vector<std::string> all = {"graph", "linalg", "schedule", "dae"};
  for (const auto &target : targets())
    for (const TargetLevel &level : target->levels())
      all.push_back(level.name);
  return all;
}

Result<std::string> emitLevel(const std::string &path, const CompileOptions &options,
                              const std::string &level) {
  if (const auto own = targetLevel(level)) {
    CompileOptions forLevel = options;
    if (own->second.isOfWholeModel)
      forLevel.target = own->first->name();
    return Compilation(path, forLevel).toLevel(*own->first, own->second);
  }
  Compilation compilation(path, options);
  if (level == "schedule")
    return compilation.toSchedule();
  if (level != "graph" && level != "linalg" && level != "dae") {
    const std::vector<std::string> all = emitLevels();
    return error("level '" + level + "' is unknown" + didYouMean(level, all) + "; expected " + listOf(all));
  }
  Result<void> reached = level == "graph"    ? compilation.toGraph()
                         : level == "linalg" ? compilation.toLinalg()
                                             : compilation.toDae();
  if (!reached)
    return error(reached.error());
  return print(compilation.level(), options.elide, level == "dae");
}

} // namespace daedalus
