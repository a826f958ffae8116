// Calls to steps. @main is built anew: views of tensors are made where somebody reads them, inside a stream
// or outside, so that what passes between steps is whole tensors.

#include "Package/Streams.h"
#include "Placement/Placement.h"

#include "daedalus/Conversion/FormKernels/Interface.h"
#include "daedalus/Dialect/Host/IR/Host.h"
#include "daedalus/Kernels/Names.h"
#include "daedalus/Pipelines/Passes.h"
#include "daedalus/Target/Target.h"
#include "daedalus/Target/TensorTypes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace daedalus {
#define GEN_PASS_DEF_FORMSTREAMS
#include "daedalus/Pipelines/Passes.h.inc"

namespace {

/// Calls that become one step.
struct Group {
  SmallVector<func::CallOp> calls;
  SmallVector<int64_t> layers;
  std::string target;
  uint64_t size = 0; ///< about

  /// How large a step of this target may become; 0: its kernels are steps of their own.
  uint64_t maximumStepSize() const {
    const Target *found = findTarget(target);
    return found ? found->maximumStepSize() : 0;
  }
  bool isStream() const { return maximumStepSize() != 0; }
};

class Former {
public:
  Former(ModuleOp module, func::FuncOp main, uint64_t most)
      : module(module), symbols(module), placement(module), main(main), most(most),
        builder(module.getContext()) {}

  void run() {
    for (auto call : main.getOps<func::CallOp>())
      add(call);
    auto body = std::make_unique<Block>();
    for (BlockArgument argument : main.getArguments())
      values.map(argument, body->addArgument(argument.getType(), argument.getLoc()));
    builder.setInsertionPointToEnd(body.get());
    for (Group &group : groups)
      group.isStream() ? addStream(group) : addCall(group);
    Operation *end = main.getBody().front().getTerminator();
    SmallVector<Value> results;
    for (Value result : end->getOperands())
      results.push_back(valueFor(result, values));
    builder.create<func::ReturnOp>(end->getLoc(), results);
    addPackage();
    main.getBody().front().dropAllReferences();
    main.getBody().front().erase();
    main.getBody().push_back(body.release());
  }

private:
  /// Consecutive calls for a target that has streams join one, as long as it may become.
  void add(func::CallOp call) {
    host::PlaceOp place = placement.of(call.getCallee());
    const std::string target = place.getLayer().getTarget().str();
    const uint64_t needed = place.getSize();
    const bool goesOn = !groups.empty() && groups.back().isStream() && groups.back().target == target &&
                        groups.back().size + needed <= (most ? most : groups.back().maximumStepSize());
    if (!goesOn)
      groups.push_back({{}, {}, target, 0});
    groups.back().calls.push_back(call);
    groups.back().layers.push_back(layers.size());
    groups.back().size += needed;
    layers.push_back(place.getLayer());
  }

  /// What `value` of the old @main is where `mapping` leads; a view, or a tensor without elements, is made
  /// anew.
  Value valueFor(Value value, IRMapping &mapping) {
    if (!mapping.contains(value)) {
      Operation *made = value.getDefiningOp();
      for (Value operand : made->getOperands())
        valueFor(operand, mapping);
      builder.clone(*made, mapping);
    }
    return mapping.lookup(value);
  }

  host::StepOp addStep(const Group &group, StringRef callee, ValueRange operands, TypeRange results) {
    return builder.create<host::StepOp>(func::CallOp(group.calls.front()).getLoc(), results, callee, operands,
                                        group.target, group.layers, ArrayAttr(), DenseI64ArrayAttr(),
                                        IntegerAttr(), ArrayAttr());
  }

  void addCall(const Group &group) {
    func::CallOp call = group.calls.front();
    SmallVector<Value> operands;
    for (Value operand : call.getOperands())
      operands.push_back(valueFor(operand, values));
    values.map(call.getResults(),
               addStep(group, call.getCallee(), operands, call.getResultTypes()).getOutputs());
  }

  void addStream(const Group &group) {
    llvm::DenseSet<Operation *> inside(group.calls.begin(), group.calls.end());
    llvm::SetVector<Value> inputs, outputs;
    for (func::CallOp call : group.calls) {
      for (Value operand : call.getOperands())
        if (Value root = rootOf(operand); !inside.contains(root.getDefiningOp()))
          inputs.insert(root);
      for (Value result : call.getResults())
        if (isReadOutside(result, inside))
          outputs.insert(result);
    }
    SmallVector<Value> operands;
    for (Value input : inputs)
      operands.push_back(valueFor(input, values));
    func::FuncOp stream = createStream(group, inputs.getArrayRef(), outputs.getArrayRef());
    values.map(
        outputs.getArrayRef(),
        addStep(group, stream.getName(), operands, stream.getFunctionType().getResults()).getOutputs());
  }

  static bool isReadOutside(Value value, const llvm::DenseSet<Operation *> &inside) {
    return llvm::any_of(value.getUsers(), [&](Operation *user) {
      return isView(user) ? isReadOutside(user->getResult(0), inside) : !inside.contains(user);
    });
  }

  func::FuncOp createStream(const Group &group, ArrayRef<Value> inputs, ArrayRef<Value> outputs) {
    OpBuilder::InsertionGuard guard(builder);
    auto type = builder.getFunctionType(ValueRange(inputs).getTypes(), ValueRange(outputs).getTypes());
    auto stream = func::FuncOp::create(module.getLoc(), ("stream" + Twine(count++)).str(), type);
    stream.setPrivate();
    symbols.insert(stream);
    IRMapping mapping;
    builder.setInsertionPointToEnd(stream.addEntryBlock());
    mapping.map(inputs, stream.getArguments());
    SmallVector<Value> results;
    for (func::CallOp call : group.calls) {
      for (Value operand : call.getOperands())
        valueFor(operand, mapping);
      builder.clone(*call, mapping);
    }
    for (Value output : outputs)
      results.push_back(mapping.lookup(output));
    builder.create<func::ReturnOp>(module.getLoc(), results);
    return stream;
  }

  host::ValueAttr describe(Type type, StringAttr name, Attribute dtype) {
    auto typed = dyn_cast_or_null<StringAttr>(dtype);
    return host::ValueAttr::get(module.getContext(), name,
                                typed ? typed : builder.getStringAttr(package::name(tensorType(type).dtype)),
                                0);
  }

  void addPackage() {
    SmallVector<Attribute> inputs, outputs;
    for (auto [i, type] : llvm::enumerate(main.getArgumentTypes()))
      inputs.push_back(describe(type, argumentName(main, i), main.getArgAttr(i, kernel::dtype)));
    for (auto [i, type] : llvm::enumerate(main.getResultTypes()))
      outputs.push_back(describe(type, resultName(main, i), main.getResultAttr(i, kernel::dtype)));
    builder.setInsertionPointToStart(module.getBody());
    builder.create<host::PackageOp>(
        main.getLoc(), main.getName(), host::placementOf(module).getTargetsAttr(),
        builder.getArrayAttr(inputs), builder.getArrayAttr(outputs),
        builder.getArrayAttr(SmallVector<Attribute>(layers.begin(), layers.end())), 0, ElementsAttr());
    for (auto old : llvm::make_early_inc_range(module.getOps<host::PlacementOp>()))
      old.erase();
  }

  ModuleOp module;
  SymbolTable symbols;
  const Placement placement;
  func::FuncOp main;
  const uint64_t most; ///< of a step; 0: as its target says
  OpBuilder builder;
  std::vector<Group> groups;
  SmallVector<host::LayerAttr> layers;
  IRMapping values; ///< of the old @main to the new one
  unsigned count = 0;
};

struct FormStreams : impl::FormStreamsBase<FormStreams> {
  using FormStreamsBase::FormStreamsBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<func::FuncOp> main = placedMain(module);
    if (failed(main))
      return signalPassFailure();
    Former former(module, *main, most);
    former.run();
  }
};

} // namespace
} // namespace daedalus
