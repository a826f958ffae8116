// See FormKernels.h. Operations are visited from the last to the first: each that no kernel has taken is the
// last one of a new kernel, which then takes what it may of its operands.

#include "daedalus/Conversion/FormKernels/FormKernels.h"

#include "daedalus/Conversion/FormKernels/Interface.h"

#include "daedalus/Analysis/Block.h"
#include "daedalus/Analysis/Locations.h"
#include "daedalus/Analysis/Views.h"
#include "daedalus/Conversion/FormKernels/Simplify.h"
#include "daedalus/Conversion/GraphToLinalg/GraphToLinalg.h"
#include "daedalus/Kernels/Names.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace daedalus {
namespace {

/// All values that an operation reads, those from outside that its regions read included.
llvm::SetVector<Value> operandsOf(Operation *op) {
  llvm::SetVector<Value> values(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), values);
  return values;
}

/// What stands in @main beside calls: views, and tensors without elements.
bool isOfMain(Operation *op) {
  return isView(op) || isNothing(op);
}

bool hasReductions(Operation *op) {
  auto linalg = dyn_cast<linalg::LinalgOp>(op);
  return linalg && linalg.getNumReductionLoops() != 0;
}

/// What costs nothing, or is made anew wherever it is read: constants, tensors of one value, pads and views.
bool isFree(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>() || isView(op) || isa<tensor::EmptyOp, tensor::PadOp>(op))
    return true;
  if (op->getNumResults() == 1 && !isa<TensorType>(op->getResult(0).getType()))
    return true; // a scalar
  return isa<linalg::LinalgOp>(op) && op->getNumResults() == 1 && uniformValue(op->getResult(0)).has_value();
}

class Former {
public:
  explicit Former(ModuleOp program)
      : program(program), main(program.lookupSymbol<func::FuncOp>("main")),
        module(ModuleOp::create(program.getLoc())), builder(program.getContext()) {}

  OwningOpRef<ModuleOp> run() {
    for (Operation &op : main.getBody().front())
      if (isFree(&op))
        free.insert(&op);
    for (Operation &op : llvm::reverse(main.getBody().front().without_terminator()))
      if (!taken.contains(&op) && !isa<func::CallOp>(op) && isRoot(&op))
        grow(&op);
    if (!createMain())
      return nullptr;
    return failed(verify(*module)) ? nullptr : std::move(module);
  }

private:
  struct Group {
    llvm::SetVector<Operation *> members;
    bool reduces = false;
  };

  /// What nobody needs is left out; what is free is made where it is read, but for what is returned.
  bool isRoot(Operation *op) const {
    if (op->use_empty())
      return false;
    const auto isResult = [&](Operation *user) { return isa<func::ReturnOp, func::CallOp>(user); };
    if (!free.contains(op))
      return true;
    return !isOfMain(op) && llvm::any_of(op->getUsers(), isResult);
  }

  /// Members are asked again while others come in: all readers of an operand have to be inside.
  void grow(Operation *root) {
    Group &group = groups[root];
    group.members.insert(root);
    group.reduces = hasReductions(root);
    for (size_t asked = 0; asked != group.members.size();) {
      asked = group.members.size();
      for (size_t next = 0; next < group.members.size(); ++next)
        takeOperands(group.members[next], group);
    }
  }

  void takeOperands(Operation *reader, Group &group) {
    for (Value operand : operandsOf(reader)) {
      Operation *op = operand.getDefiningOp();
      if (!op || !mayTake(op, group))
        continue;
      group.members.insert(op);
      if (free.contains(op))
        continue;
      group.reduces |= hasReductions(op);
      taken.insert(op);
    }
  }

  /// Whether the group has all that reads `op`, also by way of what is free, which other groups may have too.
  bool isReadInside(Operation *op, const Group &group) {
    llvm::SetVector<Operation *> read;
    read.insert(op);
    for (size_t next = 0; next < read.size(); ++next)
      for (Operation *user : read[next]->getUsers()) {
        Operation *at = main.getBody().front().findAncestorOpInBlock(*user);
        if (!at || !group.members.contains(at))
          return false;
        if (free.contains(at))
          read.insert(at);
      }
    return true;
  }

  bool mayTake(Operation *op, const Group &group) {
    if (op->getBlock() != &main.getBody().front() || isa<func::CallOp>(op) || group.members.contains(op))
      return false;
    if (free.contains(op))
      return true;
    if (op->getNumResults() != 1 || isa<func::ReturnOp>(op) || !isReadInside(op, group))
      return false;
    if (isa<tensor::InsertSliceOp>(op)) // parts of one result
      return true;
    const Type element = getElementTypeOrSelf(op->getResult(0).getType());
    const bool isPartOfConcat = isa<linalg::CopyOp>(op) && llvm::all_of(op->getUsers(), [](Operation *user) {
                                  return isa<tensor::InsertSliceOp>(user);
                                });
    return isPartOfConcat ||
           (isa<linalg::LinalgOp>(op) && !element.isInteger(8) && !(hasReductions(op) && group.reduces));
  }

  bool createMain() {
    builder.setInsertionPointToEnd(module->getBody());
    auto copy = builder.create<func::FuncOp>(main.getLoc(), "main", main.getFunctionType());
    if (ArrayAttr attributes = main.getAllArgAttrs())
      copy.setAllArgAttrs(attributes);
    if (ArrayAttr attributes = main.getAllResultAttrs())
      copy.setAllResultAttrs(attributes);
    for (unsigned i = 0; i < copy.getNumArguments(); ++i)
      copy.setArgAttr(i, kernel::valueName, argumentName(main, i));
    for (unsigned i = 0; i < copy.getNumResults(); ++i)
      copy.setResultAttr(i, kernel::valueName, resultName(main, i));
    mlir::Block *body = copy.addEntryBlock();
    for (auto [from, to] : llvm::zip(main.getArguments(), copy.getArguments()))
      values.map(from, to);
    for (Operation &op : main.getBody().front()) {
      builder.setInsertionPointToEnd(body);
      if (auto call = dyn_cast<func::CallOp>(op)) {
        if (!keepCall(call))
          return false;
      } else if (auto found = groups.find(&op); found != groups.end()) {
        if (!callKernel(&op, found->second))
          return false;
      } else if (isa<func::ReturnOp>(op) || (isOfMain(&op) && llvm::all_of(op.getOperands(), [&](Value v) {
                                               return values.contains(v);
                                             }))) {
        builder.clone(op, values);
      }
    }
    eraseUnusedViews(body);
    return true;
  }

  static void eraseUnusedViews(mlir::Block *body) {
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*body)))
      if (isOfMain(&op) && op.use_empty())
        op.erase();
  }

  bool keepCall(func::CallOp call) {
    auto callee = program.lookupSymbol<func::FuncOp>(call.getCallee());
    if (!module->lookupSymbol(call.getCallee())) {
      auto copy = cast<func::FuncOp>(callee->clone());
      copy.setPrivate();
      module->push_back(copy);
    }
    SmallVector<Value> operands;
    for (Value operand : call.getOperands())
      operands.push_back(valueFor(operand));
    auto copy =
        builder.create<func::CallOp>(call.getLoc(), call.getCallee(), call.getResultTypes(), operands);
    values.map(call.getResults(), copy.getResults());
    return true;
  }

  /// A value of the new @main: a view is made where it is missing.
  Value valueFor(Value value) {
    if (!values.contains(value) && value.getDefiningOp() && isView(value.getDefiningOp())) {
      valueFor(value.getDefiningOp()->getOperand(0));
      builder.clone(*value.getDefiningOp(), values);
    }
    return values.lookup(value);
  }

  bool callKernel(Operation *root, const Group &group) {
    if (root->getNumResults() != 1) {
      root->emitError() << "has " << root->getNumResults() << " results; expected one, as a kernel has";
      return false;
    }
    SmallVector<Operation *> members(group.members.begin(), group.members.end());
    llvm::sort(members, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
    llvm::SetVector<Value> inputs;
    for (Operation *op : members)
      for (Value operand : operandsOf(op))
        if (!operand.getDefiningOp() || !group.members.contains(operand.getDefiningOp()))
          inputs.insert(operand);
    SmallVector<Value> operands;
    for (Value input : inputs)
      operands.push_back(valueFor(input));
    const std::string symbol = symbolFor(root->getLoc());
    OpBuilder::InsertionGuard guard(builder);
    OpBuilder kernels = OpBuilder::atBlockEnd(module->getBody());
    auto function = kernels.create<func::FuncOp>(
        root->getLoc(), symbol,
        kernels.getFunctionType(ValueRange(operands).getTypes(), root->getResultTypes()));
    function.setPrivate();
    IRMapping inside;
    kernels.setInsertionPointToEnd(function.addEntryBlock());
    inside.map(inputs.getArrayRef(), function.getArguments());
    for (Operation *op : members)
      kernels.clone(*op, inside);
    kernels.create<func::ReturnOp>(root->getLoc(), inside.lookup(root->getResult(0)));
    auto call = builder.create<func::CallOp>(root->getLoc(), function, operands);
    values.map(root->getResult(0), call.getResult(0));
    return true;
  }

  std::string symbolFor(Location loc) {
    std::string symbol;
    do {
      symbol = kernelSymbol(count++, nodeName(loc));
    } while (program.lookupSymbol(symbol));
    return symbol;
  }

  ModuleOp program;
  func::FuncOp main;
  OwningOpRef<ModuleOp> module;
  OpBuilder builder;
  IRMapping values;
  llvm::DenseMap<Operation *, Group> groups; ///< by their last operation
  llvm::DenseSet<Operation *> free;          ///< as isFree says, asked once
  llvm::DenseSet<Operation *> taken;         ///< by a kernel
  unsigned count = 0;
};

} // namespace

OwningOpRef<ModuleOp> formKernels(ModuleOp program) {
  auto main = program.lookupSymbol<func::FuncOp>("main");
  const auto isCallOrView = [](Operation &op) {
    return isa<func::CallOp, func::ReturnOp>(op) || isOfMain(&op);
  };
  if (!llvm::all_of(main.getBody().front(), isCallOrView) && failed(simplifyProgram(main)))
    return nullptr;
  return Former(program).run();
}

} // namespace daedalus
