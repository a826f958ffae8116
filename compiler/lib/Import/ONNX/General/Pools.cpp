// Pools over windows of any number of dimensions, and over whole images.

#include "Builds.h"

#include <numeric>

using namespace mlir;

namespace daedalus::onnximport {
namespace {

using K = GeneralKernel;
using Compare = Body::Compare;

/// Where a window's position lies in the input.
struct Position {
  Indices at;   ///< moved inside
  Value inside; ///< i1
  Value padded; ///< i1: inside of the input with its declared padding
};

Position positionOf(K &k, const Window &window, const Indices &at, const Indices &over) {
  Position position{{at[0], at[1]}, k.boolean(true), k.boolean(true)};
  for (size_t i = 0; i < window.kernel.size(); ++i) {
    const int64_t size = k.shape(0)[2 + i];
    Value start = k.sub(k.mul(at[2 + i], k.index(window.strides[i])), k.index(window.padBegin[i]));
    Value y = k.add(start, k.mul(over[i], k.index(window.dilations[i])));
    Value within = k.clamp(y, k.index(0), k.index(size - 1));
    position.at.push_back(within);
    position.inside = k.both(position.inside, k.compare(Compare::Equal, y, within));
    Value beforeEnd = k.compare(Compare::Less, y, k.index(size + window.padEnd[i] - window.ceilExtra[i]));
    position.padded = k.both(position.padded, beforeEnd);
  }
  return position;
}

Window poolWindow(K &k) {
  return k.window(intsAttribute(k.node, "kernel_shape", {}));
}

Value maxOf(K &k, const Window &window) {
  const bool isUnsigned = isUnsignedType(k.dtype(0));
  Type type = k.elementType(0);
  Value x = k.in(0), least = k.number(leastOf(k.dtype(0)), type);
  Shape shape = k.outputs[0].shape;
  return k.reduce(shape, window.kernel, least, [&](const Indices &at, const Indices &over, Value most) {
    Position position = positionOf(k, window, at, over);
    return k.max(most, k.select(position.inside, k.read(x, position.at), least), isUnsigned);
  });
}

/// The position of the first maximum in the whole input; column-major with storage_order 1.
Value indicesOf(K &k, const Window &window, Value most) {
  const bool columns = k.integer("storage_order", 0) != 0;
  Value x = k.in(0), none = k.number(9.0e18, k.b.getI64Type());
  return k.reduce(
      k.output.shape, window.kernel, none, [&](const Indices &at, const Indices &over, Value first) {
        Position position = positionOf(k, window, at, over);
        const size_t rank = position.at.size();
        Value index = k.add(k.mul(position.at[0], k.index(k.shape(0)[1])), position.at[1]);
        for (size_t i = 2; i < rank; ++i) {
          const size_t d = columns ? rank + 1 - i : i;
          index = k.add(k.mul(index, k.index(k.shape(0)[d])), position.at[d]);
        }
        index = k.fromIndex(index, k.b.getI64Type());
        Value isMost = k.compare(Compare::Equal, k.read(x, position.at), k.read(most, at));
        Value better = k.both(k.both(position.inside, isMost), k.compare(Compare::Less, index, first));
        return k.select(better, index, first);
      });
}

Value maxPool(K &k) {
  const Window window = poolWindow(k);
  Value most = maxOf(k, window);
  return k.outputIndex == 0 ? most : indicesOf(k, window, most);
}

Value averagePool(K &k) {
  const Window window = poolWindow(k);
  const bool countsPadding = k.integer("count_include_pad", 0) != 0;
  Type f32 = k.outputType();
  Value x = k.in(0), zero = k.number(0, f32), one = k.number(1, f32);
  Value sum =
      k.reduce(k.output.shape, window.kernel, zero, [&](const Indices &at, const Indices &over, Value sum) {
        Position position = positionOf(k, window, at, over);
        return k.add(sum, k.select(position.inside, k.read(x, position.at), zero));
      });
  Value count =
      k.reduce(k.output.shape, window.kernel, zero, [&](const Indices &at, const Indices &over, Value n) {
        Position position = positionOf(k, window, at, over);
        return k.add(n, k.select(countsPadding ? position.padded : position.inside, one, zero));
      });
  return k.computeOutput([&](const Indices &at) { return k.div(k.read(sum, at), k.read(count, at)); });
}

/// Over all dimensions behind the channels.
Value global(K &k, bool isMax) {
  Shape over(k.shape(0).begin() + 2, k.shape(0).end());
  Type type = k.elementType(0);
  Value x = k.in(0);
  Value result = k.reduce(k.output.shape, over, k.number(isMax ? leastOf(k.dtype(0)) : 0, type),
                          [&](const Indices &at, const Indices &in, Value acc) {
                            Indices from{at[0], at[1]};
                            from.append(in.begin(), in.end());
                            Value value = k.read(x, from);
                            return isMax ? k.max(acc, value) : k.add(acc, value);
                          });
  if (isMax)
    return result;
  Value count = k.number(double(product(over)), type);
  return k.computeOutput([&](const Indices &at) { return k.div(k.read(result, at), count); });
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
