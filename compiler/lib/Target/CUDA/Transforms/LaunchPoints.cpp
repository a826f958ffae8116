// A thread for each element of a result.

#include "Rows/Transposition.h"
#include "Transforms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace daedalus::cuda {
namespace {

constexpr int64_t threadsPerBlock = 256;

Value constantIndex(OpBuilder &b, Location loc, int64_t value) {
  return b.create<arith::ConstantIndexOp>(loc, value);
}

/// The values of an operation's parallel loops, the last of the result's dimensions the fastest.
SmallVector<Value> delinearized(linalg::LinalgOp op, Value linear, OpBuilder &b) {
  Location loc = op.getLoc();
  SmallVector<Value> byLoop(op.getNumLoops());
  const SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (AffineExpr result : llvm::reverse(op.getIndexingMapsArray().back().getResults())) {
    const unsigned loop = cast<AffineDimExpr>(result).getPosition();
    Value size = constantIndex(b, loc, sizes[loop]);
    byLoop[loop] = b.createOrFold<arith::RemUIOp>(loc, linear, size);
    linear = b.createOrFold<arith::DivUIOp>(loc, linear, size);
  }
  llvm::erase(byLoop, Value()); // of reductions
  return byLoop;
}

} // namespace

void launchPoints(const Group &group, gpu::GPUModuleOp device, StringRef name, OpBuilder &b) {
  linalg::LinalgOp root = group.root;
  Location loc = root.getLoc();
  const int64_t points = pointsOf(group);
  if (points == 0)
    return;
  if (const auto transposition = transpositionOf(root))
    return launchTransposition(*transposition, device, name);
  const int64_t threads =
      std::min(threadsPerBlock, int64_t(llvm::PowerOf2Ceil(std::max<int64_t>(points, 32))));
  DeviceFunction f(device, name, b, loc, llvm::divideCeil(points, threads), threads);
  Value block = f.b.create<gpu::BlockIdOp>(loc, gpu::Dimension::x);
  Value thread = f.b.create<gpu::ThreadIdOp>(loc, gpu::Dimension::x);
  Value linear = f.b.create<arith::AddIOp>(
      loc, f.b.create<arith::MulIOp>(loc, block, constantIndex(f.b, loc, threads)), thread);
  Value isInside =
      f.b.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ult, linear, constantIndex(f.b, loc, points));
  auto inside = f.b.create<scf::IfOp>(loc, isInside, /*withElseRegion=*/false);
  {
    OpBuilder::InsertionGuard guard(f.b);
    f.b.setInsertionPointToStart(inside.thenBlock());
    computePoint(group, delinearized(root, linear, f.b), f);
  }
  f.finish();
}

} // namespace daedalus::cuda
