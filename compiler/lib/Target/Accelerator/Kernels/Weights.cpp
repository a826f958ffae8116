// Constant weights of products, less their zero points. GEMM multiplies int8. Of weights that leave 8 bits,
// as uint8 with a zero point does, few do, or all: few have an excess, which further tiles multiply; all have
// a number beside int8, and the product is that of the int8 and the number times the sum of the data.

#include "Kernels/Reader.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace daedalus::accelerator {
namespace {

/// How constants lie as [group][output][kernel row][kernel column][lane].
struct WeightOrder {
  int64_t offset, extents[5], factors[5];
};

template <class T> std::vector<T> gathered(const std::vector<T> &values, const WeightOrder &order) {
  const auto &[offset, extents, factors] = order;
  std::vector<T> result;
  result.reserve(values.size());
  for (int64_t g = 0; g < extents[0]; ++g)
    for (int64_t o = 0; o < extents[1]; ++o)
      for (int64_t i = 0; i < extents[2]; ++i)
        for (int64_t j = 0; j < extents[3]; ++j) {
          const int64_t first = offset + g * factors[0] + o * factors[1] + i * factors[2] + j * factors[3];
          if (factors[4] == 1)
            result.insert(result.end(), &values[first], &values[first] + extents[4]);
          else
            for (int64_t c = 0; c < extents[4]; ++c)
              result.push_back(values[first + c * factors[4]]);
        }
  return result;
}

} // namespace

bool Reader::areWeightsOfChannels(const Access &weights, const Coordinate &at, const Roles &roles) {
  for (const std::optional<unsigned> &pixel : {roles.row, roles.column})
    if (pixel && at.factors[*pixel])
      return fail("it has other weights for each position");
  for (unsigned image : roles.batch)
    if (at.factors[image])
      return fail("it has other weights for each image");
  if (weights.fill)
    return fail("its weights are padded");
  if (roles.group && !at.factors[*roles.group])
    return fail("its reduction does not run along the last dimension of its input, which lies in lanes");
  return true;
}

bool Reader::readWeights(const Block &block, const Access &weights, const Roles &roles,
                         std::optional<unsigned> output, const CentredProduct &product) {
  const Coordinate at = weights.linear();
  WeightOrder order{at.offset, {}, {}};
  const std::optional<unsigned> dimensions[] = {roles.group, output, roles.kernelRow, roles.kernelColumn,
                                                roles.lane};
  for (int k = 0; k < 5; ++k) {
    order.extents[k] = block.extentOf(dimensions[k]);
    order.factors[k] = dimensions[k] ? at.factors[*dimensions[k]] : 0;
  }
  const auto read = [&](auto zero) {
    using T = decltype(zero);
    const Result<std::vector<T>> values = constantIntegers<T>(weights.tensor, "weights");
    if (!values)
      return fail(values.error());
    return areWeightsOfChannels(weights, at, roles) &&
           centreWeights(gathered(*values, order), product, *block.start);
  };
  return mlir::getElementTypeOrSelf(weights.tensor).isInteger(16) ? read(int16_t()) : read(int8_t());
}

/// The weights' zero point goes into the weights, what the data's adds into what sums start from.
template <class T>
bool Reader::centreWeights(std::vector<T> values, const CentredProduct &product, int64_t first) {
  const auto &[ofData, ofWeights, number] = product;
  if constexpr (std::is_same_v<T, int8_t>)
    if (!ofData && !ofWeights && !number) {
      kernel.weights = std::move(values);
      startFrom({wrapped(first, 32)});
      return true;
    }
  const size_t each = values.size() / kernel.window.oc;
  std::vector<int64_t> start;
  for (int64_t k = 0; k < kernel.window.oc; ++k) {
    uint64_t sum = uint64_t(number) * each + uint64_t(first);
    for (size_t i = 0; i < each; ++i)
      sum += uint64_t(ofWeights) * uint64_t(int64_t(values[k * each + i]));
    start.push_back(wrapped(static_cast<int64_t>(sum), 32));
  }
  startFrom(std::move(start));
  if (splitWeights(values, ofData))
    return true;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  if (kernel.groups > 1 || *most - *least > 255)
    return fail("its weights less their zero points, " + llvm::Twine(*least + ofData) + " to " +
                llvm::Twine(*most + ofData) +
                ", differ by more than 255: quantize them with one zero point, of 8 bits");
  const int64_t shift = std::clamp<int64_t>(0, *most + ofData - 127, *least + ofData + 128);
  kernel.weights.resize(values.size());
  for (size_t i = 0; i < values.size(); ++i)
    kernel.weights[i] = static_cast<int8_t>(values[i] + ofData - shift);
  addDataSums(wrapped(shift, 32));
  return true;
}

/// The weights as what int8 holds of them and the excess; not where that would not be int8 or take more
/// tiles.
template <class T> bool Reader::splitWeights(const std::vector<T> &values, int64_t ofData) {
  std::vector<int8_t> weights(values.size());
  std::vector<Excess> excess;
  for (size_t i = 0; i < values.size(); ++i) {
    int64_t rest = values[i] + ofData;
    const auto take = [&rest] {
      const auto part = static_cast<int8_t>(std::clamp<int64_t>(rest, -128, 127));
      rest -= part;
      return part;
    };
    weights[i] = take();
    for (int8_t layer = 0; rest && layer < Excess::Layers; ++layer)
      excess.push_back({int64_t(i), take(), layer});
    if (rest)
      return false;
  }
  if (!takesExcess(excess))
    return false;
  kernel.weights = std::move(weights);
  kernel.excess = std::move(excess);
  return true;
}

/// Whether tiles with excess are at most as many as tiles of ones that sum the data; groups, whose sums would
/// differ, always have excess.
bool Reader::takesExcess(llvm::ArrayRef<Excess> excess) const {
  if (kernel.groups > 1)
    return true;
  const Window &w = kernel.window;
  const int64_t positions = w.kh * w.kw, blocks = llvm::divideCeil(w.c, n);
  llvm::DenseSet<int64_t> tiles;
  for (const Excess &each : excess) {
    const int64_t o = each.at / (positions * w.c), position = each.at / w.c % positions, lane = each.at % w.c;
    tiles.insert(((o / n * positions + position) * blocks + lane / n) * Excess::Layers + each.layer);
  }
  return int64_t(tiles.size()) <= positions * blocks;
}

/// To the product, a multiple of the sum of its data.
void Reader::addDataSums(int64_t multiple) {
  kernel.sumsData = true;
  Expressions &all = kernel.tail.all;
  reduced = all.add(reduced, all.multiply(all.argument(Tail::DataSums, 32), all.constant(multiple, 32)));
}

} // namespace daedalus::accelerator
