// See Blocks.h.

#include "Lowering/Blocks.h"

#include "Kernels/Stages.h"
#include "Transforms/Transforms.h"

#include "daedalus/Dialect/Shapes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace daedalus::accelerator {
namespace {

using mlir::AffineExpr;
using mlir::Value;
using Iterator = mlir::utils::IteratorType;
using Body = llvm::function_ref<Value(mlir::OpBuilder &, mlir::Location, mlir::ValueRange)>;

void block(const Site &s, mlir::ValueRange inputs, Value output,
           llvm::ArrayRef<llvm::SmallVector<AffineExpr>> exprs, llvm::ArrayRef<Iterator> iterators,
           Body body) {
  llvm::SmallVector<mlir::AffineMap> maps;
  for (auto &results : exprs)
    maps.push_back(mlir::AffineMap::get(iterators.size(), 0, results, s.b.getContext()));
  s.b.create<mlir::linalg::GenericOp>(dae::withLayer(s.loc, s.layer), mlir::TypeRange(), inputs,
                                      mlir::ValueRange(output), maps, iterators,
                                      [&](mlir::OpBuilder &b, mlir::Location, mlir::ValueRange args) {
                                        b.create<mlir::linalg::YieldOp>(s.loc, body(b, s.loc, args));
                                      });
}

Value extend(mlir::OpBuilder &b, mlir::Location loc, Value value) {
  return b.create<mlir::arith::ExtSIOp>(loc, b.getI32Type(), value);
}

/// An int8 extended; an accumulator as it is.
Value wide(mlir::OpBuilder &b, mlir::Location loc, Value value) {
  return value.getType().isInteger(8) ? extend(b, loc, value) : value;
}

Value constant(mlir::OpBuilder &b, mlir::Location loc, unsigned bits, int64_t value) {
  return b.create<mlir::arith::ConstantOp>(loc, b.getIntegerAttr(b.getIntegerType(bits), value));
}

llvm::SmallVector<AffineExpr> dims(const Site &s, std::initializer_list<unsigned> positions) {
  llvm::SmallVector<AffineExpr> result;
  for (unsigned position : positions)
    result.push_back(s.b.getAffineDimExpr(position));
  return result;
}

/// Index of the input position in its tile for output `out` and kernel position `k` of `tile` sizes.
AffineExpr positionExpr(AffineExpr out, AffineExpr k, int64_t outs, int64_t stride, int64_t ks,
                        int64_t dilation, bool folded) {
  if (folded)
    return out;
  int64_t step = inputSpan(outs, stride, ks, dilation).step;
  AffineExpr expr = outs > 1 ? out * (stride / step) : out * 0;
  return ks > 1 ? expr + k * (dilation / step) : expr;
}

Value multiplyAccumulate(mlir::OpBuilder &b, mlir::Location loc, mlir::ValueRange args) {
  Value product = b.create<mlir::arith::MulIOp>(loc, extend(b, loc, args[0]), extend(b, loc, args[1]));
  return b.create<mlir::arith::AddIOp>(loc, args.back(), product);
}

Value arithmetic(mlir::OpBuilder &b, mlir::Location loc, dae::VectorKind kind, Value x, Value y) {
  using dae::VectorKind;
  switch (kind) {
  case VectorKind::Add:
    return b.create<mlir::arith::AddIOp>(loc, x, y);
  case VectorKind::Sub:
    return b.create<mlir::arith::SubIOp>(loc, x, y);
  case VectorKind::Mul:
    return b.create<mlir::arith::MulIOp>(loc, x, y);
  case VectorKind::Max:
    return b.create<mlir::arith::MaxSIOp>(loc, x, y);
  case VectorKind::Min:
    return b.create<mlir::arith::MinSIOp>(loc, x, y);
  case VectorKind::Shl:
    return b.create<mlir::arith::ShLIOp>(loc, x, y);
  case VectorKind::Shr:
    return b.create<mlir::arith::ShRSIOp>(loc, x, y);
  default:
    return x;
  }
}

/// Parameters, constants or values [oc][N] by channel, the only row of them, or a table.
llvm::SmallVector<AffineExpr> constantMap(const Site &s, llvm::ArrayRef<int64_t> shape,
                                          llvm::ArrayRef<AffineExpr> all, int64_t blocks) {
  const AffineExpr first = s.b.getAffineConstantExpr(0);
  if (shape.size() == 1)
    return {first};
  return {shape[0] == 1 && blocks != 1 ? first : all[all.size() - 2], all.back()};
}

/// The element of a buffer at a pixel of a tile; where the buffer has one row for several of the tile's, that
/// one.
llvm::SmallVector<AffineExpr> repeated(const Site &s, llvm::ArrayRef<int64_t> shape,
                                       llvm::ArrayRef<int64_t> tile, llvm::ArrayRef<AffineExpr> pixel) {
  llvm::SmallVector<AffineExpr> at(pixel);
  for (size_t d = 0; shape.size() == tile.size() && d < shape.size(); ++d)
    if (shape[d] == 1 && tile[d] != 1)
      at[d] = s.b.getAffineConstantExpr(0);
  return at;
}

Value requantized(mlir::OpBuilder &b, mlir::Location loc, const Stage &stage, Value acc, Value word) {
  auto field = [&](unsigned bits, int64_t at) -> Value {
    Value from = word;
    if (at)
      from = b.create<mlir::arith::ShRUIOp>(loc, from, constant(b, loc, 128, at));
    return b.create<mlir::arith::TruncIOp>(loc, b.getIntegerType(bits), from);
  };
  Value bias = field(32, 0), multiplier = field(32, 32), shift = field(8, 64);
  return b.create<qnn::RequantizeOp>(loc, b.getI8Type(), wide(b, loc, acc), bias, multiplier, shift,
                                     b.getI8IntegerAttr(stage.zeroPoint), b.getI8IntegerAttr(stage.lo),
                                     b.getI8IntegerAttr(stage.hi),
                                     qnn::RoundingAttr::get(b.getContext(), stage.rounding));
}

Value clamped(mlir::OpBuilder &b, mlir::Location loc, Value x, int64_t lo, int64_t hi) {
  Value low = b.create<mlir::arith::MaxSIOp>(loc, x, constant(b, loc, 32, lo));
  Value both = b.create<mlir::arith::MinSIOp>(loc, low, constant(b, loc, 32, hi));
  return b.create<mlir::arith::TruncIOp>(loc, b.getI8Type(), both);
}

Value lookedUp(mlir::OpBuilder &b, mlir::Location loc, Value index, Value first) {
  if (!index.getType().isInteger(8))
    index = clamped(b, loc, index, -128, 127);
  return b.create<qnn::LookupOp>(loc, b.getI8Type(), index, first);
}

/// What a stage yields; the last argument is its destination.
Value stageBody(mlir::OpBuilder &b, mlir::Location loc, const Stage &stage, mlir::ValueRange args) {
  using dae::VectorKind;
  const bool isInt8 = args.back().getType().isInteger(8);
  if (requantizes(stage) || stage.op == VectorKind::Lut) {
    Value q = stage.op == VectorKind::Lut ? lookedUp(b, loc, args[0], args[1])
                                          : requantized(b, loc, stage, args[0], args[1]);
    if (stage.op == VectorKind::RequantLut)
      q = lookedUp(b, loc, q, args[2]);
    return isInt8 ? q : extend(b, loc, q);
  }
  if (stage.op == VectorKind::Mov32)
    return args[0];
  const bool isWhole = stage.lo == -128 && stage.hi == 127;
  if (stage.op == VectorKind::Mov && isInt8 && isWhole && args[0].getType().isInteger(8))
    return args[0];
  const auto operand = [&](const Operand &which, unsigned number) {
    return which.is(Operand::Place::Immediate) ? constant(b, loc, 32, which.index)
                                               : wide(b, loc, args[number]);
  };
  Value value = operand(stage.a, 0);
  if (!stage.b.is(Operand::Place::None)) {
    const Value other = operand(stage.b, stage.a.is(Operand::Place::Immediate) ? 0 : 1);
    value = stage.op == VectorKind::Mac ? b.create<mlir::arith::MulIOp>(loc, value, other).getResult()
                                        : arithmetic(b, loc, stage.op, value, other);
  }
  if (stage.accumulate)
    value = b.create<mlir::arith::AddIOp>(loc, args.back(), value);
  return isInt8 ? clamped(b, loc, value, stage.lo, stage.hi) : value;
}

constexpr Iterator P = Iterator::parallel, R = Iterator::reduction;

} // namespace

Value allocBuffer(const Site &s, dae::Scope scope, llvm::ArrayRef<int64_t> shape, unsigned elementBits) {
  auto type = mlir::MemRefType::get(shape, s.b.getIntegerType(elementBits), mlir::MemRefLayoutAttrInterface(),
                                    dae::ScopeAttr::get(s.b.getContext(), scope));
  return s.b.create<dae::AllocOp>(s.loc, type, mlir::IntegerAttr());
}

void fillBlock(const Site &s, Value acc, int32_t value) {
  s.b.create<mlir::linalg::FillOp>(s.loc, constant(s.b, s.loc, 32, value), acc);
}

/// acc[oh, ow, c, l] += inp[row, pitch, l] * wgt[c, row pass, column pass, 0, l, tap].
static void slidingBlock(const Site &s, const Slide &slide, int64_t blocks, Value inp, Value wgt, Value acc) {
  enum { OH, OW, C, RowPass, ColumnPass, Row, Column, L };
  auto d = [&](unsigned k) { return s.b.getAffineDimExpr(k); };
  const AffineExpr row = d(OH) * slide.rowStride + (d(RowPass) * slide.rowShift + d(Row)) * slide.rowGap,
                   column = d(OW) * slide.step + d(ColumnPass) * slide.columnShift + (slide.columns - 1) -
                            d(Column),
                   only = s.b.getAffineConstantExpr(0);
  // The extents of taps, which no operand's shape gives.
  auto extent = mlir::MemRefType::get({slide.rows, slide.columns}, s.b.getI8Type());
  Value window = s.b.create<dae::WindowOp>(s.loc, extent);
  block(s, {inp, wgt, window}, acc,
        {{row, column * blocks + d(C), d(L)},
         {d(C), d(RowPass), d(ColumnPass), only, d(L), d(Row) * slide.chain + d(Column)},
         dims(s, {Row, Column}),
         dims(s, {OH, OW, C, L})},
        {P, P, P, R, R, R, R, P}, multiplyAccumulate);
}

void contractionBlock(const Site &s, const Kernel &kernel, const Schedule &t, Value inp, Value wgt,
                      Value acc) {
  if (const std::optional<Slide> slide = slideOf(kernel, t))
    return slidingBlock(s, *slide, t.oc, inp, wgt, acc);
  enum { OH, OW, OC, KH, KW, IC, O, I };
  const Window &w = kernel.window;
  auto d = [&](unsigned k) { return s.b.getAffineDimExpr(k); };
  AffineExpr row = positionExpr(d(OH), d(KH), t.oh, w.sh, t.kh, w.dh, t.fold == dae::Fold::Window);
  AffineExpr col = positionExpr(d(OW), d(KW), t.ow, w.sw, t.kw, w.dw, t.fold != dae::Fold::None);
  // Ones, which the sums of inputs are products with, are one row or one tile for all blocks.
  const AffineExpr first = s.b.getAffineConstantExpr(0);
  AffineExpr inputBlock = kernel.blockDiagonal ? d(OC) : shapeOf(inp)[2] == 1 && t.ic > 1 ? first : d(IC);
  AffineExpr weightBlock = shapeOf(wgt)[3] == 1 && t.ic > 1 ? first : d(IC);
  block(s, {inp, wgt}, acc,
        {{row, col, inputBlock, d(I)},
         {d(OC), d(KH), d(KW), weightBlock, d(O), d(I)},
         dims(s, {OH, OW, OC, O})},
        {P, P, P, R, R, R, P, R}, multiplyAccumulate);
}

void laneProductBlock(const Site &s, const Kernel &kernel, const Schedule &t, Value inp, Value wgt,
                      Value acc) {
  enum { OH, OW, C, KH, KW, L };
  const Window &w = kernel.window;
  auto d = [&](unsigned k) { return s.b.getAffineDimExpr(k); };
  AffineExpr row = positionExpr(d(OH), d(KH), t.oh, w.sh, t.kh, w.dh, false);
  AffineExpr col = positionExpr(d(OW), d(KW), t.ow, w.sw, t.kw, w.dw, false);
  block(s, {inp, wgt}, acc, {{row, col, d(C), d(L)}, dims(s, {C, KH, KW, L}), dims(s, {OH, OW, C, L})},
        {P, P, P, R, R, P}, multiplyAccumulate);
}

void combineBlock(const Site &s, const Kernel &kernel, const Schedule &t, Value inp, Value acc) {
  enum { OH, OW, C, KH, KW, L };
  const Window &w = kernel.window;
  auto d = [&](unsigned k) { return s.b.getAffineDimExpr(k); };
  AffineExpr row = positionExpr(d(OH), d(KH), t.oh, w.sh, t.kh, w.dh, false);
  AffineExpr col = positionExpr(d(OW), d(KW), t.ow, w.sw, t.kw, w.dw, false);
  auto extent = mlir::MemRefType::get({t.kh, t.kw}, s.b.getI8Type());
  Value window = s.b.create<dae::WindowOp>(s.loc, extent);
  block(s, {inp, window}, acc, {{row, col, d(C), d(L)}, dims(s, {KH, KW}), dims(s, {OH, OW, C, L})},
        {P, P, P, R, R, P}, [&](mlir::OpBuilder &b, mlir::Location loc, mlir::ValueRange args) {
          return arithmetic(b, loc, kernel.combiner->kind, args[2], extend(b, loc, args[0]));
        });
}

void stageBlock(const Site &s, const Stage &stage, const std::array<Value, 3> &operands, Value dst) {
  const unsigned rank = shapeOf(dst).size();
  const llvm::SmallVector<AffineExpr> all = rank == 2   ? dims(s, {0, 1})
                                            : rank == 4 ? dims(s, {0, 1, 2, 3})
                                                        : dims(s, {0, 1, 2, 3, 4, 5}),
                                      pixel = rank == 6 ? dims(s, {0, 2, 4, 5}) : all;
  llvm::SmallVector<llvm::SmallVector<AffineExpr>> maps;
  llvm::SmallVector<Value> inputs;
  for (auto [buffer, operand] : llvm::zip(operands, std::array{stage.a, stage.b, stage.table})) {
    if (!buffer)
      continue;
    inputs.push_back(buffer);
    maps.push_back(operand.is(Operand::Place::Constant) || operand.isRow()
                       ? constantMap(s, shapeOf(buffer), all, shapeOf(dst)[rank - 2])
                       : repeated(s, shapeOf(buffer), shapeOf(dst), pixel));
  }
  maps.push_back(all);
  block(s, inputs, dst, maps, llvm::SmallVector<Iterator>(rank, P),
        [&](mlir::OpBuilder &builder, mlir::Location loc, mlir::ValueRange args) {
          return stageBody(builder, loc, stage, args);
        });
}

} // namespace daedalus::accelerator
