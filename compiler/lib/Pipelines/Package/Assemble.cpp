// See Assemble.h. What a step reads and writes follows from the offsets in the module; kernels, constants and
// instructions are what they are there.

#include "Assemble.h"

#include "Devices.h"
#include "Streams.h"

#include "daedalus/Dialect/Host/IR/Host.h"
#include "daedalus/Dialect/Qnn/Transforms/Graph.h"
#include "daedalus/Kernels/Names.h"
#include "daedalus/Target/Target.h"
#include "daedalus/Target/TensorTypes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"

#include <limits>

using namespace mlir;

namespace daedalus {
namespace {

using package::Step;

/// What is quantized runs on a stream, or its reason names int8.
void addLayer(Demand &demand, uint32_t index, host::LayerAttr layer) {
  const std::string target = layer.getTarget().str();
  demand.isQuantized |= runsStreams(target) || layer.getReason().getValue().contains("int8");
  if (runsStreams(target))
    demand.macs += layer.getMacs();
  else if (target == fallbackTarget().name() && !layer.getBoundary())
    demand.cpuLayers.push_back(index);
}

Demand demandOf(host::PackageOp package) {
  Demand demand;
  for (auto [i, layer] : llvm::enumerate(package.getLayers().getAsRange<host::LayerAttr>()))
    addLayer(demand, i, layer);
  return demand;
}

std::vector<LayerPrices> pricesOf(host::PackageOp package) {
  std::vector<LayerPrices> all;
  for (auto layer : package.getLayers().getAsRange<host::LayerAttr>()) {
    LayerPrices &prices = all.emplace_back();
    if (layer.getPrices())
      for (NamedAttribute price : layer.getPrices())
        if (auto microseconds = dyn_cast<FloatAttr>(price.getValue()))
          prices[price.getName().str()] = microseconds.getValueAsDouble();
  }
  return all;
}

std::map<std::string, uint64_t> leastOf(host::LayerAttr layer) {
  std::map<std::string, uint64_t> least;
  if (layer.getLeast())
    for (NamedAttribute number : layer.getLeast())
      if (auto value = dyn_cast<IntegerAttr>(number.getValue()))
        least[number.getName().str()] = value.getValue().getLimitedValue();
  return least;
}

class Assembler : public PackageBuilder {
public:
  Assembler(const Steps &steps, ModuleOp module, TargetStates &states, Phases &phases,
            const std::function<bool(PassManager &)> &options)
      : all(steps), from(module), states(states), phases(phases), options(options), devices(steps, states) {}

  ModuleOp module() const override { return from; }
  /// What MLIR's own options are to show is made anew.
  const std::string &cache() const override { return options ? none : states.settings().cache; }
  func::FuncOp callee(host::StepOp step) const override { return all.callee(step); }
  package::Ref ref(Value value) const override {
    return {package::Space::Arena, offsets.lookup(rootOf(value)), tensorBytes(value.getType()),
            tensorType(value.getType())};
  }
  package::Ref constant(DenseElementsAttr value) override {
    const auto [found, isNew] = constantOffsets.try_emplace(value, 0);
    const package::TensorType type = tensorType(value.getType());
    if (isNew)
      found->second = append(value, package::byteSize(type));
    return {package::Space::Constants, found->second, package::byteSize(type), type};
  }
  LogicalResult configure(PassManager &passes) const override {
    if (!options || options(passes))
      return success();
    return module().emitError("MLIR's options cannot be applied to the passes");
  }
  void enter(const std::string &phase) override { phases.enter(phase); }

  FailureOr<Assembled> run(bool code) {
    host::PackageOp from = all.package();
    package.arenaBytes = from.getArena();
    for (auto layer : from.getLayers().getAsRange<host::LayerAttr>())
      package.layers.push_back({layer.getNode().str(), layer.getTarget().str(), layer.getReason().str(),
                                layer.getMacs(), leastOf(layer)});
    constantBytes = host::constantBytes(from);
    if ((code || !isa_and_nonnull<SplatElementsAttr>(from.getConstantsAttr())) && failed(addConstants(from)))
      return failure();
    if (package.arenaBytes > std::numeric_limits<uint32_t>::max())
      return from.emitOpError("has an arena of ") << package.arenaBytes << " bytes; expected less than 2^32";
    if (failed(addFunction()))
      return failure();
    for (host::StepOp step : all.steps())
      if (failed(addStep(step)))
        return failure();
    package.constants.resize(llvm::alignTo(package.constants.size(), constantAlignment));
    package.constants.insert(package.constants.end(), kernelConstants.begin(), kernelConstants.end());
    for (const auto &target : targets())
      if ((code || runsStreams(target->name())) && failed(target->finish(*this, *states.of(*target))))
        return failure();
    if (code && failed(devices.finish(*this)))
      return failure();
    return Assembled{std::move(package), pricesOf(from), demandOf(from)};
  }

private:
  LogicalResult addConstants(host::PackageOp from) {
    FailureOr<ArrayRef<uint8_t>> constants = host::constantsOf(from);
    if (succeeded(constants))
      package.constants.assign(constants->begin(), constants->end());
    return constants;
  }

  /// Adds the elements behind what the accelerator's streams read; returns where they will lie.
  uint64_t append(DenseElementsAttr value, uint64_t size) {
    kernelConstants.resize(llvm::alignTo(kernelConstants.size(), constantAlignment));
    const uint64_t offset =
        llvm::alignTo(package.constants.size(), constantAlignment) + kernelConstants.size();
    if (value.getElementType().isInteger(1)) {
      llvm::append_range(kernelConstants, value.getValues<bool>());
      return offset;
    }
    const ArrayRef<char> data = value.getRawData();
    for (uint64_t done = 0; done < size; done += data.size()) // one element, where all are the same
      kernelConstants.insert(kernelConstants.end(), data.begin(), data.end());
    return offset;
  }

  /// Arguments of @main have their places in host.package, results of steps in the step.
  LogicalResult addFunction() {
    host::PackageOp from = all.package();
    package::Function function;
    function.name = from.getEntry().str();
    func::FuncOp main = all.main();
    for (auto [argument, value] :
         llvm::zip(main.getArguments(), from.getInputs().getAsRange<host::ValueAttr>()))
      offsets[argument] = value.getOffset();
    for (host::StepOp step : all.steps()) {
      if (!step.getOffsets())
        return step.emitOpError("has no place for its results; run plan-memory first");
      for (auto [value, offset] : llvm::zip(step.getResults(), *step.getOffsets()))
        offsets[value] = offset;
    }
    auto add = [&](std::vector<package::Value> &values, ArrayAttr named, ValueRange tensors) {
      for (auto [tensor, value] : llvm::zip(tensors, named.getAsRange<host::ValueAttr>())) {
        FailureOr<package::TensorType> type = signatureType(tensor, value);
        if (failed(type))
          return failure();
        values.push_back({value.getName().str(), *type, offsets.lookup(rootOf(tensor))});
      }
      return success();
    };
    if (failed(add(function.inputs, from.getInputs(), main.getArguments())) ||
        failed(
            add(function.outputs, from.getOutputs(), main.getBody().front().getTerminator()->getOperands())))
      return failure();
    package.functions.push_back(std::move(function));
    return success();
  }

  /// Of an input or output of the model, whose signedness the tensor's type does not tell.
  FailureOr<package::TensorType> signatureType(Value tensor, host::ValueAttr value) {
    package::TensorType type = tensorType(tensor.getType());
    const std::string name = value.getDtype().str();
    type.dtype = namedType(type.dtype, name);
    if (name != package::name(type.dtype))
      return all.package().emitOpError("calls '")
             << value.getName().getValue() << "' a tensor of " << name << ", which is " << tensor.getType();
    return type;
  }

  LogicalResult addStep(host::StepOp from) {
    if (from.getTarget() == kernel::externalTarget)
      return addExternal(from);
    const Target *target = findTarget(from.getTarget());
    if (!target)
      return from.emitOpError("is for the target '") << from.getTarget() << "', which is unknown";
    return target->hasOwnMemory() ? devices.addStep(from, *target, *this)
                                  : target->addStep(from, *this, *states.of(*target));
  }

  LogicalResult addExternal(host::StepOp from) {
    Step step;
    step.kind = Step::Kind::CallExternal;
    step.layer = from.getLayers().front();
    for (Value operand : from.getOperands())
      step.inputs.push_back(ref(operand));
    if (failed(addConstants(from, step)))
      return failure();
    for (Value value : from.getResults())
      step.outputs.push_back(ref(value));
    FailureOr<uint32_t> index = externalIndex(from);
    if (failed(index))
      return failure();
    step.index = *index;
    steps().push_back(step);
    return success();
  }

  LogicalResult addConstants(host::StepOp from, Step &step) {
    if (!from.getConstants())
      return success();
    for (auto name : from.getConstants()->getAsRange<FlatSymbolRefAttr>()) {
      auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(from, name);
      auto elements = dyn_cast<DenseElementsAttr>(global.getConstantInitValue());
      if (!elements)
        return from.emitOpError("takes the constant ") << name << ", which has no elements of its own";
      step.inputs.push_back(constant(elements));
    }
    return success();
  }

  FailureOr<uint32_t> externalIndex(host::StepOp step) {
    const std::optional<StringRef> name = qnn::externalName(all.callee(step));
    if (!name)
      return step.emitOpError("calls ") << step.getCalleeAttr() << ", which names no external function";
    auto &names = package.externals;
    auto found = std::find(names.begin(), names.end(), *name);
    if (found == names.end())
      found = names.insert(names.end(), name->str());
    return found - names.begin();
  }

  const Steps &all;
  ModuleOp from;
  TargetStates &states;
  Phases &phases;
  const std::function<bool(PassManager &)> &options; ///< may be empty
  const std::string none;
  llvm::DenseMap<Value, uint64_t> offsets; ///< of what has memory in @main
  llvm::DenseMap<Attribute, uint64_t> constantOffsets;
  std::vector<uint8_t> kernelConstants; ///< which lie behind those of the accelerator
  Devices devices;
};

} // namespace

FailureOr<Assembled> assemblePackage(ModuleOp module, TargetStates &states, Phases &phases,
                                     const std::function<bool(PassManager &)> &configure, bool code) {
  FailureOr<Steps> steps = Steps::of(module);
  if (failed(steps))
    return failure();
  return Assembler(*steps, module, states, phases, configure).run(code);
}

Result<void> checkPackage(const package::Package &package, TargetStates &states, bool prove,
                          const std::string &blame, Phases &phases) {
  if (prove) {
    phases.enter("proof");
    for (const auto &target : targets())
      if (Result<void> proved = target->prove(package, *states.of(*target), blame); !proved)
        return proved;
  }
  phases.enter("package");
  if (Result<void> valid = package::validate(package); !valid)
    return error("the package is not valid" + blame + valid.error());
  return {};
}

} // namespace daedalus
