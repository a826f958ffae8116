// cpu-call-libraries: a step whose kernel has a product that a library computes becomes a step that calls the
// library's function, between kernels of what comes before and behind it.

#include "Libraries.h"

#include "daedalus/Analysis/Views.h"
#include "daedalus/Dialect/Host/IR/Layers.h"
#include "daedalus/Dialect/Qnn/IR/Qnn.h"
#include "daedalus/Kernels/Names.h"
#include "daedalus/Target/CPU/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/RegionUtils.h"

#include "llvm/ADT/SetVector.h"

#include <algorithm>
#include <map>

using namespace mlir;

namespace daedalus::cpu {
#define GEN_PASS_DEF_CPUCALLLIBRARIES
#include "daedalus/Target/CPU/Passes.h.inc"

namespace {

/// The same elements as a tensor of another type.
Value reshape(OpBuilder &b, Location loc, Value value, RankedTensorType type) {
  const auto all = [](RankedTensorType of) {
    return SmallVector<ReassociationIndices>{llvm::to_vector<2>(llvm::seq<int64_t>(0, of.getRank()))};
  };
  auto from = cast<RankedTensorType>(value.getType());
  if (from == type)
    return value;
  if (from.getRank() != 1)
    value = b.create<tensor::CollapseShapeOp>(loc, value, all(from));
  return type.getRank() == 1 ? value
                             : b.create<tensor::ExpandShapeOp>(loc, type, value, all(type)).getResult();
}

/// The operations of a kernel that a value is computed with; where it is `given`, or an argument, they end.
llvm::SetVector<Operation *> operationsOf(Value value, Value given) {
  llvm::SetVector<Operation *> operations;
  SmallVector<Value> open{value};
  while (!open.empty()) {
    const Value next = open.pop_back_val();
    Operation *op = next == given ? nullptr : next.getDefiningOp();
    if (!op || !operations.insert(op))
      continue;
    llvm::SetVector<Value> read(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), read);
    open.append(read.begin(), read.end());
  }
  return operations;
}

class Splitter {
public:
  Splitter(ModuleOp module, ArrayRef<LibraryChoice> choices, bool hasVnni)
      : module(module), symbols(module), choices(choices), hasVnni(hasVnni) {}

  void run() {
    SmallVector<host::StepOp> steps;
    module.walk([&](host::StepOp step) { steps.push_back(step); });
    llvm::SetVector<func::FuncOp> kernels;
    for (size_t i = 0; i < steps.size(); ++i) { // what is left of a step is looked at again
      host::StepOp step = steps[i];
      auto kernel = symbols.lookup<func::FuncOp>(step.getCallee());
      if (step.getTarget() != "cpu" || !kernel || kernel.isExternal() || !kernel.getBody().hasOneBlock() ||
          kernel.getNumResults() != 1 || step.getConstants())
        continue;
      const std::optional<LibraryCall> call =
          findLibraryCall(kernel, [&](const LibraryCall &call) { return !functionFor(call).empty(); });
      if (!call)
        continue;
      kernels.insert(kernel);
      if (host::StepOp rest = split(step, kernel, *call))
        steps.push_back(rest);
    }
    for (func::FuncOp kernel : kernels)
      if (SymbolTable::symbolKnownUseEmpty(kernel, module))
        symbols.erase(kernel);
    explain();
  }

private:
  /// The name of the first one that takes the call; empty where none does.
  std::string functionFor(const LibraryCall &call) const {
    for (const LibraryChoice &choice : choices)
      if (choice.takes(call, hasVnni))
        return choice.name + "." + call.pattern;
    return "";
  }

  /// The call, with steps for what is computed before and behind it; returns the one behind, if there is one.
  host::StepOp split(host::StepOp step, func::FuncOp kernel, const LibraryCall &call) {
    OpBuilder b(step);
    SmallVector<Value> operands;
    SmallVector<Attribute> constants;
    for (auto [tensor, type] : llvm::zip(call.tensors, call.types)) {
      if (DenseElementsAttr elements = constantOf(tensor, type))
        constants.push_back(globalOf(elements, step.getLoc()));
      else
        operands.push_back(reshape(b, step.getLoc(), valueOf(rootOf(tensor), step, kernel, b), type));
    }
    constants.push_back(globalOf(
        DenseElementsAttr::get(RankedTensorType::get({int64_t(call.attributes.size())}, b.getI64Type()),
                               ArrayRef<int64_t>(call.attributes)),
        step.getLoc()));
    const std::string function = functionFor(call);
    auto called = addStep(b, step, declare(function, operands, call.resultType, step.getLoc()), operands,
                          call.resultType, kernel::externalTarget, b.getArrayAttr(constants));
    callees[step.getLayers().front()].insert(b.getStringAttr(function));
    const Value product =
        reshape(b, step.getLoc(), called.getResult(0), cast<RankedTensorType>(call.result.getType()));
    return finish(step, kernel, call, product, b);
  }

  /// Gives the result of the step to its readers.
  host::StepOp finish(host::StepOp step, func::FuncOp kernel, const LibraryCall &call, Value product,
                      OpBuilder &b) {
    const Value result = kernel.getBody().front().getTerminator()->getOperand(0);
    host::StepOp rest;
    Value value = product;
    if (rootOf(result) != rootOf(call.result)) {
      value = compute(result, call.result, product, step, kernel, b);
      rest = value.getDefiningOp<host::StepOp>();
    }
    value = reshape(b, step.getLoc(), value, cast<RankedTensorType>(result.getType()));
    step.getResult(0).replaceAllUsesWith(value);
    step.erase();
    return rest;
  }

  /// A value of the kernel in @main: what the step is given, or computed by a kernel of its own.
  Value valueOf(Value value, host::StepOp step, func::FuncOp kernel, OpBuilder &b) {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return step.getOperands()[argument.getArgNumber()];
    return compute(value, nullptr, nullptr, step, kernel, b);
  }

  /// A step with a kernel of the operations that `value` is computed with; `given` of the kernel is `here` in
  /// @main.
  Value compute(Value value, Value given, Value here, host::StepOp step, func::FuncOp kernel, OpBuilder &b) {
    const llvm::SetVector<Operation *> operations = operationsOf(value, given);
    llvm::SetVector<Value> read;
    for (Operation *op : operations) {
      read.insert(op->operand_begin(), op->operand_end());
      getUsedValuesDefinedAbove(op->getRegions(), read);
    }
    SmallVector<Value> outer, operands;
    for (BlockArgument argument : kernel.getArguments())
      if (read.contains(argument))
        outer.push_back(argument), operands.push_back(step.getOperands()[argument.getArgNumber()]);
    if (given && read.contains(given))
      outer.push_back(given), operands.push_back(here);
    const func::FuncOp part = createKernel(kernel, operations, outer, value);
    return addStep(b, step, part, operands, value.getType(), step.getTarget(), nullptr).getResult(0);
  }

  func::FuncOp createKernel(func::FuncOp kernel, const llvm::SetVector<Operation *> &operations,
                            ArrayRef<Value> arguments, Value result) {
    OpBuilder b(kernel.getContext());
    auto type = b.getFunctionType(ValueRange(arguments).getTypes(), {result.getType()});
    auto part = func::FuncOp::create(kernel.getLoc(), (kernel.getName() + "_part").str(), type);
    part.setPrivate();
    symbols.insert(part);
    IRMapping mapping;
    b.setInsertionPointToEnd(part.addEntryBlock());
    mapping.map(arguments, part.getArguments());
    for (Operation &op : kernel.getBody().front())
      if (operations.contains(&op))
        b.clone(op, mapping);
    b.create<func::ReturnOp>(kernel.getLoc(), mapping.lookup(result));
    return part;
  }

  static host::StepOp addStep(OpBuilder &b, host::StepOp step, func::FuncOp callee, ValueRange operands,
                              Type result, StringRef target, ArrayAttr constants) {
    return b.create<host::StepOp>(step.getLoc(), TypeRange{result}, callee.getName(), operands, target,
                                  step.getLayers(), constants, DenseI64ArrayAttr(), IntegerAttr(),
                                  ArrayAttr());
  }

  func::FuncOp declare(const std::string &function, ValueRange operands, Type result, Location loc) {
    OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
    std::string name = function;
    std::replace(name.begin(), name.end(), '.', '_');
    auto callee = func::FuncOp::create(loc, name, b.getFunctionType(operands.getTypes(), {result}));
    callee.setPrivate();
    symbols.insert(callee);
    b.create<qnn::ExternalOp>(loc, callee.getName(), function);
    return callee;
  }

  Attribute globalOf(DenseElementsAttr elements, Location loc) {
    const auto [found, isNew] = globals.try_emplace(elements);
    if (!isNew)
      return found->second;
    OpBuilder b(module.getContext());
    auto type = MemRefType::get(elements.getType().getShape(), elements.getElementType());
    b.setInsertionPointToStart(module.getBody());
    auto global =
        b.create<memref::GlobalOp>(loc, "library_constant", b.getStringAttr("private"), type, elements,
                                   /*constant=*/true, IntegerAttr());
    global->remove();
    symbols.insert(global, module.getBody()->begin());
    return globals[elements] = FlatSymbolRefAttr::get(global.getSymNameAttr());
  }

  /// Says in the reasons of the layers what they call.
  void explain() {
    for (auto package : module.getOps<host::PackageOp>())
      for (const auto &[layer, functions] : callees)
        host::addCalls(package, layer, functions.getArrayRef());
  }

  ModuleOp module;
  SymbolTable symbols;
  ArrayRef<LibraryChoice> choices;
  bool hasVnni;
  llvm::DenseMap<Attribute, Attribute> globals;          ///< by their elements
  std::map<int64_t, llvm::SetVector<Attribute>> callees; ///< by layer
};

struct CallLibraries : impl::CpuCallLibrariesBase<CallLibraries> {
  using CpuCallLibrariesBase::CpuCallLibrariesBase;

  void runOnOperation() override {
    const Result<std::vector<LibraryChoice>> choices = parseLibraries(libraries, vnni);
    if (!choices)
      return getOperation().emitError(choices.error()), signalPassFailure();
    if (!choices->empty())
      Splitter(getOperation(), *choices, vnni).run();
  }
};

} // namespace
} // namespace daedalus::cpu
