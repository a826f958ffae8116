// Transpose.

#include "OperatorTable.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

#include <numeric>

using namespace mlir;
using llvm::Twine;

namespace daedalus::onnximport {
namespace {

bool transpose(C &c) {
  Shape reverse(c.rank(0));
  std::iota(reverse.rbegin(), reverse.rend(), 0);
  const Shape permutation = c.list("perm", reverse);
  Shape sorted = permutation, shape;
  llvm::sort(sorted);
  std::reverse(reverse.begin(), reverse.end());
  if (sorted != reverse)
    return c.failToFit("perm", shapeText(permutation),
                       "a permutation of the " + Twine(c.rank(0)) + " dimensions of shape " +
                           shapeText(c.shape(0)));
  for (int64_t from : permutation)
    shape.push_back(c.shape(0)[from]);
  return c.output(0, shape);
}

Value transpose(K &k) {
  Shape reverse;
  for (int64_t d = k.rank(0); d-- > 0;)
    reverse.push_back(d);
  return k.transpose(k.in(0), intsAttribute(k.node, "perm", reverse));
}

Covered importTranspose(Importer &im, const Node &node) {
  const Shape x = im.known(node, 0).shape;
  if (!im.canMove(node) || x.empty())
    return false;
  Shape order, shape;
  for (int64_t d = x.size(); d-- > 0;)
    order.push_back(d);
  order = intsAttribute(node, "perm", order);
  for (int64_t d : order)
    shape.push_back(x[d]);
  Value input = im.valueOf(node, 0);
  const auto type = RankedTensorType::get({static_cast<int64_t>(order.size())}, im.builder.getI64Type());
  Value permutation = im.builder.create<tosa::ConstOp>(
      node.loc, type, DenseElementsAttr::get(type, ArrayRef<int64_t>(order)));
  const auto moved = cast<RankedTensorType>(input.getType()).clone(shape);
  im.defineMoved(node, im.builder.create<tosa::TransposeOp>(node.loc, moved, input, permutation));
  return true;
}

} // namespace

void addTranspose(Operators &all) {
  all["Transpose"] = {1, transpose, transpose, importTranspose,
                      "a view where no element moves; accelerator or CPU in int8 otherwise"};
}

} // namespace daedalus::onnximport
