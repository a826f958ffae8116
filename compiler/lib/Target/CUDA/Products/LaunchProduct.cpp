// See LaunchProduct.h. While a tile's stage is added up, the next ones are on their way to shared memory: at
// each step all threads wait for the oldest stage, which also says that everybody is done with the one
// before, and begin to copy into that.

#include "LaunchProduct.h"

#include "Bands.h"
#include "BlockSums.h"

#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace daedalus::cuda {
namespace {

class ProductLaunch {
public:
  ProductLaunch(const Group &group, const Product &product, const Tile &tile, DeviceFunction &f)
      : group(group), product(product), tile(tile), f(f), n{f.b, product.op.getLoc()},
        thread(n.ofIndex(f.b.create<gpu::ThreadIdOp>(n.loc, gpu::Dimension::x))),
        a(f, product, product.a, product.m, tile.m, tile), b(f, product, product.b, product.n, tile.n, tile),
        sums(sumsBy(tile.way)(product, tile, a, b, thread)) {}

  void run() {
    findTile();
    for (int64_t stage = 0; stage + 1 < tile.stages; ++stage)
      begin(n.constant(stage), n.constant(stage));
    store(addStages());
  }

private:
  static decltype(&fmaSums) sumsBy(Way way) {
    return way == Way::Warpgroups ? warpgroupSums : way == Way::TensorCores ? tensorCoreSums : fmaSums;
  }

  int64_t tilesOfK() const { return llvm::divideCeil(product.k.size, tile.k); }

  void findTile() {
    Value block = n.ofIndex(f.b.create<gpu::BlockIdOp>(n.loc, gpu::Dimension::x));
    const TileOrder order = tileOrder(llvm::divideCeil(product.m.size, tile.m),
                                      llvm::divideCeil(product.n.size, tile.n), tile.m, tile.n);
    Value inBand = n.rem(block, order.band);
    block = n.div(block, order.band);
    firstColumn = n.mul(n.rem(block, order.across), tile.n);
    block = n.div(block, order.across);
    const int64_t bands = order.down / order.band;
    firstRow = n.mul(n.add(n.mul(n.rem(block, bands), order.band), inBand), tile.m);
    batch = n.div(block, bands);
    originOfA = originOf(product.a);
    originOfB = originOf(product.b);
  }

  Value originOf(const Factor &factor) {
    return n.add(offsetAlong(n, product, factor.strides, product.batch, batch), factor.first);
  }

  /// Begins to copy a tile along K to a stage, if there is such a tile.
  void begin(Value tileOfK, Value stage) {
    Value isThere = n.isLess(tileOfK, tilesOfK());
    auto copies = f.b.create<scf::IfOp>(n.loc, isThere, /*withElseRegion=*/false);
    {
      OpBuilder::InsertionGuard guard(f.b);
      f.b.setInsertionPointToStart(copies.thenBlock());
      a.copy(n, thread, originOfA, firstRow, tileOfK, stage);
      b.copy(n, thread, originOfB, firstColumn, tileOfK, stage);
    }
    last = f.b.create<nvgpu::DeviceAsyncCreateGroupOp>(
        n.loc, nvgpu::DeviceAsyncTokenType::get(f.b.getContext()), ValueRange());
  }

  SmallVector<Value> addStages() {
    Value before = last;
    const auto index = [&](int64_t value) -> Value {
      return f.b.create<arith::ConstantIndexOp>(n.loc, value);
    };
    auto loop = f.b.create<scf::ForOp>(n.loc, index(0), index(tilesOfK()), index(1), sums->zeros(n));
    OpBuilder::InsertionGuard guard(f.b);
    f.b.setInsertionPointToStart(loop.getBody());
    Value step = n.ofIndex(loop.getInductionVar());
    f.b.create<nvgpu::DeviceAsyncWaitOp>(n.loc, before,
                                         f.b.getI32IntegerAttr(static_cast<int32_t>(tile.stages - 2)));
    sums->beforeBarrier(n);
    f.b.create<gpu::BarrierOp>(n.loc);
    const auto copy = [&] {
      Value next = n.add(step, tile.stages - 1);
      begin(next, n.rem(next, tile.stages));
    };
    f.b.create<scf::YieldOp>(n.loc, sums->add(n, n.rem(step, tile.stages), loop.getRegionIterArgs(), copy));
    return SmallVector<Value>(loop.getResults());
  }

  void store(ValueRange added) {
    for (const Sum &sum : sums->all(n, added)) {
      Value row = n.add(firstRow, sum.row), column = n.add(firstColumn, sum.column);
      Value inside = n.both(product.m.size % tile.m ? n.isLess(row, product.m.size) : Value(),
                            product.n.size % tile.n ? n.isLess(column, product.n.size) : Value());
      OpBuilder::InsertionGuard guard(f.b);
      if (inside) {
        auto guarded = f.b.create<scf::IfOp>(n.loc, inside, /*withElseRegion=*/false);
        f.b.setInsertionPointToStart(guarded.thenBlock());
      }
      storeSum(sum.value, row, column);
    }
  }

  void storeSum(Value value, Value row, Value column) {
    SmallVector<Value> loops(product.sizes.size(), f.b.create<arith::ConstantIndexOp>(n.loc, 0));
    delinearize(n, product, product.batch, batch, loops);
    delinearize(n, product, product.m, row, loops);
    delinearize(n, product, product.n, column, loops);
    finishPoint(group, plusFirst(value, loops), loops, f);
  }

  /// With what the result begins with.
  Value plusFirst(Value value, ValueRange loops) {
    Value first = firstOf(group, loops, f);
    if (matchPattern(first, m_Zero()) || matchPattern(first, m_AnyZeroFloat()))
      return value;
    return isa<FloatType>(value.getType()) ? Value(f.b.create<arith::AddFOp>(n.loc, first, value))
                                           : Value(f.b.create<arith::AddIOp>(n.loc, first, value));
  }

  const Group &group;
  const Product &product;
  const Tile tile;
  DeviceFunction &f;
  Numbers n;
  const Value thread;
  StagedFactor a, b;
  std::unique_ptr<BlockSums> sums;
  Value firstRow, firstColumn, batch, originOfA, originOfB;
  Value last; ///< copies that were begun
};

} // namespace

void launchProduct(const Group &group, const Product &product, const Tile &tile, gpu::GPUModuleOp device,
                   StringRef name, OpBuilder &builder) {
  DeviceFunction f(device, name, builder, group.root.getLoc(), tile.blocks(product), tile.threads());
  if (tile.way == Way::TensorCores)
    f.keepRegisters();
  ProductLaunch(group, product, tile, f).run();
  f.finish();
}

} // namespace daedalus::cuda
