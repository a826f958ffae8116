// See FuseCalls.h.

#include "daedalus/Conversion/FormKernels/FuseCalls.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TypeUtilities.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace daedalus {
namespace {

bool isOfHalves(Type type) {
  const Type element = getElementTypeOrSelf(type);
  return element.isF16() || element.isBF16();
}

bool isOfBytes(Type type) {
  return getElementTypeOrSelf(type).isInteger(8);
}

/// One result, of which each element is computed of those at its place, and of what is broadcast.
bool isElementwise(linalg::GenericOp op, ArrayRef<int64_t> shape) {
  if (op.getNumReductionLoops() != 0 || op->getNumResults() != 1)
    return false;
  return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    const AffineMap map = op.getMatchingIndexingMap(&operand);
    auto tensor = dyn_cast<RankedTensorType>(operand.get().getType());
    const bool isWhole = tensor && tensor.getShape() == shape;
    return isWhole ? map.isIdentity()
                   : op.isDpsInput(&operand) && map.isProjectedPermutation(/*allowZeroInResults=*/true);
  });
}

bool isElementwise(func::FuncOp kernel) {
  const ArrayRef<int64_t> shape = cast<RankedTensorType>(kernel.getResultTypes()[0]).getShape();
  return llvm::all_of(kernel.getBody().front().without_terminator(), [&](Operation &op) {
    auto generic = dyn_cast<linalg::GenericOp>(op);
    return generic ? isElementwise(generic, shape)
                   : isa<arith::ConstantOp, tensor::EmptyOp, tensor::CollapseShapeOp>(op);
  });
}

bool addsProducts(linalg::LinalgOp op) {
  return op.getNumDpsInputs() == 2 &&
         llvm::any_of(*op.getBlock(), [](Operation &nested) { return isa<arith::MulFOp>(nested); });
}

/// Whether all that the kernel reduces are products.
bool isProduct(func::FuncOp kernel) {
  unsigned reductions = 0, products = 0;
  kernel.walk([&](linalg::LinalgOp op) {
    reductions += op.getNumReductionLoops() != 0;
    products += op.getNumReductionLoops() != 0 && addsProducts(op);
  });
  return reductions == 1 && products == 1;
}

class Fusing {
public:
  explicit Fusing(ModuleOp module) : symbols(module), main(module.lookupSymbol<func::FuncOp>("main")) {}

  void run() {
    const auto calls = llvm::to_vector(main.getOps<func::CallOp>());
    for (func::CallOp call : calls)
      ++callsOf[call.getCallee()];
    for (func::CallOp call : calls)
      if (func::CallOp before = callToJoin(call))
        fuse(before, call);
  }

private:
  func::FuncOp kernelOf(func::CallOp call) { return symbols.lookup<func::FuncOp>(call.getCallee()); }

  /// Whether it is the one call of a kernel; programs that users write may call one several times.
  bool isKernel(func::CallOp call) {
    func::FuncOp kernel = kernelOf(call);
    return call.getNumResults() == 1 && isa<RankedTensorType>(call.getResult(0).getType()) && kernel &&
           kernel.getBlocks().size() == 1 && callsOf.lookup(call.getCallee()) <= 1;
  }

  /// The call whose kernel a kernel joins; null where there is none.
  func::CallOp callToJoin(func::CallOp call) {
    if (!isKernel(call) || !isElementwise(kernelOf(call)))
      return nullptr;
    for (Value operand : call.getOperands()) {
      auto before = operand.getDefiningOp<func::CallOp>();
      if (before && before->hasOneUse() && operand.getType() == call.getResult(0).getType() &&
          isKernel(before) && takes(before, call))
        return before;
    }
    return nullptr;
  }

  /// Bytes behind a product are left to the targets, which run them in its tiles; a kernel of bytes is as
  /// large as a target may still take.
  bool takes(func::CallOp before, func::CallOp call) {
    constexpr int64_t mostOperations = 8;
    constexpr unsigned mostOperands = 2;
    if (isOfHalves(call.getResult(0).getType()))
      return isElementwise(kernelOf(before)) || isProduct(kernelOf(before));
    return isOfBytes(call.getResult(0).getType()) && isElementwise(kernelOf(before)) &&
           before.getNumOperands() + call.getNumOperands() - 1 <= mostOperands &&
           operationsOf(kernelOf(before)) + operationsOf(kernelOf(call)) <= mostOperations;
  }

  static int64_t operationsOf(func::FuncOp kernel) {
    return llvm::range_size(kernel.getBody().front().getOps<linalg::GenericOp>());
  }

  void fuse(func::CallOp before, func::CallOp call) {
    func::FuncOp first = kernelOf(before), second = kernelOf(call);
    const Location loc = FusedLoc::get(call.getContext(), {before.getLoc(), call.getLoc()});
    llvm::SetVector<Value> operands(before.operand_begin(), before.operand_end());
    for (Value operand : call.getOperands())
      if (operand != before.getResult(0))
        operands.insert(operand);
    OpBuilder b(second);
    auto kernel = b.create<func::FuncOp>(
        loc, joinedName(first.getName(), second.getName()),
        b.getFunctionType(ValueRange(operands.getArrayRef()).getTypes(), call.getResultTypes()));
    kernel.setPrivate();
    b.setInsertionPointToEnd(kernel.addEntryBlock());
    IRMapping outside;
    outside.map(operands.getArrayRef(), kernel.getArguments());
    outside.map(before.getResult(0), copy(first, before.getOperands(), outside, b));
    b.create<func::ReturnOp>(loc, copy(second, call.getOperands(), outside, b));
    replace(before, call, kernel, operands.getArrayRef());
  }

  /// The result of a kernel's operations, of operands that `outside` knows.
  static Value copy(func::FuncOp kernel, ValueRange operands, const IRMapping &outside, OpBuilder &b) {
    IRMapping inside;
    for (auto [argument, operand] : llvm::zip(kernel.getArguments(), operands))
      inside.map(argument, outside.lookup(operand));
    for (Operation &op : kernel.getBody().front().without_terminator())
      b.clone(op, inside);
    return inside.lookup(kernel.getBody().front().getTerminator()->getOperand(0));
  }

  void replace(func::CallOp before, func::CallOp call, func::FuncOp kernel, ValueRange operands) {
    symbols.erase(kernelOf(before));
    symbols.erase(kernelOf(call));
    symbols.insert(kernel);
    OpBuilder b(call);
    auto made = b.create<func::CallOp>(kernel.getLoc(), kernel, operands);
    call.replaceAllUsesWith(made);
    call.erase();
    before.erase();
  }

  /// "k3_conv" and "k4_relu": "k3_conv_relu".
  static std::string joinedName(StringRef first, StringRef second) {
    return (first + "_" + second.drop_until([](char c) { return c == '_'; }).ltrim('_')).str();
  }

  SymbolTable symbols;
  func::FuncOp main;
  llvm::StringMap<unsigned> callsOf; ///< of each kernel; none of what is made here
};

} // namespace

void fuseCalls(ModuleOp module) {
  Fusing(module).run();
}

} // namespace daedalus
