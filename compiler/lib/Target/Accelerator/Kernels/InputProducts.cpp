// Products of two inputs, one matrix each an image or one for all: what the result moves along last is the
// weights' rows, what the other input alone moves along behind all that both do are pixels, all before them
// are images. Both inputs are read along the reduction, which lies in lanes.

#include "Kernels/Reader.h"

namespace daedalus::accelerator {
namespace {

/// One loop, and how far each input's element moves with it.
struct Walk {
  bool isReduction;
  int64_t extent, data, weights;
};

/// Loops one behind the other that both inputs walk as one.
llvm::SmallVector<Walk, 6> joinedWalks(llvm::ArrayRef<Walk> loops) {
  llvm::SmallVector<Walk, 6> joined;
  for (const Walk &loop : loops) {
    const bool goesOn = !joined.empty() && joined.back().isReduction == loop.isReduction &&
                        joined.back().data == loop.data * loop.extent &&
                        joined.back().weights == loop.weights * loop.extent;
    if (goesOn)
      joined.back() = {loop.isReduction, loop.extent * joined.back().extent, loop.data, loop.weights};
    else
      joined.push_back(loop);
  }
  return joined;
}

/// The last loop, taken out, where `is` holds for it; else one of a single iteration.
template <class Is> Walk takeLast(llvm::SmallVectorImpl<Walk> &loops, Is is) {
  if (loops.empty() || !is(loops.back()))
    return {false, 1, 0, 0};
  return loops.pop_back_val();
}

/// Which of the two inputs is read as weights: the one that alone moves with the last loop of the result.
unsigned weightsOf(const Block &block) {
  const Coordinate first = block.inputs[0].linear(), second = block.inputs[1].linear();
  for (size_t d = block.iterators.size(); d-- > 0;)
    if (!block.iterators[d].isReduction)
      return first.factors[d] && !second.factors[d] ? 0 : 1;
  return 1;
}

} // namespace

/// A product of two inputs: what their zero points add to each sum are multiples of the sums of the other
/// input.
bool Reader::readInputProduct(Block &block) {
  const unsigned weights = weightsOf(block), data = 1 - weights;
  auto product = centredProduct(block, data);
  if (!product)
    return false;
  if (!readMatrices(block, block.inputs[data], block.inputs[weights]))
    return false;
  product->number = wrapped(uint64_t(product->number) * kernel.window.c + uint64_t(*block.start), 32);
  startFromSums(*product);
  return true;
}

/// The window, and where both inputs lie.
bool Reader::readMatrices(const Block &block, const Access &data, const Access &weights) {
  if (data.fill || weights.fill)
    return fail("it multiplies two inputs of which one is padded");
  if (!block.writesInOrder())
    return fail("it does not write its result in the order of pixels and channels");
  const Coordinate ofData = data.linear(), ofWeights = weights.linear();
  llvm::SmallVector<Walk, 6> loops;
  for (auto [d, iterator] :
       llvm::enumerate(block.iterators)) // parallel ones in the order of the output, then others
    loops.push_back({iterator.isReduction, iterator.extent, ofData.factors[d], ofWeights.factors[d]});
  loops = joinedWalks(loops);
  if (llvm::any_of(loops, [](const Walk &loop) { return loop.data < 0 || loop.weights < 0; }))
    return fail("it multiplies two inputs of which one is read backwards");
  const Walk depth = takeLast(loops, [](const Walk &loop) { return loop.isReduction; });
  if (depth.data != 1 || depth.weights != 1 || (!loops.empty() && loops.back().isReduction))
    return fail(
        "it multiplies two inputs and does not read both along their last dimension: transpose one first");
  const Walk row = takeLast(loops, [](const Walk &loop) { return !loop.data; }),
             pixel = takeLast(loops, [](const Walk &loop) { return !loop.weights; }),
             inner = takeLast(loops, [](const Walk &) { return true; }),
             outer = takeLast(loops, [](const Walk &) { return true; });
  if ((pixel.extent > 1 && !pixel.data) || (row.extent > 1 && !row.weights))
    return fail("it repeats the product of two inputs along a dimension");
  if (!loops.empty())
    return fail("it multiplies two inputs whose images lie in more than two dimensions");
  Window &window = kernel.window;
  window.c = depth.extent, window.oc = row.extent, window.w = window.ow = pixel.extent;
  window.h = window.oh = inner.extent, window.b = outer.extent;
  const auto isBehind = [](const Walk &loop, int64_t stride) {
    return loop.extent == 1 || loop.data == stride;
  };
  const bool isPlain = ofData.offset == 0 && isBehind(pixel, window.c) &&
                       isBehind(inner, window.c * window.w) &&
                       isBehind(outer, window.c * window.w * window.h);
  std::optional<Layout> ofPixels;
  if (!isPlain)
    ofPixels = Layout{ofData.offset, outer.data, inner.data, pixel.data, 1};
  const Layout ofRows{ofWeights.offset, outer.weights, inner.weights, row.weights, 1};
  kernel.combiner = Combiner{dae::VectorKind::Add, true};
  kernel.weightsInput = true;
  return addInput(data, ofPixels).has_value() && addInput(weights, ofRows).has_value();
}

/// The result of the reduction: the products, multiples of the sums of each input, and a number.
void Reader::startFromSums(const CentredProduct &product) {
  const auto [ofData, ofWeights, number] = product;
  Expressions &all = kernel.tail.all;
  reduced = all.argument(Tail::Reduced, 32);
  const auto add = [&](unsigned sums, int64_t factor) {
    if (factor)
      reduced = all.add(reduced, all.multiply(all.argument(sums, 32), all.constant(factor, 32)));
  };
  kernel.sumsData = ofData != 0, kernel.sumsWeights = ofWeights != 0;
  add(Tail::DataSums, ofData);
  add(Tail::WeightSums, ofWeights);
  reduced = all.add(reduced, all.constant(number, 32));
}

} // namespace daedalus::accelerator
