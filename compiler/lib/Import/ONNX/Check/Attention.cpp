// Attention and the rotation by positions.

#include "NodeCheck.h"

#include "../General/Types.h"

using llvm::Twine;

namespace daedalus::onnximport {
namespace {

using C = NodeCheck;

/// The shape [batch,heads,length,size] of queries, keys or values, of which those of rank 3 are packed.
bool headsOf(C &c, size_t input, Text key, Shape &shape) {
  shape = c.shape(input);
  if (c.rank(input) != c.rank(0) || (shape.size() != 3 && shape.size() != 4))
    return c.fail("input '" + c.name(input) + "' has shape " + shapeText(shape) +
                  "; expected 3 or 4 dimensions, as many as the other inputs have");
  if (shape.size() == 4)
    return c.integer(key, shape[1]) == shape[1] ||
           c.failToFit(key, Twine(c.integer(key, 0)),
                       Twine(shape[1]) + ", as many heads as input '" + c.name(input) + "' has");
  const int64_t heads = c.integer(key, 0);
  if (heads < 1 || shape[2] % heads)
    return c.failToFit(key, Twine(heads),
                       "a divisor of the size " + Twine(shape[2]) + " of input '" + c.name(input) + "'");
  shape = {shape[0], heads, shape[1], shape[2] / heads};
  return true;
}

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

bool rotaryEmbedding(C &c) {
  Shape shape;
  if (!c.isFlag("interleaved") || !headsOf(c, 0, "num_heads", shape))
    return false;
  const int64_t given = c.integer("rotary_embedding_dim", 0), turned = given ? given : shape[3];
  if (turned < 2 || turned > shape[3] || turned % 2)
    return c.failToFit("rotary_embedding_dim", Twine(given),
                       "an even number of at most the " + Twine(shape[3]) + " elements of a head");
  Shape angles{shape[0], shape[2], turned / 2};
  if (c.has(3)) {
    if (!c.rankIs(1, 2) || !c.hasShape(3, {shape[0], shape[2]}))
      return false;
    angles = {c.shape(1)[0], turned / 2};
    if (const HostTensor *positions = c.constant(3))
      for (int64_t at : positions->ints)
        if (at < 0 || at >= angles[0])
          return c.fail("positions '" + c.name(3) + "' hold " + Twine(at) + "; expected 0 to " +
                        Twine(angles[0] - 1));
  }
  return c.hasShape(1, angles) && c.hasShape(2, angles) && c.like(0);
}

} // namespace

void addAttentionChecks(Checks &checks) {
  checks.insert({{"Attention", {23, attention}}, {"RotaryEmbedding", {23, rotaryEmbedding}}});
}

} // namespace daedalus::onnximport
