// Operators whose element depends on where it lies: triangles, diagonals, ranges, one-hot rows.

#include "Builds.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace daedalus::onnximport {
namespace {

using K = GeneralKernel;
using Compare = Body::Compare;

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

void addPatterns(Builds &builds) {
  builds.insert({{"EyeLike", eyeLike}, {"OneHot", oneHot}, {"Range", range}, {"Trilu", trilu}});
}

} // namespace daedalus::onnximport
