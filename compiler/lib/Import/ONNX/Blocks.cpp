// See Blocks.h.

#include "Blocks.h"

#include "llvm/ADT/STLExtras.h"

namespace daedalus::onnximport {

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

} // namespace daedalus::onnximport
