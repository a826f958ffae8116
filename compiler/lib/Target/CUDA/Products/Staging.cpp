// See Staging.h. Chunks of 16 bytes are copied past the registers (cp.async, PTX ISA), where the factor's
// memory has such; else element by element. In shared memory the chunks of a line change places with the
// line's number, so that the lines that are read at once lie in different banks.

#include "Staging.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace daedalus::cuda {
namespace {

constexpr int64_t bytesOfChunk = 16, bytesOfBanks = 128;

int64_t bytesOf(Type type) {
  return type.getIntOrFloatBitWidth() / 8;
}

/// A buffer as one dimension.
Value flat(DeviceFunction &f, Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  if (type.getRank() == 1)
    return buffer;
  ReassociationIndices all = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  return f.b.create<memref::CollapseShapeOp>(buffer.getLoc(), buffer, ArrayRef<ReassociationIndices>{all});
}

/// The loops of a dimension with those joined whose elements follow each other: sizes and strides.
SmallVector<std::pair<int64_t, int64_t>> joinedLoops(const Product &product, const Factor &factor,
                                                     const Dimension &dimension) {
  SmallVector<std::pair<int64_t, int64_t>> joined;
  for (unsigned loop : dimension.loops) {
    const int64_t size = product.sizes[loop], stride = factor.strides[loop];
    if (size == 1)
      continue;
    if (!joined.empty() && joined.back().second == size * stride)
      joined.back() = {joined.back().first * size, stride};
    else
      joined.push_back({size, stride});
  }
  return joined;
}

} // namespace

Value offsetAlong(Numbers n, const Product &product, const Factor &factor, const Dimension &dimension,
                  Value linear) {
  Value offset = n.constant(0);
  const auto joined = joinedLoops(product, factor, dimension);
  for (size_t i = joined.size(); i-- > 0;) {
    const auto [size, stride] = joined[i];
    offset = n.add(offset, n.mul(i ? n.rem(linear, size) : linear, stride));
    linear = n.div(linear, size);
  }
  return offset;
}

void delinearize(Numbers n, const Product &product, const Dimension &dimension, Value linear,
                 MutableArrayRef<Value> loops) {
  for (size_t i = dimension.loops.size(); i-- > 0;) {
    const unsigned loop = dimension.loops[i];
    loops[loop] = n.toIndex(i ? n.rem(linear, product.sizes[loop]) : linear);
    linear = n.div(linear, product.sizes[loop]);
  }
}

StagedFactor::StagedFactor(DeviceFunction &f, const Product &product, const Factor &factor,
                           const Dimension &rows, int64_t rowsInTile, const Tile &tile)
    : product(product), factor(factor), rows(rows), rowsInTile(rowsInTile), tile(tile),
      elements(bytesOfChunk / bytesOf(factor.type())),
      contiguity(contiguityOf(product, factor, rows, elements)) {
  const bool areBytes = bytesOf(factor.type()) == 1; // ldmatrix turns matrices of 16 bits alone
  const bool hasRows = contiguity != Contiguity::AlongK && factor.strides[rows.loops.back()] == 1;
  alongRows = hasRows && !areBytes;
  way = contiguity == Contiguity::AlongK || (contiguity == Contiguity::AlongRows && !areBytes) ? Way::Chunks
        : hasRows && areBytes                                                                  ? Way::Words
                              : Way::Elements;
  source = flat(f, f(factor.operand->get()));
  const int64_t lines = tile.stages * height();
  shared = f.addShared({lines * width() * bytesOf(factor.type())}, f.b.getI8Type());
  memory = viewOf(f.b, {lines, width()}, factor.type());
  if (way == Way::Words)
    words = viewOf(f.b, {lines, width() / 4}, f.b.getI32Type());
}

Value StagedFactor::viewOf(OpBuilder &b, ArrayRef<int64_t> shape, Type element) {
  auto type = MemRefType::get(shape, element, MemRefLayoutAttrInterface(),
                              cast<MemRefType>(shared.getType()).getMemorySpace());
  Location loc = shared.getLoc();
  return b.create<memref::ViewOp>(loc, type, shared, b.create<arith::ConstantIndexOp>(loc, 0), ValueRange());
}

Value StagedFactor::asChunks(OpBuilder &b) {
  return viewOf(b, {tile.stages * height(), width() / elements}, VectorType::get({elements}, factor.type()));
}

StagedFactor::Place StagedFactor::placeOf(Numbers n, Value stage, Value row, Value k) {
  Value line = alongRows ? k : row, at = alongRows ? row : k;
  const int64_t chunks = width() / elements, turns = std::min<int64_t>(chunks, 8);
  const int64_t linesOfBanks = bytesOfBanks / (turns * bytesOfChunk); // that lie side by side in all banks
  Value turn = n.rem(n.div(line, linesOfBanks), turns);
  return {n.add(n.mul(stage, height()), line), n.flip(n.div(at, elements), turn), n.rem(at, elements)};
}

SmallVector<Value> StagedFactor::place(Numbers n, Value stage, Value row, Value k) {
  const auto [line, chunk, within] = placeOf(n, stage, row, k);
  return {n.toIndex(line), n.toIndex(n.add(n.mul(chunk, elements), within))};
}

SmallVector<Value> StagedFactor::placeOfChunk(Numbers n, Value stage, Value row, Value k) {
  const Place place = placeOf(n, stage, row, k);
  return {n.toIndex(place.line), n.toIndex(place.chunk)};
}

/// Null where every element of every tile is one of the factor's.
Value StagedFactor::isInside(Numbers n, Value row, Value k) {
  return n.both(rows.size % rowsInTile ? n.isLess(row, rows.size) : Value(),
                product.k.size % tile.k ? n.isLess(k, product.k.size) : Value());
}

Value StagedFactor::offset(Numbers n, Value origin, Value row, Value k) {
  return n.add(origin, n.add(offsetAlong(n, product, factor, rows, row),
                             offsetAlong(n, product, factor, product.k, k)));
}

void StagedFactor::copy(Numbers n, Value thread, Value origin, Value firstRow, Value tileOfK, Value stage) {
  Value firstK = n.mul(tileOfK, tile.k);
  switch (way) {
  case Way::Chunks:
    return copyChunks(n, thread, origin, firstRow, firstK, stage);
  case Way::Words:
    return copyWords(n, thread, origin, firstRow, firstK, stage);
  case Way::Elements:
    return copyElements(n, thread, origin, firstRow, firstK, stage);
  }
}

/// Numbers below `all`, shared by the block's threads. Many of them are a loop, for their places would need
/// more registers than there are.
void StagedFactor::share(Numbers n, Value thread, int64_t all, llvm::function_ref<void(Value)> body) {
  constexpr int64_t few = 8;
  const int64_t turns = llvm::divideCeil(all, tile.threads());
  const auto take = [&](Value number, bool isLast) {
    OpBuilder::InsertionGuard guard(n.b);
    if (isLast && all % tile.threads()) {
      auto some = n.b.create<scf::IfOp>(n.loc, n.isLess(number, all), /*withElseRegion=*/false);
      n.b.setInsertionPointToStart(some.thenBlock());
    }
    body(number);
  };
  if (turns <= few) {
    for (int64_t turn = 0; turn < turns; ++turn)
      take(n.add(thread, turn * tile.threads()), turn + 1 == turns);
    return;
  }
  const auto index = [&](int64_t value) -> Value { return n.b.create<arith::ConstantIndexOp>(n.loc, value); };
  auto loop = n.b.create<scf::ForOp>(n.loc, index(0), index(turns), index(1));
  OpBuilder::InsertionGuard guard(n.b);
  n.b.setInsertionPointToStart(loop.getBody());
  take(n.add(thread, n.mul(n.ofIndex(loop.getInductionVar()), tile.threads())), true);
}

void StagedFactor::copyChunks(Numbers n, Value thread, Value origin, Value firstRow, Value firstK,
                              Value stage) {
  const int64_t chunks = width() / elements;
  share(n, thread, height() * chunks, [&](Value number) {
    Value line = n.div(number, chunks), at = n.mul(n.rem(number, chunks), elements);
    Value row = alongRows ? at : line, k = alongRows ? line : at;
    Value globalRow = n.add(firstRow, row), globalK = n.add(firstK, k);
    Value from = offset(n, origin, globalRow, globalK), size;
    if (Value inside = isInside(n, globalRow, globalK)) {
      from = n.select(inside, from, n.constant(0));
      size = n.toIndex(n.select(inside, n.constant(elements), n.constant(0)));
    }
    n.b.create<nvgpu::DeviceAsyncCopyOp>(n.loc, nvgpu::DeviceAsyncTokenType::get(n.b.getContext()), memory,
                                         place(n, stage, row, k), source, ValueRange{n.toIndex(from)},
                                         n.b.getIndexAttr(elements), size, n.b.getUnitAttr());
  });
}

/// An element of the factor, or 0 where it has none there.
Value StagedFactor::read(Numbers n, Value origin, Value row, Value k) {
  Value inside = isInside(n, row, k), from = n.toIndex(offset(n, origin, row, k));
  const auto load = [&](OpBuilder &b, Location loc) -> Value {
    return b.create<memref::LoadOp>(loc, source, from);
  };
  if (!inside)
    return load(n.b, n.loc);
  const auto either = n.b.create<scf::IfOp>(
      n.loc, inside, [&](OpBuilder &b, Location loc) { b.create<scf::YieldOp>(loc, load(b, loc)); },
      [&](OpBuilder &b, Location loc) {
        b.create<scf::YieldOp>(loc,
                               b.create<arith::ConstantOp>(loc, b.getZeroAttr(factor.type())).getResult());
      });
  return scf::IfOp(either).getResult(0);
}

/// Neighbouring threads copy neighbours in shared memory.
void StagedFactor::copyElements(Numbers n, Value thread, Value origin, Value firstRow, Value firstK,
                                Value stage) {
  share(n, thread, rowsInTile * tile.k, [&](Value number) {
    Value line = n.div(number, width()), at = n.rem(number, width());
    Value row = alongRows ? at : line, k = alongRows ? line : at;
    Value element = read(n, origin, n.add(firstRow, row), n.add(firstK, k));
    n.b.create<memref::StoreOp>(n.loc, element, memory, place(n, stage, row, k));
  });
}

/// Four neighbours along K, which lie apart in the factor's memory, as one word: a warp writes four words of
/// eight rows, which lie in all banks.
void StagedFactor::copyWords(Numbers n, Value thread, Value origin, Value firstRow, Value firstK,
                             Value stage) {
  constexpr int64_t rowsAtOnce = 8, wordsAtOnce = 4, bytesOfWord = 4;
  const int64_t wordsOfLine = width() / bytesOfWord, groups = wordsOfLine / wordsAtOnce;
  share(n, thread, rowsInTile * wordsOfLine, [&](Value number) {
    Value warp = n.div(number, rowsAtOnce * wordsAtOnce);
    Value row = n.add(n.mul(n.div(warp, groups), rowsAtOnce), n.rem(number, rowsAtOnce));
    Value k =
        n.mul(n.add(n.mul(n.rem(warp, groups), wordsAtOnce), n.rem(n.div(number, rowsAtOnce), wordsAtOnce)),
              bytesOfWord);
    Value word = n.constant(0);
    for (int64_t i = 0; i < bytesOfWord; ++i) {
      Value byte = read(n, origin, n.add(firstRow, row), n.add(n.add(firstK, k), i));
      Value wide = n.b.create<arith::ExtUIOp>(n.loc, n.b.getI32Type(), byte);
      word = n.b.createOrFold<arith::OrIOp>(n.loc, word,
                                            n.b.createOrFold<arith::ShLIOp>(n.loc, wide, n.constant(8 * i)));
    }
    const Place at = placeOf(n, stage, row, k);
    Value column = n.add(n.mul(at.chunk, elements / bytesOfWord), n.div(at.within, bytesOfWord));
    n.b.create<memref::StoreOp>(n.loc, word, words, ValueRange{n.toIndex(at.line), n.toIndex(column)});
  });
}

} // namespace daedalus::cuda
