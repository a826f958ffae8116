// Pad. Pads may come at run time: the output's shape is the declared one then, and the kernel gives up where
// they do not give that shape.

#include "OperatorTable.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <numeric>

using namespace mlir;
using llvm::Twine;

namespace daedalus::onnximport {
namespace {

bool padFits(C &c, const Shape &pads, const std::string &mode) {
  const int64_t rank = c.rank(0);
  for (int64_t d = 0; d < rank; ++d)
    for (int64_t pad : {pads[d], pads[rank + d]}) {
      if (pad < -c.shape(0)[d] || pad > (int64_t(1) << 31))
        return c.fail("pads dimension " + Twine(d) + " of size " + Twine(c.shape(0)[d]) + " by " +
                      Twine(pad) + "; expected at least " + Twine(-c.shape(0)[d]) + " and at most 2^31");
      if (pad > 0 && ((mode == "reflect" && pad >= c.shape(0)[d]) || (mode == "edge" && !c.shape(0)[d]) ||
                      (mode == "wrap" && pad > c.shape(0)[d])))
        return c.fail("pads dimension " + Twine(d) + " of size " + Twine(c.shape(0)[d]) + " by " +
                      Twine(pad) + " in mode '" + mode + "'; expected " +
                      (mode == "edge"   ? "a dimension with elements"
                       : mode == "wrap" ? "at most its size"
                                        : "less than its size"));
    }
  return true;
}

/// The pads of all dimensions of those of `axes`.
Shape padsOfAll(int64_t rank, const Shape &axes, const Shape &pads) {
  Shape all(2 * rank, 0);
  for (size_t i = 0; i < axes.size(); ++i)
    all[axes[i]] = pads[i], all[rank + axes[i]] = pads[axes.size() + i];
  return all;
}

bool pad(C &c) {
  if (c.version >= 19 ? !c.oneOf("mode", "constant", {"constant", "edge", "reflect", "wrap"})
                      : !c.oneOf("mode", "constant", {"constant", "edge", "reflect"}))
    return false;
  Shape axes(c.rank(0));
  std::iota(axes.begin(), axes.end(), 0);
  if (c.has(3)) {
    const std::optional<Shape> given = c.integers(3);
    if (!c.isVector(3))
      return false;
    if (!given)
      return c.fail("axes '" + c.name(3) + "' come at run time; expected constant ones");
    axes = *given;
    if (!c.axes("input '" + c.name(3) + "'", axes, c.rank(0)))
      return false;
  }
  int64_t count = 2 * axes.size();
  std::optional<Shape> pads = c.has(1) ? c.integers(1) : c.list(c.version < 2 ? "paddings" : "pads", {});
  if (c.has(1) ? !c.isList(1, count) : static_cast<int64_t>(pads->size()) != count)
    return c.failToFit("pads", shapeText(pads ? *pads : c.shape(1)),
                       "two sizes for each of " + Twine(axes.size()) + " dimensions");
  if (pads)
    pads = padsOfAll(c.rank(0), axes, *pads);
  if (c.has(2) && !c.isScalar(2, "value"))
    return false;
  if (!pads)
    return c.outputDeclared(0, c.rank(0));
  if (!padFits(c, *pads, c.text("mode", "constant")))
    return false;
  Shape shape = c.shape(0);
  for (int64_t d = 0; d < c.rank(0); ++d)
    if ((shape[d] += (*pads)[d] + (*pads)[c.rank(0) + d]) < 0)
      return c.fail("pads dimension " + Twine(d) + " of size " + Twine(c.shape(0)[d]) +
                    " to a negative size; expected at least 0");
  return c.output(0, shape);
}

enum class PadMode { Constant, Edge, Reflect, Wrap };

PadMode modeOf(K &k) {
  const auto *declared = attribute(k.node, "mode");
  const std::string name = declared ? declared->s() : "constant";
  return name == "constant"  ? PadMode::Constant
         : name == "edge"    ? PadMode::Edge
         : name == "reflect" ? PadMode::Reflect
                             : PadMode::Wrap;
}

Value padValue(K &k) {
  if (!k.has(2))
    return k.number(k.real("value", 0), k.outputType());
  if (const HostTensor *host = k.constant(2))
    return k.b.create<arith::ConstantOp>(k.loc, k.numberOf(*host));
  return k.element(k.in(2), Indices(k.rank(2), k.index(0)));
}

/// Elements along a dimension of the output: `size` of the input's from `from` on, forwards (1), backwards
/// (-1) or the same one (0).
struct Run {
  int64_t from, size, step;
};

/// The runs of a dimension of `size`; some may be empty.
SmallVector<Run> runsOf(PadMode mode, int64_t size, int64_t before, int64_t behind) {
  const int64_t first = std::max<int64_t>(-before, 0), end = std::min(size, size + behind);
  SmallVector<Run> runs;
  if (before > 0)
    runs.push_back(mode == PadMode::Edge   ? Run{0, before, 0}
                   : mode == PadMode::Wrap ? Run{size - before, before, 1}
                                           : Run{before, before, -1});
  runs.push_back({first, end - first, 1});
  if (behind > 0)
    runs.push_back(mode == PadMode::Edge   ? Run{size - 1, behind, 0}
                   : mode == PadMode::Wrap ? Run{0, behind, 1}
                                           : Run{size - 2, behind, -1});
  return runs;
}

/// Puts a tensor together of parts of x: one for each choice of a run in every dimension.
class Assembly {
public:
  Assembly(K &k, Value x, ArrayRef<SmallVector<Run>> runs)
      : k(k), x(x), runs(runs), result(k.b.create<tensor::EmptyOp>(k.loc, k.output.shape, k.outputType())) {}

  Value assemble() {
    choose(0);
    return result;
  }

private:
  void choose(size_t d) {
    if (d == runs.size())
      return insert();
    offsets.push_back(0);
    for (const Run &run : runs[d]) {
      from.push_back(run.from), sizes.push_back(run.size), steps.push_back(run.step);
      choose(d + 1);
      offsets[d] += run.size;
      from.pop_back(), sizes.pop_back(), steps.pop_back();
    }
    offsets.pop_back();
  }

  void insert() {
    MLIRContext *context = k.b.getContext();
    const SmallVector<OpFoldResult> ones(sizes.size(), k.b.getIndexAttr(1));
    result = k.b.create<tensor::InsertSliceOp>(k.loc, k.slice(x, from, sizes, steps), result,
                                               getAsIndexOpFoldResult(context, offsets),
                                               getAsIndexOpFoldResult(context, sizes), ones);
  }

  K &k;
  const Value x;
  const ArrayRef<SmallVector<Run>> runs;
  Value result;
  Shape offsets, from, sizes, steps; // of the runs chosen so far
};

/// Pads that are known when compiling.
Value padByConstants(K &k, PadMode mode, Sizes before, Sizes behind) {
  SmallVector<SmallVector<Run>> runs;
  for (auto [d, size] : llvm::enumerate(k.shape(0)))
    runs.push_back(runsOf(mode, size, before[d], behind[d]));
  if (mode != PadMode::Constant)
    return Assembly(k, k.in(0), runs).assemble();
  Shape starts, sizes, atLeastZeroBefore, atLeastZeroBehind;
  for (auto [d, size] : llvm::enumerate(k.shape(0))) {
    starts.push_back(std::max<int64_t>(-before[d], 0));
    sizes.push_back(std::min(size, size + behind[d]) - starts[d]);
    atLeastZeroBefore.push_back(std::max<int64_t>(before[d], 0));
    atLeastZeroBehind.push_back(std::max<int64_t>(behind[d], 0));
  }
  Value left = k.slice(k.in(0), starts, sizes, Shape(sizes.size(), 1));
  return k.pad(left, atLeastZeroBefore, atLeastZeroBehind, padValue(k));
}

/// The input's index along a dimension for one of the padded output.
Value padIndex(K &k, Value at, int64_t size, PadMode mode) {
  if (mode == PadMode::Reflect) {
    at = k.select(k.compare(Compare::Less, at, k.index(0)), k.sub(k.index(0), at), at);
    Value mirrored = k.sub(k.index(2 * (size - 1)), at);
    at = k.select(k.compare(Compare::GreaterOrEqual, at, k.index(size)), mirrored, at);
  }
  if (mode == PadMode::Wrap) {
    at = k.select(k.compare(Compare::Less, at, k.index(0)), k.add(at, k.index(size)), at);
    at = k.select(k.compare(Compare::GreaterOrEqual, at, k.index(size)), k.sub(at, k.index(size)), at);
  }
  return k.inside(at, size);
}

/// Pads that come at run time.
Value padByValues(K &k, PadMode mode, const Indices &before) {
  Value x = k.in(0), fill = padValue(k);
  return k.gatherOutput([&](const Indices &at) {
    Indices from;
    Value isInside = k.boolean(true);
    for (auto [d, size] : llvm::enumerate(k.shape(0))) {
      Value source = k.sub(at[d], before[d]);
      Value within = k.both(k.compare(Compare::GreaterOrEqual, source, k.index(0)),
                            k.compare(Compare::Less, source, k.index(size)));
      isInside = k.both(isInside, within);
      from.push_back(padIndex(k, source, size, mode));
    }
    Value value = k.element(x, from);
    return mode == PadMode::Constant ? k.select(isInside, value, fill) : value;
  });
}

/// For each dimension its place among the axes that are padded, -1: it is not.
SmallVector<int64_t> placesOf(K &k) {
  SmallVector<int64_t> places(k.rank(0), -1);
  if (const HostTensor *axes = k.has(3) ? k.constant(3) : nullptr)
    for (size_t i = 0; i < axes->ints.size(); ++i)
      places[k.axis(axes->ints[i], k.rank(0))] = i;
  else
    std::iota(places.begin(), places.end(), 0);
  return places;
}

int64_t placedCount(ArrayRef<int64_t> places) {
  return llvm::count_if(places, [](int64_t place) { return place >= 0; });
}

Value pad(K &k) {
  const PadMode mode = modeOf(k);
  const Shape attributes = intsAttribute(k.node, k.node.opset < 2 ? "paddings" : "pads", {});
  const int64_t rank = k.rank(0);
  const auto padAt = [&](int64_t at) { return k.has(1) ? k.indexAt(1, at) : k.index(attributes[at]); };
  const SmallVector<int64_t> places = placesOf(k);
  const auto padOf = [&](int64_t d, bool isBehind) {
    return places[d] < 0 ? k.index(0) : padAt(places[d] + (isBehind ? placedCount(places) : 0));
  };
  Value fits = k.boolean(true);
  Indices before, behind;
  for (int64_t d = 0; d < rank; ++d) {
    before.push_back(padOf(d, false)), behind.push_back(padOf(d, true));
    Value size = k.add(k.index(k.shape(0)[d]), k.add(before[d], behind[d]));
    fits = k.both(fits, k.equal(size, k.index(k.output.shape[d])));
    for (Value pad : {before[d], behind[d]})
      if ((mode == PadMode::Reflect || mode == PadMode::Wrap) && k.has(1) && !k.constant(1))
        fits = k.both(fits, k.compare(Compare::Less, pad, k.index(k.shape(0)[d] + (mode == PadMode::Wrap))));
  }
  k.require(fits, "pads");
  const auto front = k.constantsOf(before), back = k.constantsOf(behind);
  if (front && back && k.isTrue(fits))
    return padByConstants(k, mode, *front, *back);
  return padByValues(k, mode, before);
}

} // namespace

void addPad(Operators &all) {
  all["Pad"] = {1, pad, pad, nullptr, inInt8};
}

} // namespace daedalus::onnximport
