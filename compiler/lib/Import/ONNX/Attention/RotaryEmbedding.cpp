// RotaryEmbedding: queries and keys are rotated by their positions.

#include "Attention/Heads.h"
#include "Body/Indexed.h"
#include "OperatorTable.h"

using namespace mlir;
using llvm::Twine;

namespace daedalus::onnximport {
namespace {

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

void addRotaryEmbedding(Operators &all) {
  all["RotaryEmbedding"] = {23, rotaryEmbedding, rotaryEmbedding};
}

} // namespace daedalus::onnximport
