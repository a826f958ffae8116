// Products of matrices, in float32, and in int32 of int8 and uint8. Those of floats are named operations
// where one means the same; the others say the order of their loops themselves, with the one that runs along
// the output's rows innermost.

#include "Builds.h"
#include "Centred.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace daedalus::onnximport {
namespace {

using K = GeneralKernel;

/// A named product of floats.
template <class Op> Value named(K &k, Value x, Value y, Sizes shape) {
  return k.named<Op>({x, y}, k.filled(shape, k.number(0, elementOf(x))));
}

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
    return named<linalg::MatvecOp>(k, k.reshape(x, {rows, depth}), y, rows);
  if (right.size() == 2)
    return named<linalg::MatmulOp>(k, k.reshape(x, {rows, depth}), y, {rows, right[1]});
  if (left.size() != right.size() || batch != Sizes(right).drop_back(2))
    return nullptr;
  const int64_t count = product(batch), m = left[left.size() - 2], n = right.back();
  return named<linalg::BatchMatmulOp>(k, k.reshape(x, {count, m, depth}), k.reshape(y, {count, depth, n}),
                                      {count, m, n});
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

/// The matrix `input` transposed, where it is a constant.
Value transposedConstant(K &k, size_t input) {
  const HostTensor *host = k.constant(input);
  if (!host)
    return nullptr;
  HostTensor result = *host;
  const int64_t rows = host->shape[0], columns = host->shape[1];
  result.shape = {columns, rows};
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      result.floats[j * rows + i] = host->floats[i * columns + j];
  return k.Body::constant(result);
}

Value gemmSum(K &k) {
  const bool transA = k.integer("transA", 0) != 0;
  bool transB = k.integer("transB", 0) != 0;
  Value a = k.in(0), b = transB ? transposedConstant(k, 1) : Value();
  transB &= !b;
  b = b ? b : k.in(1);
  const Sizes shape = k.output.shape;
  if (!transA && !transB)
    return named<linalg::MatmulOp>(k, a, b, shape);
  if (!transB)
    return named<linalg::MatmulTransposeAOp>(k, a, b, shape);
  if (!transA)
    return named<linalg::MatmulTransposeBOp>(k, a, b, shape);
  return k.reduce(shape, k.loops(3, {0, 1}), k.number(0, k.outputType()),
                  {{a, k.loops(3, {2, 0})}, {b, k.loops(3, {1, 2})}},
                  [&](Value sum, ValueRange x) { return k.add(sum, k.mul(x[0], x[1])); });
}

Value gemm(K &k) {
  if (k.dtype(0) != onnx::TensorProto::FLOAT)
    return k.refuse("has input type " + dtypeName(k.dtype(0)) + "; expected float32");
  const float alpha = k.real("alpha", 1), beta = k.real("beta", 1);
  Value sum = gemmSum(k);
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
