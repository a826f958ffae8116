// What of a kernel takes time (Calibration.h), read off its body at level linalg.

#include "Passes.h"
#include "Schedule/Tiling.h"

#include "daedalus/Analysis/Work.h"
#include "daedalus/Dialect/Qnn/IR/Qnn.h"
#include "daedalus/Dialect/Shapes.h"
#include "daedalus/Target/CPU/Calibration.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace daedalus::cpu {
namespace {

constexpr int64_t lanes = 16; ///< numbers that products are computed for at once, at least

constexpr double secondCache = 512 << 10; ///< bytes of it that a tensor may take

double elementsOf(Type type) {
  return static_cast<double>(cast<RankedTensorType>(type).getNumElements());
}

bool isConstant(Value value) {
  return value.getDefiningOp<arith::ConstantOp>() != nullptr;
}

double bytesOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? double(tensor.getNumElements()) * tensor.getElementTypeBitWidth() / 8 : 0;
}

class Counter {
public:
  void count(Block &block, double times) {
    for (Operation &op : block)
      if (auto structured = dyn_cast<linalg::LinalgOp>(&op))
        count(structured, times);
      else if (auto loop = dyn_cast<scf::ForOp>(&op))
        count(*loop.getBody(), times * runsOf(loop));
      else if (isa<arith::ConstantOp>(op))
        amount(Work::ConstantByte) += bytesOf(op.getResult(0).getType());
  }

  double &amount(Work kind) { return amounts[static_cast<size_t>(kind)]; }

  Amounts amounts{};

private:
  void count(linalg::LinalgOp op, double times) {
    double points = times;
    for (int64_t extent : op.getStaticLoopRanges())
      points *= extent;
    if (multiplyAccumulates(op) > 0)
      return countProducts(op, points);
    if (op.getNumReductionLoops() == 0 && isStrided(op))
      amount(isByte(op) ? Work::ByteStep : Work::Step) += points;
    for (Operation &inner : op.getBlock()->without_terminator())
      countOperation(inner, points);
  }

  void countOperation(Operation &op, double points) {
    if (auto requantize = dyn_cast<qnn::RequantizeOp>(op))
      amount(isShort(requantize) ? Work::Requantization : Work::LongRequantization) += points;
    else if (isa<qnn::LookupOp>(op))
      amount(Work::ByteStep) += points;
    else if (isa<tensor::ExtractOp>(op))
      amount(Work::Step) += points;
    else if (isa<arith::DivFOp>(op) && isConstant(op.getOperand(1)))
      amount(Work::Operation) += points;
    else if (isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemFOp, arith::RemSIOp, arith::RemUIOp,
                 math::SqrtOp, math::RsqrtOp>(op))
      amount(Work::Division) += points;
    else if (isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::FloorOp, math::FmaOp, math::RoundEvenOp,
                 math::RoundOp, math::TruncOp, math::CopySignOp>(op))
      amount(Work::Operation) += points;
    else if (isa<math::MathDialect>(op.getDialect()))
      amount(Work::Function) += points;
    else if (!isa<arith::ConstantOp>(op))
      amount(Work::Operation) += points;
  }

  static bool isShort(qnn::RequantizeOp op) {
    auto body = dyn_cast<linalg::GenericOp>(op->getParentOp());
    return body && requantizesInDoubles(body, op);
  }

  /// Columns that the code has lanes for are computed whether there are so many or not.
  void countProducts(linalg::LinalgOp op, double points) {
    const auto [rows, columns] = sumsOf(op);
    if (columns < 4) {
      amount(isByte(op) ? Work::ByteDepthwise : Work::Depthwise) += points;
      amount(isByte(op) ? Work::ByteOwnSum : Work::OwnSum) += elementsOf(op->getResult(0).getType());
      return;
    }
    if (rows == 1)
      amount(Work::OnceByte) +=
          std::max(bytesOf(op.getDpsInputs()[0].getType()), bytesOf(op.getDpsInputs()[1].getType()));
    points *= static_cast<double>(llvm::alignTo(columns, lanes)) / static_cast<double>(columns);
    amount(isByte(op) ? Work::ByteProduct : Work::Product) += points;
    amount(isByte(op) ? Work::ByteRow : Work::Row) += points / static_cast<double>(depthOf(op));
  }

  static bool isByte(linalg::LinalgOp op) { return elementOf(op.getDpsInputs()[0]).isInteger(8); }

  /// How many sums share weights, and how many a row of what is not a weight: of groups, those of one.
  static std::pair<int64_t, int64_t> sumsOf(linalg::LinalgOp op) {
    const SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    const SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
    int64_t own[2] = {1, 1};
    bool isGrouped = false;
    for (auto [loop, extent] : llvm::enumerate(op.getStaticLoopRanges())) {
      const bool isInFirst = maps[0].isFunctionOfDim(loop), isInSecond = maps[1].isFunctionOfDim(loop);
      if (kinds[loop] != utils::IteratorType::parallel || extent == 1)
        continue;
      isGrouped |= isInFirst && isInSecond;
      if (isInFirst != isInSecond)
        own[isInSecond] *= extent;
    }
    const auto [least, most] = std::minmax(own[0], own[1]);
    return isGrouped ? std::pair(most, least) : std::pair(least, most);
  }

  /// Of the reduction along which the first input lies side by side.
  static int64_t depthOf(linalg::LinalgOp op) {
    const AffineMap map = op.getIndexingMapsArray()[0];
    const SmallVector<int64_t> extents = op.getStaticLoopRanges();
    const SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
    int64_t depth = 1;
    for (unsigned loop = 0; loop < extents.size(); ++loop)
      if (kinds[loop] == utils::IteratorType::reduction && map.getNumResults() &&
          map.getResults().back().isFunctionOfDim(loop))
        depth *= extents[loop];
    return std::max<int64_t>(depth, 1);
  }
};

} // namespace

Amounts amountsOf(func::FuncOp kernel) {
  Counter counter;
  counter.amount(Work::Kernel) = 1;
  for (TypeRange types : {TypeRange(kernel.getArgumentTypes()), TypeRange(kernel.getResultTypes())})
    for (Type type : types)
      counter.amount(bytesOf(type) > secondCache ? Work::FarByte : Work::Byte) += bytesOf(type);
  counter.count(kernel.getBody().front(), 1);
  return counter.amounts;
}

} // namespace daedalus::cpu
