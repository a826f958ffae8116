// See Staging.h. Chunks of 16 bytes are copied past the registers (cp.async, PTX ISA), where the factor's
// memory has such; else element by element. A border of others than zeros is stored. In shared memory the
// chunks of a line change places with the line's number, so that the lines that are read at once lie in
// different banks.

#include "Staging.h"

#include "Device/AlignedVectors.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace daedalus::cuda {
namespace {

constexpr int64_t bytesOfChunk = 16, bytesOfBanks = 128, bytesOfWord = 4;
constexpr int64_t bytesOfPattern = 8 * bytesOfBanks; ///< in which chunks change places

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
SmallVector<std::pair<int64_t, int64_t>> joinedLoops(const Product &product, ArrayRef<int64_t> strides,
                                                     const Dimension &dimension) {
  SmallVector<std::pair<int64_t, int64_t>> joined;
  for (unsigned loop : dimension.loops) {
    const int64_t size = product.sizes[loop], stride = strides[loop];
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

Value offsetAlong(Numbers n, const Product &product, ArrayRef<int64_t> strides, const Dimension &dimension,
                  Value linear) {
  Value offset = n.constant(0);
  const auto joined = joinedLoops(product, strides, dimension);
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
  source = flat(f, f(factor.buffer()));
  const int64_t lines = tile.stages * panels() * height();
  const int64_t bytes = lines * bytesOfLine(),
                alignment = tile.way == cuda::Way::Warpgroups ? bytesOfPattern : bytesOfChunk;
  if (tile.bytesOfShared(product) > staticShared)
    std::tie(shared, firstByte) = f.addDynamicShared(bytes);
  else
    shared = f.addShared({bytes}, f.b.getI8Type(), alignment);
  memory = viewOf(f.b, {lines, lineWidth()}, factor.type());
  if (way == Way::Words || (way == Way::Chunks && factor.border && !factor.border->isOfZeros()))
    words = viewOf(f.b, {lines, bytesOfLine() / bytesOfWord}, f.b.getI32Type());
}

int64_t StagedFactor::lineWidth() const {
  return tile.way == cuda::Way::Warpgroups ? std::min(width(), bytesOfBanks / bytesOf(factor.type()))
                                           : width();
}

int64_t StagedFactor::bytesOfLine() const {
  return lineWidth() * bytesOf(factor.type());
}

Value StagedFactor::viewOf(OpBuilder &b, ArrayRef<int64_t> shape, Type element) {
  auto type = MemRefType::get(shape, element, MemRefLayoutAttrInterface(),
                              cast<MemRefType>(shared.getType()).getMemorySpace());
  Location loc = shared.getLoc();
  return b.create<memref::ViewOp>(loc, type, shared, b.create<arith::ConstantIndexOp>(loc, firstByte),
                                  ValueRange());
}

Value StagedFactor::asChunks(OpBuilder &b) {
  return viewOf(b, {tile.stages * panels() * height(), lineWidth() / elements},
                VectorType::get({elements}, factor.type()));
}

std::pair<Value, Value> StagedFactor::panelOf(Numbers n, Value stage, Value at) {
  if (panels() == 1)
    return {stage, at};
  return {n.add(n.mul(stage, panels()), n.div(at, lineWidth())), n.rem(at, lineWidth())};
}

StagedFactor::Place StagedFactor::placeOf(Numbers n, Value stage, Value row, Value k) {
  Value line = alongRows ? k : row, at = alongRows ? row : k;
  const int64_t turns = std::min(lineWidth() / elements, bytesOfBanks / bytesOfChunk);
  const int64_t linesOfBanks = bytesOfBanks / (turns * bytesOfChunk); // that lie side by side in all banks
  Value turn = n.rem(n.div(line, linesOfBanks), turns);
  const auto [panel, along] = panelOf(n, stage, at);
  return {n.add(n.mul(panel, height()), line), n.flip(n.div(along, elements), turn), n.rem(at, elements)};
}

Value StagedFactor::offsetInBytes(Numbers n, Value stage, Value row, Value k) {
  Value line = alongRows ? k : row, at = alongRows ? row : k;
  const auto [panel, along] = panelOf(n, stage, at);
  Value ofLine = n.mul(n.add(n.mul(panel, height()), line), bytesOfLine());
  return n.add(n.add(ofLine, n.mul(along, bytesOf(factor.type()))), firstByte);
}

SmallVector<Value> StagedFactor::place(Numbers n, Value stage, Value row, Value k) {
  const auto [line, chunk, within] = placeOf(n, stage, row, k);
  return {n.toIndex(line), n.toIndex(n.add(n.mul(chunk, elements), within))};
}

SmallVector<Value> StagedFactor::placeOfChunk(Numbers n, Value stage, Value row, Value k) {
  const Place place = placeOf(n, stage, row, k);
  return {n.toIndex(place.line), n.toIndex(place.chunk)};
}

StagedFactor::Inside StagedFactor::insideOf(Numbers n, Value row, Value k) {
  Value isOne = n.both(rows.size % rowsInTile ? n.isLess(row, rows.size) : Value(),
                       product.k.size % tile.k ? n.isLess(k, product.k.size) : Value());
  if (!factor.border)
    return {isOne, Value()};
  Value inImage = isInImage(n, row, k);
  return factor.border->isOfZeros() ? Inside{n.both(isOne, inImage), Value()} : Inside{isOne, inImage};
}

Value StagedFactor::isInImage(Numbers n, Value row, Value k) {
  Value inside;
  for (const Border::Side &side : factor.border->sides) {
    Value at = n.add(offsetAlong(n, product, side.steps, rows, row),
                     offsetAlong(n, product, side.steps, product.k, k));
    inside = n.both(inside, n.isLess(n.add(at, -side.before), side.extent));
  }
  return inside;
}

Value StagedFactor::offset(Numbers n, Value origin, Value row, Value k) {
  return n.add(origin, n.add(offsetAlong(n, product, factor.strides, rows, row),
                             offsetAlong(n, product, factor.strides, product.k, k)));
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
/// more registers than there are, and so are a few elements that are looked for in an image.
void StagedFactor::share(Numbers n, Value thread, int64_t all, llvm::function_ref<void(Value)> body) {
  const int64_t few = factor.border && way != Way::Chunks ? 1 : 8;
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
    Value from = offset(n, origin, globalRow, globalK);
    const auto [inside, inImage] = insideOf(n, globalRow, globalK);
    if (inImage) {
      Value always = n.b.create<arith::ConstantOp>(n.loc, n.b.getBoolAttr(true));
      auto either = n.b.create<scf::IfOp>(n.loc, inside ? n.select(inside, inImage, always) : inImage,
                                          /*withElseRegion=*/true);
      n.b.setInsertionPointToStart(either.elseBlock());
      storeBorder(n, stage, row, k);
      n.b.setInsertionPointToStart(either.thenBlock());
    }
    copyChunk(n, from, inside, place(n, stage, row, k));
  });
}

/// Zeros where it is not inside.
void StagedFactor::copyChunk(Numbers n, Value from, Value inside, ValueRange to) {
  Value size;
  if (inside) {
    from = n.select(inside, from, n.constant(0));
    size = n.toIndex(n.select(inside, n.constant(elements), n.constant(0)));
  }
  n.b.create<nvgpu::DeviceAsyncCopyOp>(n.loc, nvgpu::DeviceAsyncTokenType::get(n.b.getContext()), memory, to,
                                       source, ValueRange{n.toIndex(from)}, n.b.getIndexAttr(elements), size,
                                       n.b.getUnitAttr());
}

/// A chunk of the border's constant, as words.
void StagedFactor::storeBorder(Numbers n, Value stage, Value row, Value k) {
  const TypedAttr constant = factor.border->constant;
  auto number = dyn_cast<FloatAttr>(constant);
  const APInt bits = number ? number.getValue().bitcastToAPInt() : cast<IntegerAttr>(constant).getValue();
  const APInt word = APInt::getSplat(8 * bytesOfWord, bits);
  const int64_t wordsOfChunk = bytesOfChunk / bytesOfWord;
  const auto type = VectorType::get({wordsOfChunk}, n.b.getI32Type());
  Value chunk = n.b.create<arith::ConstantOp>(n.loc, DenseElementsAttr::get(type, word));
  const Place at = placeOf(n, stage, row, k);
  auto store = n.b.create<vector::StoreOp>(
      n.loc, chunk, words, ValueRange{n.toIndex(at.line), n.toIndex(n.mul(at.chunk, wordsOfChunk))});
  store->setAttr(alignedAttribute, n.b.getUnitAttr());
}

} // namespace daedalus::cuda
