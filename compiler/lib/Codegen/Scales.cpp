// Scales and lookups in terms of arithmetic and of reads of tables.

#include "daedalus/Codegen/Codegen.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;

namespace daedalus::codegen {

void expandApplyScale(func::FuncOp kernel) {
  kernel.walk([](tosa::ApplyScaleOp op) {
    OpBuilder b(op);
    Location loc = op.getLoc();
    Type wide = b.getI64Type();
    auto constant = [&](int64_t value) -> Value {
      return b.create<arith::ConstantOp>(loc, b.getI64IntegerAttr(value));
    };
    Value value = b.create<arith::ExtSIOp>(loc, wide, op.getValue());
    Value shift = b.create<arith::ExtUIOp>(loc, wide, op.getShift()), one = constant(1);
    Value half = b.create<arith::ShLIOp>(loc, one, b.create<arith::SubIOp>(loc, shift, one));
    if (op.getDoubleRound()) {
      auto is = [&](arith::CmpIPredicate predicate, Value a, int64_t than) -> Value {
        return b.create<arith::CmpIOp>(loc, predicate, a, constant(than));
      };
      Value first = b.create<arith::SelectOp>(loc, is(arith::CmpIPredicate::sge, value, 0),
                                              constant(int64_t(1) << 30), constant(-(int64_t(1) << 30)));
      first = b.create<arith::SelectOp>(loc, is(arith::CmpIPredicate::sgt, shift, 31), first, constant(0));
      half = b.create<arith::AddIOp>(loc, half, first);
    }
    Value scaled =
        b.create<arith::MulIOp>(loc, value, b.create<arith::ExtSIOp>(loc, wide, op.getMultiplier()));
    scaled = b.create<arith::ShRSIOp>(loc, b.create<arith::AddIOp>(loc, scaled, half), shift);
    op.replaceAllUsesWith(b.create<arith::TruncIOp>(loc, op.getType(), scaled).getResult());
    op.erase();
  });
}

void expandLookup(func::FuncOp kernel) {
  kernel.walk([](qnn::LookupOp op) {
    OpBuilder b(op);
    Location loc = op.getLoc();
    Value at = b.create<arith::ExtSIOp>(loc, b.getI32Type(), op.getX());
    Value origin = b.create<arith::ConstantOp>(loc, b.getI32IntegerAttr(qnn::tableOrigin));
    at = b.create<arith::IndexCastOp>(loc, b.getIndexType(), b.create<arith::AddIOp>(loc, at, origin));
    op.replaceAllUsesWith(b.create<tensor::ExtractOp>(loc, op.getTable(), at).getResult());
    op.erase();
  });
}

} // namespace daedalus::codegen
