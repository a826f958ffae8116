// See Compile.h.

#include "daedalus/Pipelines/Compile.h"

#include "Assemble.h"
#include "Demand.h"
#include "Diagnostics.h"
#include "Placement.h"
#include "PlanFile.h"
#include "Program.h"

#include "daedalus/Conversion/FormKernels/FormKernels.h"
#include "daedalus/Conversion/GraphToLinalg/GraphToLinalg.h"
#include "daedalus/Dialect/Dae/Transforms/Intrinsics.h"
#include "daedalus/Dialect/Qnn/Transforms/RaiseScales.h"
#include "daedalus/Import/ONNX/Import.h"
#include "daedalus/Target/CPU/CPU.h"
#include "daedalus/isa/assembly.h"
#include "daedalus/support/stopwatch.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OperationSupport.h"

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

/// One compilation: its context, and the model at the levels reached so far.
class Compilation {
public:
  Compilation(const std::string &path, const CompileOptions &options)
      : context(MLIRContext::Threading::DISABLED), diagnostics(context), path(path), options(options) {
    cpu::registerDialects(context);
  }

  Result<void> toGraph() {
    if (isTensorProgram(path))
      return error(path +
                   " is a tensor program, which begins at level linalg; expected another level than graph");
    if (Result<void> known = checkOptions(); !known)
      return known;
    begin("import");
    module = importOnnx(path, context);
    lap("import");
    return check(static_cast<bool>(module));
  }

  Result<void> checkOptions() const {
    if (options.target != "auto" && options.target != "accelerator" && options.target != "cpu")
      return error("target '" + options.target + "' is unknown; expected auto, accelerator or cpu");
    return dae::useIntrinsics(options.intrinsics);
  }

  /// A tensor program's own kernels.
  Result<void> readKernels() {
    if (Result<void> known = checkOptions(); !known)
      return known;
    begin("import");
    Result<OwningOpRef<ModuleOp>> program = readProgram(path, context);
    lap("import");
    if (!program)
      return error(program.error());
    begin("kernels");
    module = *program ? formKernels(**program) : nullptr;
    if (module)
      module->walk([](func::FuncOp kernel) { qnn::raiseScales(kernel); });
    lap("kernels");
    return {};
  }

  Result<void> makeKernels() {
    if (Result<void> graph = toGraph(); !graph)
      return graph;
    begin("kernels");
    module = convertGraphToLinalg(*module);
    lap("kernels");
    return {};
  }

  Result<void> toLinalg() {
    if (Result<void> made = isTensorProgram(path) ? readKernels() : makeKernels(); !made)
      return made;
    if (!module)
      return check(false);
    begin("placement");
    const bool placed = module && succeeded(place(*module, options, planning));
    lap("placement");
    return check(placed);
  }

  Result<Assembled> toPackage() {
    if (Result<void> plan = readPlan(); !plan)
      return error(plan.error());
    if (Result<void> linalg = toLinalg(); !linalg)
      return error(linalg.error());
    FailureOr<Assembled> assembled = assemblePackage(*module, options, planning);
    if (failed(assembled))
      return diagnostics.take();
    for (const Phase &phase : assembled->phases)
      times.push_back(phase);
    stopwatch.lap();
    begin("package");
    if (Result<void> valid = package::validate(assembled->package); !valid)
      return error("the compiled package is not valid, which is a mistake of the compiler: " + valid.error());
    lap("package");
    return std::move(*assembled);
  }

  /// The file of a plan that is to be obeyed.
  Result<void> readPlan() {
    if (options.plan.empty())
      return {};
    Result<OwningOpRef<ModuleOp>> file = readPlanFile(options.plan, context);
    if (!file)
      return error(file.error());
    planFile = std::move(*file);
    return check(planFile && succeeded(planning.give(planOf(planFile), options.machine)));
  }

  Result<std::string> toLlvm() {
    if (Result<void> linalg = toLinalg(); !linalg)
      return error(linalg.error());
    SmallVector<func::FuncOp> kernels;
    std::string text;
    const Kernels symbols(*module);
    for (auto call : module->lookupSymbol<func::FuncOp>("main").getOps<func::CallOp>())
      if (func::FuncOp kernel = symbols.of(call);
          kernelAttribute(kernel, kernel::target) == "cpu" && !llvm::is_contained(kernels, kernel)) {
        kernels.push_back(kernel);
        text += "; " + kernel.getName().str() + ": " + kernelAttribute(kernel, kernel::node).str() + "\n";
      }
    FailureOr<std::string> llvm = cpu::printLlvm(kernels);
    if (failed(llvm))
      return diagnostics.take();
    return text + "\n" + withoutLargeConstants(*llvm);
  }

  Result<void> check(bool good) const {
    if (good)
      return {};
    return diagnostics.take();
  }

  /// The plan of all streams is kept, for printPlan.
  void recordPlan() { planning.record(UnknownLoc::get(&context), options.machine); }
  std::string decidedPlan() { return printPlan(*planning.decided); }

  ModuleOp level() { return *module; }
  const PlanEffort &planEffort() const { return planning.effort; }
  const std::vector<Phase> &phases() const { return times; }

private:
  void begin(const char *phase) const {
    if (options.phaseBegins)
      options.phaseBegins(phase);
  }
  void lap(const char *phase) { times.push_back({phase, stopwatch.lap()}); }

  MLIRContext context;
  Diagnostics diagnostics;
  std::string path;
  CompileOptions options;
  OwningOpRef<ModuleOp> module, planFile;
  accelerator::Planning planning;
  Stopwatch stopwatch;
  std::vector<Phase> times;
};

/// With locations in place; for reading, without large constants.
std::string print(ModuleOp module, bool elide) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  OpPrintingFlags flags;
  flags.enableDebugInfo(true, false).useLocalScope();
  if (elide)
    flags.elideLargeElementsAttrs(16);
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

/// The streams of a package at one of the levels dae, asm and words.
Result<std::string> emitStreams(const Assembled &assembled, const std::string &level) {
  if (assembled.streams.empty())
    return error("nothing of the model runs on the accelerator, so it has no level '" + level +
                 "'; use --placement to see why");
  std::string text;
  for (size_t i = 0; i < assembled.streams.size(); ++i) {
    if (level == "words" && assembled.streams.size() != 1)
      return error("the model has " + std::to_string(assembled.streams.size()) +
                   " streams, and a program file holds one; use --emit asm, or compile a package");
    if (level == "words") {
      std::vector<uint8_t> bytes = isa::writeProgram(assembled.programs[i]);
      text.append(bytes.begin(), bytes.end());
    } else if (level == "asm") {
      text += i ? "\n# stream " + std::to_string(i) + "\n" : "";
      text += annotated(assembled.programs[i], assembled.package.programs[i].layerOfInstruction,
                        assembled.package.layers);
    } else {
      text += print(*assembled.streams[i].dae, true);
    }
  }
  return text;
}

} // namespace

Result<Compiled> compileModel(const std::string &path, const CompileOptions &options) {
  Compilation compilation(path, options);
  Result<Assembled> assembled = compilation.toPackage();
  if (!assembled)
    return error(assembled.error());
  Compiled compiled{std::move(assembled->package), placementTable(compilation.level()),
                    demandOf(compilation.level(), options.machine, assembled->streams), 0,
                    compilation.phases()};
  for (const accelerator::AcceleratorStream &stream : assembled->streams)
    compiled.expectedCycles += stream.expectedCycles;
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
  if (level == "graph" || level == "linalg") {
    Result<void> reached = level == "graph" ? compilation.toGraph() : compilation.toLinalg();
    if (!reached)
      return error(reached.error());
    return print(compilation.level(), options.elide);
  }
  if (level == "llvm")
    return compilation.toLlvm();
  if (level == "plan")
    compilation.recordPlan();
  Result<Assembled> assembled = compilation.toPackage();
  if (!assembled)
    return error(assembled.error());
  if (level == "plan" && !assembled->streams.empty())
    return compilation.decidedPlan();
  return emitStreams(*assembled, level);
}

} // namespace daedalus
