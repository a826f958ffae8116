// Conv, ConvTranspose, Gemm and MatMul.

#include "../General/Kernel.h"
#include "../TransposedWindow.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"

using namespace mlir;

namespace daedalus::onnximport {

/// One over [N,C,L] is one over an image of height 1.
Importer::Covered Importer::importConv(const Node &node) {
  const Shape x = known(node, 0).shape, w = known(node, 1).shape;
  if (!areReal(node) || (x.size() != 3 && x.size() != 4))
    return false;
  const Result<Window> read = readWindow(node, x, Shape(w.begin() + 2, w.end()));
  if (!read)
    return LogicalResult(fail(node) << read.error());
  const Window window = read->ofImage();
  Value input = imageOf(node, 0), weights = imageOf(node, 1), bias = valueOf(node, 2);
  Value y = builder.create<qnn::ConvOp>(node.loc, realType({x[0], w[0], window.output[0], window.output[1]}),
                                        input, weights, bias, Value(), window.pad(), window.strides,
                                        window.dilations, intAttribute(node, "group", 1), false);
  Shape shape{x[0], w[0]};
  shape.append(read->output);
  define(node, reshaped(y, shape, node.loc));
  return true;
}

/// By constants, in one group, without dilation. A kernel that its strides divide badly is left to a call:
/// filled up with zeros it would be more than four times as large.
Importer::Covered Importer::importConvTranspose(const Node &node) {
  const Shape x = known(node, 0).shape, w = known(node, 1).shape;
  const bool isByConstants = known(node, 1).isConstant && (!has(node, 2) || known(node, 2).isConstant);
  if (!areReal(node) || !isByConstants || (x.size() != 3 && x.size() != 4) ||
      intAttribute(node, "group", 1) != 1)
    return false;
  const Result<TransposedWindow> read = readTransposedWindow(node, x, Shape(w.begin() + 2, w.end()));
  if (!read)
    return LogicalResult(fail(node) << read.error());
  double filled = 1;
  for (auto [kernel, stride] : llvm::zip(read->kernel, read->strides))
    filled *= double((kernel + stride - 1) / stride * stride) / double(kernel);
  if (filled > 4 || llvm::any_of(read->dilations, [](int64_t dilation) { return dilation != 1; }))
    return false;
  const auto ofImage = [](Shape numbers, int64_t ofHeight) {
    if (numbers.size() == 1)
      numbers.insert(numbers.begin(), ofHeight);
    return numbers;
  };
  const Shape output = ofImage(read->output, 1);
  Value input = imageOf(node, 0), weights = imageOf(node, 1), bias = valueOf(node, 2);
  Value y = builder.create<qnn::TransposedConvOp>(node.loc, realType({x[0], w[1], output[0], output[1]}),
                                                  input, weights, bias, ofImage(read->padBegin, 0),
                                                  ofImage(read->strides, 1));
  Shape shape{x[0], w[1]};
  shape.append(read->output);
  define(node, reshaped(y, shape, node.loc));
  return true;
}

/// A product with a bias: alpha and beta are 1, and C has one number, or one a column.
Importer::Covered Importer::importGemm(const Node &node) {
  const bool isPlain = !intAttribute(node, "transA", 0) && floatAttribute(node, "alpha", 1) == 1 &&
                       floatAttribute(node, "beta", 1) == 1;
  if (!areReal(node) || !isPlain)
    return false;
  const bool transposed = intAttribute(node, "transB", 0) != 0;
  const Shape x = known(node, 0).shape, w = known(node, 1).shape, c = known(node, 2).shape;
  const int64_t columns = w[transposed ? 0 : 1], size = has(node, 2) ? elementCount({c.begin(), c.end()}) : 1;
  if (size != 1 && (size != columns || c.back() != columns))
    return false;
  Value input = valueOf(node, 0), weights = valueOf(node, 1), bias = valueOf(node, 2);
  define(node, builder.create<qnn::MatmulOp>(node.loc, realType({x[0], columns}), input, weights, bias,
                                             Value(), transposed));
  return true;
}

/// A product with a matrix, or of two batches of matrices.
Importer::Covered Importer::importMatMul(const Node &node) {
  Shape shape = known(node, 0).shape;
  const Shape w = known(node, 1).shape;
  if (!areReal(node) || shape.size() < 2 || w.size() < 2)
    return false;
  Value input = valueOf(node, 0), weights = valueOf(node, 1);
  if (w.size() > 2) {
    FailureOr<PlainType> output = declaredType(node, node.proto.output(0));
    if (failed(output))
      return failure();
    define(node, builder.create<qnn::BatchMatmulOp>(node.loc, realType(output->shape), input, weights,
                                                    DenseI64ArrayAttr(), DenseI64ArrayAttr()));
    return true;
  }
  shape.back() = w[1];
  define(node,
         builder.create<qnn::MatmulOp>(node.loc, realType(shape), input, weights, Value(), Value(), false));
  return true;
}

} // namespace daedalus::onnximport
