// See Work.h.

#include "daedalus/Analysis/Work.h"
#include "daedalus/Dialect/Shapes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace daedalus {
namespace {

using Arguments = llvm::SmallPtrSet<Value, 4>;

/// The arguments of a body that decide a value.
void collectInputs(Value value, Block *body, Arguments &inputs) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument.getOwner() == body)
      inputs.insert(argument);
  } else if (value.getDefiningOp()->getBlock() == body) {
    for (Value operand : value.getDefiningOp()->getOperands())
      collectInputs(operand, body, inputs);
  }
}

Arguments inputsOf(Value value, Block *body) {
  Arguments inputs;
  collectInputs(value, body, inputs);
  return inputs;
}

/// Whether it is a product of two inputs, each widened or less a zero point.
bool isProduct(Value value, Block *body) {
  Operation *op = value.getDefiningOp();
  if (!op || !isa<arith::MulIOp, arith::MulFOp>(op))
    return false;
  const Arguments left = inputsOf(op->getOperand(0), body), right = inputsOf(op->getOperand(1), body);
  const auto lacks = [](const Arguments &all, const Arguments &other) {
    return llvm::any_of(other, [&](Value input) { return !all.contains(input); });
  };
  return lacks(left, right) && lacks(right, left);
}

/// Whether the body adds a product to its output.
bool addsProduct(linalg::LinalgOp op) {
  Block *body = op.getBlock();
  Operation *sum = body->getTerminator()->getOperand(0).getDefiningOp();
  if (!sum || !isa<arith::AddIOp, arith::AddFOp>(sum))
    return false;
  const BlockArgument old = body->getArguments().back();
  for (unsigned side : {0, 1})
    if (sum->getOperand(side) == old && isProduct(sum->getOperand(1 - side), body))
      return true;
  return false;
}

/// The operation that gives a kernel's result, where it is the only one of linalg and reads one tensor in
/// parallel loops; null otherwise.
linalg::LinalgOp soleOperation(func::FuncOp kernel) {
  auto result = dyn_cast<func::ReturnOp>(kernel.getBody().front().getTerminator());
  auto op = result && result.getNumOperands() == 1 ? result.getOperand(0).getDefiningOp<linalg::LinalgOp>()
                                                   : linalg::LinalgOp();
  const bool isSole = op && op->getNumResults() == 1 && op.getNumDpsInputs() == 1 &&
                      op.getNumParallelLoops() == op.getNumLoops() &&
                      llvm::range_size(kernel.getBody().front().getOps<linalg::LinalgOp>()) == 1;
  return isSole ? op : linalg::LinalgOp();
}

Value yielded(linalg::LinalgOp op) {
  return op.getBlock()->getTerminator()->getOperand(0);
}
bool copies(linalg::LinalgOp op) {
  return yielded(op) == op.getBlock()->getArgument(0);
}
bool readsArgument(linalg::LinalgOp op) {
  return isa<BlockArgument>(op.getDpsInputs()[0]);
}
bool isInOrder(linalg::LinalgOp op) {
  return llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) { return map.isIdentity(); });
}

/// From the result's dimensions to the operand's, of a copy of an argument in another order; null of others.
AffineMap permutationOf(linalg::LinalgOp op) {
  const SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (!copies(op) || !readsArgument(op) || !maps[0].isPermutation() || !maps[1].isPermutation())
    return {};
  return maps[0].compose(inversePermutation(maps[1]));
}

bool isLayoutChange(linalg::LinalgOp op) {
  const AffineMap order = permutationOf(op);
  if (!order || order.getNumDims() != 4)
    return false;
  const auto isOrder = [&](ArrayRef<unsigned> from) {
    return order == AffineMap::getPermutationMap(from, order.getContext());
  };
  return isOrder({0, 3, 1, 2}) || isOrder({0, 2, 3, 1});
}

/// Whether the sign bit of each byte changes, and nothing else.
bool isSignChange(linalg::LinalgOp op) {
  auto change = yielded(op).getDefiningOp<arith::XOrIOp>();
  APInt bit;
  return change && readsArgument(op) && isInOrder(op) && change.getType().isInteger(8) &&
         change.getLhs() == op.getBlock()->getArgument(0) &&
         matchPattern(change.getRhs(), m_ConstantInt(&bit)) && bit.isSignMask();
}

/// Whether numbers become integers of `bits`, or those numbers, by a scale and a zero point.
bool isConversion(linalg::LinalgOp op, unsigned bits) {
  const Type from = elementOf(op.getDpsInputs()[0]), to = elementOf(op->getResult(0));
  const auto isOfScale = [](Operation &inner) {
    return isa<arith::ArithDialect>(inner.getDialect()) || isa<math::RoundEvenOp, linalg::YieldOp>(inner);
  };
  return readsArgument(op) && isInOrder(op) &&
         ((from.isF32() && to.isInteger(bits)) || (from.isInteger(bits) && to.isF32())) &&
         llvm::all_of(*op.getBlock(), isOfScale);
}

/// Whether each sum of int32 becomes a float32 by numbers that its dimension may decide.
bool scalesSums(func::FuncOp kernel) {
  const auto ops = kernel.getBody().front().getOps<linalg::LinalgOp>();
  if (kernel.getNumArguments() != 1 || kernel.getNumResults() != 1 || llvm::range_size(ops) != 1)
    return false;
  linalg::LinalgOp op = *ops.begin();
  const auto isNumber = [&](Value input) {
    return input == kernel.getArgument(0) || input.getDefiningOp<arith::ConstantOp>();
  };
  return elementOf(kernel.getArgument(0)).isInteger(32) && elementOf(op->getResult(0)).isF32() &&
         op.getNumLoops() == op.getNumParallelLoops() && llvm::all_of(op.getDpsInputs(), isNumber);
}

bool isConstant(linalg::LinalgOp op) {
  return copies(op) && isInOrder(op) && op.getDpsInputs()[0].getDefiningOp<arith::ConstantOp>();
}

/// "computes in float32", by the first type of its arguments and results that no accelerator has; floats of
/// 16 bits are computed in float32.
std::string wideType(func::FuncOp kernel) {
  for (Type type : llvm::concat<const Type>(llvm::to_vector(kernel.getArgumentTypes()),
                                            llvm::to_vector(kernel.getResultTypes()))) {
    const Type element = getElementTypeOrSelf(type);
    if (isa<FloatType>(element))
      return element.isF64() ? "float64" : "float32";
    if (element.isInteger(16) || element.isInteger(64))
      return "int" + std::to_string(element.getIntOrFloatBitWidth());
  }
  return "";
}

/// What an elementwise operation on bytes repeats along a dimension: "computes with a constant", or an
/// operand.
std::string broadcast(func::FuncOp kernel) {
  for (auto op : kernel.getBody().front().getOps<linalg::LinalgOp>())
    for (Value input : op.getDpsInputs()) {
      auto collapse = input.getDefiningOp<tensor::CollapseShapeOp>();
      if (!collapse || op.getNumParallelLoops() != op.getNumLoops() || !elementOf(input).isInteger(8) ||
          collapse.getResultType().getRank() >= static_cast<int64_t>(op.getNumLoops()))
        continue;
      return collapse.getSrc().getDefiningOp<arith::ConstantOp>() ? "computes with a constant"
                                                                  : "broadcasts an operand";
    }
  return "";
}

} // namespace

int64_t multiplyAccumulates(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() == 0 || op->getNumResults() != 1 || !addsProduct(op))
    return 0;
  int64_t loops = 1;
  for (int64_t extent : op.getStaticLoopRanges())
    loops *= extent;
  return loops;
}

int64_t runsOf(scf::ForOp loop) {
  return constantTripCount(loop.getLowerBound(), loop.getUpperBound(), loop.getStep()).value_or(1);
}

namespace {

/// Those of a block, and of loops in it as often as they run.
int64_t productsOf(Block &block) {
  int64_t sum = 0;
  for (Operation &op : block)
    if (auto structured = dyn_cast<linalg::LinalgOp>(&op))
      sum += multiplyAccumulates(structured);
    else if (auto loop = dyn_cast<scf::ForOp>(&op))
      sum += productsOf(*loop.getBody()) * runsOf(loop);
  return sum;
}

} // namespace

int64_t multiplyAccumulates(func::FuncOp kernel) {
  return kernel.isExternal() ? 0 : productsOf(kernel.getBody().front());
}

std::optional<HostWork> hostWork(func::FuncOp kernel) {
  using Kind = HostWork::Kind;
  linalg::LinalgOp sole = soleOperation(kernel);
  const bool isLayout = sole && isLayoutChange(sole);
  if ((sole && isConstant(sole)) || (kernel.getNumArguments() == 0 && multiplyAccumulates(kernel) == 0))
    return HostWork{Kind::Constant, "is a constant", true};
  if (sole && isConversion(sole, 8))
    return HostWork{Kind::Conversion, "converts between float32 and int8", true};
  if (sole && isConversion(sole, 16))
    return HostWork{Kind::WideConversion, "converts between float32 and integers of 16 bits", true};
  if (scalesSums(kernel))
    return HostWork{Kind::Sums, "makes float32 of sums: the product's output is not quantized", true};
  if (const std::string type = wideType(kernel); !type.empty())
    return HostWork{Kind::WideType, "computes in " + type, isLayout};
  if (isLayout)
    return HostWork{Kind::Layout, "changes the layout between NCHW and NHWC", true};
  if (sole && isSignChange(sole))
    return HostWork{Kind::SignChange, "changes between uint8 and int8", true};
  if (const std::string reason = broadcast(kernel); !reason.empty())
    return HostWork{Kind::Broadcast, reason};
  return std::nullopt;
}

bool movesSingleElements(func::FuncOp kernel) {
  linalg::LinalgOp sole = soleOperation(kernel);
  const AffineMap order = sole ? permutationOf(sole) : AffineMap();
  return order && order.getNumDims() &&
         order.getDimPosition(order.getNumResults() - 1) != order.getNumDims() - 1;
}

} // namespace daedalus
