// See Assemble.h. What a step reads and writes follows from the offsets in the module; kernels, constants and
// instructions are what they are there.

#include "Assemble.h"

#include "Streams.h"

#include "daedalus/Dialect/Dae/Transforms/Constants.h"
#include "daedalus/Dialect/Dae/Transforms/Machine.h"
#include "daedalus/Dialect/Dae/Transforms/Transforms.h"
#include "daedalus/Conversion/GraphToLinalg/GraphToLinalg.h"
#include "daedalus/Target/CPU/CPU.h"
#include "daedalus/Target/TensorTypes.h"
#include "daedalus/isa/encoding.h"
#include "daedalus/package/prove.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"

#include <limits>

using namespace mlir;

namespace daedalus {
namespace {

using package::KernelArgument;
using package::Step;

class Assembler {
public:
  Assembler(const Steps &steps, ModuleOp module, const AssembleOptions &options, Phases &phases)
      : steps(steps), module(module), options(options), phases(phases) {}

  FailureOr<Assembled> run() {
    dae::PackageOp from = steps.package();
    package::Package &package = result.package;
    package.machineName = options.machine.name;
    package.machineHash = options.machine.hash();
    package.arenaBytes = from.getArena();
    for (auto layer : from.getLayers().getAsRange<dae::LayerAttr>())
      package.layers.push_back({layer.getNode().str(), layer.getTarget().str(), layer.getReason().str(),
                                layer.getMacs()});
    FailureOr<ArrayRef<uint8_t>> constants = dae::constantsOf(from);
    if (failed(constants))
      return failure();
    package.constants.assign(constants->begin(), constants->end());
    if (package.arenaBytes > std::numeric_limits<uint32_t>::max())
      return from.emitOpError("has an arena of ") << package.arenaBytes << " bytes; expected less than 2^32";
    if (failed(addFunction()))
      return failure();
    for (dae::StepOp step : steps.steps())
      if (failed(addStep(step)))
        return failure();
    if (failed(compileKernels()) || failed(prove()))
      return failure();
    phases.enter("package");
    if (Result<void> valid = package::validate(package); !valid)
      return from.emitError("the package is not valid") << options.blame << valid.error();
    return std::move(result);
  }

private:
  /// Arguments of @main have their places in dae.package, results of steps in the step.
  LogicalResult addFunction() {
    dae::PackageOp from = steps.package();
    package::Function function;
    function.name = from.getEntry().str();
    func::FuncOp main = steps.main();
    for (auto [argument, value] : llvm::zip(main.getArguments(), from.getInputs().getAsRange<dae::ValueAttr>()))
      offsets[argument] = value.getOffset();
    for (dae::StepOp step : steps.steps()) {
      if (!step.getOffsets())
        return step.emitOpError("has no place for its results; run plan-memory first");
      for (auto [value, offset] : llvm::zip(step.getResults(), *step.getOffsets()))
        offsets[value] = offset;
    }
    auto add = [&](std::vector<package::Value> &values, ArrayAttr named, ValueRange tensors) {
      for (auto [tensor, value] : llvm::zip(tensors, named.getAsRange<dae::ValueAttr>())) {
        FailureOr<package::TensorType> type = signatureType(tensor, value);
        if (failed(type))
          return failure();
        values.push_back({value.getName().str(), *type, offsets.lookup(rootOf(tensor))});
      }
      return success();
    };
    if (failed(add(function.inputs, from.getInputs(), main.getArguments())) ||
        failed(add(function.outputs, from.getOutputs(), main.getBody().front().getTerminator()->getOperands())))
      return failure();
    result.package.functions.push_back(std::move(function));
    return success();
  }

  /// Of an input or output of the model, whose signedness the tensor's type does not tell.
  FailureOr<package::TensorType> signatureType(Value tensor, dae::ValueAttr value) {
    package::TensorType type = tensorType(tensor.getType());
    const std::string name = value.getDtype().str();
    if (type.dtype == package::DType::I8)
      type.dtype = name == "bool" ? package::DType::Bool : name == "uint8" ? package::DType::U8 : type.dtype;
    if (name != package::name(type.dtype))
      return steps.package().emitOpError("calls '")
             << value.getName().getValue() << "' a tensor of " << name << ", which is " << tensor.getType();
    return type;
  }

  package::Ref ref(Value value) {
    return {package::Space::Arena, offsets.lookup(rootOf(value)), tensorBytes(value.getType()),
            tensorType(value.getType())};
  }

  LogicalResult addStep(dae::StepOp from) {
    std::vector<Step> &out = result.package.functions.front().steps;
    if (from.getTarget() == "accelerator")
      return addStream(from, out);
    Step step;
    step.layer = from.getLayers().front();
    for (Value operand : from.getOperands())
      step.inputs.push_back(ref(operand));
    for (Value value : from.getResults())
      step.outputs.push_back(ref(value));
    if (from.getTarget() == "external") {
      FailureOr<uint32_t> index = externalIndex(from);
      if (failed(index))
        return failure();
      step.kind = Step::Kind::CallExternal;
      step.index = *index;
    } else {
      step.kind = Step::Kind::CallKernel;
      FailureOr<uint32_t> index = kernelIndex(from);
      if (failed(index))
        return failure();
      step.index = *index;
      if (const std::optional<int64_t> bytes = scratchBytes(from))
        step.outputs.push_back({package::Space::Arena, from.getScratch().value_or(0), uint64_t(*bytes),
                                {package::DType::I8, {*bytes}}});
    }
    out.push_back(step);
    return success();
  }

  FailureOr<uint32_t> externalIndex(dae::StepOp step) {
    auto attribute = steps.callee(step)->getAttrOfType<StringAttr>(kernel::external);
    if (!attribute)
      return step.emitOpError("calls ") << step.getCalleeAttr() << ", which names no external function";
    auto &names = result.package.externals;
    auto found = std::find(names.begin(), names.end(), attribute.getValue());
    if (found == names.end())
      found = names.insert(names.end(), attribute.str());
    return found - names.begin();
  }

  /// Bytes of the argument behind inputs and outputs; none of a kernel without it.
  std::optional<int64_t> scratchBytes(dae::StepOp step) {
    ArrayRef<Type> arguments = steps.callee(step).getArgumentTypes();
    if (arguments.size() == step.getNumOperands() + step.getNumResults())
      return std::nullopt;
    return cast<MemRefType>(arguments.back()).getNumElements();
  }

  /// The kernel, with its signature when it is new: what the step gives it, which its arguments have to be.
  FailureOr<uint32_t> kernelIndex(dae::StepOp step) {
    func::FuncOp function = steps.callee(step);
    if (failed(checkKernel(step, function)))
      return failure();
    auto [found, isNew] = kernelOf.try_emplace(function, result.package.kernels.size());
    if (!isNew)
      return found->second;
    package::Kernel kernel{function.getName().str(), {}};
    auto add = [&](Type type, KernelArgument::Access access, uint32_t alignment) {
      kernel.arguments.push_back({access, tensorType(type), alignment});
    };
    auto addTensor = [&](Type type, KernelArgument::Access access) {
      add(type, access, package::byteSize(tensorType(type).dtype));
    };
    for (Value operand : step.getOperands())
      addTensor(operand.getType(), KernelArgument::Access::Read);
    for (Value value : step.getResults())
      addTensor(value.getType(), KernelArgument::Access::Write);
    if (scratchBytes(step))
      add(function.getArgumentTypes().back(), KernelArgument::Access::Write, cpu::scratchAlignment);
    result.package.kernels.push_back(std::move(kernel));
    return found->second;
  }

  /// That the buffers of a kernel are those of the step's tensors. (A tensor without elements is one byte.)
  static LogicalResult checkKernel(dae::StepOp step, func::FuncOp kernel) {
    SmallVector<Type> tensors(step.getOperandTypes());
    tensors.append(step.getResultTypes().begin(), step.getResultTypes().end());
    ArrayRef<Type> arguments = kernel.getArgumentTypes();
    const size_t more = arguments.size() - tensors.size();
    bool fits = !kernel.isExternal() && arguments.size() >= tensors.size() && more <= 1 &&
                kernel.getNumResults() == 1 && kernel.getResultTypes()[0].isSignlessInteger(32);
    for (auto [type, argument] : llvm::zip(tensors, arguments)) {
      auto tensor = cast<RankedTensorType>(type);
      auto buffer = dyn_cast<MemRefType>(argument);
      fits &= buffer && buffer.getLayout().isIdentity() && !buffer.getMemorySpace() &&
              (tensor.getNumElements() == 0 || (buffer.getShape() == tensor.getShape() &&
                                                buffer.getElementType() == tensor.getElementType()));
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

  LogicalResult addStream(dae::StepOp from, std::vector<Step> &out) {
    phases.enter("instructions");
    FailureOr<dae::Instructions> stream = dae::toInstructions(steps.callee(from), options.machine);
    if (failed(stream))
      return failure();
    Step start;
    start.kind = Step::Kind::Start;
    start.index = result.package.programs.size();
    start.layer = from.getLayers().front();
    Step wait = start;
    wait.kind = Step::Kind::Wait;
    wait.layer = from.getLayers().back();
    out.push_back(start);
    out.push_back(wait);
    package::AcceleratorProgram program;
    program.words = isa::encodeWords(stream->all);
    program.layerOfInstruction = std::move(stream->layers);
    program.bases[0] = {static_cast<uint32_t>(result.package.constants.size()), true};
    program.bases[package::arenaBase] = {static_cast<uint32_t>(result.package.arenaBytes), false};
    result.programs.push_back({options.machine.name, options.machine.hash(), program.bases, std::move(stream->all)});
    result.package.programs.push_back(std::move(program));
    return success();
  }

  LogicalResult compileKernels() {
    if (result.package.kernels.empty())
      return success();
    phases.enter("CPU code");
    std::vector<std::string> symbols;
    for (const package::Kernel &kernel : result.package.kernels)
      symbols.push_back(kernel.symbol);
    const OwningOpRef<ModuleOp> kernels = kernelsOf(module);
    FailureOr<package::ElfObject> object = cpu::compileKernels(*kernels, symbols);
    if (failed(object))
      return failure();
    result.package.objects.push_back(std::move(*object));
    return success();
  }

  LogicalResult prove() {
    if (!options.verify)
      return success();
    phases.enter("proof");
    std::vector<isa::MemoryEffects> effects; // on the arena
    for (auto [index, program] : llvm::enumerate(result.programs)) {
      isa::Proof proof = isa::prove(program, options.machine, 1);
      if (!proof.findings.empty())
        return emitError(steps.main().getLoc())
               << "stream " << index << " is not legal" << options.blame << proof.findings.front().message;
      effects.push_back(std::move(proof.effects[package::arenaBase]));
    }
    const auto findings = package::proveSteps(result.package, effects, 1);
    if (findings.empty())
      return success();
    return emitError(steps.main().getLoc())
           << "the package is not legal" << options.blame << findings.front().message;
  }

  const Steps &steps;
  ModuleOp module;
  const AssembleOptions &options;
  Phases &phases;
  Assembled result;
  llvm::DenseMap<Value, uint64_t> offsets; ///< of what has memory in @main
  llvm::DenseMap<Operation *, uint32_t> kernelOf;
};

} // namespace

OwningOpRef<ModuleOp> kernelsOf(ModuleOp module) {
  OwningOpRef<ModuleOp> kernels = ModuleOp::create(module.getLoc());
  for (Operation &op : module.getOps()) {
    auto function = dyn_cast<func::FuncOp>(op);
    const bool isKernel = function && !function.isExternal() && !function->hasAttr(dae::streamName) &&
                          function.getBody().getOps<dae::StepOp>().empty();
    if (isKernel || llvm::isa<memref::GlobalOp>(op))
      kernels->push_back(op.clone());
  }
  return kernels;
}

FailureOr<Assembled> assemblePackage(ModuleOp module, const AssembleOptions &options, Phases &phases) {
  FailureOr<Steps> steps = Steps::of(module);
  if (failed(steps))
    return failure();
  Result<isa::Machine> machine = dae::fromAttribute(steps->package().getMachine());
  if (!machine)
    return steps->package().emitOpError(machine.error());
  if (machine->hash() != options.machine.hash())
    return steps->package().emitOpError("is for machine '")
           << machine->name << "', which is not machine '" << options.machine.name << "'; give its own with --machine";
  return Assembler(*steps, module, options, phases).run();
}

} // namespace daedalus
