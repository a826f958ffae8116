// Operators that take tensors apart and put them together: slices, parts, joins. What says where to (starts,
// splits) may come at run time: the output's shape is the declared one then, and the kernel gives up where
// the values do not give that shape.

#include "Builds.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace daedalus::onnximport {
namespace {

using K = GeneralKernel;
using Compare = Body::Compare;

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
      Value isIt = k.either(k.equal(axis, k.index(dimension)), k.equal(axis, k.index(dimension - k.rank(0))));
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
    fits = k.both(fits, k.equal(k.max(count, k.index(0)), k.index(k.output.shape[d])));
    starts.push_back(start);
    steps.push_back(step);
  }
  k.require(fits, "slice");
  const auto from = k.constantsOf(starts), by = k.constantsOf(steps);
  if (from && by && k.isTrue(fits))
    return k.slice(x, *from, k.output.shape, *by);
  return k.gatherOutput([&](const Indices &at) {
    Indices from;
    for (auto [d, size] : llvm::enumerate(k.shape(0)))
      from.push_back(k.inside(k.add(starts[d], k.mul(at[d], steps[d])), size));
    return k.element(x, from);
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
  Shape starts(k.rank(0), 0), steps(k.rank(0), 1);
  for (unsigned before = 0; before < k.outputIndex; ++before)
    starts[axis] += k.outputs[before].shape[axis];
  if (k.has(1) && !k.constant(1))
    for (auto [i, part] : llvm::enumerate(k.outputs))
      k.require(k.equal(k.indexAt(1, i), k.index(part.shape[axis])), "split");
  return k.slice(k.in(0), starts, k.output.shape, steps);
}

} // namespace

void addSlices(Builds &builds) {
  builds.insert({{"Concat", concat}, {"Slice", slice}, {"Split", split}});
}

} // namespace daedalus::onnximport
