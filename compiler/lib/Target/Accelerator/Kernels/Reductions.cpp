// Blocks with reductions: products, in groups or not, sums and extremes over windows.

#include "Kernels/Reader.h"

#include <algorithm>

namespace daedalus::accelerator {
namespace {

/// The iterators of a coordinate: at most one parallel one and one reduction, and each of them once in all.
bool splitCoordinate(const Block &block, const Coordinate &at, std::optional<unsigned> &parallel,
                     std::optional<unsigned> &reduction, llvm::SmallVectorImpl<bool> &used) {
  for (auto [d, factor] : llvm::enumerate(at.factors)) {
    if (factor == 0)
      continue;
    std::optional<unsigned> &place = block.iterators[d].isReduction ? reduction : parallel;
    if (place || used[d] || factor < 0)
      return false;
    place = d;
    used[d] = true;
  }
  return true;
}

/// One dimension that a window moves along.
struct PixelAxis {
  int64_t size, out, kernel, stride, dilation, before;
};

std::optional<PixelAxis> readAxis(const Block &block, const Access &data, size_t dimension,
                                  std::optional<unsigned> &parallel, std::optional<unsigned> &reduction,
                                  llvm::SmallVectorImpl<bool> &used) {
  const Coordinate &at = data.at[dimension];
  if (!splitCoordinate(block, at, parallel, reduction, used))
    return std::nullopt;
  const auto stepOf = [&](std::optional<unsigned> iterator) { return iterator ? at.factors[*iterator] : 1; };
  return PixelAxis{data.shape[dimension], block.extentOf(parallel), block.extentOf(reduction),
                   stepOf(parallel),      stepOf(reduction),        -at.offset};
}

} // namespace

/// Channels: all of them, one by one or in groups of neighbours.
bool Reader::readChannels(const Block &block, const Access &data, Roles &roles) {
  const Coordinate &at = data.at.back();
  const int64_t lanes = block.extentOf(roles.lane), groups = block.extentOf(roles.group);
  const bool isWhole = at.offset == 0 && (!roles.lane || at.factors[*roles.lane] == 1) &&
                       (!roles.group || at.factors[*roles.group] == lanes) &&
                       lanes * groups == data.shape.back();
  return isWhole || fail("it does not read all channels of its input, one behind the other");
}

/// The window that the data is read through, and which iterator does what.
bool Reader::readWindow(const Block &block, const Access &data, Roles &roles) {
  Window &w = kernel.window;
  const auto unknown = [&] { return fail("it reads its input otherwise than through a window that moves"); };
  llvm::SmallVector<bool, 8> used(block.iterators.size(), false);
  const size_t rank = data.shape.size();
  if (!splitCoordinate(block, data.at[rank - 1], roles.group, roles.lane, used) ||
      !readChannels(block, data, roles))
    return unknown();
  w.c = data.shape[rank - 1];
  std::optional<PixelAxis> columns, rows;
  if (rank > 1 && !(columns = readAxis(block, data, rank - 2, roles.column, roles.kernelColumn, used)))
    return unknown();
  if (rank > 2 && !(rows = readAxis(block, data, rank - 3, roles.row, roles.kernelRow, used)))
    return unknown();
  if (columns)
    w.w = columns->size, w.ow = columns->out, w.kw = columns->kernel, w.sw = columns->stride,
    w.dw = columns->dilation, w.pl = columns->before;
  if (rows)
    w.h = rows->size, w.oh = rows->out, w.kh = rows->kernel, w.sh = rows->stride, w.dh = rows->dilation,
    w.pt = rows->before;
  for (size_t d = 0; d + 3 < rank; ++d) {
    std::optional<unsigned> image, none;
    if (!splitCoordinate(block, data.at[d], image, none, used) || none || data.at[d].offset ||
        (image && data.at[d].factors[*image] != 1) || block.extentOf(image) != data.shape[d])
      return unknown();
    w.b *= data.shape[d];
    if (image)
      roles.batch.push_back(*image);
  }
  for (size_t d = 0; d < used.size(); ++d)
    if (block.iterators[d].isReduction && !used[d])
      return unknown();
  if (data.fill)
    w.pad = static_cast<int8_t>(*data.fill);
  return true;
}

namespace {

/// Orders of the data's dimensions to see it as [batch...][rows][columns][channels]: as it is, then with each
/// dimension as the channels behind the others, those first that the output moves along the most.
std::vector<std::vector<unsigned>> ordersOf(const Block &block, const Access &data) {
  const unsigned rank = data.shape.size();
  std::vector<std::vector<unsigned>> orders(1);
  for (unsigned d = 0; d < rank; ++d)
    orders[0].push_back(d);
  const auto placeOf = [&](unsigned d) {
    for (auto [k, factor] :
         llvm::enumerate(data.at[d].factors)) // in the order of the output, reductions last
      if (factor)
        return unsigned(k);
    return unsigned(block.iterators.size());
  };
  for (unsigned channels = rank; channels-- > 0;) {
    std::vector<unsigned> order;
    for (unsigned d = 0; d < rank; ++d)
      if (d != channels)
        order.push_back(d);
    llvm::stable_sort(order, [&](unsigned a, unsigned b) { return placeOf(a) < placeOf(b); });
    order.push_back(channels);
    if (order != orders[0])
      orders.push_back(std::move(order));
  }
  return orders;
}

/// Where the data lies whose dimensions stand in this order; nothing where its images have no one stride. A
/// single column is as wide as its channels, of which the bounds of LOAD are counted.
std::optional<Layout> orderedLayout(const Access &data, llvm::ArrayRef<unsigned> order) {
  std::vector<int64_t> strides(order.size(), 1);
  for (size_t d = order.size() - 1; d > 0; --d)
    strides[d - 1] = strides[d] * data.shape[d];
  Layout layout{0, 0, 0, 0, strides[order.back()]};
  const size_t rank = order.size();
  if (rank > 1) {
    const unsigned column = order[rank - 2];
    const bool isSingle = layout.channel == 1 && data.shape[column] == 1;
    layout.column = isSingle ? data.shape[order.back()] : strides[column];
  }
  if (rank > 2)
    layout.row = strides[order[rank - 3]];
  if (rank > 3)
    layout.image = strides[order[rank - 4]];
  for (size_t d = 0; d + 4 < rank; ++d)
    if (strides[order[d]] != strides[order[d + 1]] * data.shape[order[d + 1]])
      return std::nullopt;
  return layout;
}

} // namespace

/// Reads the window of the data, in the first order of its dimensions in which `rest` can read what is left.
bool Reader::readData(const Block &block, const Access &data, llvm::function_ref<bool(const Roles &)> rest) {
  const Kernel before = kernel;
  std::string first;
  for (const std::vector<unsigned> &order : ordersOf(block, data)) {
    Access ordered = data;
    for (auto [to, from] : llvm::enumerate(order))
      ordered.shape[to] = data.shape[from], ordered.at[to] = data.at[from];
    const bool isPlain = llvm::is_sorted(order);
    const std::optional<Layout> layout = isPlain ? std::nullopt : orderedLayout(data, order);
    Roles roles;
    kernel = before;
    reason.clear();
    if ((isPlain || layout) && readWindow(block, ordered, roles) && addInput(data, layout) && rest(roles))
      return true;
    if (first.empty())
      first = reason;
  }
  reason = first;
  return false;
}

/// Whether the output's elements are [pixels][groups][`output`], and nothing else.
bool Reader::writesPixelsThen(const Block &block, const Roles &roles, std::optional<unsigned> output) {
  std::vector<unsigned> expected(roles.batch.begin(), roles.batch.end()), found;
  for (const std::optional<unsigned> &iterator : {roles.row, roles.column, roles.group, output})
    if (iterator)
      expected.push_back(*iterator);
  for (unsigned d = 0; d < block.iterators.size(); ++d)
    if (!block.iterators[d].isReduction)
      found.push_back(d);
  return (expected == found && block.writesInOrder()) ||
         fail("it does not write its result in the order of pixels and channels");
}

/// The result of the reduction is what it makes of the combiner's neutral value, plus these.
void Reader::startFrom(std::vector<int64_t> values) {
  Expressions &all = kernel.tail.all;
  reduced = all.add(all.argument(Tail::Reduced, 32), channelConstant(std::move(values), 32));
}

/// How often a reduction's body runs for an element of its output.
static uint64_t iterations(const Block &block) {
  uint64_t count = 1;
  for (const Iterator &iterator : block.iterators)
    count *= iterator.isReduction ? iterator.extent : 1;
  return count;
}

/// Sums, maxima and minima of the elements of a window.
bool Reader::readWindowReduction(Block &block) {
  Expressions &all = block.expressions;
  const unsigned bits = mlir::getElementTypeOrSelf(block.output.tensor.getType()).getIntOrFloatBitWidth();
  const auto unknown = [&] {
    return fail("its reduction is unknown to the accelerator: " + all.text(block.result));
  };
  if (bits != 32 && bits != 8)
    return unknown();
  const ExprId x = all.argument(0, 8), old = all.argument(1, bits), wide = all.extend(x, bits);
  Terms terms = all.termsOf(block.result);
  Combiner combiner;
  if (bits == 32 && terms.take(old) == 1 && terms.take(wide) == 1 && terms.factors.empty())
    combiner.kind = dae::VectorKind::Add;
  else if (block.result == all.max(old, wide))
    combiner.kind = dae::VectorKind::Max;
  else if (block.result == all.min(old, wide))
    combiner.kind = dae::VectorKind::Min;
  else
    return unknown();
  const int64_t neutral = combiner.neutral();
  const bool isSum = combiner.kind == dae::VectorKind::Add;
  const bool startsNeutral =
      block.start && (isSum || (neutral < 0 ? *block.start <= neutral : *block.start >= neutral));
  if (!startsNeutral)
    return fail("its result does not start from " + llvm::Twine(neutral));
  return readData(block, block.inputs[0], [&](const Roles &roles) {
    if (roles.lane)
      return fail("it reduces along channels, which lie in the lanes of a row");
    kernel.window.oc = kernel.window.c;
    kernel.combiner = combiner;
    reduced = kernel.tail.all.argument(Tail::Reduced, bits);
    if (isSum)
      startFrom({wrapped(uint64_t(terms.constant) * iterations(block) + uint64_t(*block.start), 32)});
    return writesPixelsThen(block, roles, std::nullopt);
  });
}

/// The product of input `data` and the other one, their zero points beside it.
std::optional<Reader::CentredProduct> Reader::centredProduct(Block &block, unsigned data) {
  Expressions &all = block.expressions;
  const unsigned bits = mlir::getElementTypeOrSelf(block.inputs[1 - data].tensor).isInteger(16) ? 16 : 8;
  const ExprId x = all.extend(all.argument(data, 8), 32), w = all.extend(all.argument(1 - data, bits), 32);
  Terms terms = all.termsOf(block.result);
  const bool isProduct = terms.take(all.argument(2, 32)) == 1 && terms.take(all.multiply(x, w)) == 1;
  const CentredProduct product{terms.take(x), terms.take(w), terms.constant};
  if (!isProduct || !terms.factors.empty())
    fail("its reduction is unknown to the accelerator: " + all.text(block.result));
  else if (!block.start)
    fail("its result does not start from a constant");
  else
    return product;
  return std::nullopt;
}

/// A product with constant weights; the zero points go into weights and bias.
bool Reader::readProduct(Block &block, unsigned data) {
  const auto product = centredProduct(block, data);
  if (!product)
    return false;
  return readData(block, block.inputs[data], [&](const Roles &roles) {
    std::optional<unsigned> output;
    for (unsigned d = 0; d < block.iterators.size(); ++d) {
      const bool isPixel = llvm::is_contained(roles.batch, d) || roles.row == d || roles.column == d;
      if (block.iterators[d].isReduction || isPixel || roles.group == d)
        continue;
      if (output)
        return fail("its outputs of a position lie in several dimensions");
      output = d;
    }
    kernel.combiner = Combiner{dae::VectorKind::Add, true};
    kernel.groups = block.extentOf(roles.group);
    kernel.window.oc = kernel.groups * block.extentOf(output);
    return writesPixelsThen(block, roles, output) &&
           readWeights(block, block.inputs[1 - data], roles, output, *product);
  });
}

bool Reader::readReduction(Block &block) {
  const auto isData = [&](unsigned k) { return argumentNumber(block.inputs[k].tensor).has_value(); };
  if (!block.reads(block.outputNumber()))
    return fail("its reduction keeps only what it computes last");
  if (block.inputs.size() == 1)
    return readWindowReduction(block);
  if (block.inputs.size() != 2) {
    const auto isRunTimeNumber = [&](const Access &input) {
      return argumentNumber(input.tensor) && input.elements() == 1;
    };
    if (llvm::any_of(block.inputs, isRunTimeNumber))
      return fail("its zero point is computed at run time, as dynamic quantization does: quantize the model "
                  "statically");
    return fail("its reduction is unknown to the accelerator: " + block.expressions.text(block.result));
  }
  if (isData(0) && isData(1))
    return readInputProduct(block);
  return readProduct(block, isData(0) ? 0 : 1);
}

} // namespace daedalus::accelerator
