// Conv and ConvInteger.

#include "Body/Centred.h"
#include "Convolutions/Weights.h"
#include "OperatorTable.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"
#include "daedalus/Kernels/Products.h"

using namespace mlir;
using llvm::Twine;

namespace daedalus::onnximport {
namespace {

bool convolutionShape(C &c) {
  const int64_t groups = c.integer("group", 1);
  const Shape &x = c.shape(0), &w = c.shape(1);
  if (x.size() < 3 || w.size() != x.size() || groups < 1 || groups > (1 << 24) || x[1] != w[1] * groups ||
      w[0] % groups)
    return c.fail("convolves shape " + shapeText(x) + " with weights of shape " + shapeText(w) + " in " +
                  Twine(groups) + " groups, which do not fit; " + fittingWeights(x, "[M,C / group,...]"));
  Window window;
  return c.windowOutput(Shape(w.begin() + 2, w.end()), w[0], window);
}

bool convolution(C &c) {
  return convolutionShape(c) && (!c.has(2) || c.hasShape(2, {c.shape(1)[0]}));
}

bool zeroPoint(C &c, size_t input, int64_t channels) {
  if (!c.has(input) || c.elements(input) == 1)
    return true;
  return c.hasShape(input, {channels});
}

bool convolutionInteger(C &c) {
  return convolutionShape(c) && (!c.has(2) || c.isScalar(2, "zero point")) && zeroPoint(c, 3, c.shape(1)[0]);
}

Window convolutionWindow(K &k) {
  const Shape &weights = k.shape(1);
  return k.window(Shape(weights.begin() + 2, weights.end()));
}

int64_t groups(K &k) {
  return k.integer("group", 1);
}

Value convolution(K &k) {
  if (k.dtype(0) != onnx::TensorProto::FLOAT)
    return k.refuseType(0, "float32");
  const Window window = convolutionWindow(k);
  Value x = kernels::padded(k, k.in(0), window, 0);
  Value sum = kernels::convolution(k, x, k.in(1), window, groups(k), k.output.shape);
  if (!k.has(2))
    return sum;
  return k.elementwiseOutput({k.broadcast(sum, k.output.shape), k.read(2, k.loops(k.output.shape.size(), 1))},
                             [&](ValueRange x) { return k.add(x[0], x[1]); });
}

/// Less its zero point x is a tensor of its own: the zeros around it are those of int32.
Value convolutionInteger(K &k) {
  const Window window = convolutionWindow(k);
  const kernels::ConvolutionLoops loops(k.b.getContext(), window, k.shape(1), groups(k));
  const unsigned rank = k.rank(0);
  Centred x(k, 0, 2), w(k, 1, 3);
  SmallVector<Read> ofX, ofW;
  x.read(k.b.getMultiDimIdentityMap(rank), k.b.getAffineDimExpr(1), ofX);
  Value centred = k.elementwise(k.shape(0), k.outputType(), ofX, [&](ValueRange e) { return x.element(e); });
  w.read(loops.w, loops.channel, ofW);
  return kernels::convolution(k, kernels::padded(k, centred, window, 0), loops, groups(k), k.output.shape,
                              k.outputType(), ofW, [&](ValueRange e) { return w.element(e); });
}

/// One over [N,C,L] is one over an image of height 1.
Covered importConv(Importer &im, const Node &node) {
  const Shape x = im.known(node, 0).shape, w = im.known(node, 1).shape;
  if (!im.areReal(node) || (x.size() != 3 && x.size() != 4))
    return false;
  const Result<Window> read = readWindow(node, x, Shape(w.begin() + 2, w.end()));
  if (!read)
    return LogicalResult(im.fail(node) << read.error());
  const Window window = read->ofImage();
  Value input = im.imageOf(node, 0), weights = im.imageOf(node, 1), bias = im.valueOf(node, 2);
  Value y = im.builder.create<qnn::ConvOp>(
      node.loc, im.realType({x[0], w[0], window.output[0], window.output[1]}), input, weights, bias, Value(),
      window.pad(), window.strides, window.dilations, intAttribute(node, "group", 1), false);
  Shape shape{x[0], w[0]};
  shape.append(read->output);
  im.define(node, im.reshaped(y, shape, node.loc));
  return true;
}

} // namespace

void addConvolutions(Operators &all) {
  all["Conv"] = {1, convolution, convolution, importConv,
                 "accelerator, in groups too; 1-D and 2-D with constant weights"};
  all["ConvInteger"] = {10, convolutionInteger, convolutionInteger};
}

} // namespace daedalus::onnximport
