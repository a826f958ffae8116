// Products of matrices and convolutions, in float32, and in int32 of int8 and uint8. Those of floats are
// named operations where one means the same; the others say the order of their loops themselves, with one
// that runs along the output's rows innermost.

#include "Builds.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace daedalus::onnximport {
namespace {

using K = GeneralKernel;
constexpr int32_t Int32 = onnx::TensorProto::INT32;

/// A named operation on zeros.
template <class Op, class... Attributes>
Value named(K &k, Value x, Value y, Sizes shape, Attributes... attributes) {
  Value zeros = k.filled(shape, k.number(0, elementOf(x)));
  return k.b.create<Op>(k.loc, zeros.getType(), ValueRange{x, y}, zeros, attributes...).getResult(0);
}

/// An operand of a product of integers: what it reads, and from that its element less the zero point, in
/// int32. The zero point is a scalar, or has one entry an index of `channel`.
class Centred {
public:
  Centred(K &k, size_t input, size_t zeroPoint) : k(k), input(input), zeroPoint(zeroPoint) {}

  void read(AffineMap map, AffineExpr channel, SmallVectorImpl<Read> &reads) {
    first = reads.size();
    reads.push_back({k.in(input), map});
    if (!k.has(zeroPoint))
      return;
    SmallVector<AffineExpr> at(k.rank(zeroPoint), k.b.getAffineConstantExpr(0));
    if (product(k.shape(zeroPoint)) != 1)
      at[0] = channel;
    reads.push_back(k.read(zeroPoint, AffineMap::get(map.getNumDims(), 0, at, k.b.getContext())));
  }
  Value element(ValueRange elements) const {
    Value x = k.convert(elements[first], k.dtype(input), Int32);
    return k.has(zeroPoint) ? k.sub(x, k.convert(elements[first + 1], k.dtype(zeroPoint), Int32)) : x;
  }

private:
  K &k;
  const size_t input, zeroPoint;
  size_t first = 0;
};

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
  k.macs = product(k.output.shape) * k.shape(0).back();
  if (isFloatType(k.dtype(0)))
    if (Value result = namedMatMul(k))
      return k.reshape(result, k.output.shape);
  const MatMulLoops loops(k);
  return k.reduce(k.output.shape, loops.output(), k.number(0, k.outputType()),
                  {{k.in(0), loops.left(k.shape(0))}, {k.in(1), loops.right(k.shape(1))}},
                  [&](Value sum, ValueRange x) { return k.add(sum, k.mul(x[0], x[1])); });
}

Value matmulInteger(K &k) {
  k.macs = product(k.output.shape) * k.shape(0).back();
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
  k.macs = product(k.output.shape) * k.shape(0)[k.integer("transA", 0) != 0 ? 0 : 1];
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

/// Input [N,C,...] with zeros around it.
Value padded(K &k, Value x, const Window &window) {
  Shape before{0, 0}, behind{0, 0};
  before.append(window.padBegin.begin(), window.padBegin.end());
  behind.append(window.padEnd.begin(), window.padEnd.end());
  return k.pad(x, before, behind, k.number(0, elementOf(x)));
}

Window convolutionWindow(K &k) {
  const Shape &weights = k.shape(1);
  const Window window = k.window(Shape(weights.begin() + 2, weights.end()));
  k.macs = product(k.output.shape) * product(Sizes(weights).drop_front());
  return window;
}

/// The loops of a convolution, y [N,G,OC/G,...], x [N,C,...], w [OC,C/G,...]: n, group, output channel of the
/// group, output positions but the last, channel of the group, the kernel, the last position.
struct ConvolutionLoops {
  ConvolutionLoops(K &k, const Window &window) : context(k.b.getContext()) {
    const int64_t groups = k.integer("group", 1), each = k.shape(1)[0] / groups;
    const unsigned rank = window.kernel.size(), depth = 2 + rank, last = depth + 1 + rank;
    count = last + 1;
    const auto loop = [&](unsigned d) { return getAffineDimExpr(d, context); };
    const auto position = [&](unsigned d) { return loop(d + 1 < rank ? 3 + d : last); };
    const auto inGroup = [&](AffineExpr at, int64_t size) { return groups == 1 ? at : loop(1) * size + at; };
    channel = inGroup(loop(2), each);
    SmallVector<AffineExpr> ofX{loop(0), inGroup(loop(depth), k.shape(1)[1])}, ofW{channel, loop(depth)},
        ofY{loop(0), loop(1), loop(2)};
    for (unsigned d = 0; d < rank; ++d) {
      ofX.push_back(position(d) * window.strides[d] + loop(depth + 1 + d) * window.dilations[d]);
      ofW.push_back(loop(depth + 1 + d));
      ofY.push_back(position(d));
    }
    x = map(ofX), w = map(ofW), y = map(ofY);
  }

  AffineMap x, w, y;
  AffineExpr channel; ///< of the output

private:
  AffineMap map(ArrayRef<AffineExpr> at) const { return AffineMap::get(count, 0, at, context); }

  MLIRContext *context;
  unsigned count;
};

/// [.., C, ..] as [.., groups, C / groups, ..], C being dimension `axis`.
Shape grouped(const Shape &shape, int64_t groups, size_t axis) {
  Shape result = shape;
  result[axis] /= groups;
  result.insert(result.begin() + axis, groups);
  return result;
}

/// The named convolution of floats; null where none means the same.
Value namedConvolution(K &k, Value x, const Window &window) {
  const int64_t groups = k.integer("group", 1), rank = window.kernel.size();
  const Attribute strides = k.b.getI64TensorAttr(window.strides),
                  dilations = k.b.getI64TensorAttr(window.dilations);
  const Shape &weights = k.shape(1), &shape = k.output.shape;
  Value w = k.in(1);
  if (groups == 1 && rank == 1)
    return named<linalg::Conv1DNcwFcwOp>(k, x, w, shape, strides, dilations);
  if (groups == 1 && rank == 3)
    return named<linalg::Conv3DNcdhwFcdhwOp>(k, x, w, shape, strides, dilations);
  if (rank != 2)
    return nullptr;
  if (groups == 1)
    return named<linalg::Conv2DNchwFchwOp>(k, x, w, shape, strides, dilations);
  if (groups == weights[0] && weights[1] == 1)
    return named<linalg::DepthwiseConv2DNchwChwOp>(k, x, k.reshape(w, {groups, weights[2], weights[3]}),
                                                   shape, strides, dilations);
  Value result = named<linalg::Conv2DNgchwGfchwOp>(k, k.reshape(x, grouped(Shape(sizesOf(x)), groups, 1)),
                                                   k.reshape(w, grouped(weights, groups, 0)),
                                                   grouped(shape, groups, 1), strides, dilations);
  return k.reshape(result, shape);
}

/// x [N,C,...] with its padding, w [OC,C/groups,...], of which `weight` makes what x is multiplied with.
Value convolutionOf(K &k, Value x, const ConvolutionLoops &loops, Reads w, Body::Combine weight) {
  SmallVector<Read> reads{{x, loops.x}};
  reads.append(w.begin(), w.end());
  const Shape shape = grouped(k.output.shape, k.integer("group", 1), 1);
  Value result =
      k.reduce(shape, loops.y, k.number(0, k.outputType()), reads, [&](Value sum, ValueRange elements) {
        return k.add(sum, k.mul(elements[0], weight(elements.drop_front())));
      });
  return k.reshape(result, k.output.shape);
}

Value convolution(K &k) {
  if (k.dtype(0) != onnx::TensorProto::FLOAT)
    return k.refuse("has input type " + dtypeName(k.dtype(0)) + "; expected float32");
  const Window window = convolutionWindow(k);
  Value x = padded(k, k.in(0), window), sum = namedConvolution(k, x, window);
  if (!sum) {
    const ConvolutionLoops loops(k, window);
    sum = convolutionOf(k, x, loops, Read{k.in(1), loops.w}, [](ValueRange w) { return w[0]; });
  }
  if (!k.has(2))
    return sum;
  return k.elementwiseOutput({k.broadcast(sum, k.output.shape), k.read(2, k.loops(k.output.shape.size(), 1))},
                             [&](ValueRange x) { return k.add(x[0], x[1]); });
}

/// Less its zero point x is a tensor of its own: the zeros around it are those of int32.
Value convolutionInteger(K &k) {
  const Window window = convolutionWindow(k);
  const ConvolutionLoops loops(k, window);
  const unsigned rank = k.rank(0);
  Centred x(k, 0, 2), w(k, 1, 3);
  SmallVector<Read> ofX, ofW;
  x.read(k.b.getMultiDimIdentityMap(rank), k.b.getAffineDimExpr(1), ofX);
  Value centred = k.elementwise(k.shape(0), k.outputType(), ofX, [&](ValueRange e) { return x.element(e); });
  w.read(loops.w, loops.channel, ofW);
  return convolutionOf(k, padded(k, centred, window), loops, ofW, [&](ValueRange e) { return w.element(e); });
}

} // namespace

void addProducts(Builds &builds) {
  builds.insert({{"Conv", convolution},
                 {"ConvInteger", convolutionInteger},
                 {"Gemm", gemm},
                 {"MatMul", matmul},
                 {"MatMulInteger", matmulInteger}});
}

} // namespace daedalus::onnximport
