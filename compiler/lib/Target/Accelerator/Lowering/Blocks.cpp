// See Blocks.h.

#include "Lowering/Blocks.h"

#include "Kernels/Stages.h"
#include "Transforms/Transforms.h"

#include "daedalus/Dialect/Shapes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <map>

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

namespace {

/// The iterations of a block.
class Iterations {
public:
  using Values = std::map<unsigned, int64_t>;

  /// Those in `fixed` have one value each; those in `starts` begin there.
  Iterations(const Site &site, llvm::ArrayRef<Iterator> all, const Values &fixed = {},
             const Values &starts = {}) {
    for (auto [k, iterator] : llvm::enumerate(all)) {
      if (const auto value = fixed.find(k); value != fixed.end()) {
        exprs.push_back(site.b.getAffineConstantExpr(value->second));
        continue;
      }
      const auto start = starts.find(k);
      const AffineExpr dimension = site.b.getAffineDimExpr(iterators.size());
      exprs.push_back(start == starts.end() ? dimension : dimension + start->second);
      iterators.push_back(iterator);
    }
  }

  AffineExpr operator()(unsigned k) const { return exprs[k]; }

  llvm::SmallVector<Iterator, 8> iterators; ///< that move

private:
  llvm::SmallVector<AffineExpr, 8> exprs; ///< of all
};

namespace sliding {
enum { OH, OW, C, RowPass, ColumnPass, Row, Column, L };
constexpr Iterator all[] = {P, P, P, R, R, R, R, P};
} // namespace sliding

/// acc[oh, ow, c, l] += inp[row, pitch, l] * wgt[block, row pass, column pass, 0, l, tap].
void slidingBlock(const Site &s, const Slide &slide, int64_t blocks, const Iterations &d, AffineExpr block,
                  Value inp, Value wgt, Value acc) {
  using namespace sliding;
  const AffineExpr row = d(OH) * slide.rowStride + (d(RowPass) * slide.rowShift + d(Row)) * slide.rowGap,
                   column = d(OW) * slide.step + d(ColumnPass) * slide.columnShift + (slide.columns - 1) -
                            d(Column),
                   only = s.b.getAffineConstantExpr(0);
  // The extents of taps, which no operand's shape gives.
  auto extent = mlir::MemRefType::get({slide.rows, slide.columns}, s.b.getI8Type());
  Value window = s.b.create<dae::WindowOp>(s.loc, extent);
  accelerator::block(s, {inp, wgt, window}, acc,
                     {{row, column * blocks + d(C), d(L)},
                      {block, d(RowPass), d(ColumnPass), only, d(L), d(Row) * slide.chain + d(Column)},
                      {d(Row), d(Column)},
                      {d(OH), d(OW), d(C), d(L)}},
                     d.iterators, multiplyAccumulate);
}

namespace tiled {
enum { OH, OW, OC, KH, KW, IC, O, I };
constexpr Iterator all[] = {P, P, P, R, R, R, P, R};
} // namespace tiled

/// acc[oh, ow, oc, o] += inp[row, col, ic, i] * wgt[weights, o, i].
void tiledBlock(const Site &s, const Kernel &kernel, const Schedule &t, const Iterations &d,
                llvm::SmallVector<AffineExpr> weights, AffineExpr inputBlock, Value inp, Value wgt,
                Value acc) {
  using namespace tiled;
  const Window &w = kernel.window;
  AffineExpr row = positionExpr(d(OH), d(KH), t.oh, w.sh, t.kh, w.dh, t.fold == dae::Fold::Window);
  AffineExpr col = positionExpr(d(OW), d(KW), t.ow, w.sw, t.kw, w.dw, t.fold != dae::Fold::None);
  weights.append({d(O), d(I)});
  block(s, {inp, wgt}, acc, {{row, col, inputBlock, d(I)}, weights, {d(OH), d(OW), d(OC), d(O)}}, d.iterators,
        multiplyAccumulate);
}

} // namespace

void contractionBlock(const Site &s, const Kernel &kernel, const Schedule &t, Value inp, Value wgt,
                      Value acc) {
  if (const std::optional<Slide> slide = slideOf(kernel, t)) {
    const Iterations d(s, sliding::all);
    return slidingBlock(s, *slide, t.oc, d, d(sliding::C), inp, wgt, acc);
  }
  using namespace tiled;
  const Iterations d(s, tiled::all);
  // Ones, which the sums of inputs are products with, are one row or one tile for all blocks.
  const AffineExpr first = s.b.getAffineConstantExpr(0);
  AffineExpr inputBlock = kernel.blockDiagonal ? d(OC) : shapeOf(inp)[2] == 1 && t.ic > 1 ? first : d(IC);
  AffineExpr weightBlock = shapeOf(wgt)[3] == 1 && t.ic > 1 ? first : d(IC);
  tiledBlock(s, kernel, t, d, {d(OC), d(KH), d(KW), weightBlock}, inputBlock, inp, wgt, acc);
}

void excessBlock(const Site &s, const Kernel &kernel, const Schedule &t, const WeightTile &at, int64_t number,
                 Value inp, Value wgt, Value acc) {
  const AffineExpr tile = s.b.getAffineConstantExpr(number), first = s.b.getAffineConstantExpr(0);
  if (const std::optional<Slide> slide = slideOf(kernel, t))
    return slidingBlock(s, *slide, t.oc, Iterations(s, sliding::all, {{sliding::C, at.oc}}), tile, inp, wgt,
                        acc);
  using namespace tiled;
  // A loop of one kernel position says that the input has more rows, or columns, than the block has results.
  Iterations::Values fixed{{OC, at.oc}, {IC, at.ic}}, starts;
  (t.oh > 1 ? starts : fixed)[KH] = at.kh;
  (t.ow > 1 ? starts : fixed)[KW] = at.kw;
  const Iterations d(s, tiled::all, fixed, starts);
  tiledBlock(s, kernel, t, d, {tile, d(KH) - at.kh, d(KW) - at.kw, first},
             kernel.blockDiagonal ? d(OC) : d(IC), inp, wgt, acc);
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

namespace {

/// Of a position of a tile and its lane.
llvm::SmallVector<AffineExpr> positionMap(const Positions &p, llvm::ArrayRef<AffineExpr> at, size_t rank) {
  const AffineExpr row = at[0] + p.row, column = at[1] + p.column;
  if (rank == 3)
    return {row, column * p.oc + at[2], at[3]};
  return {row, column, at[2], at[3]};
}

} // namespace

void stageBlock(const Site &s, const Stage &stage, const std::array<Value, 3> &operands, Value dst,
                const std::optional<Positions> &positions) {
  llvm::SmallVector<int64_t, 6> tile(shapeOf(dst));
  if (positions)
    tile = {positions->oh, positions->ow, positions->oc, s.n};
  const unsigned rank = tile.size();
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
                       ? constantMap(s, shapeOf(buffer), all, tile[rank - 2])
                       : repeated(s, shapeOf(buffer), tile, pixel));
  }
  maps.push_back(positions ? positionMap(*positions, all, shapeOf(dst).size()) : all);
  block(s, inputs, dst, maps, llvm::SmallVector<Iterator>(rank, P),
        [&](mlir::OpBuilder &builder, mlir::Location loc, mlir::ValueRange args) {
          return stageBody(builder, loc, stage, args);
        });
}

} // namespace daedalus::accelerator
