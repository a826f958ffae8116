#include "WarpgroupSums.h"

#include "Factors.h"

#include <algorithm>
#include <limits>

namespace daedalus::cuda {
namespace {

/// "Register Fragments": each four registers of a lane are of 8 columns, two of row lane / 4 and two of the
/// row 8 below.
Position positionOf(unsigned lane, unsigned element) {
  return {lane / 4 + element % 4 / 2 * 8, element / 4 * 8 + lane % 4 * 2 + element % 2};
}

/// A factor's elements, row by row.
template <class Number, class Convert>
std::vector<Number> elementsOf(const Warp &warp, uint64_t descriptor, Major major, unsigned firstRow,
                               unsigned rows, const WarpgroupProduct &product, Convert convert) {
  const MatrixDescriptor matrix = MatrixDescriptor::of(descriptor);
  const unsigned bytes = product.bits / 8;
  std::vector<Number> elements;
  elements.reserve(size_t(rows) * product.k);
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned k = 0; k < product.k; ++k) {
      uint32_t bits = 0;
      std::memcpy(&bits, warp.launch.shared.bytes.data() + addressOf(matrix, major, firstRow + row, k, bytes),
                  bytes);
      elements.push_back(convert(bits));
    }
  return elements;
}

template <class Number, class Convert, class Get, class Put>
std::vector<uint64_t> add(const Warp &warp, const WarpgroupProduct &product, const PendingProduct &pending,
                          const std::vector<uint64_t> &before, Convert convert, Get get, Put put) {
  const auto a = elementsOf<Number>(warp, pending.a, product.majorA, firstRowOf(warp), rowsOfWarp, product,
                                    [&](uint32_t bits) { return convert(product.factorA, bits); });
  const auto b = elementsOf<Number>(warp, pending.b, product.majorB, 0, product.columns, product,
                                    [&](uint32_t bits) { return convert(product.factorB, bits); });
  const Number sign = product.negatesA == product.negatesB ? 1 : -1;
  std::vector<uint64_t> sums(before.size());
  for (unsigned element = 0; element < product.d.size(); ++element)
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      const auto [row, column] = positionOf(lane, element);
      const Number *x = a.data() + size_t(row) * product.k, *y = b.data() + size_t(column) * product.k;
      Number sum = product.addsC ? get(before[element * warpSize + lane]) : Number(0);
      for (unsigned k = 0; k < product.k; ++k)
        sum += sign * x[k] * y[k];
      sums[element * warpSize + lane] = put(sum);
    }
  return sums;
}

} // namespace

std::vector<uint64_t> sumsOf(const Warp &warp, const WarpgroupProduct &product, const PendingProduct &pending,
                             const std::vector<uint64_t> &before) {
  if (!isInteger(product.factorA))
    return add<float>(warp, product, pending, before, factorOfFloat, SingleFormat::get, SingleFormat::put);
  using Limits = std::numeric_limits<int32_t>;
  return add<int64_t>(
      warp, product, pending, before, factorOfInteger, [](uint64_t bits) { return signedOf(bits, 32); },
      [&](int64_t sum) {
        const int64_t kept = product.saturates ? std::clamp<int64_t>(sum, Limits::min(), Limits::max()) : sum;
        return lowBits(static_cast<uint64_t>(kept), 32);
      });
}

} // namespace daedalus::cuda
