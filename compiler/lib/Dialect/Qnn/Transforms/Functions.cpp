// See Functions.h.

#include "Functions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace daedalus::qnn {

using namespace mlir;

func::FuncOp calleeOf(func::CallOp call) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
  return callee && callee.isPrivate() && !callee.isExternal() && callee.getBody().hasOneBlock() ? callee
                                                                                                : nullptr;
}

/// The one generic that gives a function's result, whose loops are all parallel, from its arguments element
/// by element.
static linalg::GenericOp elementwiseOf(func::FuncOp function) {
  auto result = dyn_cast<func::ReturnOp>(function.getBody().front().getTerminator());
  auto generic = result && result.getNumOperands() == 1
                     ? result.getOperand(0).getDefiningOp<linalg::GenericOp>()
                     : nullptr;
  if (!generic || generic.getNumResults() != 1 || generic.getNumLoops() != generic.getNumParallelLoops())
    return nullptr;
  const auto isArgument = [](Value value) { return isa<BlockArgument>(value); };
  const auto isIdentity = [](AffineMap map) { return map.isIdentity(); };
  return llvm::all_of(generic.getDpsInputs(), isArgument) &&
                 llvm::all_of(generic.getIndexingMapsArray(), isIdentity)
             ? generic
             : nullptr;
}

bool isCopy(func::FuncOp function) {
  if (function.getNumArguments() != 1 || function.getNumResults() != 1)
    return false;
  auto generic = elementwiseOf(function);
  if (!generic || generic.getNumDpsInputs() != 1)
    return false;
  auto yield = cast<linalg::YieldOp>(generic.getBody()->getTerminator());
  return yield.getOperand(0) == generic.getBody()->getArgument(0);
}

bool isFunctionOfElements(func::FuncOp function) {
  if (function.getNumArguments() == 0 || function.getNumResults() != 1)
    return false;
  const Type type = function.getResultTypes()[0];
  if (!getElementTypeOrSelf(type).isF32() || !llvm::all_equal(function.getArgumentTypes()) ||
      function.getArgumentTypes()[0] != type)
    return false;
  auto generic = elementwiseOf(function);
  return generic && generic.getNumDpsInputs() > 0 && !isCopy(function) &&
         llvm::all_of(generic.getBody()->without_terminator(),
                      [](Operation &op) { return isEvaluated(&op); });
}

std::vector<double> evaluate(func::FuncOp function, ArrayRef<std::vector<double>> arguments) {
  auto generic = elementwiseOf(function);
  std::vector<std::vector<double>> inputs;
  for (Value input : generic.getDpsInputs())
    inputs.push_back(arguments[cast<BlockArgument>(input).getArgNumber()]);
  return evaluate(*generic.getBody(), inputs);
}

void eraseDead(func::FuncOp main) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(main.getBody().front()))) {
    auto call = dyn_cast<func::CallOp>(op);
    const bool isPure = call ? bool(calleeOf(call)) : isMemoryEffectFree(&op);
    if (op.use_empty() && isPure && !op.hasTrait<OpTrait::IsTerminator>())
      op.erase();
  }
}

} // namespace daedalus::qnn
