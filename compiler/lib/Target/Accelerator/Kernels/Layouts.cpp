// Kernels without a reduction whose inputs do not lie as the result does: permuted, strided, repeated along a
// dimension. Iterators that all accesses walk one behind the other are one; up to four are left, the
// channels, columns, rows and images of the nest.

#include "Kernels/Reader.h"

namespace daedalus::accelerator {

/// Sets the window by the iterators of the block, and `nest` to the innermost of each of its dimensions, the
/// channels' last; where they are too many, what does not lie in order is refused.
void Reader::setNest(const Block &block) {
  std::vector<Coordinate> walks{block.output.linear()};
  for (const auto &[k, argument] : block.expressions.argumentsOf(block.result))
    walks.push_back(block.inputs[k].linear());
  const auto goesOn = [&](unsigned outer, unsigned inner) {
    return llvm::all_of(walks, [&](const Coordinate &walk) {
      return walk.factors[outer] == walk.factors[inner] * block.iterators[inner].extent;
    });
  };
  llvm::SmallVector<unsigned, 4> innermost;
  llvm::SmallVector<int64_t, 4> extents;
  for (unsigned d = 0; d < block.iterators.size(); ++d) {
    if (!innermost.empty() && goesOn(innermost.back(), d))
      innermost.back() = d, extents.back() *= block.iterators[d].extent;
    else
      innermost.push_back(d), extents.push_back(block.iterators[d].extent);
  }
  if (innermost.size() > 4) {
    fail("its inputs lie in more than four dimensions that are not one behind the other");
    return;
  }
  Window &w = kernel.window;
  int64_t *const sizes[] = {&w.c, &w.w, &w.h, &w.b};
  for (size_t k = 0; k < extents.size(); ++k)
    *sizes[k] = extents[extents.size() - 1 - k];
  w.oc = w.c, w.ow = w.w, w.oh = w.h;
  nest = innermost;
}

/// Nothing where the input lies as the result does.
std::optional<Layout> Reader::layoutOf(const Block &block, const Access &access) const {
  if (isPointwise(block, access))
    return std::nullopt;
  const Coordinate walk = access.linear();
  Layout layout{walk.offset, 0, 0, 0, 0};
  int64_t *const strides[] = {&layout.channel, &layout.column, &layout.row, &layout.image};
  for (size_t k = 0; k < nest->size(); ++k)
    *strides[k] = walk.factors[(*nest)[nest->size() - 1 - k]];
  return layout;
}

} // namespace daedalus::accelerator
