// drop-empty-tensors. A tensor without elements is a tensor.empty, whoever would compute it. What reads one
// and has elements all the same starts from something: a structured operation without iterations gives what
// it starts from, which for a sum is zero; a pad gives its value, an insertion or concatenation the other
// parts.

#include "daedalus/Analysis/Views.h"
#include "daedalus/Pipelines/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace daedalus {
#define GEN_PASS_DEF_DROPEMPTYTENSORS
#include "daedalus/Pipelines/Passes.h.inc"

namespace {

bool hasEmpty(TypeRange types) {
  return llvm::any_of(types, hasNoElements);
}

/// Whether anything in the function is a tensor without elements.
bool hasEmpty(func::FuncOp function) {
  const auto isOrMakes = [](Operation *op) { return hasEmpty(op->getResultTypes()); };
  return hasEmpty(function.getArgumentTypes()) ||
         function.walk([&](Operation *op) { return WalkResult(failure(isOrMakes(op))); }).wasInterrupted();
}

bool hasAssertions(func::FuncOp function) {
  return function.walk([](cf::AssertOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

/// What an operation gives of operands without elements, each result by its number; nothing where it computes
/// as ever.
SmallVector<Value> resultsOf(linalg::LinalgOp op) {
  return llvm::is_contained(op.getStaticLoopRanges(), 0) ? SmallVector<Value>(op.getDpsInits())
                                                         : SmallVector<Value>();
}

SmallVector<Value> resultsOf(scf::ForOp op) {
  const bool isNever = constantTripCount(op.getLowerBound(), op.getUpperBound(), op.getStep()) == 0;
  return isNever ? SmallVector<Value>(op.getInitArgs()) : SmallVector<Value>();
}

SmallVector<Value> resultsOf(tensor::InsertSliceOp op) {
  return hasNoElements(op.getSourceType()) ? SmallVector<Value>{op.getDest()} : SmallVector<Value>();
}

SmallVector<Value> resultsOf(tensor::ConcatOp op) {
  SmallVector<Value> parts;
  llvm::copy_if(op.getInputs(), std::back_inserter(parts),
                [](Value v) { return !hasNoElements(v.getType()); });
  if (parts.size() == op.getInputs().size())
    return {};
  OpBuilder b(op);
  return {b.create<tensor::ConcatOp>(op.getLoc(), op.getResultType(), op.getDim(), parts)};
}

/// Its value everywhere, which may depend on the index.
SmallVector<Value> resultsOf(tensor::PadOp op) {
  if (!hasNoElements(op.getSourceType()))
    return {};
  OpBuilder b(op);
  const RankedTensorType type = op.getResultType();
  if (Value value = op.getConstantPaddingValue()) {
    Value empty = b.create<tensor::EmptyOp>(op.getLoc(), type.getShape(), type.getElementType());
    return {b.create<linalg::FillOp>(op.getLoc(), value, empty).getResult(0)};
  }
  auto all = b.create<tensor::GenerateOp>(op.getLoc(), type, ValueRange());
  all.getBody().takeBody(op.getRegion());
  return {all};
}

SmallVector<Value> resultsOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, SmallVector<Value>>(op)
      .Case<linalg::LinalgOp, scf::ForOp, tensor::InsertSliceOp, tensor::ConcatOp, tensor::PadOp>(
          [](auto op) { return resultsOf(op); })
      .Default([](Operation *) { return SmallVector<Value>(); });
}

/// The readers of a value without elements get a tensor.empty; what `isKept` goes on to read it.
void replaceEmpty(Value value, OpBuilder &b, function_ref<bool(OpOperand &)> isKept) {
  if (!hasNoElements(value.getType()) || llvm::all_of(value.getUses(), isKept))
    return;
  auto type = cast<RankedTensorType>(value.getType());
  Value empty = b.create<tensor::EmptyOp>(value.getLoc(), type.getShape(), type.getElementType());
  value.replaceUsesWithIf(empty, [&](OpOperand &use) { return !isKept(use); });
}

void eraseDead(func::FuncOp function) {
  function.walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
    if (op != function && isOpTriviallyDead(op))
      op->erase();
  });
}

struct DropEmptyTensors : impl::DropEmptyTensorsBase<DropEmptyTensors> {
  using DropEmptyTensorsBase::DropEmptyTensorsBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<func::FuncOp> functions;
    for (auto function : module.getOps<func::FuncOp>())
      if (!function.isExternal() && hasEmpty(function))
        functions.push_back(function);
    if (functions.empty())
      return;
    const SymbolTable symbols(module);
    for (func::FuncOp function : functions)
      simplify(function, symbols);
    if (auto main = symbols.lookup<func::FuncOp>("main"))
      changeKernels(main, symbols);
    for (func::FuncOp function : functions)
      if (failed(finish(function)))
        return signalPassFailure();
    eraseUncalled(module);
  }

private:
  void simplify(func::FuncOp function, const SymbolTable &symbols) {
    SmallVector<Operation *> all, gone;
    function.getBody().walk([&](Operation *op) { all.push_back(op); });
    for (Operation *op : all) { // what stands in an operation before the operation itself
      if (const SmallVector<Value> results = resultsOf(op); !results.empty()) {
        op->replaceAllUsesWith(results);
        gone.push_back(op);
      } else if (auto call = dyn_cast<func::CallOp>(op); call && computesNothing(call, symbols)) {
        gone.push_back(op);
      }
      replaceValues(op);
    }
    replaceArguments(function);
    for (Operation *op : gone)
      op->erase();
    eraseDead(function);
  }

  /// Whether a call has no result with elements, and its kernel checks nothing.
  static bool computesNothing(func::CallOp call, const SymbolTable &symbols) {
    auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
    return callee && !callee.isExternal() && llvm::all_of(call.getResultTypes(), hasNoElements) &&
           !hasAssertions(callee);
  }

  static void replaceValues(Operation *op) {
    OpBuilder b(op->getContext());
    b.setInsertionPointAfter(op);
    const auto none = [](OpOperand &) { return false; };
    if (!isNothing(op) && !op->hasTrait<OpTrait::IsTerminator>())
      for (Value result : op->getResults())
        replaceEmpty(result, b, none);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments()) {
          b.setInsertionPointToStart(&block);
          replaceEmpty(argument, b, none);
        }
  }

  /// What @main returns as it is given stays that.
  static void replaceArguments(func::FuncOp function) {
    OpBuilder b(function.getContext());
    b.setInsertionPointToStart(&function.getBody().front());
    const bool isMain = function.getName() == "main";
    for (BlockArgument argument : function.getArguments())
      replaceEmpty(argument, b,
                   [&](OpOperand &use) { return isMain && isa<func::ReturnOp>(use.getOwner()); });
  }

  /// Kernels take and give no tensors without elements; functions of the user's do.
  static void changeKernels(func::FuncOp main, const SymbolTable &symbols) {
    llvm::DenseMap<func::FuncOp, llvm::BitVector> dropped;
    const auto byte = RankedTensorType::get({1}, IntegerType::get(main.getContext(), 8));
    for (auto call : main.getOps<func::CallOp>()) {
      auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
      if (!callee || callee.isExternal())
        continue;
      const auto [found, isNew] = dropped.try_emplace(callee, callee.getNumArguments());
      for (unsigned i = 0; isNew && i < callee.getNumArguments(); ++i)
        found->second[i] = hasNoElements(callee.getArgument(i).getType());
      call->eraseOperands(found->second);
      for (Value result : call.getResults())
        if (hasNoElements(result.getType()))
          result.setType(byte);
    }
    for (auto &[callee, arguments] : dropped) {
      func::FuncOp(callee).eraseArguments(arguments);
      giveBytes(callee, byte);
    }
    eraseDead(main);
  }

  /// What is called for its checks alone gives a byte that nobody reads.
  static void giveBytes(func::FuncOp kernel, RankedTensorType byte) {
    Operation *end = kernel.getBody().front().getTerminator();
    OpBuilder b(end);
    for (OpOperand &result : end->getOpOperands())
      if (hasNoElements(result.get().getType()))
        result.set(b.create<arith::ConstantOp>(kernel.getLoc(), DenseElementsAttr::get(byte, int8_t(0))));
    kernel.setFunctionType(b.getFunctionType(kernel.getArgumentTypes(), end->getOperandTypes()));
    eraseDead(kernel);
  }

  /// Loops lose what they carried, and nothing is left that reads what is not there.
  static LogicalResult finish(func::FuncOp function) {
    const auto carries = [](Operation *op) {
      return WalkResult(failure(isa<scf::ForOp, scf::IfOp>(op) && hasEmpty(op->getResultTypes())));
    };
    if (function.walk(carries).wasInterrupted()) {
      RewritePatternSet patterns(function.getContext());
      scf::ForOp::getCanonicalizationPatterns(patterns, function.getContext());
      scf::IfOp::getCanonicalizationPatterns(patterns, function.getContext());
      if (failed(applyPatternsAndFoldGreedily(function, std::move(patterns))))
        return function.emitError("carries tensors without elements through loops that cannot be rewritten");
    }
    const WalkResult reads = function.walk([](tensor::ExtractOp op) {
      if (!hasNoElements(op.getTensor().getType()))
        return WalkResult::advance();
      op.emitError("reads an element of a tensor of type ")
          << op.getTensor().getType() << ", which has none; expected a tensor with elements";
      return WalkResult::interrupt();
    });
    return failure(reads.wasInterrupted());
  }

  static void eraseUncalled(ModuleOp module) {
    llvm::DenseSet<StringRef> called;
    module.walk([&](func::CallOp call) { called.insert(call.getCallee()); });
    for (auto function : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      if (function.isPrivate() && !function.isExternal() && !called.contains(function.getName()))
        function.erase();
  }
};

} // namespace
} // namespace daedalus
