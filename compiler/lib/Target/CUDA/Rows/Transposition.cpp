// See Transposition.h. A block loads a square tile of each input along the input's rows, and computes it
// along the result's. Rows in shared memory are one element longer than the tile, so that neither way two
// threads access one bank.

#include "Transposition.h"

#include "Transforms/Transforms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace daedalus::cuda {
namespace {

constexpr int64_t tile = 32, rowsAtOnce = 8;
constexpr int64_t leastExtent = 8;      ///< along both loops
constexpr int64_t leastElements = 1024; ///< of what is worth it
constexpr unsigned mostInputs = 2;

/// The loop along which a whole buffer's elements are neighbours; nothing where that is none.
std::optional<unsigned> innerLoop(AffineMap map, Value buffer) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  if (!type || !type.getLayout().isIdentity() || !map.isProjectedPermutation())
    return std::nullopt;
  for (int64_t dimension = type.getRank() - 1; dimension >= 0; --dimension)
    if (type.getDimSize(dimension) > 1)
      return cast<AffineDimExpr>(map.getResult(dimension)).getPosition();
  return std::nullopt;
}

class TileLaunch {
public:
  TileLaunch(const Transposition &made, gpu::GPUModuleOp device, StringRef name, OpBuilder &host)
      : made(made), op(made.op), sizes(op.getStaticLoopRanges()), loc(op.getLoc()),
        f(device, name, host, loc, blocks(), tile * rowsAtOnce) {}

  void run() {
    Value thread = f.b.create<gpu::ThreadIdOp>(loc, gpu::Dimension::x);
    x = rem(thread, tile);
    y = div(thread, tile);
    findTile();
    for (unsigned input : made.inputs)
      tiles.push_back(f.addShared({tile, tile + 1}, getElementTypeOrSelf(op.getDpsInputs()[input])));
    forRows(made.read, made.written, [&](Value row, ValueRange at) { loadInputs(row, at); });
    f.b.create<gpu::BarrierOp>(loc);
    forRows(made.written, made.read, [&](Value row, ValueRange at) { compute(row, at); });
    f.finish();
  }

private:
  Value index(int64_t value) { return f.b.create<arith::ConstantIndexOp>(loc, value); }
  Value add(Value a, Value b) { return f.b.createOrFold<arith::AddIOp>(loc, a, b); }
  Value mul(Value a, int64_t b) { return f.b.createOrFold<arith::MulIOp>(loc, a, index(b)); }
  Value rem(Value a, int64_t b) { return f.b.createOrFold<arith::RemUIOp>(loc, a, index(b)); }
  Value div(Value a, int64_t b) { return f.b.createOrFold<arith::DivUIOp>(loc, a, index(b)); }
  Value isLess(Value a, int64_t b) {
    return f.b.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ult, a, index(b));
  }

  bool isInTile(unsigned loop) const { return loop == made.written || loop == made.read; }
  int64_t tilesAlong(unsigned loop) const {
    return isInTile(loop) ? llvm::divideCeil(sizes[loop], tile) : sizes[loop];
  }
  int64_t blocks() const {
    int64_t count = 1;
    for (unsigned loop = 0; loop < sizes.size(); ++loop)
      count *= tilesAlong(loop);
    return count;
  }

  /// The first element of the block's tile.
  void findTile() {
    Value block = f.b.create<gpu::BlockIdOp>(loc, gpu::Dimension::x);
    first.resize(sizes.size());
    for (AffineExpr result : llvm::reverse(op.getIndexingMapsArray().back().getResults())) {
      const unsigned loop = cast<AffineDimExpr>(result).getPosition();
      first[loop] = rem(block, tilesAlong(loop));
      if (isInTile(loop))
        first[loop] = mul(first[loop], tile);
      block = div(block, tilesAlong(loop));
    }
  }

  /// Neighbouring threads along one loop, the rows along the other one; inside of the operation's extents.
  void forRows(unsigned along, unsigned across, llvm::function_ref<void(Value, ValueRange)> callable) {
    for (int64_t begin = 0; begin < tile; begin += rowsAtOnce) {
      SmallVector<Value> at = first;
      Value row = add(y, index(begin));
      at[along] = add(at[along], x);
      at[across] = add(at[across], row);
      OpBuilder::InsertionGuard guard(f.b);
      for (unsigned loop : {along, across})
        if (sizes[loop] % tile != 0) {
          auto inside = f.b.create<scf::IfOp>(loc, isLess(at[loop], sizes[loop]), /*withElseRegion=*/false);
          f.b.setInsertionPointToStart(inside.thenBlock());
        }
      callable(row, at);
    }
  }

  void loadInputs(Value row, ValueRange at) {
    for (auto [memory, input] : llvm::zip(tiles, made.inputs))
      f.b.create<memref::StoreOp>(loc, loadElement(op, *op.getDpsInputOperand(input), at, f), memory,
                                  ValueRange{row, x});
  }

  void compute(Value row, ValueRange at) {
    SmallVector<Value> arguments;
    for (OpOperand &operand : op->getOpOperands()) {
      const auto *found = llvm::find(made.inputs, operand.getOperandNumber());
      const bool isUnused = &operand == op.getDpsInitOperand(0) && !op.payloadUsesValueFromOperand(&operand);
      if (found != made.inputs.end())
        arguments.push_back(
            f.b.create<memref::LoadOp>(loc, tiles[found - made.inputs.begin()], ValueRange{x, row}));
      else if (isUnused)
        arguments.push_back(f.b.create<arith::ConstantOp>(
            loc, f.b.getZeroAttr(getElementTypeOrSelf(operand.get().getType()))));
      else
        arguments.push_back(loadElement(op, operand, at, f));
    }
    storeElement(op, computeBody(op, arguments, at, f), at, f);
  }

  const Transposition &made;
  linalg::LinalgOp op;
  const SmallVector<int64_t> sizes;
  const Location loc;
  DeviceFunction f;
  Value x, y;
  SmallVector<Value> first, tiles;
};

} // namespace

std::optional<Transposition> transpositionOf(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() > 0 || op.getNumLoops() < 2)
    return std::nullopt;
  const Value result = op.getDpsInits()[0];
  const SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  const auto written = innerLoop(op.getIndexingMapsArray().back(), result);
  if (!written || sizes[*written] < leastExtent)
    return std::nullopt;
  Transposition found{op, *written, *written, {}};
  for (OpOperand *input : op.getDpsInputOperands()) {
    const AffineMap map = op.getMatchingIndexingMap(input);
    const auto read = innerLoop(map, input->get());
    if (bufferOf(input->get()) == bufferOf(result))
      return std::nullopt;
    if (!read || *read == *written || !map.isFunctionOfDim(*written) || sizes[*read] < leastExtent ||
        (!found.inputs.empty() && *read != found.read) || found.inputs.size() == mostInputs)
      continue;
    found.read = *read;
    found.inputs.push_back(input->getOperandNumber());
  }
  int64_t elements = 1;
  for (int64_t size : sizes)
    elements *= size;
  return found.inputs.empty() || elements < leastElements ? std::nullopt
                                                          : std::optional<Transposition>(found);
}

void launchTransposition(const Transposition &transposition, gpu::GPUModuleOp device, StringRef name) {
  OpBuilder b(transposition.op->getContext());
  b.setInsertionPointAfter(transposition.op);
  TileLaunch(transposition, device, name, b).run();
}

} // namespace daedalus::cuda
