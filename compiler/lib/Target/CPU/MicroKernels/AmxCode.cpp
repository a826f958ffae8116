// See AmxCode.h.

#include "AmxCode.h"

#include "mlir/Dialect/AMX/AMXDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace daedalus::cpu {

AmxCode::AmxCode(const BlockStreams &streams, Block block, int64_t quads, OpBuilder &builder, Location loc)
    : streams(streams), block(block), rows(block.rows), b(builder), loc(loc),
      sumType(VectorType::get({rows.height, PanelWidth}, b.getI32Type())),
      scalarType(VectorType::get({rows.height, quads * DotWidth}, b.getI8Type())),
      vectorType(VectorType::get({quads, PanelWidth * DotWidth}, b.getI8Type())),
      vectors(memoryOf(streams.vectors)), scalars(memoryOf(streams.scalars)),
      output(memoryOf(streams.output)) {}

AmxCode::Memory AmxCode::memoryOf(Value flat) {
  auto parts = b.create<memref::ExtractStridedMetadataOp>(loc, flat);
  return {parts.getBaseBuffer(), parts.getOffset()};
}

/// Rows that are `step` elements apart. The size of a row says the same: it is what becomes the instruction's
/// stride.
Value AmxCode::rowsAt(const Memory &memory, Value at, int64_t more, int64_t rows, int64_t step) {
  Value offset = b.create<arith::AddIOp>(loc, memory.offset, at);
  if (more)
    offset = b.create<arith::AddIOp>(loc, offset, b.create<arith::ConstantIndexOp>(loc, more));
  const auto index = [&](int64_t value) { return OpFoldResult(b.getIndexAttr(value)); };
  const auto type = MemRefType::get({rows, step}, cast<MemRefType>(memory.base.getType()).getElementType(),
                                    StridedLayoutAttr::get(b.getContext(), ShapedType::kDynamic, {step, 1}));
  return b.create<memref::ReinterpretCastOp>(loc, type, memory.base, OpFoldResult(offset),
                                             ArrayRef<OpFoldResult>{index(rows), index(step)},
                                             ArrayRef<OpFoldResult>{index(step), index(1)});
}

Value AmxCode::load(const Memory &memory, Value at, int64_t more, VectorType type, int64_t step) {
  Value zero = b.create<arith::ConstantIndexOp>(loc, 0);
  Value from = rowsAt(memory, at, more, type.getDimSize(0), step);
  return b.create<amx::TileLoadOp>(loc, type, from, ValueRange{zero, zero});
}

int64_t AmxCode::outputOf(int64_t tile, int64_t panel) const {
  return rows.first(tile, block.rows) * streams.outputRow + panel * streams.outputPanel;
}

AmxCode::Values AmxCode::begin(const Place &at, bool isFromZero) {
  Values sums;
  for (int64_t tile = 0; tile < rows.tiles; ++tile)
    for (int64_t panel = 0; panel < block.panels; ++panel)
      if (isFromZero) // one for each: LLVM copies a tile through memory
        sums.push_back(b.create<amx::TileZeroOp>(loc, sumType));
      else
        sums.push_back(load(output, at.output, outputOf(tile, panel), sumType, streams.outputRow));
  return sums;
}

Value AmxCode::bytesAt(const Place &at, int64_t tile) {
  return load(scalars, at.scalars, rows.first(tile, block.rows) * streams.scalarRow, scalarType,
              streams.scalarRow);
}

Value AmxCode::weightsAt(const Place &at, int64_t panel) {
  return load(vectors, at.vectors, panel * streams.vectorPanel, vectorType, PanelWidth * DotWidth);
}

/// The operand of fewer tiles first, all of it.
AmxCode::Values AmxCode::step(const Place &at, Values sums) {
  const auto add = [&](int64_t tile, int64_t panel, Value bytes, Value weights) {
    Value &sum = sums[tile * block.panels + panel];
    sum = b.create<amx::TileMulIOp>(loc, sumType, bytes, weights, sum);
  };
  Values kept;
  if (rows.tiles <= block.panels) {
    for (int64_t tile = 0; tile < rows.tiles; ++tile)
      kept.push_back(bytesAt(at, tile));
    for (int64_t panel = 0; panel < block.panels; ++panel) {
      Value weights = weightsAt(at, panel);
      for (int64_t tile = 0; tile < rows.tiles; ++tile)
        add(tile, panel, kept[tile], weights);
    }
    return sums;
  }
  for (int64_t panel = 0; panel < block.panels; ++panel)
    kept.push_back(weightsAt(at, panel));
  for (int64_t tile = 0; tile < rows.tiles; ++tile) {
    Value bytes = bytesAt(at, tile);
    for (int64_t panel = 0; panel < block.panels; ++panel)
      add(tile, panel, bytes, kept[panel]);
  }
  return sums;
}

void AmxCode::store(const Place &at, const Values &sums) {
  Value zero = b.create<arith::ConstantIndexOp>(loc, 0);
  for (int64_t tile = 0; tile < rows.tiles; ++tile)
    for (int64_t panel = 0; panel < block.panels; ++panel) {
      Value to = rowsAt(output, at.output, outputOf(tile, panel), rows.height, streams.outputRow);
      b.create<amx::TileStoreOp>(loc, to, ValueRange{zero, zero}, sums[tile * block.panels + panel]);
    }
}

} // namespace daedalus::cpu
