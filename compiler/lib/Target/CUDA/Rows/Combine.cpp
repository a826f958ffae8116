// See Combine.h. Lanes of a warp exchange values; warps, and threads that are no neighbours, do through
// shared memory.

#include "Combine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace daedalus::cuda {
namespace {

Value index(int64_t value, OpBuilder &b, Location loc) {
  return b.create<arith::ConstantIndexOp>(loc, value);
}

Value shuffleWord(Value word, int64_t distance, OpBuilder &b, Location loc) {
  return b.create<gpu::ShuffleOp>(loc, word, static_cast<int32_t>(distance), warpSize, gpu::ShuffleMode::XOR)
      .getShuffleResult();
}

/// The value of the lane whose number is another one in the bit `distance`.
Value shuffle(Value value, int64_t distance, OpBuilder &b, Location loc) {
  const Type type = value.getType(), word = b.getI32Type();
  const unsigned bits = type.getIntOrFloatBitWidth();
  const Type integer = b.getIntegerType(bits);
  Value whole = type == integer ? value : b.create<arith::BitcastOp>(loc, integer, value).getResult();
  if (bits < 32) {
    Value wide = b.create<arith::ExtUIOp>(loc, word, whole);
    whole = b.create<arith::TruncIOp>(loc, integer, shuffleWord(wide, distance, b, loc));
  } else if (bits == 32) {
    whole = shuffleWord(whole, distance, b, loc);
  } else {
    Value half = b.create<arith::ConstantOp>(loc, b.getIntegerAttr(integer, 32));
    Value low = b.create<arith::TruncIOp>(loc, word, whole);
    Value high = b.create<arith::TruncIOp>(loc, word, b.create<arith::ShRUIOp>(loc, whole, half));
    low = b.create<arith::ExtUIOp>(loc, integer, shuffleWord(low, distance, b, loc));
    high = b.create<arith::ExtUIOp>(loc, integer, shuffleWord(high, distance, b, loc));
    whole = b.create<arith::OrIOp>(loc, low, b.create<arith::ShLIOp>(loc, high, half));
  }
  return type == integer ? whole : b.create<arith::BitcastOp>(loc, type, whole).getResult();
}

Value combineLanes(Operation *combiner, Value value, int64_t lanes, OpBuilder &b) {
  for (int64_t distance = lanes / 2; distance > 0; distance /= 2)
    value = combine(combiner, value, shuffle(value, distance, b, combiner->getLoc()), b);
  return value;
}

/// A warp's value from each warp, to all of them.
Value combineWarps(Operation *combiner, Value value, int64_t warps, Value thread, DeviceFunction &f) {
  OpBuilder &b = f.b;
  Location loc = combiner->getLoc();
  Value shared = f.addShared({warps}, value.getType());
  Value warp = b.create<arith::DivUIOp>(loc, thread, index(warpSize, b, loc));
  Value lane = b.create<arith::RemUIOp>(loc, thread, index(warpSize, b, loc));
  Value isFirst = b.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, lane, index(0, b, loc));
  auto first = b.create<scf::IfOp>(loc, isFirst, /*withElseRegion=*/false);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(first.thenBlock());
    b.create<memref::StoreOp>(loc, value, shared, warp);
  }
  b.create<gpu::BarrierOp>(loc);
  Value other = b.create<arith::RemUIOp>(loc, thread, index(warps, b, loc));
  return combineLanes(combiner, b.create<memref::LoadOp>(loc, shared, other), warps, b);
}

/// Of threads that have the same row, each row's neighbours are neighbours in shared memory.
Value combineAcross(Operation *combiner, Value value, const RowSchedule &schedule, Value thread,
                    DeviceFunction &f) {
  OpBuilder &b = f.b;
  Location loc = combiner->getLoc();
  const int64_t rows = schedule.rowsPerBlock();
  Value shared = f.addShared({schedule.threads}, value.getType());
  b.create<memref::StoreOp>(loc, value, shared, thread);
  b.create<gpu::BarrierOp>(loc);
  Value row = b.create<arith::RemUIOp>(loc, thread, index(rows, b, loc)), all;
  for (int64_t other = 0; other < schedule.group; ++other) {
    Value place = b.create<arith::AddIOp>(loc, row, index(other * rows, b, loc));
    Value its = b.create<memref::LoadOp>(loc, shared, place);
    all = all ? combine(combiner, all, its, b) : its;
  }
  return all;
}

} // namespace

Value combine(Operation *combiner, Value a, Value b, OpBuilder &builder) {
  IRMapping values;
  values.map(combiner->getOperand(0), a);
  values.map(combiner->getOperand(1), b);
  return builder.clone(*combiner, values)->getResult(0);
}

Value combineGroup(Operation *combiner, Value value, const RowSchedule &schedule, Value thread,
                   DeviceFunction &f) {
  if (schedule.isAcross)
    return schedule.group == 1 ? value : combineAcross(combiner, value, schedule, thread, f);
  value = combineLanes(combiner, value, std::min(schedule.group, warpSize), f.b);
  const int64_t warps = schedule.group / warpSize;
  return warps <= 1 ? value : combineWarps(combiner, value, warps, thread, f);
}

} // namespace daedalus::cuda
