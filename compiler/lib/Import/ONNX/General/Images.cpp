// Operators that cut images to a size, put them together of blocks, or turn the beginnings of sequences
// around.

#include "../Blocks.h"
#include "Builds.h"
#include "Indexed.h"

using namespace mlir;

namespace daedalus::onnximport {
namespace {

using K = GeneralKernel;
using Compare = Body::Compare;

/// The middle of what is too large; zeros around what is too small.
Value centerCropPad(K &k) {
  const Sizes to = k.output.shape;
  if (!k.constant(1)) {
    Shape axes = intsAttribute(k.node, "axes", {});
    Value fits = k.boolean(true);
    for (int64_t i = 0; i < k.shape(1)[0]; ++i)
      fits =
          k.both(fits, k.equal(k.indexAt(1, i), k.index(to[axes.empty() ? i : k.axis(axes[i], k.rank(0))])));
    k.require(fits, "shape");
  }
  Shape starts, sizes, before, behind;
  for (auto [from, to] : llvm::zip(k.shape(0), to)) {
    sizes.push_back(std::min(from, to));
    starts.push_back((from - sizes.back()) / 2);
    before.push_back((to - sizes.back()) / 2);
    behind.push_back(to - sizes.back() - before.back());
  }
  Value part = k.slice(k.in(0), starts, sizes, Shape(sizes.size(), 1));
  return k.pad(part, before, behind, k.number(0, k.outputType()));
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

/// The first elements of each batch along the time, as many as its length says, backwards.
Value reverseSequence(K &k) {
  const int64_t batch = k.integer("batch_axis", 1), time = k.integer("time_axis", 0), size = k.shape(0)[time];
  Value x = k.in(0), lengths = k.in(1);
  requireRange(k, 1, 0, size + 1);
  return k.gatherOutput([&](const Indices &at) {
    Value length = k.toIndex(k.element(lengths, {at[batch]}));
    Indices from = at;
    Value turned = k.sub(k.sub(length, k.index(1)), at[time]);
    from[time] = k.inside(k.select(k.compare(Compare::Less, at[time], length), turned, at[time]), size);
    return k.element(x, from);
  });
}

} // namespace

void addImages(Builds &builds) {
  builds.insert({{"CenterCropPad", centerCropPad}, {"Col2Im", col2Im}, {"ReverseSequence", reverseSequence}});
}

} // namespace daedalus::onnximport
