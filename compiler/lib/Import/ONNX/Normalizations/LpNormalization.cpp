// LpNormalization and LRN: division by a norm, along an axis or of channels beside each other.

#include "Body/Statistics.h"
#include "OperatorTable.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using llvm::Twine;

namespace daedalus::onnximport {
namespace {

bool lrn(C &c) {
  return c.rankAtLeast(0, 3) && c.atLeast("size", 1, 0) &&
         (c.integer("size", 1) <= (1 << 20) ||
          c.failAttribute("size", Twine(c.integer("size", 1)), "at most 2^20")) &&
         c.like(0);
}

bool lpNormalization(C &c) {
  int64_t axis = 0;
  const int64_t p = c.integer("p", 2);
  if (p != 1 && p != 2)
    return c.failAttribute("p", Twine(p), "1 or 2");
  return c.axis("axis", -1, c.rank(0), axis) && c.like(0);
}

/// By the sum of absolute values (p 1) or the root of the sum of squares (p 2); where that is 0 it is 0.
Value lpNormalization(K &k) {
  const unsigned axis = k.axis(k.integer("axis", -1), k.rank(0)), rank = k.rank(0);
  const bool bySquares = k.integer("p", 2) == 2;
  Value x = k.in(0), zero = k.number(0, k.outputType());
  Value norm = k.reduce(
      x, axis, zero, [&](Value sum, Value x) { return k.add(sum, bySquares ? k.mul(x, x) : k.absolute(x)); });
  if (bySquares)
    norm = k.elementwise(norm, [&](Value x) -> Value { return k.b.create<math::SqrtOp>(k.loc, x); });
  SmallVector<unsigned> others = range(0, axis);
  others.append(range(axis + 1, rank));
  return k.elementwiseOutput(
      {k.broadcast(x, k.output.shape), {norm, k.loops(rank, others)}},
      [&](ValueRange x) { return k.select(k.equal(x[1], zero), zero, k.div(x[0], x[1])); });
}

/// x / (bias + alpha / size * the squares of the channels around it)^beta.
Value lrn(K &k) {
  if (k.dtype(0) != onnx::TensorProto::FLOAT)
    return k.refuseType(0, "float32");
  const int64_t size = k.integer("size", 1);
  const unsigned rank = k.rank(0);
  const float alpha = k.real("alpha", 0.0001f), beta = k.real("beta", 0.75f), bias = k.real("bias", 1);
  Shape before(rank, 0), behind(rank, 0);
  before[1] = (size - 1) / 2, behind[1] = size / 2;
  Value padded = k.pad(k.in(0), before, behind, k.f32(0));
  SmallVector<AffineExpr> at;
  for (unsigned d = 0; d < rank; ++d)
    at.push_back(d == 1 ? k.b.getAffineDimExpr(1) + k.b.getAffineDimExpr(rank) : k.b.getAffineDimExpr(d));
  MLIRContext *context = k.b.getContext();
  Value squares = k.reduce(k.output.shape, k.loops(rank + 1, range(0, rank)), k.f32(0),
                           {{padded, AffineMap::get(rank + 1, 0, at, context)},
                            {k.empty(size, k.b.getI8Type()), k.loops(rank + 1, rank)}},
                           [&](Value sum, ValueRange x) { return k.add(sum, k.mul(x[0], x[0])); });
  return k.elementwiseOutput({k.read(0), k.broadcast(squares, k.output.shape)}, [&](ValueRange x) {
    Value base = k.add(k.f32(bias), k.mul(k.f32(alpha / float(size)), x[1]));
    return k.mul(x[0], k.exp(k.mul(k.f32(-beta), k.log(base))));
  });
}

} // namespace

void addLpNormalizations(Operators &all) {
  all["LRN"] = {1, lrn, lrn};
  all["LpNormalization"] = {1, lpNormalization, lpNormalization};
}

} // namespace daedalus::onnximport
