// See Assemble.h. CPU kernels are compiled first, since the memory plan holds their scratch; then streams,
// which need the plan.

#include "Assemble.h"

#include "MemoryPlan.h"
#include "Placement.h"

#include "daedalus/Conversion/GraphToLinalg/GraphToLinalg.h"
#include "daedalus/Target/CPU/CPU.h"
#include "daedalus/Target/TensorTypes.h"
#include "daedalus/isa/encoding.h"
#include "daedalus/package/prove.h"
#include "daedalus/support/stopwatch.h"

#include <limits>

using namespace mlir;

namespace daedalus {
namespace {

using package::Step;

/// Of an input or output of the model, whose signedness the value's type does not tell.
package::TensorType signatureType(Value value, Attribute dtype) {
  package::TensorType type = tensorType(value.getType());
  StringRef name = dtype ? cast<StringAttr>(dtype).getValue() : "";
  if (name == "uint8" || name == "bool")
    type.dtype = name == "bool" ? package::DType::Bool : package::DType::U8;
  return type;
}

class Assembler {
public:
  Assembler(ModuleOp module, const CompileOptions &options, accelerator::Planning &planning)
      : module(module), options(options), symbols(module), main(module.lookupSymbol<func::FuncOp>("main")),
        planning(planning) {}

  FailureOr<Assembled> run() {
    collectSteps();
    Stopwatch stopwatch;
    begin("CPU code");
    if (failed(compileCpu()))
      return failure();
    const double cpu = stopwatch.lap();
    plan.emplace(main, steps, symbols);
    package::Package &package = result.package;
    package.machineName = options.machine.name;
    package.machineHash = options.machine.hash();
    package.arenaBytes = plan->bytes();
    if (package.arenaBytes > std::numeric_limits<uint32_t>::max())
      return emitError(main.getLoc())
             << "needs " << package.arenaBytes << " bytes for its tensors; expected less than 2^32";
    addFunction();
    for (size_t i = 0; i < steps.size(); ++i)
      if (failed(addSteps(i)))
        return failure();
    if (failed(planning.allFound()))
      return failure();
    stopwatch.lap();
    begin("proof");
    if (failed(finishPrograms()))
      return failure();
    addPhases(cpu, stopwatch.lap());
    return std::move(result);
  }

private:
  void begin(const std::string &phase) const {
    if (options.phaseBegins)
      options.phaseBegins(phase);
  }

  void addPhases(double cpu, double proof) {
    double plan = 0, lower = 0;
    for (const accelerator::AcceleratorStream &stream : result.streams)
      plan += stream.planSeconds, lower += stream.lowerSeconds;
    result.phases = {{"CPU code", cpu}, {"plan", plan}, {"instructions", lower}, {"proof", proof}};
  }

  /// Layers in order; consecutive calls for the accelerator join one stream, as long as it may become.
  void collectSteps() {
    const uint64_t most = options.mostInstructions ? options.mostInstructions : accelerator::MostInstructions;
    uint64_t instructions = 0; // of the last stream, about
    for (auto call : main.getOps<func::CallOp>()) {
      func::FuncOp kernel = symbols.of(call);
      layerOf[call] = result.package.layers.size();
      package::Layer layer;
      layer.node = kernelAttribute(kernel, kernel::node).str();
      layer.target = kernelAttribute(kernel, kernel::target).str();
      layer.reason = kernelAttribute(kernel, kernel::reason).str();
      layer.macs = kernel->getAttrOfType<IntegerAttr>(kernel::macs).getInt();
      result.package.layers.push_back(layer);
      auto estimate = kernel->getAttrOfType<IntegerAttr>(kernel::instructions);
      const uint64_t needed = estimate ? estimate.getInt() : 0;
      const bool onAccelerator = layer.target == "accelerator";
      const bool goesOn =
          onAccelerator && !steps.empty() && steps.back().isStream && instructions + needed <= most;
      if (!goesOn)
        steps.push_back({{}, onAccelerator, 0});
      instructions = goesOn ? instructions + needed : needed;
      steps.back().calls.push_back(call);
    }
  }

  /// Each kernel once, however often it is called.
  LogicalResult compileCpu() {
    SmallVector<func::FuncOp> kernels;
    SmallVector<std::pair<PlannedStep *, uint32_t>> callers;
    for (PlannedStep &step : steps) {
      func::FuncOp kernel = symbols.of(step.calls.front());
      if (kernelAttribute(kernel, kernel::target) != "cpu")
        continue;
      const auto [index, isNew] = kernelIndex.try_emplace(kernel, kernels.size());
      if (isNew)
        kernels.push_back(kernel);
      callers.push_back({&step, index->second});
    }
    if (kernels.empty())
      return success();
    FailureOr<cpu::CompiledKernels> compiled = cpu::compileKernels(kernels);
    if (failed(compiled))
      return failure();
    for (auto [step, index] : callers)
      step->scratchBytes = compiled->scratchBytes[index];
    result.package.kernels = std::move(compiled->kernels);
    result.package.objects.push_back(std::move(compiled->object));
    return success();
  }

  void addFunction() {
    package::Function function;
    function.name = "main";
    auto value = [&](Value value, Attribute name, Attribute dtype) {
      return package::Value{cast<StringAttr>(name).str(), signatureType(value, dtype), plan->offset(value)};
    };
    for (auto [i, argument] : llvm::enumerate(main.getArguments()))
      function.inputs.push_back(
          value(argument, main.getArgAttr(i, kernel::valueName), main.getArgAttr(i, kernel::dtype)));
    for (auto [i, output] : llvm::enumerate(main.getBody().front().getTerminator()->getOperands()))
      function.outputs.push_back(
          value(output, main.getResultAttr(i, kernel::valueName), main.getResultAttr(i, kernel::dtype)));
    result.package.functions.push_back(std::move(function));
  }

  package::Ref ref(Value value) {
    return {package::Space::Arena, plan->offset(value), tensorBytes(value.getType()),
            tensorType(value.getType())};
  }

  LogicalResult addSteps(size_t index) {
    const PlannedStep &planned = steps[index];
    std::vector<Step> &out = result.package.functions.front().steps;
    if (planned.isStream)
      return addStream(planned, out);
    func::CallOp call = planned.calls.front();
    func::FuncOp kernel = symbols.of(call);
    Step step;
    step.layer = layerOf[call];
    for (Value operand : call.getOperands())
      step.inputs.push_back(ref(operand));
    for (Value value : call.getResults())
      step.outputs.push_back(ref(value));
    if (kernelAttribute(kernel, kernel::target) == "external") {
      step.kind = Step::Kind::CallExternal;
      step.index = externalIndex(kernelAttribute(kernel, kernel::external));
    } else {
      step.kind = Step::Kind::CallKernel;
      step.index = kernelIndex[kernel];
      if (planned.scratchBytes)
        step.outputs.push_back({package::Space::Arena,
                                plan->scratchOffset(index),
                                planned.scratchBytes,
                                {package::DType::I8, {static_cast<int64_t>(planned.scratchBytes)}}});
    }
    out.push_back(step);
    return success();
  }

  uint32_t externalIndex(StringRef name) {
    auto &names = result.package.externals;
    auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      found = names.insert(names.end(), name.str());
    return found - names.begin();
  }

  LogicalResult addStream(const PlannedStep &planned, std::vector<Step> &out) {
    std::vector<uint32_t> layers;
    for (func::CallOp call : planned.calls)
      layers.push_back(layerOf[call]);
    accelerator::DramPlacement placement{[this](Value value) { return plan->slot(value); }};
    auto stream = accelerator::compileStream(module, planned.calls, layers, options.machine, placement,
                                             result.package.constants, options.phaseBegins, &planning);
    if (failed(stream))
      return failure();
    Step start;
    start.kind = Step::Kind::Start;
    start.index = result.package.programs.size();
    start.layer = layers.front();
    Step wait = start;
    wait.kind = Step::Kind::Wait;
    wait.layer = layers.back();
    out.push_back(start);
    out.push_back(wait);
    package::AcceleratorProgram program;
    program.words = isa::encodeWords(stream->instructions);
    program.layerOfInstruction = stream->layerOfInstruction;
    result.package.programs.push_back(std::move(program));
    result.streams.push_back(std::move(*stream));
    return success();
  }

  /// Limits, once all constants are there, and the proof.
  LogicalResult finishPrograms() {
    std::vector<isa::MemoryEffects> effects; // on the arena
    for (size_t i = 0; i < result.streams.size(); ++i) {
      package::AcceleratorProgram &entry = result.package.programs[i];
      entry.bases[0] = {static_cast<uint32_t>(result.package.constants.size()), true};
      entry.bases[package::arenaBase] = {static_cast<uint32_t>(result.package.arenaBytes), false};
      result.programs.push_back(
          {options.machine.name, options.machine.hash(), entry.bases, result.streams[i].instructions});
      if (!options.verify)
        continue;
      isa::Proof proof = isa::prove(result.programs.back(), options.machine, 1);
      if (!proof.findings.empty())
        return emitError(main.getLoc())
               << "the emitted stream " << i << " is not legal, which is a mistake of the "
               << "compiler: " << proof.findings.front().message;
      effects.push_back(std::move(proof.effects[package::arenaBase]));
    }
    return options.verify ? proveSteps(effects) : success();
  }

  LogicalResult proveSteps(Span<const isa::MemoryEffects> effects) {
    const auto findings = package::proveSteps(result.package, effects, 1);
    if (findings.empty())
      return success();
    return emitError(main.getLoc())
           << "the emitted package is not legal, which is a mistake of the compiler: "
           << findings.front().message;
  }

  ModuleOp module;
  const CompileOptions &options;
  const Kernels symbols;
  func::FuncOp main;
  Assembled result;
  std::vector<PlannedStep> steps;
  std::optional<MemoryPlan> plan;
  accelerator::Planning &planning;
  llvm::DenseMap<Operation *, uint32_t> layerOf, kernelIndex;
};

} // namespace

FailureOr<Assembled> assemblePackage(ModuleOp module, const CompileOptions &options,
                                     accelerator::Planning &planning) {
  return Assembler(module, options, planning).run();
}

} // namespace daedalus
