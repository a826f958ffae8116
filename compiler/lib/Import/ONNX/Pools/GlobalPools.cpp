// GlobalAveragePool and GlobalMaxPool.

#include "OperatorTable.h"
#include "Pools/GlobalAverage.h"
#include "Pools/Pool.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"

#include <numeric>

using namespace mlir;

namespace daedalus::onnximport {
namespace {

/// Over all dimensions behind the channels.
Value global(K &k, bool isMax) {
  SmallVector<unsigned> over(k.rank(0) - 2);
  std::iota(over.begin(), over.end(), 2);
  Type type = k.elementType(0);
  Value result = k.reduce(k.in(0), over, k.number(isMax ? leastOf(k.dtype(0)) : 0, type),
                          [&](Value acc, Value x) { return isMax ? k.max(acc, x) : k.add(acc, x); });
  if (!isMax)
    result = k.elementwise(result, [&](Value x) {
      return k.div(x, k.number(double(product(Sizes(k.shape(0)).drop_front(2))), type));
    });
  return k.reshape(result, k.output.shape);
}

Value globalMaxPool(K &k) {
  return global(k, true);
}
Value globalAveragePool(K &k) {
  return global(k, false);
}

Covered importGlobalAveragePool(Importer &im, const Node &node) {
  Shape output = im.known(node, 0).shape;
  if (!im.areReal(node) || output.size() < 3)
    return false;
  std::fill(output.begin() + 2, output.end(), 1);
  return importGlobalAverage(im, node, output);
}

} // namespace

Covered importGlobalAverage(Importer &im, const Node &node, const Shape &output) {
  const Shape x = im.known(node, 0).shape;
  const int64_t columns = x.back();
  const Shape image{x[0], x[1], elementCount({x.begin() + 2, x.end()}) / columns, columns};
  Value input = im.reshaped(im.valueOf(node, 0), image, node.loc);
  Value y = im.builder.create<qnn::AveragePoolOp>(node.loc, im.realType({x[0], x[1], 1, 1}), input,
                                                  Shape{image[2], image[3]}, Shape(4, 0), Shape(2, 1),
                                                  DenseI64ArrayAttr(), false);
  im.define(node, im.reshaped(y, output, node.loc));
  return true;
}

void addGlobalPools(Operators &all) {
  all["GlobalAveragePool"] = {1, globalPool, globalAveragePool, importGlobalAveragePool,
                              "accelerator, of any rank"};
  all["GlobalMaxPool"] = {1, globalPool, globalMaxPool};
}

} // namespace daedalus::onnximport
