// GridSample: an image at coordinates.

#include "OperatorTable.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using llvm::Twine;

namespace daedalus::onnximport {
namespace {

bool gridSample(C &c) {
  const bool hasModes = c.version >= 20 ? c.oneOf("mode", "linear", {"linear", "nearest", "cubic"})
                                        : c.oneOf("mode", "bilinear", {"bilinear", "nearest", "bicubic"});
  if (!hasModes || !c.oneOf("padding_mode", "zeros", {"zeros", "border", "reflection"}) ||
      !c.isFlag("align_corners") || !c.rankAtLeast(0, 3) || !c.rankIs(1, c.rank(0)))
    return false;
  const int64_t rank = c.rank(0) - 2;
  if (c.version < 20 && rank != 2)
    return c.rankIs(0, 4);
  if (rank > (c.text("mode", "") == "cubic" ? 2 : 3))
    return c.fail("samples images of " + Twine(rank) + " dimensions; expected at most 3, in mode 'cubic' 2");
  if (c.shape(1)[0] != c.shape(0)[0] || c.shape(1).back() != rank)
    return c.fail("samples shape " + shapeText(c.shape(0)) + " by a grid of shape " + shapeText(c.shape(1)) +
                  "; expected as many batches, and " + Twine(rank) + " coordinates");
  Shape shape{c.shape(0)[0], c.shape(0)[1]};
  shape.append(c.shape(1).begin() + 1, c.shape(1).end() - 1);
  return c.output(0, shape) && c.isNotEmpty(0);
}

class GridSample {
public:
  explicit GridSample(K &k)
      : k(k), rank(k.rank(0) - 2),
        mode(textAttribute(k.node, "mode", k.node.opset < 20 ? "bilinear" : "linear")),
        padding(textAttribute(k.node, "padding_mode", "zeros")),
        isAligned(k.integer("align_corners", 0) != 0), image(k.in(0)), grid(k.in(1)) {}

  Value sampled() {
    return k.gatherOutput([&](const Indices &at) {
      Indices from(at.begin(), at.begin() + 2), coordinates;
      for (size_t d = 0; d < rank; ++d)
        coordinates.push_back(coordinate(at, d));
      return along(from, coordinates, k.boolean(true));
    });
  }

private:
  Value f32(double value) { return k.f32(value); }
  Value floor(Value x) { return k.b.create<math::FloorOp>(k.loc, x); }
  int64_t size(size_t d) const { return k.shape(0)[2 + d]; }

  /// In the image; the grid's last dimension has the last dimension's coordinate first.
  Value coordinate(const Indices &at, size_t d) {
    Indices from{at[0]};
    from.append(at.begin() + 2, at.end());
    from.push_back(k.index(rank - 1 - d));
    Value x = k.add(k.element(grid, from), f32(1));
    if (isAligned)
      x = k.mul(k.div(x, f32(2)), f32(double(size(d) - 1)));
    else
      x = k.div(k.sub(k.mul(x, f32(double(size(d)))), f32(1)), f32(2));
    if (mode == "nearest")
      x = k.b.create<math::RoundEvenOp>(k.loc, x);
    // Far away all is padding, and a NaN is far away: so an integer can hold it.
    Value isNumber = k.compare(Compare::Equal, x, x);
    return k.select(isNumber,
                    padding == "reflection" ? reflected(x, d) : k.clamp(x, f32(-8), f32(double(size(d) + 8))),
                    f32(-8));
  }

  /// A coordinate moved back at the borders until it is inside.
  Value reflected(Value x, size_t d) {
    const double least = isAligned ? 0 : -0.5, range = isAligned ? double(size(d) - 1) : double(size(d));
    if (range == 0)
      return f32(0);
    Value distance = k.absolute(k.sub(x, f32(least))), times = floor(k.div(distance, f32(range)));
    Value rest = k.sub(distance, k.mul(times, f32(range)));
    Value half = k.mul(times, f32(0.5)), isEven = k.equal(half, floor(half));
    return k.add(f32(least), k.select(isEven, rest, k.sub(f32(range), rest)));
  }

  Value cubic(double offset, Value rest) {
    Value x = k.absolute(k.sub(rest, f32(offset)));
    const auto polynomial = [&](double c3, double c2, double c1, double c0) {
      return k.add(k.mul(k.add(k.mul(k.add(k.mul(f32(c3), x), f32(c2)), x), f32(c1)), x), f32(c0));
    };
    constexpr double a = -0.75;
    return k.select(k.compare(Compare::LessOrEqual, x, f32(1)), polynomial(a + 2, -(a + 3), 0, 1),
                    polynomial(a, -5 * a, 8 * a, -4 * a));
  }

  /// The sum over what lies around the coordinates from dimension `from.size() - 2` on.
  Value along(Indices &from, const Indices &coordinates, Value isInside) {
    const size_t d = from.size() - 2;
    if (d == rank)
      return k.select(isInside, k.element(image, from), k.number(0, k.outputType()));
    const bool isCubic = mode == "cubic" || mode == "bicubic";
    const int first = isCubic ? -1 : 0, end = mode == "nearest" ? 1 : isCubic ? 3 : 2;
    Value base = floor(coordinates[d]), rest = k.sub(coordinates[d], base), sum;
    for (int tap = first; tap < end; ++tap) {
      Value at = k.add(base, f32(tap));
      if (padding == "reflection")
        at = reflected(at, d);
      Value index = k.toIndex(k.b.create<arith::FPToSIOp>(k.loc, k.b.getI64Type(), at));
      Value within = k.both(k.compare(Compare::GreaterOrEqual, index, k.index(0)),
                            k.compare(Compare::Less, index, k.index(size(d))));
      from.push_back(k.inside(index, size(d)));
      Value part = along(from, coordinates, padding == "zeros" ? k.both(isInside, within) : isInside);
      from.pop_back();
      if (mode == "nearest")
        return part;
      Value weight = isCubic ? cubic(tap, rest) : tap ? rest : k.sub(f32(1), rest);
      part = k.mul(weight, part);
      sum = sum ? k.add(sum, part) : part;
    }
    return sum;
  }

  K &k;
  const size_t rank;
  const std::string mode, padding;
  const bool isAligned;
  const Value image, grid;
};

Value gridSample(K &k) {
  if (k.dtype(0) != onnx::TensorProto::FLOAT || k.dtype(1) != onnx::TensorProto::FLOAT)
    return k.refuseType(isFloat32Type(k.dtype(0)) ? 1 : 0, "float32");
  return GridSample(k).sampled();
}

} // namespace

void addGridSample(Operators &all) {
  all["GridSample"] = {16, gridSample, gridSample};
}

} // namespace daedalus::onnximport
