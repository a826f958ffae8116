// Operators whose element depends on where it lies: triangles, diagonals, ranges, one-hot rows.

#include "OperatorTable.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;
using llvm::Twine;

namespace daedalus::onnximport {
namespace {

bool trilu(C &c) {
  return c.isFlag("upper") && c.rankAtLeast(0, 2) && (!c.has(1) || c.isScalar(1, "diagonal")) && c.like(0);
}

bool eyeLike(C &c) {
  c.outputs[0].dtype = typeAttribute(c.node, "dtype", c.dtype(0));
  if (!isPlainType(c.outputs[0].dtype))
    return c.failAttribute("dtype", Twine(c.integer("dtype", 0)), plainTypeNames);
  return c.rankIs(0, 2) && c.like(0);
}

/// The number that a constant scalar holds.
std::optional<double> numberOf(C &c, size_t input) {
  const HostTensor *host = c.constant(input);
  if (!host || host->size() != 1)
    return std::nullopt;
  return host->floats.size()    ? host->floats[0]
         : host->doubles.size() ? host->doubles[0]
                                : double(host->ints[0]);
}

bool range(C &c) {
  if (const int64_t stash = c.integer("stash_type", 1); stash != 1)
    return c.failAttribute("stash_type", Twine(stash), "1 (float32)");
  for (size_t input : {0, 1, 2})
    if (!c.isScalar(input, "bound"))
      return false;
  const auto start = numberOf(c, 0), limit = numberOf(c, 1), delta = numberOf(c, 2);
  if (delta && *delta == 0)
    return c.fail("goes in steps of '" + c.name(2) + "', which is 0; expected another number");
  if (!start || !limit || !delta)
    return c.outputDeclared(0, 1);
  const double count = std::max(std::ceil((*limit - *start) / *delta), 0.0);
  if (!(count <= 2147483648.0))
    return c.fail("gives " + std::to_string(count) + " numbers; expected at most 2^31");
  return c.output(0, {static_cast<int64_t>(count)});
}

bool oneHot(C &c) {
  if (!c.isScalar(1, "depth") || !c.hasShape(2, {2}))
    return false;
  int64_t axis = 0;
  if (!c.axis("axis", -1, c.rank(0) + 1, axis))
    return false;
  const auto depth = numberOf(c, 1);
  if (!depth) {
    Shape open = c.shape(0);
    open.insert(open.begin() + axis, -1);
    return c.outputDeclaredAs(0, open);
  }
  if (!(*depth >= 0 && *depth <= 2147483648.0))
    return c.fail("depth '" + c.name(1) + "' is " + Twine(int64_t(*depth)) + "; expected 0 to 2^31");
  Shape shape = c.shape(0);
  shape.insert(shape.begin() + axis, static_cast<int64_t>(*depth));
  return c.output(0, shape);
}

/// The triangle above, or below, a diagonal of each matrix; the other elements are 0.
Value trilu(K &k) {
  const bool isUpper = k.integer("upper", 1) != 0;
  const unsigned row = k.output.shape.size() - 2;
  SmallVector<Read> reads{k.read(0)};
  if (k.has(1))
    reads.push_back(k.readScalar(1));
  return k.elementwiseOutput(reads, [&](ValueRange x) {
    Value diagonal = k.has(1) ? k.toIndex(x[1]) : k.index(0);
    Value distance = k.sub(k.loopIndex(row + 1), k.loopIndex(row));
    Value isKept = k.compare(isUpper ? Compare::GreaterOrEqual : Compare::LessOrEqual, distance, diagonal);
    return k.select(isKept, x[0], k.number(0, k.outputType()));
  });
}

Value eyeLike(K &k) {
  return k.elementwiseOutput({}, [&](ValueRange) {
    Value distance = k.sub(k.loopIndex(1), k.loopIndex(0));
    return k.select(k.equal(distance, k.index(k.integer("k", 0))), k.number(1, k.outputType()),
                    k.number(0, k.outputType()));
  });
}

/// start + i delta; how many there are is compared with the declared shape where they come at run time.
Value range(K &k) {
  const int32_t wide = onnx::TensorProto::DOUBLE;
  Value fits = k.boolean(true);
  if (!(k.constant(0) && k.constant(1) && k.constant(2))) {
    Value start, limit, delta;
    for (auto [at, value] : {std::pair(0, &start), std::pair(1, &limit), std::pair(2, &delta)}) {
      const HostTensor *host = k.constant(at);
      Value number = host ? k.b.create<arith::ConstantOp>(k.loc, k.numberOf(*host)).getResult()
                          : k.element(k.in(at), Indices(k.rank(at), k.index(0)));
      *value = k.convert(number, k.dtype(at), wide);
    }
    Value count = k.b.create<math::CeilOp>(k.loc, k.div(k.sub(limit, start), delta));
    count = k.max(count, k.number(0, count.getType()));
    fits = k.equal(count, k.number(double(k.output.shape[0]), count.getType()));
  }
  k.require(fits, "range");
  return k.elementwiseOutput({k.readScalar(0), k.readScalar(2)}, [&](ValueRange x) {
    Value at =
        k.convert(k.fromIndex(k.loopIndex(0), k.b.getI64Type()), onnx::TensorProto::INT64, k.output.dtype);
    return k.add(x[0], k.mul(at, x[1]));
  });
}

/// values[1] where the index along `axis` is the one that indices say, values[0] elsewhere.
Value oneHot(K &k) {
  const unsigned rank = k.output.shape.size(), axis = k.axis(k.integer("axis", -1), rank);
  const int64_t depth = k.output.shape[axis];
  SmallVector<unsigned> others;
  for (unsigned d = 0; d < rank; ++d)
    if (d != axis)
      others.push_back(d);
  if (!k.constant(1)) {
    Value given =
        k.convert(k.element(k.in(1), Indices(k.rank(1), k.index(0))), k.dtype(1), onnx::TensorProto::INT64);
    k.require(k.equal(k.toIndex(given), k.index(depth)), "depth");
  }
  const auto value = [&](int64_t at) {
    return k.read(2, AffineMap::get(rank, 0, k.b.getAffineConstantExpr(at), k.b.getContext()));
  };
  return k.elementwiseOutput({k.read(0, k.loops(rank, others)), value(0), value(1)}, [&](ValueRange x) {
    Value index = k.toIndex(k.convert(x[0], k.dtype(0), onnx::TensorProto::INT64));
    index = k.select(k.compare(Compare::Less, index, k.index(0)), k.add(index, k.index(depth)), index);
    return k.select(k.equal(index, k.loopIndex(axis)), x[2], x[1]);
  });
}

} // namespace

void addPatterns(Operators &all) {
  all["EyeLike"] = {9, eyeLike, eyeLike};
  all["OneHot"] = {9, oneHot, oneHot};
  all["Range"] = {11, range, range};
  all["Trilu"] = {14, trilu, trilu, nullptr, inInt8};
}

} // namespace daedalus::onnximport
