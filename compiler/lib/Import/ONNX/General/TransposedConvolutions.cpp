// Transposed convolutions: a convolution of the image with zeros between its elements, by the kernel turned
// around, whose channels in and out change places.

#include "../TransposedWindow.h"
#include "Builds.h"

#include "daedalus/Kernels/Products.h"

using namespace mlir;

namespace daedalus::onnximport {
namespace {

using K = GeneralKernel;

/// The image with strides - 1 zeros between its elements.
Value spread(K &k, Value x, const TransposedWindow &window) {
  if (llvm::all_of(window.strides, [](int64_t stride) { return stride == 1; }))
    return x;
  Shape shape(shapeOf(x)), steps(2, 1);
  steps.append(window.strides);
  for (size_t d = 2; d < shape.size(); ++d)
    shape[d] = (shape[d] - 1) * steps[d] + 1;
  return k.insertSlice(x, k.filled(shape, 0, elementOf(x)), Shape(shape.size(), 0), steps);
}

/// Weights [C, M/groups, ...] as those of a convolution, [M, C/groups, ...], turned around.
struct TurnedWeights {
  TurnedWeights(const Shape &w, int64_t groups)
      : each(w[0] / groups), outputs(w[1]), size(product(Sizes(w).drop_front(2))) {
    shape = {groups * outputs, each};
    shape.append(w.begin() + 2, w.end());
  }
  /// Where the weight for output `m`, input `c` of the group and place `at` of the kernel lies.
  int64_t from(int64_t m, int64_t c, int64_t at) const {
    return ((m / outputs * each + c) * outputs + m % outputs) * size + size - 1 - at;
  }

  const int64_t each, outputs, size;
  Shape shape;
};

Value constantWeights(K &k, const TurnedWeights &turned) {
  const std::vector<float> &weights = k.constant(1)->floats;
  std::vector<float> values;
  for (int64_t m = 0; m < turned.shape[0]; ++m)
    for (int64_t c = 0; c < turned.each; ++c)
      for (int64_t at = 0; at < turned.size; ++at)
        values.push_back(weights[turned.from(m, c, at)]);
  return k.Body::constant<float>(turned.shape, values);
}

/// The same of weights that come at run time, [groups, C/groups, M/groups, ...].
Value computedWeights(K &k, const TurnedWeights &turned, int64_t groups) {
  const Shape &w = k.shape(1);
  Shape grouped{groups, turned.each, turned.outputs}, shape{groups, turned.outputs, turned.each};
  SmallVector<AffineExpr> at{k.b.getAffineDimExpr(0), k.b.getAffineDimExpr(2), k.b.getAffineDimExpr(1)};
  for (size_t d = 2; d < w.size(); ++d) {
    grouped.push_back(w[d]), shape.push_back(w[d]);
    at.push_back(w[d] - 1 - k.b.getAffineDimExpr(d + 1));
  }
  Value x = k.reshape(k.in(1), grouped);
  Value y = k.elementwise(shape, elementOf(x), Read{x, AffineMap::get(shape.size(), 0, at, k.b.getContext())},
                          [](ValueRange x) { return x[0]; });
  return k.reshape(y, turned.shape);
}

/// x with pads that may be negative.
Value padded(K &k, Value x, const TransposedWindow &window) {
  Shape before(2, 0), behind(2, 0), starts(2, 0), sizes(shapeOf(x));
  for (size_t i = 0; i < window.kernel.size(); ++i) {
    const int64_t extent = (window.kernel[i] - 1) * window.dilations[i];
    const int64_t front = extent - window.padBegin[i], back = extent - window.padEnd[i];
    before.push_back(std::max<int64_t>(front, 0)), behind.push_back(std::max<int64_t>(back, 0));
    starts.push_back(std::max<int64_t>(-front, 0));
    sizes[2 + i] -= starts[2 + i] + std::max<int64_t>(-back, 0);
  }
  Value part = k.slice(x, starts, sizes, Shape(sizes.size(), 1));
  return k.pad(part, before, behind, k.number(0, elementOf(x)));
}

Value convTranspose(K &k) {
  if (k.dtype(0) != onnx::TensorProto::FLOAT)
    return k.refuseType(0, "float32");
  const Shape &w = k.shape(1);
  const int64_t groups = k.integer("group", 1);
  const TransposedWindow window =
      *readTransposedWindow(k.node, k.shape(0), Shape(w.begin() + 2, w.end())); // checked
  const TurnedWeights turned(w, groups);
  const Shape zeros(window.kernel.size(), 0), ones(window.kernel.size(), 1);
  const kernels::Window plain{window.kernel, ones, window.dilations, zeros, zeros};
  Value weights = k.constant(1) ? constantWeights(k, turned) : computedWeights(k, turned, groups);
  Value x = padded(k, spread(k, k.in(0), window), window);
  Value sum = kernels::convolution(k, x, weights, plain, groups, k.output.shape);
  if (!k.has(2))
    return sum;
  return k.elementwiseOutput({k.broadcast(sum, k.output.shape), k.read(2, k.loops(k.output.shape.size(), 1))},
                             [&](ValueRange x) { return k.add(x[0], x[1]); });
}

} // namespace

void addTransposedConvolutions(Builds &builds) {
  builds["ConvTranspose"] = convTranspose;
}

} // namespace daedalus::onnximport
