// Matrix products.

#include "../Einsum.h"
#include "NodeCheck.h"

using llvm::Twine;

namespace daedalus::onnximport {
namespace {

using C = NodeCheck;

/// numpy's matmul: vectors take part as a row or a column, what lies before the matrices broadcasts.
bool matmulShape(C &c, Shape &shape) {
  Shape left = c.shape(0), right = c.shape(1);
  if (left.empty() || right.empty())
    return c.fail("multiplies a scalar; expected at least one dimension");
  const bool row = left.size() > 1, column = right.size() > 1;
  const int64_t depth = column ? right[right.size() - 2] : right.back();
  if (left.back() != depth)
    return c.fail("multiplies shape " + shapeText(left) + " by " + shapeText(right) +
                  "; expected as many columns as rows: " + Twine(left.back()) + " and " + Twine(depth));
  const Shape rows = row ? Shape{left[left.size() - 2]} : Shape(),
              columns = column ? Shape{right.back()} : Shape();
  left.pop_back_n(row ? 2 : 1), right.pop_back_n(column ? 2 : 1);
  shape = left;
  if (!c.combine(shape, right))
    return false;
  shape.append(rows.begin(), rows.end());
  shape.append(columns.begin(), columns.end());
  return true;
}

bool matmul(C &c) {
  Shape shape;
  return matmulShape(c, shape) && c.output(0, shape);
}

/// A scalar, or one entry for each of `count` rows or columns.
bool zeroPoint(C &c, size_t input, int64_t count, const char *of) {
  if (!c.has(input))
    return true;
  if (c.rank(input) > 1)
    return c.fail("zero point '" + c.name(input) + "' has shape " + shapeText(c.shape(input)) +
                  "; expected a scalar or one dimension");
  return c.elements(input) == 1 || c.elements(input) == count ||
         c.fail("zero point '" + c.name(input) + "' has shape " + shapeText(c.shape(input)) +
                "; expected a scalar or " + Twine(count) + ", one for each " + of);
}

bool matmulInteger(C &c) {
  Shape shape;
  if (!matmulShape(c, shape))
    return false;
  const int64_t rows = c.rank(0) > 1 ? c.shape(0)[c.rank(0) - 2] : 1;
  return zeroPoint(c, 2, rows, "row") && zeroPoint(c, 3, c.rank(1) > 1 ? c.shape(1).back() : 1, "column") &&
         c.output(0, shape);
}

bool gemm(C &c) {
  if (!c.rankIs(0, 2) || !c.rankIs(1, 2) || !c.isFlag("transA") || !c.isFlag("transB"))
    return false;
  const int64_t a = c.integer("transA", 0), b = c.integer("transB", 0);
  if (c.shape(0)[1 - a] != c.shape(1)[b])
    return c.fail("multiplies shape " + shapeText(c.shape(0)) + (a ? " (transposed)" : "") + " by " +
                  shapeText(c.shape(1)) + (b ? " (transposed)" : "") +
                  "; expected as many columns as rows: " + Twine(c.shape(0)[1 - a]) + " and " +
                  Twine(c.shape(1)[b]));
  const Shape shape{c.shape(0)[a], c.shape(1)[1 - b]};
  if (c.has(2) && c.version < 7 && !c.integer("broadcast", 0) && !c.hasShape(2, shape))
    return false;
  return (!c.has(2) || c.broadcastsTo(2, shape)) && c.output(0, shape);
}

bool einsum(C &c) {
  std::vector<Shape> shapes;
  for (const Known &input : c.inputs)
    shapes.push_back(input.shape);
  const Result<Einsum> of = readEinsum(c.text("equation", ""), shapes);
  if (!of)
    return c.fail(of.error());
  return c.output(0, Shape(of->sizes.begin(), of->sizes.begin() + of->rank));
}

} // namespace

void addProductChecks(Checks &checks) {
  checks.insert({{"Einsum", {12, einsum}},
                 {"Gemm", {1, gemm}},
                 {"MatMul", {1, matmul}},
                 {"MatMulInteger", {10, matmulInteger}}});
}

} // namespace daedalus::onnximport
