// Attention: two products of matrices for each head, and between them a mask and a softmax. Query heads that
// share a key's head are rows of one matrix.

#include "Attention/Heads.h"
#include "Body/Indexed.h"
#include "OperatorTable.h"

#include "daedalus/Kernels/Products.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>
#include <limits>

using namespace mlir;
using llvm::Twine;

namespace daedalus::onnximport {
namespace {

enum Input { Query, Key, ValueInput, Mask, PastKey, PastValue, Lengths };

/// The shape of keys or values with those of the past before them.
bool joinPast(C &c, size_t input, Shape &shape) {
  if (!c.has(input))
    return true;
  Shape past = shape;
  past[2] = c.rank(input) == 4 ? c.shape(input)[2] : 0;
  shape[2] += past[2];
  return c.hasShape(input, past);
}

bool attention(C &c) {
  Shape query, key, value;
  if (!c.isFlag("is_causal") || !headsOf(c, 0, "q_num_heads", query) || !headsOf(c, 1, "kv_num_heads", key) ||
      !headsOf(c, 2, "kv_num_heads", value))
    return false;
  for (size_t input : {0, 1, 2})
    if (!c.isFloat32(input))
      return false;
  if (key[0] != query[0] || value[0] != query[0] || key[3] != query[3] || key[1] != value[1] ||
      key[2] != value[2] || (key[1] ? query[1] % key[1] : query[1]))
    return c.fail(
        "attends from queries of shape " + shapeText(query) + " to keys of " + shapeText(key) +
        " and values of " + shapeText(value) +
        " (batch, heads, length, size), which do not fit; expected one batch, one size of queries and "
        "keys, one length of keys and values, and their heads to divide those of the queries");
  const int64_t mode = c.integer("qk_matmul_output_mode", 0), precision = c.integer("softmax_precision", 1);
  if (mode < 0 || mode > 3)
    return c.failAttribute("qk_matmul_output_mode", Twine(mode), "0 to 3");
  if (precision != int32_t(precision) || !isFloat32Type(int32_t(precision)))
    return c.failAttribute("softmax_precision", Twine(precision),
                           "1 (float32), 10 (float16) or 16 (bfloat16)");
  for (Text side : {"left_window_size", "right_window_size"})
    if (!c.atLeast(side, -1, -1))
      return false;
  if (c.has(4) != c.has(5) || (c.has(6) && c.has(4)))
    return c.fail("has a past of keys or values alone, or beside their lengths; expected both or neither");
  if (!joinPast(c, 4, key) || !joinPast(c, 5, value))
    return false;
  const Shape scores{query[0], query[1], query[2], key[2]};
  if (c.has(3)) {
    Shape widest = scores;
    if (c.dtype(3) != onnx::TensorProto::BOOL && !isFloat32Type(c.dtype(3)))
      return c.fail("mask '" + c.name(3) + "' has type " + dtypeName(c.dtype(3)) +
                    "; expected bool or float32");
    if (c.rank(3) < 1 || c.shape(3).back() > key[2])
      return c.fail("mask '" + c.name(3) + "' has shape " + shapeText(c.shape(3)) +
                    "; expected one that broadcasts to " + shapeText(scores));
    widest[3] = c.shape(3).back();
    if (!c.broadcastsTo(3, widest))
      return false;
  }
  if (c.has(6) && !c.hasShape(6, {query[0]}))
    return false;
  const Shape packed{query[0], query[2], query[1] * value[3]}, whole{query[0], query[1], query[2], value[3]};
  if (!c.output(0, c.rank(0) == 3 ? packed : whole))
    return false;
  for (size_t input : {0, 1, 2})
    if (!c.isNotEmpty(input))
      return false;
  return c.output(1, key) && c.output(2, value) && c.output(3, scores);
}

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

} // namespace

void addAttention(Operators &all) {
  all["Attention"] = {23, attention, attention};
}

} // namespace daedalus::onnximport
