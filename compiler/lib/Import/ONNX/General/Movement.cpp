// Operators that move elements. What says where to (starts, pads, scales) may come at run time: the output's
// shape is the declared one then, and the kernel gives up where the values do not give that shape.

#include "Builds.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <numeric>

using namespace mlir;

namespace daedalus::onnximport {
namespace {

using K = GeneralKernel;
using Compare = Body::Compare;

Value equal(K &k, Value x, Value y) {
  return k.compare(Compare::Equal, x, y);
}

Value inside(K &k, Value at, int64_t size) {
  return k.clamp(at, k.index(0), k.index(std::max<int64_t>(size - 1, 0)));
}

Value transpose(K &k) {
  Shape reverse;
  for (int64_t d = k.rank(0); d-- > 0;)
    reverse.push_back(d);
  Shape permutation = intsAttribute(k.node, "perm", reverse);
  Value x = k.in(0);
  return k.computeOutput([&](const Indices &at) {
    Indices from(at.size());
    for (auto [d, source] : llvm::enumerate(permutation))
      from[source] = at[d];
    return k.read(x, from);
  });
}

/// Starts, ends or steps of a Slice by dimension of its input; `otherwise` where no axis names it.
class SliceFields {
public:
  explicit SliceFields(K &k) : k(k), fromInputs(k.has(1)) {}

  Value of(int input, const char *name, int64_t dimension, Value otherwise) {
    if (!fromInputs)
      return ofAttribute(name, dimension, otherwise);
    if (!k.has(input))
      return otherwise;
    Value result = otherwise;
    for (int64_t i = 0; i < k.shape(input)[0]; ++i) {
      Value axis = k.has(3) ? k.indexAt(3, i) : k.index(i);
      Value isIt =
          k.either(equal(k, axis, k.index(dimension)), equal(k, axis, k.index(dimension - k.rank(0))));
      result = k.select(isIt, k.indexAt(input, i), result);
    }
    return result;
  }

private:
  Value ofAttribute(const char *name, int64_t dimension, Value otherwise) {
    Shape values = intsAttribute(k.node, name, {}), axes = intsAttribute(k.node, "axes", {});
    for (auto [i, value] : llvm::enumerate(values))
      if (k.axis(axes.empty() ? i : axes[i], k.rank(0)) == dimension)
        return k.index(value);
    return otherwise;
  }

  K &k;
  const bool fromInputs;
};

/// Where a slice begins and ends once counts from the end and limits are taken into account.
Value sliceBound(K &k, Value bound, Value step, int64_t size, bool isEnd) {
  Value zero = k.index(0), length = k.index(size);
  bound = k.select(k.compare(Compare::Less, bound, zero), k.add(bound, length), bound);
  Value forward = k.clamp(bound, zero, length);
  Value backward = k.clamp(bound, k.index(isEnd ? -1 : 0), k.index(size - 1));
  return k.select(k.compare(Compare::Greater, step, zero), forward, backward);
}

Value slice(K &k) {
  SliceFields fields(k);
  Value x = k.in(0), fits = k.boolean(true);
  Indices starts, steps;
  for (auto [d, size] : llvm::enumerate(k.shape(0))) {
    Value step = fields.of(4, "steps", d, k.index(1));
    Value isForward = k.compare(Compare::Greater, step, k.index(0));
    Value start = fields.of(1, "starts", d, k.select(isForward, k.index(0), k.index(size)));
    Value end = fields.of(2, "ends", d, k.select(isForward, k.index(size), k.index(-size - 1)));
    start = sliceBound(k, start, step, size, false);
    end = sliceBound(k, end, step, size, true);
    Value towards = k.select(isForward, k.index(1), k.index(-1));
    Value count = k.div(k.add(k.sub(end, start), k.sub(step, towards)), step);
    fits = k.both(fits, equal(k, k.max(count, k.index(0)), k.index(k.output.shape[d])));
    starts.push_back(start);
    steps.push_back(step);
  }
  k.require(fits, "slice");
  return k.computeOutput([&](const Indices &at) {
    Indices from;
    for (auto [d, size] : llvm::enumerate(k.shape(0)))
      from.push_back(inside(k, k.add(starts[d], k.mul(at[d], steps[d])), size));
    return k.read(x, from);
  });
}

Value concat(K &k) {
  const int64_t rank = k.output.shape.size(), axis = k.axis(k.integer("axis", 0), rank);
  Value result = k.b.create<tensor::EmptyOp>(k.loc, k.output.shape, k.outputType());
  SmallVector<OpFoldResult> offsets(rank, k.b.getIndexAttr(0)), strides(rank, k.b.getIndexAttr(1));
  int64_t at = 0;
  for (size_t i = 0; i < k.operands.size(); ++i) {
    if (!k.has(i) || product(k.shape(i)) == 0)
      continue;
    SmallVector<OpFoldResult> sizes;
    for (int64_t size : k.shape(i))
      sizes.push_back(k.b.getIndexAttr(size));
    offsets[axis] = k.b.getIndexAttr(at);
    result = k.b.create<tensor::InsertSliceOp>(k.loc, k.in(i), result, offsets, sizes, strides);
    at += k.shape(i)[axis];
  }
  return result;
}

Value split(K &k) {
  const int64_t axis = k.axis(k.integer("axis", 0), k.rank(0));
  int64_t offset = 0;
  for (unsigned before = 0; before < k.outputIndex; ++before)
    offset += k.outputs[before].shape[axis];
  if (k.has(1) && !k.constant(1))
    for (auto [i, part] : llvm::enumerate(k.outputs))
      k.require(equal(k, k.indexAt(1, i), k.index(part.shape[axis])), "split");
  Value x = k.in(0);
  return k.computeOutput([&](const Indices &at) {
    Indices from = at;
    from[axis] = k.add(at[axis], k.index(offset));
    return k.read(x, from);
  });
}

enum class PadMode { Constant, Edge, Reflect };

/// The input's index along a dimension for one of the padded output.
Value padIndex(K &k, Value at, int64_t size, PadMode mode) {
  if (mode == PadMode::Reflect) {
    at = k.select(k.compare(Compare::Less, at, k.index(0)), k.sub(k.index(0), at), at);
    Value mirrored = k.sub(k.index(2 * (size - 1)), at);
    at = k.select(k.compare(Compare::GreaterOrEqual, at, k.index(size)), mirrored, at);
  }
  return inside(k, at, size);
}

Value padValue(K &k) {
  if (k.has(2))
    return k.read(k.in(2), Indices(k.rank(2), k.index(0)));
  return k.number(k.real("value", 0), k.outputType());
}

Value pad(K &k) {
  const auto *declared = attribute(k.node, "mode");
  const std::string name = declared ? declared->s() : "constant";
  const PadMode mode = name == "constant" ? PadMode::Constant
                       : name == "edge"   ? PadMode::Edge
                                          : PadMode::Reflect;
  const Shape attributes = intsAttribute(k.node, "pads", {});
  const int64_t rank = k.rank(0);
  auto padAt = [&](int64_t at) { return k.has(1) ? k.indexAt(1, at) : k.index(attributes[at]); };
  Value x = k.in(0), fill = padValue(k), fits = k.boolean(true);
  Indices begins;
  for (int64_t d = 0; d < rank; ++d) {
    begins.push_back(padAt(d));
    Value behind = padAt(rank + d), size = k.add(k.index(k.shape(0)[d]), k.add(begins[d], behind));
    fits = k.both(fits, equal(k, size, k.index(k.output.shape[d])));
    for (Value pad : {begins[d], behind})
      if (mode == PadMode::Reflect && k.has(1) && !k.constant(1))
        fits = k.both(fits, k.compare(Compare::Less, pad, k.index(k.shape(0)[d])));
  }
  k.require(fits, "pads");
  return k.computeOutput([&](const Indices &at) {
    Indices from;
    Value isInside = k.boolean(true);
    for (auto [d, size] : llvm::enumerate(k.shape(0))) {
      Value source = k.sub(at[d], begins[d]);
      Value within = k.both(k.compare(Compare::GreaterOrEqual, source, k.index(0)),
                            k.compare(Compare::Less, source, k.index(size)));
      isInside = k.both(isInside, within);
      from.push_back(padIndex(k, source, size, mode));
    }
    Value value = k.read(x, from);
    return mode == PadMode::Constant ? k.select(isInside, value, fill) : value;
  });
}

/// Indices that come at run time select elements that are there.
void requireIndices(K &k, int64_t size) {
  if (k.constant(1))
    return; // checked
  SmallVector<unsigned> all(k.rank(1));
  std::iota(all.begin(), all.end(), 0);
  Value good = k.reduce(k.in(1), all, k.number(1, k.b.getI8Type()), [&](Value all, Value index) {
    index = k.toIndex(index);
    Value fits = k.both(k.compare(Compare::GreaterOrEqual, index, k.index(-size)),
                        k.compare(Compare::Less, index, k.index(size)));
    return k.both(all, k.stored(fits));
  });
  k.require(k.truth(k.read(good, {})), "indices");
}

Value gather(K &k) {
  const int64_t axis = k.axis(k.integer("axis", 0), k.rank(0)), rank = k.rank(1);
  Value x = k.in(0), indices = k.in(1);
  requireIndices(k, k.shape(0)[axis]);
  return k.computeOutput([&](const Indices &at) {
    Indices which(at.begin() + axis, at.begin() + axis + rank), from(at.begin(), at.begin() + axis);
    Value index = k.toIndex(k.read(indices, which));
    const int64_t size = k.shape(0)[axis];
    index = k.select(k.compare(Compare::Less, index, k.index(0)), k.add(index, k.index(size)), index);
    from.push_back(inside(k, index, size));
    from.append(at.begin() + axis + rank, at.end());
    return k.read(x, from);
  });
}

Value gatherElements(K &k) {
  const int64_t axis = k.axis(k.integer("axis", 0), k.rank(0));
  Value x = k.in(0), indices = k.in(1);
  requireIndices(k, k.shape(0)[axis]);
  return k.computeOutput([&](const Indices &at) {
    const int64_t size = k.shape(0)[axis];
    Value index = k.toIndex(k.read(indices, at));
    index = k.select(k.compare(Compare::Less, index, k.index(0)), k.add(index, k.index(size)), index);
    Indices from = at;
    from[axis] = inside(k, index, size);
    return k.read(x, from);
  });
}

Value expand(K &k) {
  Value x = k.in(0), fits = k.boolean(true);
  const int64_t rank = k.output.shape.size(), given = k.shape(1).empty() ? 1 : k.shape(1)[0];
  for (int64_t i = 0; i < given && !k.constant(1); ++i) {
    Value size = k.indexAt(1, i);
    Value isOne = equal(k, size, k.index(1)),
          isSame = equal(k, size, k.index(k.output.shape[rank - given + i]));
    fits = k.both(fits, k.either(isOne, isSame));
  }
  k.require(fits, "shape");
  return k.computeOutput([&](const Indices &at) { return k.readBroadcast(x, at); });
}

Value tile(K &k) {
  Value x = k.in(0), fits = k.boolean(true);
  for (auto [d, size] : llvm::enumerate(k.shape(0)))
    fits = k.both(fits, equal(k, k.mul(k.indexAt(1, d), k.index(size)), k.index(k.output.shape[d])));
  k.require(fits, "repeats");
  return k.computeOutput([&](const Indices &at) {
    Indices from;
    for (auto [d, size] : llvm::enumerate(k.shape(0)))
      from.push_back(k.b.create<arith::RemUIOp>(k.loc, at[d], k.index(size)));
    return k.read(x, from);
  });
}

/// Blocks of pixels to channels, or back; the block's position lies before the channels (DCR) or behind them
/// (CRD).
Value depthToSpace(K &k) {
  const int64_t block = k.integer("blocksize", 1), channels = k.output.shape[1];
  const auto *mode = attribute(k.node, "mode");
  const bool columnRowDepth = mode && mode->s() == "CRD";
  Value x = k.in(0), size = k.index(block);
  return k.computeOutput([&](const Indices &at) {
    Value y = k.b.create<arith::RemUIOp>(k.loc, at[2], size),
          column = k.b.create<arith::RemUIOp>(k.loc, at[3], size);
    Value position = k.add(k.mul(y, size), column);
    Value channel = columnRowDepth ? k.add(k.mul(at[1], k.index(block * block)), position)
                                   : k.add(k.mul(position, k.index(channels)), at[1]);
    return k.read(x, {at[0], channel, k.div(at[2], size, true), k.div(at[3], size, true)});
  });
}

Value spaceToDepth(K &k) {
  const int64_t block = k.integer("blocksize", 1), channels = k.shape(0)[1];
  Value x = k.in(0), size = k.index(block);
  return k.computeOutput([&](const Indices &at) {
    Value position = k.div(at[1], k.index(channels), true);
    Value channel = k.b.create<arith::RemUIOp>(k.loc, at[1], k.index(channels));
    Value y = k.add(k.mul(at[2], size), k.div(position, size, true));
    Value column = k.add(k.mul(at[3], size), k.b.create<arith::RemUIOp>(k.loc, position, size));
    return k.read(x, {at[0], channel, y, column});
  });
}

} // namespace

void addMovement(Builds &builds) {
  builds.insert({{"Concat", concat},
                 {"DepthToSpace", depthToSpace},
                 {"Expand", expand},
                 {"Gather", gather},
                 {"GatherElements", gatherElements},
                 {"Pad", pad},
                 {"Slice", slice},
                 {"SpaceToDepth", spaceToDepth},
                 {"Split", split},
                 {"Tile", tile},
                 {"Transpose", transpose}});
}

} // namespace daedalus::onnximport
