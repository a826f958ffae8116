// Resize and Upsample: along each dimension every element is a sum of some of the input's, by where it lies
// in the input's coordinates: the nearest one, or those around it by weights that fall with the distance.
// Scales and sizes may come at run time: the output's shape is the declared one then.

#include "Images/ResizeRule.h"
#include "OperatorTable.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>
#include <set>

using namespace mlir;

namespace daedalus::onnximport {
namespace {

class ResizeKernel {
public:
  explicit ResizeKernel(K &k)
      : k(k), isUpsample(k.node.proto.op_type() == "Upsample"),
        mode(textAttribute(k.node, "mode", "nearest")),
        coordinates(isUpsample ? "asymmetric"
                               : textAttribute(k.node, "coordinate_transformation_mode", "half_pixel")),
        rounding(isUpsample ? "floor" : textAttribute(k.node, "nearest_mode", "round_prefer_floor")),
        policy(textAttribute(k.node, "keep_aspect_ratio_policy", "stretch")),
        scalesAt(k.node.opset > 10 ? 2 : 1), bySize(k.has(3) && k.shape(3)[0] > 0),
        normalizes(k.integer("exclude_outside", 0) || k.integer("antialias", 0)), places(k.rank(0), -1) {
    Shape axes = intsAttribute(k.node, "axes", {});
    for (int64_t d = 0; axes.empty() && d < k.rank(0); ++d)
      places[d] = d;
    for (auto [i, axis] : llvm::enumerate(axes))
      places[k.axis(axis, k.rank(0))] = i;
  }

  Value resized() {
    readScales();
    if (mode == "nearest")
      return nearest();
    if (!isFloatType(k.dtype(0)))
      return k.refuseType(0, "float32 or float64 in mode '" + mode + "'");
    Value x = k.in(0);
    for (size_t d = 0; d < places.size(); ++d)
      if (!isWhole(d))
        x = along(x, d);
    return x;
  }

private:
  Value f64(double value) { return k.number(value, k.b.getF64Type()); }
  Value wide(Value index) {
    return k.b.create<arith::SIToFPOp>(k.loc, k.b.getF64Type(), k.fromIndex(index, k.b.getI64Type()));
  }
  Value floor(Value x) { return k.b.create<math::FloorOp>(k.loc, x); }
  int64_t in(size_t d) const { return k.shape(0)[d]; }
  int64_t out(size_t d) const { return k.output.shape[d]; }

  /// Whether nothing happens along a dimension.
  bool isWhole(size_t d) {
    if (coordinates == "tf_crop_and_resize" && places[d] >= 0)
      return false;
    return in(d) == out(d) && (places[d] < 0 || !scales[d] || isOne(d));
  }
  bool isOne(size_t d) {
    const HostTensor *host = k.constant(scalesAt);
    return !bySize && host && host->floats[places[d]] == 1;
  }

  /// What a dimension is multiplied with; null where the sizes say it alone. The declared shape fits them.
  void readScales() {
    scales.resize(places.size());
    Value fits = k.boolean(true), common;
    const auto require = [&](size_t d, Value size) {
      fits = k.both(fits, k.equal(size, f64(double(out(d)))));
    };
    for (size_t d = 0; d < places.size(); ++d) {
      if (places[d] < 0)
        continue;
      if (!bySize) {
        scales[d] = scaleAt(places[d]);
        require(d, floor(k.mul(scales[d], f64(double(in(d))))));
        continue;
      }
      Value size = wide(k.indexAt(3, places[d]));
      if (policy == "stretch") {
        if (!k.constant(3))
          require(d, size);
        continue;
      }
      Value scale = k.div(size, f64(double(in(d))));
      common = !common ? scale : policy == "not_larger" ? k.min(common, scale) : k.max(common, scale);
    }
    for (size_t d = 0; common && d < places.size(); ++d)
      if (places[d] >= 0) {
        scales[d] = common;
        require(d, floor(k.add(k.mul(common, f64(double(in(d)))), f64(0.5))));
      }
    if (!k.constant(bySize ? 3 : scalesAt) && !(isUpsample && k.node.opset < 9))
      k.require(fits, "scales");
  }

  Value scaleAt(int64_t place) {
    if (isUpsample && k.node.opset < 9)
      return f64(attribute(k.node, "scales")->floats(int(place)));
    if (const HostTensor *host = k.constant(scalesAt))
      return f64(host->floats[place]);
    return k.b.create<arith::ExtFOp>(k.loc, k.b.getF64Type(), k.element(k.in(scalesAt), {k.index(place)}));
  }
  Value scale(size_t d) { return scales[d] ? scales[d] : f64(double(out(d)) / double(in(d))); }

  /// The start or end of the part that is taken of a dimension, of its size.
  Value region(size_t d, bool isEnd) {
    const int64_t at = places[d] + (isEnd ? k.shape(1)[0] / 2 : 0);
    Value value = k.element(k.in(1), {k.index(at)});
    return k.dtype(1) == onnx::TensorProto::DOUBLE ? value
                                                   : k.convert(value, k.dtype(1), onnx::TensorProto::DOUBLE);
  }

  /// The input's coordinate for the output's index along dimension d (ONNX, Resize,
  /// coordinate_transformation_mode).
  Value coordinate(size_t d, Value index) {
    Value x = wide(index), zero = f64(0), one = f64(1), last = f64(double(in(d)-1));
    Value length = scales[d] ? k.mul(scales[d], f64(double(in(d)))) : f64(double(out(d)));
    Value isSingle = k.equal(length, one);
    if (coordinates == "asymmetric")
      return k.div(x, scale(d));
    if (coordinates == "align_corners")
      return k.select(isSingle, zero, k.div(k.mul(x, last), k.sub(length, one)));
    if (coordinates == "tf_crop_and_resize") {
      Value start = region(d, false), size = k.sub(region(d, true), start);
      Value step = k.div(k.mul(k.mul(x, size), last), k.sub(length, one));
      return k.add(k.mul(start, last), k.select(isSingle, k.div(k.mul(size, last), f64(2)), step));
    }
    Value middle = k.div(k.add(x, f64(0.5)), scale(d));
    if (coordinates == "tf_half_pixel_for_nn")
      return middle;
    middle = k.sub(middle, f64(0.5));
    if (coordinates == "pytorch_half_pixel")
      return k.select(isSingle, f64(mode == "nearest" ? 0 : -0.5), middle);
    if (coordinates == "half_pixel_symmetric")
      return k.add(middle, k.mul(f64(double(in(d)) / 2), k.sub(one, k.div(f64(double(out(d))), length))));
    return middle;
  }

  /// Whether a coordinate lies outside of the dimension, which counts where a part is taken.
  Value isOutside(size_t d, Value x) {
    return k.either(k.compare(Compare::Less, x, f64(0)),
                    k.compare(Compare::Greater, x, f64(double(in(d)-1))));
  }
  Value extrapolation() { return k.number(k.real("extrapolation_value", 0), k.outputType()); }

  /// Halves go down or up with round_prefer_floor and round_prefer_ceil.
  Value rounded(Value x) {
    if (rounding == "floor")
      return floor(x);
    if (rounding == "ceil")
      return k.b.create<math::CeilOp>(k.loc, x);
    if (rounding == "round_prefer_ceil")
      return floor(k.add(x, f64(0.5)));
    return k.b.create<math::CeilOp>(k.loc, k.sub(x, f64(0.5)));
  }

  Value toIndex(Value x, size_t d) {
    x = k.clamp(x, f64(0), f64(double(in(d)-1)));
    Value index = k.toIndex(k.b.create<arith::FPToSIOp>(k.loc, k.b.getI64Type(), x));
    return k.inside(index, in(d)); // of a NaN too
  }

  Value nearest() {
    Value x = k.in(0);
    return k.gatherOutput([&](const Indices &at) {
      Indices from;
      Value outside = k.boolean(false);
      for (size_t d = 0; d < at.size(); ++d) {
        if (isWhole(d)) {
          from.push_back(at[d]);
          continue;
        }
        Value place = coordinate(d, at[d]);
        if (coordinates == "tf_crop_and_resize")
          outside = k.either(outside, isOutside(d, place));
        from.push_back(toIndex(rounded(place), d));
      }
      Value element = k.element(x, from);
      return coordinates == "tf_crop_and_resize" ? k.select(outside, extrapolation(), element) : element;
    });
  }

  /// How many elements an element is made of along a dimension, and the first one's place from its own.
  std::pair<int64_t, int64_t> taps(size_t d) {
    const double least =
        k.integer("antialias", 0) ? std::min((double(out(d)) - 0.5) / double(in(d)), 1.0) : 1;
    const int64_t first = int64_t(std::floor(-(mode == "cubic" ? 2 : 1) / least)) + 1;
    return {2 - 2 * first, first};
  }

  /// What an element at that distance counts.
  Value weight(Value distance) {
    Value x = k.absolute(distance), zero = f64(0), one = f64(1);
    if (mode == "linear")
      return k.max(k.sub(one, x), zero);
    const double a = k.real("cubic_coeff_a", -0.75f);
    const auto polynomial = [&](double c3, double c2, double c1, double c0) {
      return k.add(k.mul(k.add(k.mul(k.add(k.mul(f64(c3), x), f64(c2)), x), f64(c1)), x), f64(c0));
    };
    Value far = k.select(k.compare(Compare::Less, x, f64(2)), polynomial(a, -5 * a, 8 * a, -4 * a), zero);
    return k.select(k.compare(Compare::LessOrEqual, x, one), polynomial(a + 2, -(a + 3), 0, 1), far);
  }

  /// Of the tap and position of the loops around it: the input's index, and what it counts.
  std::pair<Value, Value> tap(size_t d, int64_t first) {
    Value at = coordinate(d, k.loopIndex(0)), base = floor(at);
    Value place = k.add(base, wide(k.add(k.loopIndex(1), k.index(first)))), distance = k.sub(place, at);
    if (k.integer("antialias", 0))
      distance = k.mul(distance, k.min(scale(d), f64(1)));
    Value counts = weight(distance);
    return {place, k.integer("exclude_outside", 0) ? k.select(isOutside(d, place), f64(0), counts) : counts};
  }

  /// The tensor with dimension d resized.
  Value along(Value x, size_t d) {
    const auto [count, first] = taps(d);
    const Shape table{out(d), count};
    Type f64Type = k.b.getF64Type(), type = k.outputType();
    Value places = k.elementwise(table, k.b.getI64Type(), {}, [&, first = first](ValueRange) {
      return k.fromIndex(toIndex(tap(d, first).first, d), k.b.getI64Type());
    });
    Value weights =
        k.elementwise(table, f64Type, {}, [&, first = first](ValueRange) { return tap(d, first).second; });
    if (normalizes) {
      Value sum = k.reduce(weights, 1, f64(0), [&](Value sum, Value x) { return k.add(sum, x); });
      weights = k.elementwise(table, f64Type, {k.broadcast(weights, table), {sum, k.loops(2, 0)}},
                              [&](ValueRange x) { return k.div(x[0], x[1]); });
    }
    Shape shape(shapeOf(x));
    shape[d] = out(d);
    const unsigned rank = shape.size();
    SmallVector<unsigned> all(rank);
    for (unsigned i = 0; i < rank; ++i)
      all[i] = i;
    const AffineMap row = k.loops(rank + 1, {unsigned(d), rank});
    Value y = k.reduce(shape, k.loops(rank + 1, all), k.number(0, type), {{weights, row}, {places, row}},
                       [&](Value sum, ValueRange read) {
                         Indices from;
                         for (unsigned i = 0; i < rank; ++i)
                           from.push_back(i == d ? k.toIndex(read[1]) : k.loopIndex(i));
                         Value counts = read[0];
                         if (!type.isF64())
                           counts = k.b.create<arith::TruncFOp>(k.loc, type, counts);
                         return k.add(sum, k.mul(counts, k.element(x, from)));
                       });
    if (coordinates != "tf_crop_and_resize")
      return y;
    return k.elementwise(shape, type, k.broadcast(y, shape), [&](ValueRange x) {
      return k.select(isOutside(d, coordinate(d, k.loopIndex(d))), extrapolation(), x[0]);
    });
  }

  K &k;
  const bool isUpsample;
  const std::string mode, coordinates, rounding, policy;
  const size_t scalesAt;
  const bool bySize, normalizes;
  Shape places;   ///< of each dimension among scales or sizes; -1: it stays
  Indices scales; ///< float64; null where sizes say it alone
};

Value resize(K &k) {
  return ResizeKernel(k).resized();
}

/// How often a Resize of [N,C,H,W] repeats each row and column, where it does nothing else.
static std::optional<Shape> repeatsOf(const Node &node, const Shape &shape, const HostTensorPtr &scales,
                                      const HostTensorPtr &sizes) {
  // With a whole factor f these send the output's i f + r, r < f, to the input's i.
  static const std::set<std::pair<std::string, std::string>> repeating = {
      {"asymmetric", "floor"},
      {"tf_half_pixel_for_nn", "floor"},
      {"half_pixel", "round_prefer_floor"},
      {"half_pixel", "round_prefer_ceil"},
      {"pytorch_half_pixel", "round_prefer_floor"},
      {"pytorch_half_pixel", "round_prefer_ceil"}};
  const std::string coordinates = textAttribute(node, "coordinate_transformation_mode", "half_pixel"),
                    rounding = textAttribute(node, "nearest_mode", "round_prefer_floor");
  if (attribute(node, "axes") || textAttribute(node, "keep_aspect_ratio_policy", "stretch") != "stretch" ||
      textAttribute(node, "mode", "nearest") != "nearest" || !repeating.count({coordinates, rounding}))
    return std::nullopt;
  Shape factors;
  for (size_t d = 0; d < 4; ++d) {
    double factor = 0;
    if (sizes && sizes->ints.size() == 4)
      factor = double(sizes->ints[d]) / double(shape[d]);
    else if (scales && scales->floats.size() == 4)
      factor = scales->floats[d];
    if (factor < 1 || factor > 64 || factor != std::floor(factor))
      return std::nullopt;
    factors.push_back(static_cast<int64_t>(factor));
  }
  if (factors[0] != 1 || factors[1] != 1)
    return std::nullopt;
  return Shape{factors[2], factors[3]};
}

Covered importResize(Importer &im, const Node &node) {
  Shape shape = im.known(node, 0).shape;
  if (!im.canMove(node) || shape.size() != 4)
    return false;
  const std::optional<Shape> factors =
      repeatsOf(node, shape, im.constantInput(node, 2), im.constantInput(node, 3));
  if (!factors)
    return false;
  shape[2] *= (*factors)[0], shape[3] *= (*factors)[1];
  Value x = im.valueOf(node, 0);
  const auto type = cast<RankedTensorType>(x.getType()).clone(shape);
  im.defineMoved(node, im.builder.create<qnn::UpsampleOp>(node.loc, type, x, *factors, false));
  return true;
}

} // namespace

void addResize(Operators &all) {
  all["Resize"] = {11, resize, resize, importResize,
                   "accelerator, nearest by whole factors of height and width; CPU in int8 otherwise"};
  all["Upsample"] = {7, upsample, resize};
}

} // namespace daedalus::onnximport
