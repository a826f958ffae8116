// See Blocks.h.

#include "Blocks.h"

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
  auto op = s.b.create<mlir::linalg::GenericOp>(
      s.loc, mlir::TypeRange(), inputs, mlir::ValueRange(output), maps, iterators,
      [&](mlir::OpBuilder &b, mlir::Location loc, mlir::ValueRange args) {
        b.create<mlir::linalg::YieldOp>(loc, body(b, loc, args));
      });
  op->setAttr("layer", s.b.getI64IntegerAttr(s.layer));
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

llvm::ArrayRef<int64_t> shapeOf(Value value) {
  return mlir::cast<mlir::MemRefType>(value.getType()).getShape();
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
  return b.create<mlir::arith::AddIOp>(loc, args[2], product);
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

void contractionBlock(const Site &s, const Kernel &kernel, const Schedule &t, Value inp, Value wgt,
                      Value acc) {
  enum { OH, OW, OC, KH, KW, IC, O, I };
  const Window &w = kernel.window;
  auto d = [&](unsigned k) { return s.b.getAffineDimExpr(k); };
  AffineExpr row = positionExpr(d(OH), d(KH), t.oh, w.sh, t.kh, w.dh, t.fold == dae::Fold::Window);
  AffineExpr col = positionExpr(d(OW), d(KW), t.ow, w.sw, t.kw, w.dw, t.fold != dae::Fold::None);
  AffineExpr inputBlock = kernel.blockDiagonal ? d(OC) : d(IC);
  block(s, {inp, wgt}, acc,
        {{row, col, inputBlock, d(I)}, dims(s, {OC, KH, KW, IC, O, I}), dims(s, {OH, OW, OC, O})},
        {P, P, P, R, R, R, P, R}, multiplyAccumulate);
}

void depthwiseBlock(const Site &s, const Kernel &kernel, const Schedule &t, Value inp, Value wgt, Value acc) {
  enum { OH, OW, C, KH, KW, L };
  const Window &w = kernel.window;
  auto d = [&](unsigned k) { return s.b.getAffineDimExpr(k); };
  AffineExpr row = positionExpr(d(OH), d(KH), t.oh, w.sh, t.kh, w.dh, false);
  AffineExpr col = positionExpr(d(OW), d(KW), t.ow, w.sw, t.kw, w.dw, false);
  block(s, {inp, wgt}, acc, {{row, col, d(C), d(L)}, dims(s, {C, KH, KW, L}), dims(s, {OH, OW, C, L})},
        {P, P, P, R, R, P}, multiplyAccumulate);
}

void poolBlock(const Site &s, const Kernel &kernel, const Schedule &t, Value inp, Value acc) {
  enum { OH, OW, C, KH, KW, L };
  const Window &w = kernel.window;
  bool isMax = kernel.kind == KernelKind::MaxPool;
  auto d = [&](unsigned k) { return s.b.getAffineDimExpr(k); };
  AffineExpr row = positionExpr(d(OH), d(KH), t.oh, w.sh, t.kh, w.dh, false);
  AffineExpr col = positionExpr(d(OW), d(KW), t.ow, w.sw, t.kw, w.dw, false);
  auto extent = mlir::MemRefType::get({t.kh, t.kw}, s.b.getI8Type());
  Value window = s.b.create<dae::WindowOp>(s.loc, extent);
  block(s, {inp, window}, acc, {{row, col, d(C), d(L)}, dims(s, {KH, KW}), dims(s, {OH, OW, C, L})},
        {P, P, P, R, R, P}, [&](mlir::OpBuilder &b, mlir::Location loc, mlir::ValueRange args) -> Value {
          Value x = extend(b, loc, args[0]);
          return isMax ? b.create<mlir::arith::MaxSIOp>(loc, args[2], x).getResult()
                       : b.create<mlir::arith::AddIOp>(loc, args[2], x).getResult();
        });
}

void scaleBlock(const Site &s, Value source, Value acc, int32_t factor, bool add) {
  auto same = dims(s, {0, 1, 2, 3});
  block(s, source, acc, {same, same}, {P, P, P, P},
        [&](mlir::OpBuilder &b, mlir::Location loc, mlir::ValueRange args) -> Value {
          Value k = constant(b, loc, 32, factor);
          Value product = b.create<mlir::arith::MulIOp>(loc, wide(b, loc, args[0]), k);
          return add ? b.create<mlir::arith::AddIOp>(loc, args[1], product).getResult() : product;
        });
}

void multiplyBlock(const Site &s, Value a, Value b, Value acc) {
  auto same = dims(s, {0, 1, 2, 3});
  block(s, {a, b}, acc, {same, same, same}, {P, P, P, P},
        [](mlir::OpBuilder &b, mlir::Location loc, mlir::ValueRange args) -> Value {
          return b.create<mlir::arith::MulIOp>(loc, extend(b, loc, args[0]), extend(b, loc, args[1]));
        });
}

void lookupBlock(const Site &s, Value source, Value table, Value out) {
  auto same = dims(s, {0, 1, 2, 3});
  llvm::SmallVector<AffineExpr> first{s.b.getAffineConstantExpr(0)};
  block(s, {source, table}, out, {same, first, same}, {P, P, P, P},
        [](mlir::OpBuilder &b, mlir::Location loc, mlir::ValueRange args) -> Value {
          Value index = args[0];
          if (!index.getType().isInteger(8))
            index = b.create<mlir::arith::TruncIOp>(loc, b.getI8Type(), index);
          return b.create<qnn::LookupOp>(loc, b.getI8Type(), index, args[1]);
        });
}

void moveBlock(const Site &s, Value inp, Value out) {
  auto to = dims(s, {0, 1, 2, 3, 4, 5});
  block(s, inp, out, {dims(s, {0, 2, 4, 5}), to}, {P, P, P, P, P, P},
        [](mlir::OpBuilder &b, mlir::Location loc, mlir::ValueRange args) -> Value { return args[0]; });
}

void requantBlock(const Site &s, const Requant &requant, Value source, Value param, Value out) {
  auto same = dims(s, {0, 1, 2, 3});
  llvm::SmallVector<AffineExpr> channel = dims(s, {2, 3});
  if (shapeOf(param)[0] == 1 && shapeOf(out)[2] != 1)
    channel[0] = s.b.getAffineConstantExpr(0);
  block(s, {source, param}, out, {same, channel, same}, {P, P, P, P},
        [&](mlir::OpBuilder &b, mlir::Location loc, mlir::ValueRange args) -> Value {
          Value acc = wide(b, loc, args[0]);
          auto field = [&](unsigned bits, int64_t at) -> Value {
            Value word = args[1];
            if (at)
              word = b.create<mlir::arith::ShRUIOp>(loc, word, constant(b, loc, 128, at));
            return b.create<mlir::arith::TruncIOp>(loc, b.getIntegerType(bits), word);
          };
          Value bias = field(32, 0), multiplier = field(32, 32), shift = field(8, 64);
          Value q = b.create<qnn::RequantizeOp>(
              loc, b.getI8Type(), acc, bias, multiplier, shift, b.getI8IntegerAttr(requant.zeroPoint),
              b.getI8IntegerAttr(requant.lo), b.getI8IntegerAttr(requant.hi),
              qnn::RoundingAttr::get(b.getContext(), requant.rounding));
          return args[2].getType().isInteger(8) ? q : extend(b, loc, q);
        });
}

void saturateBlock(const Site &s, Value source, Value out) {
  auto same = dims(s, {0, 1, 2, 3});
  block(s, source, out, {same, same}, {P, P, P, P},
        [&](mlir::OpBuilder &b, mlir::Location loc, mlir::ValueRange args) -> Value {
          Value low = b.create<mlir::arith::MaxSIOp>(loc, args[0], constant(b, loc, 32, -128));
          Value both = b.create<mlir::arith::MinSIOp>(loc, low, constant(b, loc, 32, 127));
          return b.create<mlir::arith::TruncIOp>(loc, b.getI8Type(), both);
        });
}

} // namespace daedalus::accelerator
