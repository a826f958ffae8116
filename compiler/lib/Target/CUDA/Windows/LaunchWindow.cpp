// See LaunchWindow.h. Chunks of 16 bytes are copied past the registers (cp.async, PTX ISA) where the image's
// lines have such, else elements one by one. What of the part lies beyond the image is of no window, and is
// not copied.

#include "LaunchWindow.h"

#include "Products/Numbers.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace daedalus::cuda {
namespace {

using Values = SmallVector<Value>;

int64_t blocksAlong(const Window &window, const WindowTile &tile, size_t dimension) {
  return llvm::divideCeil(window.sizes[window.parallel[dimension]], tile.sizes[dimension]);
}

int64_t blocksOf(const Window &window, const WindowTile &tile) {
  int64_t blocks = 1;
  for (size_t dimension = 0; dimension < tile.sizes.size(); ++dimension)
    blocks *= blocksAlong(window, tile, dimension);
  return blocks;
}

class WindowLaunch {
public:
  WindowLaunch(const Group &group, const Window &window, const WindowTile &tile, DeviceFunction &f)
      : group(group), window(window), tile(tile), patch(tile.patch(window)), chunk(tile.chunk(window)),
        f(f), n{f.b, window.op.getLoc()} {}

  void run() {
    thread = n.ofIndex(f.b.create<gpu::ThreadIdOp>(n.loc, gpu::Dimension::x));
    findTile();
    addMemory();
    share(linesOf(patch) * chunksOfLine(), [&](Value number) { copy(number); });
    if (chunk > 1)
      waitForCopies();
    f.b.create<gpu::BarrierOp>(n.loc);
    share(tile.points(), [&](Value number) { compute(number); });
  }

private:
  static int64_t linesOf(ArrayRef<int64_t> patch) {
    int64_t lines = 1;
    for (int64_t extent : patch.drop_back())
      lines *= extent;
    return lines;
  }
  int64_t chunksOfLine() const { return llvm::divideCeil(patch.back(), chunk); }

  /// The first result of the block's tile, and the first element of its part of the image.
  void findTile() {
    Value block = n.ofIndex(f.b.create<gpu::BlockIdOp>(n.loc, gpu::Dimension::x));
    first.resize(tile.sizes.size());
    for (size_t dimension = tile.sizes.size(); dimension-- > 0;) {
      const int64_t blocks = blocksAlong(window, tile, dimension);
      first[dimension] = n.mul(n.rem(block, blocks), tile.sizes[dimension]);
      block = n.div(block, blocks);
    }
    for (ArrayRef<int64_t> steps : window.steps) {
      Value at = n.constant(0);
      for (auto [loop, result] : llvm::zip(window.parallel, first))
        at = n.add(at, n.mul(result, steps[loop]));
      origin.push_back(at);
    }
  }

  void addMemory() {
    Value bytes = f.addShared({tile.bytesOfShared(window)}, f.b.getI8Type());
    const auto type =
        MemRefType::get({linesOf(patch), tile.pitch(window)}, window.element(), MemRefLayoutAttrInterface(),
                        cast<MemRefType>(bytes.getType()).getMemorySpace());
    memory = f.b.create<memref::ViewOp>(n.loc, type, bytes, f.b.create<arith::ConstantIndexOp>(n.loc, 0),
                                        ValueRange());
    image = withoutUnits(f(window.image->get()));
  }

  /// The image with its dimensions of more than one element alone.
  Value withoutUnits(Value buffer) {
    const unsigned rank = cast<MemRefType>(buffer.getType()).getRank();
    if (rank == window.dimensions.size())
      return buffer;
    SmallVector<ReassociationIndices> groups(window.dimensions.size());
    size_t group = 0;
    for (unsigned dimension = 0; dimension < rank; ++dimension) {
      if (group + 1 < groups.size() && dimension == window.dimensions[group + 1])
        ++group;
      groups[group].push_back(dimension);
    }
    return f.b.create<memref::CollapseShapeOp>(n.loc, buffer, groups);
  }

  /// Numbers below `all`, shared by the block's threads.
  void share(int64_t all, llvm::function_ref<void(Value)> body) {
    const int64_t threads = tile.threads(), turns = llvm::divideCeil(all, threads);
    const auto index = [&](int64_t value) -> Value {
      return f.b.create<arith::ConstantIndexOp>(n.loc, value);
    };
    OpBuilder::InsertionGuard guard(f.b);
    Value number = thread;
    if (turns > 1) {
      auto loop = f.b.create<scf::ForOp>(n.loc, index(0), index(turns), index(1));
      f.b.setInsertionPointToStart(loop.getBody());
      number = n.add(thread, n.mul(n.ofIndex(loop.getInductionVar()), threads));
    }
    guardWith(all % threads ? n.isLess(number, all) : Value());
    body(number);
  }

  /// Goes on inside of a condition, if there is one.
  void guardWith(Value condition) {
    if (!condition)
      return;
    auto some = f.b.create<scf::IfOp>(n.loc, condition, /*withElseRegion=*/false);
    f.b.setInsertionPointToStart(some.thenBlock());
  }

  /// A chunk of the part of the image, or an element.
  void copy(Value number) {
    Value line = n.div(number, chunksOfLine()), within = n.mul(n.rem(number, chunksOfLine()), chunk);
    Values at(patch.size());
    at.back() = within;
    Value rest = line;
    for (size_t dimension = patch.size() - 1; dimension-- > 0;) {
      at[dimension] = dimension ? n.rem(rest, patch[dimension]) : rest;
      rest = n.div(rest, patch[dimension]);
    }
    Value inside;
    Values from;
    for (auto [dimension, extent] : llvm::enumerate(window.extents)) {
      Value place = n.add(origin[dimension], at[dimension]);
      inside = n.both(inside, reachesBeyond(dimension) ? n.isLess(place, extent) : Value());
      from.push_back(n.toIndex(place));
    }
    guardWith(inside);
    const Values to = {n.toIndex(line), n.toIndex(within)};
    if (chunk == 1) {
      f.b.create<memref::StoreOp>(n.loc, f.b.create<memref::LoadOp>(n.loc, image, from), memory, to);
      return;
    }
    f.b.create<nvgpu::DeviceAsyncCopyOp>(n.loc, nvgpu::DeviceAsyncTokenType::get(f.b.getContext()), memory,
                                         to, image, from, f.b.getIndexAttr(chunk), Value(),
                                         f.b.getUnitAttr());
  }

  /// Whether the last tile's part has elements behind the image's.
  bool reachesBeyond(size_t dimension) const {
    int64_t last = chunk > 1 && dimension + 1 == patch.size()
                       ? int64_t(llvm::alignTo(patch[dimension], chunk))
                       : patch[dimension];
    for (size_t i = 0; i < tile.sizes.size(); ++i)
      last +=
          window.steps[dimension][window.parallel[i]] * tile.sizes[i] * (blocksAlong(window, tile, i) - 1);
    return last > window.extents[dimension];
  }

  void waitForCopies() {
    Value all = f.b.create<nvgpu::DeviceAsyncCreateGroupOp>(
        n.loc, nvgpu::DeviceAsyncTokenType::get(f.b.getContext()), ValueRange());
    f.b.create<nvgpu::DeviceAsyncWaitOp>(n.loc, all, f.b.getI32IntegerAttr(0));
  }

  void compute(Value number) {
    Values local(window.sizes.size()), at(window.sizes.size());
    Value inside;
    for (size_t dimension = tile.sizes.size(); dimension-- > 0;) {
      const unsigned loop = window.parallel[dimension];
      Value own = dimension ? n.rem(number, tile.sizes[dimension]) : number;
      number = n.div(number, tile.sizes[dimension]);
      Value place = n.add(first[dimension], own);
      if (window.sizes[loop] % tile.sizes[dimension])
        inside = n.both(inside, n.isLess(place, window.sizes[loop]));
      local[loop] = n.toIndex(own);
      at[loop] = n.toIndex(place);
    }
    guardWith(inside);
    llvm::erase(at, Value()); // of reductions
    computePoint(group, at, f,
                 [&](linalg::LinalgOp op, OpOperand &operand, ValueRange loops, DeviceFunction &f) {
                   return &operand == window.image ? load(local, loops) : loadElement(op, operand, loops, f);
                 });
  }

  /// An element of the image, of shared memory.
  Value load(Values local, ValueRange loops) {
    for (unsigned loop : window.reductions)
      local[loop] = loops[loop];
    const Values all = indicesOf(window.op.getMatchingIndexingMap(window.image), local, f.b, n.loc);
    Values at;
    for (unsigned dimension : window.dimensions)
      at.push_back(all[dimension]);
    Value line = f.b.create<arith::ConstantIndexOp>(n.loc, 0);
    for (size_t dimension = 0; dimension + 1 < patch.size(); ++dimension) {
      Value extent = f.b.create<arith::ConstantIndexOp>(n.loc, patch[dimension]);
      line = f.b.createOrFold<arith::AddIOp>(n.loc, f.b.createOrFold<arith::MulIOp>(n.loc, line, extent),
                                             at[dimension]);
    }
    return f.b.create<memref::LoadOp>(n.loc, memory, ValueRange{line, at.back()});
  }

  const Group &group;
  const Window &window;
  const WindowTile &tile;
  const SmallVector<int64_t> patch;
  const int64_t chunk;
  DeviceFunction &f;
  Numbers n;
  Value thread, memory, image;
  Values first, origin;
};

} // namespace

void launchWindow(const Group &group, const Window &window, const WindowTile &tile, gpu::GPUModuleOp device,
                  StringRef name, OpBuilder &builder) {
  DeviceFunction f(device, name, builder, group.root.getLoc(), blocksOf(window, tile), tile.threads());
  WindowLaunch(group, window, tile, f).run();
  f.finish();
}

} // namespace daedalus::cuda
