// Resize to the nearest element.

#include "Builds.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace daedalus::onnximport {
namespace {

using K = GeneralKernel;

std::string textAttribute(K &k, const char *name, const char *otherwise) {
  const auto *found = attribute(k.node, name);
  return found ? found->s() : otherwise;
}

Value f64(K &k, double value) {
  return k.number(value, k.b.getF64Type());
}

/// The input's coordinate for the output's coordinate `x`, both of one dimension (ONNX, Resize,
/// coordinate_transformation_mode).
Value coordinate(K &k, const std::string &mode, Value x, Value scale, int64_t in, int64_t out) {
  if (mode == "asymmetric")
    return k.div(x, scale);
  if (mode == "align_corners")
    return out == 1 ? f64(k, 0) : k.div(k.mul(x, f64(k, double(in - 1))), f64(k, double(out - 1)));
  Value middle = k.div(k.add(x, f64(k, 0.5)), scale);
  if (mode == "tf_half_pixel_for_nn")
    return middle;
  if (mode == "pytorch_half_pixel" && out == 1)
    return f64(k, 0);
  return k.sub(middle, f64(k, 0.5));
}

/// Halves go down or up with round_prefer_floor and round_prefer_ceil.
Value rounded(K &k, const std::string &mode, Value x) {
  if (mode == "floor")
    return k.b.create<math::FloorOp>(k.loc, x);
  if (mode == "ceil")
    return k.b.create<math::CeilOp>(k.loc, x);
  if (mode == "round_prefer_ceil")
    return k.b.create<math::FloorOp>(k.loc, k.add(x, f64(k, 0.5)));
  return k.b.create<math::CeilOp>(k.loc, k.sub(x, f64(k, 0.5)));
}

/// The input's index along dimension `d`.
Value nearest(K &k, Value at, size_t d, Value scale, const std::string &coordinates,
              const std::string &rounding) {
  const int64_t in = k.shape(0)[d], out = k.output.shape[d];
  if (in == out)
    return at;
  Value x = k.b.create<arith::SIToFPOp>(k.loc, k.b.getF64Type(), k.fromIndex(at, k.b.getI64Type()));
  x = rounded(k, rounding, coordinate(k, coordinates, x, scale, in, out));
  x = k.clamp(x, f64(k, 0), f64(k, double(in - 1)));
  return k.toIndex(k.b.create<arith::FPToSIOp>(k.loc, k.b.getI64Type(), x));
}

Value resize(K &k) {
  const std::string mode = textAttribute(k, "mode", "nearest");
  const std::string coordinates = textAttribute(k, "coordinate_transformation_mode", "half_pixel");
  const std::string rounding = textAttribute(k, "nearest_mode", "round_prefer_floor");
  if (mode != "nearest")
    return k.refuse("attribute 'mode' has value '" + mode + "'; expected nearest");
  if (coordinates == "tf_crop_and_resize")
    return k.refuse(
        "attribute 'coordinate_transformation_mode' has value 'tf_crop_and_resize'; expected half_pixel, "
        "asymmetric, align_corners, pytorch_half_pixel or tf_half_pixel_for_nn");
  const bool bySize = k.has(3) && k.shape(3)[0] > 0;
  Value x = k.in(0), fits = k.boolean(true);
  Indices scales;
  for (auto [d, size] : llvm::enumerate(k.shape(0))) {
    Value scale = f64(k, double(k.output.shape[d]) / double(size));
    if (bySize) {
      fits = k.both(fits, k.compare(Body::Compare::Equal, k.indexAt(3, d), k.index(k.output.shape[d])));
    } else {
      scale = k.b.create<arith::ExtFOp>(k.loc, k.b.getF64Type(), k.element(k.in(2), {k.index(d)}));
      Value scaled = k.b.create<math::FloorOp>(k.loc, k.mul(scale, f64(k, double(size))));
      fits = k.both(fits, k.compare(Body::Compare::Equal, scaled, f64(k, double(k.output.shape[d]))));
    }
    scales.push_back(scale);
  }
  k.require(fits, "scales");
  return k.gatherOutput([&](const Indices &at) {
    Indices from;
    for (size_t d = 0; d < at.size(); ++d)
      from.push_back(nearest(k, at[d], d, scales[d], coordinates, rounding));
    return k.element(x, from);
  });
}

} // namespace

void addResize(Builds &builds) {
  builds["Resize"] = resize;
}

} // namespace daedalus::onnximport
