// Reductions along axes.

#include "OperatorTable.h"
#include "Pools/GlobalAverage.h"
#include "Reductions/ReductionAxes.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include "llvm/ADT/Sequence.h"

using namespace mlir;

namespace daedalus::onnximport {
namespace {

/// Of no elements a mean has no value; a sum, a product and an extreme have: what they start from.
bool hasValue(C &c) {
  if (c.node.proto.op_type() != "ReduceMean" || c.elements(0) > 0 ||
      llvm::is_contained(c.outputs[0].shape, 0))
    return true;
  return c.fail("takes the mean of input '" + c.name(0) + "' of shape " + shapeText(c.shape(0)) +
                ", which holds no element; expected at least one");
}

bool reduction(C &c) {
  if (!c.isFlag("keepdims") || !c.isFlag("noop_with_empty_axes"))
    return false;
  if (c.has(1) && c.rank(1) != 1)
    return c.fail("axes '" + c.name(1) + "' have shape " + shapeText(c.shape(1)) +
                  "; expected one dimension");
  std::optional<Shape> axes = c.has(1) ? c.integers(1) : c.list("axes", {});
  if (c.has(1) && c.elements(1) == 0)
    axes = Shape();
  const bool keeps = c.integer("keepdims", 1);
  if (!axes)
    return c.outputDeclared(0, keeps ? c.rank(0) : -1) && hasValue(c);
  if (!c.axes(c.has(1) ? "input '" + c.name(1) + "'" : "attribute 'axes'", *axes, c.rank(0)))
    return false;
  if (axes->empty() && !c.integer("noop_with_empty_axes", 0))
    for (int64_t d = 0; d < c.rank(0); ++d)
      axes->push_back(d);
  Shape shape;
  for (int64_t d = 0; d < c.rank(0); ++d) {
    const bool reduced = llvm::is_contained(*axes, d);
    if (!reduced || keeps)
      shape.push_back(reduced ? 1 : c.shape(0)[d]);
  }
  return c.output(0, shape) && hasValue(c);
}

/// The reduction of `x` by `join`, of whose elements `last` makes the output's.
template <class J, class L> Value reduceAlong(K &k, Value x, const Axes &axes, double init, J join, L last) {
  Value result = k.reduce(x, axes, k.number(init, k.outputType()), join);
  int64_t count = 1;
  for (unsigned axis : axes)
    count *= k.shape(0)[axis];
  if constexpr (!std::is_same_v<L, std::nullptr_t>)
    result = k.elementwise(result, [&](Value x) { return last(x, double(count)); });
  return k.reshape(result, k.output.shape);
}

template <class J, class L = std::nullptr_t> Value reduction(K &k, double init, J join, L last = {}) {
  return alongAxes(k, [&](const Axes &axes) { return reduceAlong(k, k.in(0), axes, init, join, last); });
}

Value absoluteOf(K &k, Value x) {
  return isUnsignedType(k.dtype(0)) ? x : k.max(x, k.sub(k.number(0, x.getType()), x));
}

Value reduceSum(K &k) {
  return reduction(k, 0, [&](Value sum, Value x) { return k.add(sum, x); });
}
Value reduceMean(K &k) {
  return reduction(
      k, 0, [&](Value sum, Value x) { return k.add(sum, x); },
      [&](Value x, double count) {
        return k.div(x, k.number(count, x.getType()), isUnsignedType(k.dtype(0)));
      });
}
Value reduceMax(K &k) {
  return reduction(k, leastOf(k.dtype(0)),
                   [&](Value most, Value x) { return k.max(most, x, isUnsignedType(k.dtype(0))); });
}
Value reduceMin(K &k) {
  return reduction(k, mostOf(k.dtype(0)),
                   [&](Value least, Value x) { return k.min(least, x, isUnsignedType(k.dtype(0))); });
}
Value reduceProd(K &k) {
  return reduction(k, 1, [&](Value all, Value x) { return k.mul(all, x); });
}
Value reduceL1(K &k) {
  return reduction(k, 0, [&](Value sum, Value x) { return k.add(sum, absoluteOf(k, x)); });
}
Value reduceSumSquare(K &k) {
  return reduction(k, 0, [&](Value sum, Value x) { return k.add(sum, k.mul(x, x)); });
}
Value reduceL2(K &k) {
  return reduction(
      k, 0, [&](Value sum, Value x) { return k.add(sum, k.mul(x, x)); },
      [&](Value x, double) -> Value { return k.b.create<math::SqrtOp>(k.loc, x); });
}

/// The logarithm of a sum, of x itself or of e^x.
Value logarithmOfSum(K &k, bool ofPowers) {
  if (isFloatType(k.dtype(0)) && k.dtype(0) != onnx::TensorProto::FLOAT)
    return k.refuseType(0, "float32");
  Value x = k.in(0);
  if (ofPowers)
    x = k.elementwise(x, [&](Value x) { return k.exp(x); });
  return alongAxes(k, [&](const Axes &axes) {
    return reduceAlong(
        k, x, axes, 0, [&](Value sum, Value x) { return k.add(sum, x); },
        [&](Value x, double) { return k.log(x); });
  });
}

Value reduceLogSum(K &k) {
  return logarithmOfSum(k, false);
}
Value reduceLogSumExp(K &k) {
  return logarithmOfSum(k, true);
}

/// Over all dimensions behind the channels; axes are an attribute or a constant.
Covered importReduceMean(Importer &im, const Node &node) {
  const Shape x = im.known(node, 0).shape;
  const int64_t rank = x.size();
  Shape axes = intsAttribute(node, "axes", {});
  if (const HostTensorPtr given = im.constantInput(node, 1))
    axes.assign(given->ints.begin(), given->ints.end());
  for (int64_t &axis : axes)
    axis += axis < 0 ? rank : 0;
  llvm::sort(axes);
  axes.erase(std::unique(axes.begin(), axes.end()), axes.end());
  if (rank < 3 || axes != llvm::to_vector<4>(llvm::seq<int64_t>(2, rank)) || !im.isReal(node, 0) ||
      llvm::is_contained(x, 0))
    return false;
  Shape output{x[0], x[1]};
  if (intAttribute(node, "keepdims", 1))
    output.resize(rank, 1);
  return importGlobalAverage(im, node, output);
}

} // namespace

void addReductions(Operators &all) {
  all["ReduceL1"] = {1, reduction, reduceL1};
  all["ReduceL2"] = {1, reduction, reduceL2};
  all["ReduceLogSum"] = {1, reduction, reduceLogSum};
  all["ReduceLogSumExp"] = {1, reduction, reduceLogSumExp};
  all["ReduceMax"] = {1, reduction, reduceMax};
  all["ReduceMin"] = {1, reduction, reduceMin};
  all["ReduceProd"] = {1, reduction, reduceProd};
  all["ReduceSum"] = {1, reduction, reduceSum};
  all["ReduceSumSquare"] = {1, reduction, reduceSumSquare};
  all["ReduceMean"] = {1, reduction, reduceMean, importReduceMean,
                       "accelerator, over all dimensions behind the channels; CPU in float32 otherwise"};
}

} // namespace daedalus::onnximport
