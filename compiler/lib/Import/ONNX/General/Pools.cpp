// Pools over windows of any number of dimensions, with the positions of maxima, and over whole images.

#include "Builds.h"

#include "daedalus/Kernels/Pools.h"

#include <numeric>

using namespace mlir;

namespace daedalus::onnximport {
namespace {

using K = GeneralKernel;
using Compare = Body::Compare;
using kernels::PoolLoops;

Window poolWindow(K &k) {
  return k.window(intsAttribute(k.node, "kernel_shape", {}));
}

/// Input 0, surrounded by `padding`.
kernels::PoolInputs inputs(K &k, const Window &window, Value padding) {
  Value x = kernels::padded(k, k.in(0), window, padding);
  return {x, kernels::extents(k, window)};
}

Value maxOf(K &k, const Window &window) {
  Value least = k.number(leastOf(k.dtype(0)), k.elementType(0));
  return kernels::maxPool(k, inputs(k, window, least), window, k.outputs[0].shape, least,
                          isUnsignedType(k.dtype(0)));
}

/// Where a window's element lies in the whole input, column-major with storage_order 1; and whether it is
/// inside.
std::pair<Value, Value> positionOf(K &k, const Window &window) {
  const unsigned rank = window.kernel.size();
  Indices at{k.loopIndex(0), k.loopIndex(1)};
  Value inside = k.boolean(true);
  for (unsigned d = 0; d < rank; ++d) {
    Value start = k.sub(k.mul(k.loopIndex(PoolLoops::position(d, rank)), k.index(window.strides[d])),
                        k.index(window.padBegin[d]));
    at.push_back(k.add(start, k.mul(k.loopIndex(PoolLoops::kernel(d, rank)), k.index(window.dilations[d]))));
    inside = k.both(inside, k.compare(Compare::GreaterOrEqual, at.back(), k.index(0)));
    inside = k.both(inside, k.compare(Compare::Less, at.back(), k.index(k.shape(0)[2 + d])));
  }
  const bool columns = k.integer("storage_order", 0) != 0;
  Value position = k.add(k.mul(at[0], k.index(k.shape(0)[1])), at[1]);
  for (size_t i = 2; i < at.size(); ++i) {
    const size_t d = columns ? at.size() + 1 - i : i;
    position = k.add(k.mul(position, k.index(k.shape(0)[d])), at[d]);
  }
  return {k.fromIndex(position, k.b.getI64Type()), inside};
}

/// The position of the first maximum.
Value indicesOf(K &k, const Window &window, Value most) {
  const PoolLoops loops(k.b.getContext(), window);
  Value x = kernels::padded(k, k.in(0), window, leastOf(k.dtype(0)));
  return k.reduce(k.output.shape, loops.y, k.number(9.0e18, k.b.getI64Type()),
                  {{x, loops.x}, {most, loops.y}, {kernels::extents(k, window), loops.extents}},
                  [&](Value first, ValueRange elements) {
                    const auto [position, inside] = positionOf(k, window);
                    Value isMost = k.compare(Compare::Equal, elements[0], elements[1]);
                    Value better = k.both(k.both(inside, isMost), k.compare(Compare::Less, position, first));
                    return k.select(better, position, first);
                  });
}

Value maxPool(K &k) {
  const Window window = poolWindow(k);
  Value most = maxOf(k, window);
  return k.outputIndex == 0 ? most : indicesOf(k, window, most);
}

Value averagePool(K &k) {
  const Window window = poolWindow(k);
  SmallVector<std::optional<int64_t>> countedEnd(window.rank());
  if (k.integer("count_include_pad", 0))
    for (unsigned d = 0; d < window.rank(); ++d)
      countedEnd[d] = window.padEnd[d] - window.ceilExtra[d];
  Value zero = k.number(0, k.outputType());
  return kernels::averagePool(k, inputs(k, window, zero), window, k.output.shape, zero, countedEnd);
}

/// Over all dimensions behind the channels.
Value global(K &k, bool isMax) {
  SmallVector<unsigned> over(k.rank(0) - 2);
  std::iota(over.begin(), over.end(), 2);
  Type type = k.elementType(0);
  Value result = k.reduce(k.in(0), over, k.number(isMax ? leastOf(k.dtype(0)) : 0, type),
                          [&](Value acc, Value x) { return isMax ? k.max(acc, x) : k.add(acc, x); });
  if (!isMax)
    result = k.elementwise(result, [&](Value x) {
      return k.div(x, k.number(double(product(Sizes(k.shape(0)).drop_front(2))), type));
    });
  return k.reshape(result, k.output.shape);
}

Value globalMaxPool(K &k) {
  return global(k, true);
}
Value globalAveragePool(K &k) {
  return global(k, false);
}

} // namespace

void addPools(Builds &builds) {
  builds.insert({{"AveragePool", averagePool},
                 {"GlobalAveragePool", globalAveragePool},
                 {"GlobalMaxPool", globalMaxPool},
                 {"MaxPool", maxPool}});
}

} // namespace daedalus::onnximport
