// Gemm, MatMul and MatMulInteger.

#include "Body/Centred.h"
#include "OperatorTable.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"
#include "daedalus/Kernels/Products.h"

using namespace mlir;
using llvm::Twine;

namespace daedalus::onnximport {
namespace {

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

Value matmul(K &k) {
  return kernels::batchProduct(k, k.in(0), k.in(1), k.output.shape, k.outputType());
}

Value matmulInteger(K &k) {
  const kernels::BatchLoops loops(k.b.getContext(), k.shape(0), k.shape(1), k.output.shape.size());
  Centred left(k, 0, 2), right(k, 1, 3);
  SmallVector<Read> reads;
  left.read(loops.left, loops.row, reads);
  right.read(loops.right, loops.column, reads);
  return k.reduce(k.output.shape, loops.output, k.number(0, k.outputType()), reads,
                  [&](Value sum, ValueRange elements) {
                    return k.add(sum, k.mul(left.element(elements), right.element(elements)));
                  });
}

Value gemm(K &k) {
  if (k.dtype(0) != onnx::TensorProto::FLOAT)
    return k.refuseType(0, "float32");
  const float alpha = k.real("alpha", 1), beta = k.real("beta", 1);
  Value sum =
      kernels::matrixProduct(k, k.in(0), k.in(1), k.integer("transA", 0) != 0, k.integer("transB", 0) != 0);
  if (!k.has(2) && alpha == 1)
    return sum;
  SmallVector<Read> reads{k.broadcast(sum, k.output.shape)};
  if (k.has(2))
    reads.push_back(k.read(2));
  return k.elementwiseOutput(reads, [&](ValueRange x) {
    Value result = k.mul(k.f32(alpha), x[0]);
    return k.has(2) ? k.add(result, k.mul(k.f32(beta), x[1])) : result;
  });
}

/// A product with a bias: alpha and beta are 1, and C has one number, or one a column.
Covered importGemm(Importer &im, const Node &node) {
  const bool isPlain = !intAttribute(node, "transA", 0) && floatAttribute(node, "alpha", 1) == 1 &&
                       floatAttribute(node, "beta", 1) == 1;
  if (!im.areReal(node) || !isPlain)
    return false;
  const bool transposed = intAttribute(node, "transB", 0) != 0;
  const Shape x = im.known(node, 0).shape, w = im.known(node, 1).shape, c = im.known(node, 2).shape;
  const int64_t columns = w[transposed ? 0 : 1],
                size = im.has(node, 2) ? elementCount({c.begin(), c.end()}) : 1;
  if (size != 1 && (size != columns || c.back() != columns))
    return false;
  Value input = im.valueOf(node, 0), weights = im.valueOf(node, 1), bias = im.valueOf(node, 2);
  im.define(node, im.builder.create<qnn::MatmulOp>(node.loc, im.realType({x[0], columns}), input, weights,
                                                   bias, Value(), transposed));
  return true;
}

/// A product with a matrix, or of two batches of matrices.
Covered importMatMul(Importer &im, const Node &node) {
  Shape shape = im.known(node, 0).shape;
  const Shape w = im.known(node, 1).shape;
  if (!im.areReal(node) || shape.size() < 2 || w.size() < 2)
    return false;
  Value input = im.valueOf(node, 0), weights = im.valueOf(node, 1);
  if (w.size() > 2) {
    FailureOr<PlainType> output = im.declaredType(node, node.proto.output(0));
    if (failed(output))
      return failure();
    im.define(node, im.builder.create<qnn::BatchMatmulOp>(node.loc, im.realType(output->shape), input,
                                                          weights, DenseI64ArrayAttr(), DenseI64ArrayAttr()));
    return true;
  }
  shape.back() = w[1];
  im.define(node, im.builder.create<qnn::MatmulOp>(node.loc, im.realType(shape), input, weights, Value(),
                                                   Value(), false));
  return true;
}

} // namespace

void addProducts(Operators &all) {
  all["Gemm"] = {1, gemm, gemm, importGemm, "accelerator; constant weights"};
  all["MatMul"] = {1, matmul, matmul, importMatMul,
                   "accelerator; constant weights, or two tensors of two or more dimensions"};
  all["MatMulInteger"] = {10, matmulInteger, matmulInteger};
}

} // namespace daedalus::onnximport
