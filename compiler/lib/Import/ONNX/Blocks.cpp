// See Blocks.h.

#include "Blocks.h"

#include "llvm/ADT/STLExtras.h"

namespace daedalus::onnximport {

Result<Blocks> readBlocks(const Node &node, const Shape &image, const Shape &block) {
  const size_t rank = image.size();
  const auto fits = [](const Shape &list, size_t count, int64_t least) {
    return list.size() == count &&
           llvm::all_of(list, [&](int64_t value) { return value >= least && value <= int64_t(1) << 31; });
  };
  if (rank < 1 || !fits(image, rank, 1) || !fits(block, rank, 1))
    return error("puts blocks of shape " + shapeText(block) + " together to an image of shape " +
                 shapeText(image) + "; expected as many sizes of at least 1");
  Blocks blocks{image,
                block,
                intsAttribute(node, "strides", Shape(rank, 1)),
                intsAttribute(node, "dilations", Shape(rank, 1)),
                {},
                {}};
  const Shape pads = intsAttribute(node, "pads", Shape(2 * rank, 0));
  if (!fits(blocks.strides, rank, 1) || !fits(blocks.dilations, rank, 1) || !fits(pads, 2 * rank, 0))
    return error("has strides, dilations or pads for another number of dimensions than its image of shape " +
                 shapeText(image) +
                 ", or out of range; expected strides and dilations of at least 1, pads of at least 0");
  blocks.padBegin.assign(pads.begin(), pads.begin() + rank);
  for (size_t d = 0; d < rank; ++d) {
    const int64_t room = image[d] + pads[d] + pads[rank + d] - (block[d] - 1) * blocks.dilations[d] - 1;
    if (room < 0)
      return error("puts blocks of shape " + shapeText(block) + " together to an image of shape " +
                   shapeText(image) + ", in which none fits; expected smaller blocks");
    blocks.counts.push_back(room / blocks.strides[d] + 1);
  }
  return blocks;
}

} // namespace daedalus::onnximport
