// Col2Im: an image put together of blocks.

#include "OperatorTable.h"

using namespace mlir;

namespace daedalus::onnximport {
namespace {

/// One entry a dimension of the image.
struct Blocks {
  Shape image, block, strides, dilations, padBegin, counts; ///< counts: blocks along each dimension
};

Result<Blocks> readBlocks(const Node &node, const Shape &image, const Shape &block) {
  const size_t rank = image.size();
  const auto fits = [&](const Shape &list) {
    return list.size() == rank &&
           llvm::all_of(list, [](int64_t value) { return value >= 1 && value <= int64_t(1) << 31; });
  };
  if (rank < 1 || !fits(image) || !fits(block))
    return error("puts blocks of shape " + shapeText(block) + " together to an image of shape " +
                 shapeText(image) + "; expected as many sizes of at least 1");
  const Result<Shape> strides = listAttribute(node, "strides", rank, 1, 1),
                      dilations = listAttribute(node, "dilations", rank, 1, 1),
                      pads = listAttribute(node, "pads", 2 * rank, 0, 0);
  for (const Result<Shape> *list : {&strides, &dilations, &pads})
    if (!*list)
      return error(list->error());
  Blocks blocks{image, block, *strides, *dilations, {}, {}};
  blocks.padBegin.assign(pads->begin(), pads->begin() + rank);
  for (size_t d = 0; d < rank; ++d) {
    const int64_t room = image[d] + (*pads)[d] + (*pads)[rank + d] - (block[d] - 1) * blocks.dilations[d] - 1;
    if (room < 0)
      return error("puts blocks of shape " + shapeText(block) + " together to an image of shape " +
                   shapeText(image) + ", in which none fits; expected smaller blocks");
    blocks.counts.push_back(room / blocks.strides[d] + 1);
  }
  return blocks;
}

bool col2Im(C &c) {
  const std::optional<Shape> image = c.integers(1), block = c.integers(2);
  if (!c.rankIs(0, 3) || !c.isVector(1) || !c.isVector(2))
    return false;
  if (!image || !block)
    return c.fail("shapes '" + c.name(image ? 2 : 1) + "' come at run time; expected constant ones");
  const Result<Blocks> blocks = readBlocks(c.node, *image, *block);
  if (!blocks)
    return c.fail(blocks.error());
  const auto count = [](const Shape &shape) { return elementCount({shape.begin(), shape.end()}); };
  const int64_t each = count(*block), channels = c.shape(0)[1] / std::max<int64_t>(each, 1);
  if (!c.hasShape(0, {c.shape(0)[0], channels * each, count(blocks->counts)}))
    return false;
  Shape shape{c.shape(0)[0], channels};
  shape.append(image->begin(), image->end());
  return c.output(0, shape);
}

/// Each element of a block is added where it lies in the image.
Value col2Im(K &k) {
  const auto sizes = [&](size_t input) {
    return Shape(k.constant(input)->ints.begin(), k.constant(input)->ints.end());
  };
  const Blocks blocks = *readBlocks(k.node, sizes(1), sizes(2)); // checked
  const size_t rank = blocks.image.size();
  Shape shape{k.output.shape[0], k.output.shape[1]};
  shape.append(blocks.block), shape.append(blocks.counts);
  Value x = k.reshape(k.in(0), shape), zero = k.number(0, k.outputType());
  return k.iterate(shape, k.filled(k.output.shape, zero), [&](const Indices &at, Value image) {
    Indices to(at.begin(), at.begin() + 2);
    Value isInside = k.boolean(true);
    for (size_t d = 0; d < rank; ++d) {
      Value place = k.sub(k.add(k.mul(at[2 + rank + d], k.index(blocks.strides[d])),
                                k.mul(at[2 + d], k.index(blocks.dilations[d]))),
                          k.index(blocks.padBegin[d]));
      isInside = k.both(isInside, k.both(k.compare(Compare::GreaterOrEqual, place, k.index(0)),
                                         k.compare(Compare::Less, place, k.index(blocks.image[d]))));
      to.push_back(k.inside(place, blocks.image[d]));
    }
    Value sum = k.add(k.element(image, to), k.select(isInside, k.element(x, at), zero));
    return k.insert(sum, image, to);
  });
}

} // namespace

void addCol2Im(Operators &all) {
  all["Col2Im"] = {18, col2Im, col2Im};
}

} // namespace daedalus::onnximport
