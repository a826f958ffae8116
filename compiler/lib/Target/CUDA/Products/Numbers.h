// Arithmetic on indices of 32 bits, which is what a GPU computes addresses in fast; constants are folded.

#ifndef DAEDALUS_LIB_TARGET_CUDA_NUMBERS_H
#define DAEDALUS_LIB_TARGET_CUDA_NUMBERS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace daedalus::cuda {

struct Numbers {
  mlir::OpBuilder &b;
  const mlir::Location loc;

  mlir::Value constant(int64_t value) {
    return b.create<mlir::arith::ConstantOp>(loc, b.getI32IntegerAttr(static_cast<int32_t>(value)));
  }
  mlir::Value add(mlir::Value x, mlir::Value y) { return b.createOrFold<mlir::arith::AddIOp>(loc, x, y); }
  mlir::Value add(mlir::Value x, int64_t y) { return add(x, constant(y)); }
  mlir::Value mul(mlir::Value x, int64_t y) {
    return b.createOrFold<mlir::arith::MulIOp>(loc, x, constant(y));
  }
  /// Of what is not negative.
  mlir::Value div(mlir::Value x, int64_t y) {
    return b.createOrFold<mlir::arith::DivUIOp>(loc, x, constant(y));
  }
  mlir::Value rem(mlir::Value x, int64_t y) {
    return b.createOrFold<mlir::arith::RemUIOp>(loc, x, constant(y));
  }
  mlir::Value flip(mlir::Value x, mlir::Value y) { return b.createOrFold<mlir::arith::XOrIOp>(loc, x, y); }
  mlir::Value isLess(mlir::Value x, int64_t y) {
    return b.createOrFold<mlir::arith::CmpIOp>(loc, mlir::arith::CmpIPredicate::ult, x, constant(y));
  }
  /// Either may be null, for what always holds.
  mlir::Value both(mlir::Value x, mlir::Value y) {
    return !x ? y : !y ? x : b.createOrFold<mlir::arith::AndIOp>(loc, x, y);
  }
  mlir::Value select(mlir::Value condition, mlir::Value x, mlir::Value y) {
    return b.createOrFold<mlir::arith::SelectOp>(loc, condition, x, y);
  }
  /// For operations on memory, and back.
  mlir::Value toIndex(mlir::Value x) {
    return b.createOrFold<mlir::arith::IndexCastUIOp>(loc, b.getIndexType(), x);
  }
  mlir::Value ofIndex(mlir::Value x) {
    return b.createOrFold<mlir::arith::IndexCastUIOp>(loc, b.getI32Type(), x);
  }
};

} // namespace daedalus::cuda

#endif
