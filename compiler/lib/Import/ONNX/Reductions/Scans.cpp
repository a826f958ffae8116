// CumSum and CumProd: sums and products of all elements before one, along an axis. log2(n) steps: after step
// s an element is joined with those of 2^s places before it.

#include "OperatorTable.h"

using namespace mlir;

namespace daedalus::onnximport {
namespace {

using JoinTwo = llvm::function_ref<Value(Value, Value)>;

bool scan(C &c) {
  if (!c.isFlag("reverse") || !c.isFlag("exclusive") || !c.rankAtLeast(0, 1) || !c.isScalar(1, "axis"))
    return false;
  if (std::optional<Shape> axis = c.integers(1))
    if (!c.axes("input '" + c.name(1) + "'", *axis, c.rank(0)))
      return false;
  return c.like(0);
}

/// One scan: along which axis, from which end, and what it joins.
struct Scan {
  unsigned axis;
  bool isReverse, isExclusive;
  double neutral;
  JoinTwo join;
};

/// The tensor whose element at i is that at i - `by`, or in reverse i + `by`; the neutral one outside.
Value shifted(K &k, Value x, const Scan &scan, int64_t by) {
  const Sizes shape = shapeOf(x);
  Shape before(shape.size(), 0), behind = before, starts = before;
  (scan.isReverse ? behind : before)[scan.axis] = by;
  starts[scan.axis] = scan.isReverse ? by : 0;
  Value padded = k.pad(x, before, behind, k.number(scan.neutral, elementOf(x)));
  return k.slice(padded, starts, shape, Shape(shape.size(), 1));
}

Value scanned(K &k, Value x, const Scan &scan) {
  const Sizes shape = k.output.shape;
  if (product(shape) == 0)
    return x;
  if (scan.isExclusive)
    x = shifted(k, x, scan, 1);
  for (int64_t by = 1; by < shape[scan.axis]; by *= 2)
    x = k.elementwiseOutput({k.broadcast(x, shape), k.broadcast(shifted(k, x, scan, by), shape)},
                            [&](ValueRange x) { return scan.join(x[0], x[1]); });
  return x;
}

/// An axis that comes at run time selects one of the scans along all of them.
Value scan(K &k, double neutral, JoinTwo join) {
  const auto along = [&](unsigned axis) {
    return scanned(k, k.in(0),
                   {axis, k.integer("reverse", 0) != 0, k.integer("exclusive", 0) != 0, neutral, join});
  };
  const int64_t rank = k.rank(0);
  if (const HostTensor *axis = k.constant(1))
    return along(k.axis(axis->ints[0], rank));
  Value given = k.toIndex(k.element(k.in(1), Indices(k.rank(1), k.index(0))));
  k.require(k.both(k.compare(Compare::GreaterOrEqual, given, k.index(-rank)),
                   k.compare(Compare::Less, given, k.index(rank))),
            "axis");
  Value result = along(0);
  for (int64_t axis = 1; axis < rank; ++axis)
    result = k.elementwiseOutput(
        {k.broadcast(result, k.output.shape), k.broadcast(along(axis), k.output.shape), k.readScalar(1)},
        [&](ValueRange x) {
          Value at = k.toIndex(x[2]);
          return k.select(k.either(k.equal(at, k.index(axis)), k.equal(at, k.index(axis - rank))), x[1],
                          x[0]);
        });
  return result;
}

Value cumSum(K &k) {
  return scan(k, 0, [&](Value x, Value y) { return k.add(x, y); });
}
Value cumProd(K &k) {
  return scan(k, 1, [&](Value x, Value y) { return k.mul(x, y); });
}

} // namespace

void addScans(Operators &all) {
  all["CumProd"] = {26, scan, cumProd};
  all["CumSum"] = {11, scan, cumSum};
}

} // namespace daedalus::onnximport
