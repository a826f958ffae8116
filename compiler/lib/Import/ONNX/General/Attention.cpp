// Attention: two products of matrices for each head, and between them a mask and a softmax; and the rotation
// of queries and keys by their positions. Query heads that share a key's head are rows of one matrix.

#include "Builds.h"
#include "Indexed.h"

#include "daedalus/Kernels/Products.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>
#include <limits>

using namespace mlir;

namespace daedalus::onnximport {
namespace {

using K = GeneralKernel;
using Compare = Body::Compare;
enum Input { Query, Key, ValueInput, Mask, PastKey, PastValue, Lengths };

class AttentionKernel {
public:
  explicit AttentionKernel(K &k)
      : k(k), isPacked(k.rank(Query) == 3), query(heads(Query, "q_num_heads")), batch(shapeOf(query)[0]),
        queryHeads(shapeOf(query)[1]), rows(shapeOf(query)[2]), size(shapeOf(query)[3]),
        past(k.has(PastKey) ? k.shape(PastKey)[2] : 0) {}

  Value output() {
    if (k.outputIndex == 1)
      return cache(Key, PastKey);
    if (k.outputIndex == 2)
      return cache(ValueInput, PastValue);
    Value keys = cache(Key, PastKey);
    const int64_t groups = shapeOf(keys)[1], length = shapeOf(keys)[2], joined = queryHeads / groups * rows;
    Value x = k.reshape(query, {batch * groups, joined, size}),
          y = k.reshape(keys, {batch * groups, length, size});
    Value scores =
        kernels::namedProduct<linalg::BatchMatmulTransposeBOp>(k, x, y, {batch * groups, joined, length});
    shape = {batch, queryHeads, rows, length};
    scores = scaled(k.reshape(scores, shape));
    const int64_t mode = k.integer("qk_matmul_output_mode", 0);
    if (k.outputIndex == 3 && mode == 0)
      return scores;
    scores = capped(scores);
    if (k.outputIndex == 3 && mode == 1)
      return scores;
    Value bias = biasOf();
    if (bias)
      scores = k.elementwise(shape, elementOf(scores), {k.broadcast(scores, shape), k.broadcast(bias, shape)},
                             [&](ValueRange x) { return k.add(x[0], x[1]); });
    if (k.outputIndex == 3 && mode == 2)
      return scores;
    Value shares = softmax(scores, bias);
    if (k.outputIndex == 3)
      return shares;
    Value values = cache(ValueInput, PastValue);
    const int64_t width = shapeOf(values)[3];
    Value y4 = kernels::namedProduct<linalg::BatchMatmulOp>(
        k, k.reshape(shares, {batch * groups, joined, length}),
        k.reshape(values, {batch * groups, length, width}), {batch * groups, joined, width});
    y4 = k.reshape(y4, {batch, queryHeads, rows, width});
    return k.reshape(isPacked ? k.transpose(y4, {0, 2, 1, 3}) : y4, k.output.shape);
  }

private:
  /// An input as [batch,heads,length,size].
  Value heads(size_t input, const char *count) {
    Value x = k.in(input);
    if (k.rank(input) == 4)
      return x;
    const Shape &from = k.shape(input);
    const int64_t heads = k.integer(count, 1);
    return k.transpose(k.reshape(x, {from[0], from[1], heads, from[2] / heads}), {0, 2, 1, 3});
  }

  /// Keys or values, those of the past before them.
  Value cache(size_t input, size_t before) {
    Value now = heads(input, "kv_num_heads");
    if (!k.has(before))
      return now;
    Shape whole(shapeOf(now)), at(4, 0);
    whole[2] += k.shape(before)[2];
    const Shape ones(4, 1);
    Value joined = k.insertSlice(k.in(before), k.empty(whole, elementOf(now)), at, ones);
    at[2] = k.shape(before)[2];
    return k.insertSlice(now, joined, at, ones);
  }

  Value scaled(Value scores) {
    const double scale = attribute(k.node, "scale") ? k.real("scale", 1) : 1 / std::sqrt(double(size));
    return k.elementwise(scores, [&](Value x) { return k.mul(x, k.f32(scale)); });
  }

  Value capped(Value scores) {
    const double cap = k.real("softcap", 0);
    if (!(cap > 0))
      return scores;
    return k.elementwise(scores, [&](Value x) {
      return k.mul(k.f32(cap), k.b.create<math::TanhOp>(k.loc, k.div(x, k.f32(cap))));
    });
  }

  Value hidden() { return k.f32(-std::numeric_limits<double>::infinity()); }
  Value hiddenUnless(Value truth, Value otherwise) { return k.select(truth, otherwise, hidden()); }

  /// The mask, as wide as the keys: what it lacks at their end is hidden.
  Read mask() {
    Value x = k.in(Mask);
    Shape before(k.rank(Mask), 0), behind = before;
    behind.back() = shape[3] - k.shape(Mask).back();
    const bool isTruth = k.dtype(Mask) == onnx::TensorProto::BOOL;
    x = k.pad(x, before, behind,
              k.number(isTruth ? 0 : -std::numeric_limits<double>::infinity(), elementOf(x)));
    return k.broadcast(x, shape);
  }

  /// What is added to the scores: 0 or the mask's number, -infinity where a query does not see a key. Null
  /// where each sees all.
  Value biasOf() {
    const bool isCausal = k.integer("is_causal", 0) != 0;
    const int64_t left = k.integer("left_window_size", -1), right = k.integer("right_window_size", -1);
    if (!k.has(Mask) && !k.has(Lengths) && !isCausal && left < 0 && right < 0)
      return nullptr;
    SmallVector<Read> reads;
    if (k.has(Lengths))
      reads.push_back({k.in(Lengths), k.loops(4, 0)});
    if (k.has(Mask))
      reads.push_back(mask());
    return k.elementwise(shape, k.b.getF32Type(), reads, [&](ValueRange x) {
      Value bias = k.f32(0), length = k.has(Lengths) ? k.toIndex(x[0]) : Value();
      if (k.has(Mask))
        bias = k.dtype(Mask) == onnx::TensorProto::BOOL ? hiddenUnless(k.truth(x.back()), bias)
                                                        : Value(x.back());
      Value offset = length ? k.sub(length, k.index(rows)) : k.index(past);
      Value ahead = k.sub(k.loopIndex(3), k.add(k.loopIndex(2), offset)); // of the query's own position
      if (isCausal)
        bias = hiddenUnless(k.compare(Compare::LessOrEqual, ahead, k.index(0)), bias);
      if (left >= 0)
        bias = hiddenUnless(k.compare(Compare::GreaterOrEqual, ahead, k.index(-left)), bias);
      if (right >= 0)
        bias = hiddenUnless(k.compare(Compare::LessOrEqual, ahead, k.index(right)), bias);
      return length ? hiddenUnless(k.compare(Compare::Less, k.loopIndex(3), length), bias) : bias;
    });
  }

  /// Along the keys; of a query that sees none, 0.
  Value softmax(Value scores, Value bias) {
    const AffineMap row = k.loops(4, {0, 1, 2});
    const auto mostOf = [&](Value tensor) {
      return k.reduce(tensor, 3, hidden(), [&](Value most, Value x) { return k.max(most, x); });
    };
    Type type = elementOf(scores);
    Value powers = k.elementwise(shape, type, {k.broadcast(scores, shape), {mostOf(scores), row}},
                                 [&](ValueRange x) { return k.exp(k.sub(x[0], x[1])); });
    Value sum = k.reduce(powers, 3, k.f32(0), [&](Value sum, Value x) { return k.add(sum, x); });
    SmallVector<Read> reads{k.broadcast(powers, shape), {sum, row}};
    if (bias)
      reads.push_back({mostOf(bias), row});
    return k.elementwise(shape, type, reads, [&](ValueRange x) {
      Value share = k.div(x[0], x[1]);
      return bias ? k.select(k.equal(x[2], hidden()), k.f32(0), share) : share;
    });
  }

  K &k;
  const bool isPacked;
  const Value query;
  const int64_t batch, queryHeads, rows, size, past;
  Shape shape; ///< of the scores
};

Value attention(K &k) {
  return AttentionKernel(k).output();
}

/// Pairs of elements of each head are turned by the angles of their position.
Value rotaryEmbedding(K &k) {
  const bool isPacked = k.rank(0) == 3, isInterleaved = k.integer("interleaved", 0) != 0;
  Shape shape = k.shape(0);
  if (isPacked) {
    const int64_t heads = k.integer("num_heads", 1);
    shape = {shape[0], shape[1], heads, shape[2] / heads};
  }
  const int64_t given = k.integer("rotary_embedding_dim", 0), turned = given ? given : shape[3],
                half = turned / 2;
  const unsigned step = isPacked ? 1 : 2; // the dimension of positions
  Value x = k.reshape(k.in(0), shape);
  const auto angles = [&](size_t input) -> Value {
    if (!k.has(3))
      return k.in(input);
    Value cache = k.in(input), positions = k.in(3);
    const int64_t size = k.shape(input)[0];
    return k.gather({shape[0], shape[step], half}, elementOf(x), [&](const Indices &at) {
      Value position = k.toIndex(k.element(positions, {at[0], at[1]}));
      return k.element(cache, {k.inside(position, size), at[2]});
    });
  };
  if (k.has(3))
    requireRange(k, 3, 0, k.shape(1)[0]);
  const AffineMap at = k.loops(4, {0, step, 3});
  Shape part = shape, steps(4, 1), offsets(4, 0);
  part[3] = half, steps[3] = isInterleaved ? 2 : 1;
  const auto member = [&](unsigned which) {
    offsets[3] = which * (isInterleaved ? 1 : half);
    return k.broadcast(k.slice(x, offsets, part, steps), part);
  };
  Value cosines = angles(1), sines = angles(2), result = k.elementwise(x, [](Value x) { return x; });
  for (unsigned which : {0, 1}) {
    Value y = k.elementwise(part, elementOf(x), {member(0), member(1), {cosines, at}, {sines, at}},
                            [&](ValueRange x) {
                              return which == 0 ? k.sub(k.mul(x[2], x[0]), k.mul(x[3], x[1]))
                                                : k.add(k.mul(x[3], x[0]), k.mul(x[2], x[1]));
                            });
    offsets[3] = which * (isInterleaved ? 1 : half);
    result = k.insertSlice(y, result, offsets, steps);
  }
  return k.reshape(result, k.output.shape);
}

} // namespace

void addAttention(Builds &builds) {
  builds.insert({{"Attention", attention}, {"RotaryEmbedding", rotaryEmbedding}});
}

} // namespace daedalus::onnximport
