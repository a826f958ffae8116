// Slice. Its bounds may come at run time: the output's shape is the declared one then, and the kernel gives
// up where the values do not give that shape.

#include "OperatorTable.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

#include <numeric>

using namespace mlir;
using llvm::Twine;

namespace daedalus::onnximport {
namespace {

/// Starts, ends, axes and steps of a Slice, where all are known.
struct SliceFields {
  Shape starts, ends, axes, steps;
  bool isKnown = true;
};

bool readSlice(C &c, SliceFields &fields) {
  int64_t count = -1;
  if (c.version < 10) {
    fields.starts = c.list("starts", {}), fields.ends = c.list("ends", {});
    count = fields.starts.size();
    if (fields.ends.size() != fields.starts.size())
      return c.failAttribute("ends", shapeText(fields.ends), Twine(count) + " as 'starts' has");
  }
  Shape all(count < 0 ? 0 : count);
  for (size_t i = 1; i < c.inputs.size(); ++i)
    if (c.has(i) && !c.isList(i, count))
      return false;
  all.resize(count);
  std::iota(all.begin(), all.end(), 0);
  fields.axes = c.version < 10 ? c.list("axes", all) : all;
  fields.steps.assign(count, 1);
  Shape *const lists[] = {nullptr, &fields.starts, &fields.ends, &fields.axes, &fields.steps};
  for (size_t i = 1; i < c.inputs.size(); ++i)
    if (c.has(i)) {
      auto values = c.integers(i);
      *lists[i] = values.value_or(Shape());
      fields.isKnown &= values.has_value();
    }
  if (static_cast<int64_t>(fields.axes.size()) != count && !(c.has(3) && !c.integers(3)))
    return c.failToFit("axes", shapeText(fields.axes), Twine(count) + " axes, as 'starts' has");
  if (count > c.rank(0))
    return c.fail("slices " + Twine(count) + " dimensions of shape " + shapeText(c.shape(0)) +
                  "; expected at most " + Twine(c.rank(0)));
  return true;
}

int64_t sliceLength(int64_t start, int64_t end, int64_t step, int64_t size) {
  start = start < 0 ? start + size : start, end = end < 0 ? end + size : end;
  if (step > 0) {
    start = std::clamp<int64_t>(start, 0, size), end = std::clamp<int64_t>(end, 0, size);
    return std::max<int64_t>((end - start + step - 1) / step, 0);
  }
  start = std::clamp<int64_t>(start, 0, size - 1), end = std::clamp<int64_t>(end, -1, size - 1);
  return size ? std::max<int64_t>((end - start + step + 1) / step, 0) : 0;
}

bool slice(C &c) {
  SliceFields fields;
  if (!readSlice(c, fields))
    return false;
  if (!c.has(3) || c.integers(3)) {
    Shape axes = fields.axes;
    if (!c.axes(c.has(3) ? "input '" + c.name(3) + "'" : "attribute 'axes'", axes, c.rank(0)))
      return false;
    fields.axes = axes;
  }
  for (int64_t step : fields.steps)
    if (step == 0 || step > (int64_t(1) << 31) || step < -(int64_t(1) << 31))
      return c.fail("steps '" + c.name(4) + "' hold " + Twine(step) +
                    "; expected steps other than 0, of at most 2^31");
  if (!fields.isKnown)
    return c.outputDeclared(0, c.rank(0));
  Shape shape = c.shape(0);
  for (size_t i = 0; i < fields.axes.size(); ++i)
    shape[fields.axes[i]] =
        sliceLength(fields.starts[i], fields.ends[i], fields.steps[i], shape[fields.axes[i]]);
  return c.output(0, shape);
}

/// Starts, ends or steps of a Slice by dimension of its input; `otherwise` where no axis names it.
class RunTimeFields {
public:
  explicit RunTimeFields(K &k) : k(k), fromInputs(k.has(1)) {}

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
  RunTimeFields fields(k);
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

/// With steps of 1, from known starts to known ends.
Covered importSlice(Importer &im, const Node &node) {
  const Shape x = im.known(node, 0).shape;
  const int64_t rank = x.size();
  const auto numbers = [&](int input, StringRef name) -> std::optional<Shape> {
    if (!im.has(node, 1))
      return intsAttribute(node, name, {});
    if (!im.has(node, input))
      return Shape();
    const HostTensorPtr given = im.constantInput(node, input);
    return given ? std::optional(Shape(given->ints.begin(), given->ints.end())) : std::nullopt;
  };
  const auto starts = numbers(1, "starts"), ends = numbers(2, "ends"), axes = numbers(3, "axes"),
             steps = numbers(4, "steps");
  if (!im.canMove(node) || !starts || !ends || !axes || !steps || !llvm::all_equal(*steps) ||
      (!steps->empty() && (*steps)[0] != 1))
    return false;
  Shape start(rank, 0), size = x;
  for (size_t i = 0; i < starts->size(); ++i) {
    const int64_t given = axes->empty() ? static_cast<int64_t>(i) : (*axes)[i];
    const int64_t axis = given < 0 ? given + rank : given;
    const auto bound = [&](int64_t at) {
      return std::clamp<int64_t>(at < 0 ? at + x[axis] : at, 0, x[axis]);
    };
    start[axis] = bound((*starts)[i]);
    size[axis] = bound((*ends)[i]) - start[axis];
  }
  if (llvm::any_of(size, [](int64_t count) { return count <= 0; })) // tosa has no empty tensors
    return false;
  Value input = im.valueOf(node, 0);
  const auto slice = cast<RankedTensorType>(input.getType()).clone(size);
  im.defineMoved(node, im.builder.create<tosa::SliceOp>(node.loc, slice, input, start, size));
  return true;
}

} // namespace

void addSlice(Operators &all) {
  all["Slice"] = {1, slice, slice, importSlice,
                  "accelerator, with known bounds and steps of 1; CPU in int8 otherwise"};
}

} // namespace daedalus::onnximport
