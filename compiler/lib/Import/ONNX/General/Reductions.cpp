// Reductions along axes, and what is made of them: softmax, the index of the largest.

#include "Builds.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace daedalus::onnximport {
namespace {

using K = GeneralKernel;
using Compare = Body::Compare;

/// The axes of a reduction: an input or an attribute; all where neither is given.
std::optional<std::vector<bool>> axesOf(K &k) {
  std::vector<bool> reduced(k.rank(0), false);
  Shape axes = intsAttribute(k.node, "axes", {});
  if (k.has(1)) {
    const HostTensor *host = k.constant(1);
    if (!host) {
      k.refuse("axes '" + k.node.proto.input(1) + "' are not constant; expected an initializer");
      return std::nullopt;
    }
    axes.assign(host->ints.begin(), host->ints.end());
  }
  if (axes.empty() && !k.integer("noop_with_empty_axes", 0))
    reduced.assign(k.rank(0), true);
  for (int64_t axis : axes)
    reduced[k.axis(axis, k.rank(0))] = true;
  return reduced;
}

Shape sizesAlong(const Shape &shape, const std::vector<bool> &reduced) {
  Shape sizes;
  for (auto [d, size] : llvm::enumerate(shape))
    if (reduced[d])
      sizes.push_back(size);
  return sizes;
}

/// The input's index from the output's (with or without the reduced dimensions) and that of the reduction.
Indices sourceOf(const std::vector<bool> &reduced, const Indices &at, const Indices &over) {
  const bool keeps = at.size() == reduced.size();
  Indices from;
  size_t kept = 0, along = 0;
  for (size_t d = 0; d < reduced.size(); ++d) {
    if (reduced[d])
      from.push_back(over[along++]);
    else
      from.push_back(at[keeps ? d : kept]);
    kept += !reduced[d];
  }
  return from;
}

/// The reduction of f(x) by `join`, into `shape`.
template <class F, class J>
Value reduceAlong(K &k, Sizes shape, Value x, const std::vector<bool> &reduced, Value init, F f, J join) {
  Shape own(sizesOf(x).begin(), sizesOf(x).end());
  return k.reduce(shape, sizesAlong(own, reduced), init,
                  [&](const Indices &at, const Indices &over, Value acc) {
                    return join(acc, f(k.read(x, sourceOf(reduced, at, over))));
                  });
}

template <class F, class J, class L> Value reduction(K &k, double init, F each, J join, L last) {
  auto reduced = axesOf(k);
  if (!reduced)
    return nullptr;
  Value result =
      reduceAlong(k, k.output.shape, k.in(0), *reduced, k.number(init, k.outputType()), each, join);
  const double count = double(product(sizesAlong(k.shape(0), *reduced)));
  return k.computeOutput([&](const Indices &at) { return last(k.read(result, at), count); });
}

Value same(Value x, double = 0) {
  return x;
}

Value exponential(K &k, Value x) {
  return k.b.create<math::ExpOp>(k.loc, x);
}
Value logarithm(K &k, Value x) {
  return k.b.create<math::LogOp>(k.loc, x);
}
Value absoluteOf(K &k, Value x) {
  return k.max(x, k.sub(k.number(0, x.getType()), x));
}

Value reduceSum(K &k) {
  return reduction(
      k, 0, [](Value x) { return x; }, [&](Value a, Value x) { return k.add(a, x); }, same);
}
Value reduceMean(K &k) {
  return reduction(
      k, 0, [](Value x) { return x; }, [&](Value a, Value x) { return k.add(a, x); },
      [&](Value x, double count) { return k.div(x, k.number(count, x.getType())); });
}
Value reduceMax(K &k) {
  const bool u = isUnsignedType(k.dtype(0));
  return reduction(
      k, leastOf(k.dtype(0)), [](Value x) { return x; }, [&](Value a, Value x) { return k.max(a, x, u); },
      same);
}
Value reduceMin(K &k) {
  const bool u = isUnsignedType(k.dtype(0));
  return reduction(
      k, mostOf(k.dtype(0)), [](Value x) { return x; }, [&](Value a, Value x) { return k.min(a, x, u); },
      same);
}
Value reduceProd(K &k) {
  return reduction(
      k, 1, [](Value x) { return x; }, [&](Value a, Value x) { return k.mul(a, x); }, same);
}
Value reduceL1(K &k) {
  return reduction(
      k, 0, [&](Value x) { return absoluteOf(k, x); }, [&](Value a, Value x) { return k.add(a, x); }, same);
}
Value reduceSumSquare(K &k) {
  return reduction(
      k, 0, [&](Value x) { return k.mul(x, x); }, [&](Value a, Value x) { return k.add(a, x); }, same);
}
Value reduceL2(K &k) {
  return reduction(
      k, 0, [&](Value x) { return k.mul(x, x); }, [&](Value a, Value x) { return k.add(a, x); },
      [&](Value x, double) -> Value { return k.b.create<math::SqrtOp>(k.loc, x); });
}
bool isDouble(K &k) {
  if (isFloatType(k.dtype(0)) && k.dtype(0) != onnx::TensorProto::FLOAT)
    k.refuse("has input type " + dtypeName(k.dtype(0)) + "; expected float32");
  return !k.reason.empty();
}

Value reduceLogSum(K &k) {
  if (isDouble(k))
    return nullptr;
  return reduction(
      k, 0, [](Value x) { return x; }, [&](Value a, Value x) { return k.add(a, x); },
      [&](Value x, double) { return logarithm(k, x); });
}
Value reduceLogSumExp(K &k) {
  if (isDouble(k))
    return nullptr;
  return reduction(
      k, 0, [&](Value x) { return exponential(k, x); }, [&](Value a, Value x) { return k.add(a, x); },
      [&](Value x, double) { return logarithm(k, x); });
}

/// The axes that a softmax runs over: one, or up to opset 12 all from `axis` on.
std::vector<bool> softmaxAxes(K &k) {
  const bool old = k.node.opset < 13;
  const int64_t axis = k.axis(k.integer("axis", old ? 1 : -1), k.rank(0));
  std::vector<bool> reduced(k.rank(0), false);
  for (int64_t d = axis; d < (old ? k.rank(0) : axis + 1); ++d)
    reduced[d] = true;
  return reduced;
}

Value softmaxOf(K &k, bool ofLogarithm) {
  if (k.dtype(0) != onnx::TensorProto::FLOAT)
    return k.refuse("has input type " + dtypeName(k.dtype(0)) + "; expected float32");
  const std::vector<bool> reduced = softmaxAxes(k);
  Shape ones = k.shape(0);
  for (size_t d = 0; d < reduced.size(); ++d)
    ones[d] = reduced[d] ? 1 : ones[d];
  Type f32 = k.outputType();
  Value x = k.in(0);
  Value most = reduceAlong(
      k, ones, x, reduced, k.number(leastOf(k.dtype(0)), f32), [](Value v) { return v; },
      [&](Value a, Value v) { return k.max(a, v); });
  Value shifted =
      k.computeOutput([&](const Indices &at) { return k.sub(k.read(x, at), k.readBroadcast(most, at)); });
  Value powers = k.computeOutput([&](const Indices &at) { return exponential(k, k.read(shifted, at)); });
  Value sum = reduceAlong(
      k, ones, powers, reduced, k.number(0, f32), [](Value v) { return v; },
      [&](Value a, Value v) { return k.add(a, v); });
  return k.computeOutput([&](const Indices &at) {
    Value total = k.readBroadcast(sum, at);
    return ofLogarithm ? k.sub(k.read(shifted, at), logarithm(k, total)) : k.div(k.read(powers, at), total);
  });
}

Value softmax(K &k) {
  return softmaxOf(k, false);
}
Value logSoftmax(K &k) {
  return softmaxOf(k, true);
}

/// The first, or with select_last_index the last, index of the extreme.
Value argument(K &k, bool ofMax) {
  std::vector<bool> reduced(k.rank(0), false);
  const int64_t axis = k.axis(k.integer("axis", 0), k.rank(0));
  reduced[axis] = true;
  const bool last = k.integer("select_last_index", 0) != 0, u = isUnsignedType(k.dtype(0));
  Value x = k.in(0);
  Value extreme = reduceAlong(
      k, k.output.shape, x, reduced,
      k.number(ofMax ? leastOf(k.dtype(0)) : mostOf(k.dtype(0)), k.elementType(0)), [](Value v) { return v; },
      [&](Value a, Value v) { return ofMax ? k.max(a, v, u) : k.min(a, v, u); });
  const int64_t size = k.shape(0)[axis];
  return k.reduce(k.output.shape, {size}, k.number(last ? 0 : double(size - 1), k.b.getI64Type()),
                  [&](const Indices &at, const Indices &over, Value found) {
                    Value here = k.fromIndex(over[0], k.b.getI64Type());
                    Value better = last ? k.max(found, here) : k.min(found, here);
                    Value value = k.read(x, sourceOf(reduced, at, over));
                    return k.select(k.compare(Compare::Equal, value, k.read(extreme, at)), better, found);
                  });
}

Value argMax(K &k) {
  return argument(k, true);
}
Value argMin(K &k) {
  return argument(k, false);
}

} // namespace

void addReductions(Builds &builds) {
  builds.insert({{"ArgMax", argMax},
                 {"ArgMin", argMin},
                 {"LogSoftmax", logSoftmax},
                 {"ReduceL1", reduceL1},
                 {"ReduceL2", reduceL2},
                 {"ReduceLogSum", reduceLogSum},
                 {"ReduceLogSumExp", reduceLogSumExp},
                 {"ReduceMax", reduceMax},
                 {"ReduceMean", reduceMean},
                 {"ReduceMin", reduceMin},
                 {"ReduceProd", reduceProd},
                 {"ReduceSum", reduceSum},
                 {"ReduceSumSquare", reduceSumSquare},
                 {"Softmax", softmax}});
}

} // namespace daedalus::onnximport
