// Products of matrices by numpy's rules, in float32, and in int32 of int8 and uint8.

#include "Builds.h"
#include "Centred.h"

#include "daedalus/Kernels/Products.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace daedalus::onnximport {
namespace {

using K = GeneralKernel;
using kernels::namedProduct;

/// The loops of numpy's matmul: the batch, rows, the reduction, columns; vectors have no rows or no columns.
struct MatMulLoops {
  explicit MatMulLoops(K &k)
      : context(k.b.getContext()), batch(k.output.shape.size() - (k.rank(0) > 1) - (k.rank(1) > 1)),
        depth(batch + (k.rank(0) > 1)), count(depth + 1 + (k.rank(1) > 1)) {}

  AffineExpr loop(unsigned d) const { return getAffineDimExpr(d, context); }
  /// The map of an operand of `shape`: its dimensions of the batch, by numpy's broadcast, and these.
  AffineMap operand(const Shape &shape, ArrayRef<unsigned> matrix) const {
    SmallVector<AffineExpr> at;
    const size_t own = shape.size() - matrix.size();
    for (size_t d = 0; d < own; ++d)
      at.push_back(shape[d] == 1 ? getAffineConstantExpr(0, context) : loop(batch - own + d));
    for (unsigned d : matrix)
      at.push_back(loop(d));
    return AffineMap::get(count, 0, at, context);
  }
  AffineMap left(const Shape &shape) const {
    return shape.size() > 1 ? operand(shape, {batch, depth}) : operand(shape, depth);
  }
  AffineMap right(const Shape &shape) const {
    return shape.size() > 1 ? operand(shape, {depth, depth + 1}) : operand(shape, depth);
  }
  AffineMap output() const {
    return AffineMap::getFilteredIdentityMap(context, count,
                                             [&](AffineDimExpr d) { return d.getPosition() != depth; });
  }

  MLIRContext *context;
  const unsigned batch, depth, count;
};

/// The product of floats as a named operation, the rows of a batch joined to one matrix where they can be;
/// null where none means the same.
Value namedMatMul(K &k) {
  const Shape &left = k.shape(0), &right = k.shape(1);
  Value x = k.in(0), y = k.in(1);
  const int64_t depth = left.back();
  const Sizes batch = Sizes(left).drop_back(std::min<size_t>(left.size(), 2));
  const int64_t rows = product(Sizes(left).drop_back());
  if (right.size() == 1)
    return namedProduct<linalg::MatvecOp>(k, k.reshape(x, {rows, depth}), y, rows);
  if (right.size() == 2)
    return kernels::matrixProduct(k, k.reshape(x, {rows, depth}), y);
  if (left.size() != right.size() || batch != Sizes(right).drop_back(2))
    return nullptr;
  const int64_t count = product(batch), m = left[left.size() - 2], n = right.back();
  return namedProduct<linalg::BatchMatmulOp>(k, k.reshape(x, {count, m, depth}),
                                             k.reshape(y, {count, depth, n}), {count, m, n});
}

Value matmul(K &k) {
  if (isFloatType(k.dtype(0)))
    if (Value result = namedMatMul(k))
      return k.reshape(result, k.output.shape);
  const MatMulLoops loops(k);
  return k.reduce(k.output.shape, loops.output(), k.number(0, k.outputType()),
                  {{k.in(0), loops.left(k.shape(0))}, {k.in(1), loops.right(k.shape(1))}},
                  [&](Value sum, ValueRange x) { return k.add(sum, k.mul(x[0], x[1])); });
}

Value matmulInteger(K &k) {
  const MatMulLoops loops(k);
  Centred left(k, 0, 2), right(k, 1, 3);
  SmallVector<Read> reads;
  left.read(loops.left(k.shape(0)), loops.loop(loops.batch), reads);
  right.read(loops.right(k.shape(1)), loops.loop(loops.count - 1), reads);
  return k.reduce(k.output.shape, loops.output(), k.number(0, k.outputType()), reads,
                  [&](Value sum, ValueRange elements) {
                    return k.add(sum, k.mul(left.element(elements), right.element(elements)));
                  });
}

Value gemm(K &k) {
  if (k.dtype(0) != onnx::TensorProto::FLOAT)
    return k.refuse("has input type " + dtypeName(k.dtype(0)) + "; expected float32");
  const float alpha = k.real("alpha", 1), beta = k.real("beta", 1);
  Value sum =
      kernels::matrixProduct(k, k.in(0), k.in(1), k.integer("transA", 0) != 0, k.integer("transB", 0) != 0);
  if (!k.has(2) && alpha == 1)
    return sum;
  SmallVector<Read> reads{k.broadcast(sum, k.output.shape)};
  if (k.has(2))
    reads.push_back(k.read(2));
  return k.elementwiseOutput(reads, [&](ValueRange x) {
    Value result = k.mul(k.f32(alpha), x[0]);
    return k.has(2) ? k.add(result, k.mul(k.f32(beta), x[1])) : result;
  });
}

} // namespace

void addProducts(Builds &builds) {
  builds.insert({{"Gemm", gemm}, {"MatMul", matmul}, {"MatMulInteger", matmulInteger}});
}

} // namespace daedalus::onnximport
