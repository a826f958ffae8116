// qnn.requantize in terms of arith, with the arithmetic of isa::requantize: on 64 bits, or on 32 where these
// hold all that comes.

#include "daedalus/Codegen/Codegen.h"
#include "daedalus/Codegen/Intervals.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace daedalus::codegen {
namespace {

class Expansion {
public:
  explicit Expansion(qnn::RequantizeOp op) : op(op), b(op), loc(op.getLoc()) {}

  Value run() {
    auto sum = b.create<arith::AddIOp>(loc, op.getAcc(), op.getBias());
    if (const int64_t shift = narrowShift(sum)) {
      type = b.getI32Type();
      return narrow(sum, shift);
    }
    Value product = b.create<arith::MulIOp>(loc, b.create<arith::ExtSIOp>(loc, type, sum),
                                            b.create<arith::ExtSIOp>(loc, type, op.getMultiplier()));
    return rounded(product, b.create<arith::ExtUIOp>(loc, type, op.getShift()));
  }

private:
  /// The shift that is left where the multiplier is a power of two, and the sum has room for its rounding in
  /// 32 bits; else 0.
  int64_t narrowShift(Value sum) {
    const auto multiplier = constantOf(op.getMultiplier()), shift = constantOf(op.getShift());
    if (!multiplier || !shift || !llvm::isPowerOf2_64(*multiplier))
      return 0;
    const int64_t left = *shift - llvm::Log2_64(*multiplier);
    const std::optional<Interval> interval = left > 0 && left < 24 ? intervalOf(sum) : std::nullopt;
    const int64_t more = (std::abs(zeroPoint()) + 1) << std::max<int64_t>(left, 0);
    return interval && interval->magnitude() <= std::numeric_limits<int32_t>::max() - more ? left : 0;
  }

  Value constant(int64_t value) { return b.create<arith::ConstantOp>(loc, b.getIntegerAttr(type, value)); }

  int64_t zeroPoint() { return static_cast<int8_t>(op.getZeroPoint()); }

  /// On 32 bits. The zero point is added before the shift, so that nothing stands between this and the
  /// limits, which are an instruction's where they are those of a byte. Where it is odd, the even ones of
  /// halves come out odd.
  Value narrow(Value sum, int64_t shift) {
    Value value = b.create<arith::AddIOp>(loc, sum, constant(zeroPoint() * (int64_t(1) << shift)));
    Value half = constant(int64_t(1) << (shift - 1));
    if (op.getRounding() == qnn::Rounding::HalfEven) {
      Value odd =
          b.create<arith::AndIOp>(loc, b.create<arith::ShRSIOp>(loc, value, constant(shift)), constant(1));
      if (zeroPoint() % 2)
        half = b.create<arith::SubIOp>(loc, half, odd);
      else
        half = b.create<arith::AddIOp>(loc, constant((int64_t(1) << (shift - 1)) - 1), odd);
    }
    value = b.create<arith::AddIOp>(loc, value, half);
    return limited(b.create<arith::ShRSIOp>(loc, value, constant(shift)));
  }

  /// `value` without its last bits, from the zero point on, within its limits.
  Value rounded(Value value, Value shift) {
    Value one = constant(1);
    Value half = b.create<arith::ShLIOp>(loc, one, b.create<arith::SubIOp>(loc, shift, one));
    if (op.getRounding() == qnn::Rounding::HalfEven) {
      Value odd = b.create<arith::AndIOp>(loc, b.create<arith::ShRSIOp>(loc, value, shift), one);
      half = b.create<arith::AddIOp>(loc, b.create<arith::SubIOp>(loc, half, one), odd);
    }
    Value q = b.create<arith::ShRSIOp>(loc, b.create<arith::AddIOp>(loc, value, half), shift);
    return limited(b.create<arith::AddIOp>(loc, q, constant(zeroPoint())));
  }

  Value limited(Value q) {
    q = b.create<arith::MaxSIOp>(loc, q, constant(static_cast<int8_t>(op.getLo())));
    q = b.create<arith::MinSIOp>(loc, q, constant(static_cast<int8_t>(op.getHi())));
    return b.create<arith::TruncIOp>(loc, b.getI8Type(), q);
  }

  qnn::RequantizeOp op;
  OpBuilder b;
  const Location loc;
  Type type = b.getI64Type();
};

} // namespace

void expandRequantize(func::FuncOp kernel) {
  kernel.walk([](qnn::RequantizeOp op) {
    op.replaceAllUsesWith(Expansion(op).run());
    op.erase();
  });
}

} // namespace daedalus::codegen
