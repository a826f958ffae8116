// AffineGrid.

#include "OperatorTable.h"

using namespace mlir;
using llvm::Twine;

namespace daedalus::onnximport {
namespace {

bool affineGrid(C &c) {
  if (!c.isFlag("align_corners") || !c.rankIs(0, 3))
    return false;
  const int64_t rank = c.shape(0)[1];
  if (rank < 2 || rank > 3 || c.shape(0)[2] != rank + 1)
    return c.fail("input '" + c.name(0) + "' has shape " + shapeText(c.shape(0)) +
                  "; expected [N,2,3] or [N,3,4]");
  if (!c.hasShape(1, {rank + 2}))
    return false;
  const std::optional<Shape> size = c.integers(1);
  if (!size)
    return c.outputDeclared(0, rank + 2);
  Shape shape{c.shape(0)[0]};
  for (int64_t d = 0; d < rank; ++d)
    shape.push_back((*size)[2 + d]);
  shape.push_back(rank);
  if ((*size)[0] != shape[0] || llvm::any_of(shape, [](int64_t d) { return d < 0; }))
    return c.fail("makes a grid of size " + shapeText(*size) + " for " + Twine(shape[0]) +
                  " transformations; expected " + Twine(shape[0]) + " first, and sizes of at least 0");
  return c.output(0, shape);
}

/// theta [N,r,r+1] by the coordinates of each position and 1.
Value affineGrid(K &k) {
  const unsigned rank = k.shape(0)[1], last = rank + 1;
  const bool isAligned = k.integer("align_corners", 0) != 0;
  if (!k.constant(1)) {
    Value fits = k.equal(k.indexAt(1, 0), k.index(k.output.shape[0]));
    for (unsigned d = 0; d < rank; ++d)
      fits = k.both(fits, k.equal(k.indexAt(1, 2 + d), k.index(k.output.shape[1 + d])));
    k.require(fits, "size");
  }
  SmallVector<Read> reads;
  const unsigned loops = k.output.shape.size();
  for (unsigned column = 0; column <= rank; ++column)
    reads.push_back(k.read(0, AffineMap::get(loops, 0,
                                             {k.b.getAffineDimExpr(0), k.b.getAffineDimExpr(last),
                                              k.b.getAffineConstantExpr(column)},
                                             k.b.getContext())));
  Type type = k.outputType();
  return k.elementwiseOutput(reads, [&](ValueRange x) {
    Value sum = x[rank];
    for (unsigned column = 0; column < rank; ++column) { // the last dimension's coordinate first
      const unsigned d = rank - 1 - column;
      const double size = double(k.output.shape[1 + d]);
      Value at = k.convert(k.fromIndex(k.loopIndex(1 + d), k.b.getI64Type()), onnx::TensorProto::INT64,
                           k.output.dtype);
      const double step = 2 / (isAligned ? size - 1 : size), start = isAligned ? -1 : -1 + step / 2;
      at = size == 1 && isAligned ? k.number(-1, type)
                                  : k.add(k.number(start, type), k.mul(at, k.number(step, type)));
      sum = k.add(sum, k.mul(x[column], at));
    }
    return sum;
  });
}

} // namespace

void addAffineGrid(Operators &all) {
  all["AffineGrid"] = {20, affineGrid, affineGrid};
}

} // namespace daedalus::onnximport
