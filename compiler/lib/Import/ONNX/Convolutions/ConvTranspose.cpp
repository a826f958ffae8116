// ConvTranspose.

#include "Convolutions/Weights.h"
#include "OperatorTable.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"
#include "daedalus/Kernels/Products.h"

using namespace mlir;
using llvm::Twine;

namespace daedalus::onnximport {
namespace {

/// One entry a dimension of the image. Each element of the image adds the kernel to the output, `strides`
/// apart; of that `padBegin` and `padEnd` are cut off (added where negative), and `outputPadding` is part of
/// padEnd already.
struct TransposedWindow {
  Shape kernel, strides, dilations, padBegin, padEnd, output;
};

constexpr int64_t most = int64_t(1) << 31;

/// What a dimension's output would be without pads, less what it is to be, cut off at both ends.
void cut(TransposedWindow &window, size_t i, int64_t whole, bool isUpper) {
  const int64_t total = std::max<int64_t>(whole - window.output[i], 0);
  window.padBegin[i] = isUpper ? total / 2 : total - total / 2;
  window.padEnd[i] = whole - window.output[i] - window.padBegin[i];
}

Result<TransposedWindow> readTransposedWindow(const Node &node, const Shape &input, const Shape &kernel) {
  const size_t rank = kernel.size();
  const std::string mode = textAttribute(node, "auto_pad", "NOTSET");
  if (mode != "NOTSET" && mode != "VALID" && mode != "SAME_UPPER" && mode != "SAME_LOWER")
    return error("attribute 'auto_pad' has value '" + mode +
                 "'; expected NOTSET, VALID, SAME_UPPER or SAME_LOWER");
  const Shape declared = intsAttribute(node, "kernel_shape", kernel);
  if (declared != kernel)
    return error("attribute 'kernel_shape' has value " + shapeText(declared) + "; expected " +
                 shapeText(kernel));
  const Result<Shape> strides = listAttribute(node, "strides", rank, 1, 1),
                      dilations = listAttribute(node, "dilations", rank, 1, 1),
                      pads = listAttribute(node, "pads", 2 * rank, 0, 0),
                      extra = listAttribute(node, "output_padding", rank, 0, 0);
  for (const Result<Shape> *list : {&strides, &dilations, &pads, &extra})
    if (!*list)
      return error(list->error());
  Shape given = intsAttribute(node, "output_shape", {});
  if (given.size() == rank + 2)
    given.erase(given.begin(), given.begin() + 2);
  if (!given.empty() && given.size() != rank)
    return error("attribute 'output_shape' has value " + shapeText(given) + "; expected " +
                 std::to_string(rank) + " integers");
  TransposedWindow window{kernel, *strides, *dilations, Shape(rank, 0), Shape(rank, 0), Shape(rank, 0)};
  for (size_t i = 0; i < rank; ++i) {
    if (kernel[i] < 1 || kernel[i] > most)
      return error("has a kernel of shape " + shapeText(kernel) + "; expected sizes of at least 1");
    if (input[2 + i] < 1)
      return error("has an input of shape " + shapeText(input) + "; expected sizes of at least 1");
    const int64_t bare = (*strides)[i] * (input[2 + i] - 1) + (kernel[i] - 1) * (*dilations)[i] + 1;
    const bool isSame = mode == "SAME_UPPER" || mode == "SAME_LOWER";
    if (!given.empty() || isSame) {
      window.output[i] = given.empty() ? input[2 + i] * (*strides)[i] : given[i];
      cut(window, i, bare + (given.empty() ? 0 : (*extra)[i]), mode == "SAME_UPPER");
      window.padEnd[i] = bare - window.output[i] - window.padBegin[i];
    } else {
      window.padBegin[i] = mode == "VALID" ? 0 : (*pads)[i];
      window.padEnd[i] = (mode == "VALID" ? 0 : (*pads)[rank + i]) - (*extra)[i];
      window.output[i] = bare - window.padBegin[i] - window.padEnd[i];
    }
    if (!given.empty() && (given[i] < 1 || given[i] > most))
      return error("attribute 'output_shape' has value " + shapeText(given) +
                   "; expected sizes from 1 to 2^31");
    if (window.output[i] < 1 || window.output[i] > most)
      return error("gives dimension " + std::to_string(2 + i) + " of size " + std::to_string(input[2 + i]) +
                   " the size " + std::to_string(window.output[i]) + "; expected 1 to 2^31");
  }
  return window;
}

bool transposedConvolution(C &c) {
  const int64_t groups = c.integer("group", 1);
  const Shape &x = c.shape(0), &w = c.shape(1);
  if (x.size() < 3 || w.size() != x.size() || groups < 1 || groups > (1 << 24) || x[1] != w[0] ||
      w[0] % groups)
    return c.fail("convolves shape " + shapeText(x) + " with transposed weights of shape " + shapeText(w) +
                  " in " + Twine(groups) + " groups, which do not fit; " +
                  fittingWeights(x, "[C,M / group,...]"));
  const Result<TransposedWindow> window = readTransposedWindow(c.node, x, Shape(w.begin() + 2, w.end()));
  if (!window)
    return c.fail(window.error());
  if (c.has(2) && !c.hasShape(2, {w[1] * groups}))
    return false;
  Shape shape{x[0], w[1] * groups};
  shape.append(window->output.begin(), window->output.end());
  return c.output(0, shape);
}

/// The image with strides - 1 zeros between its elements.
Value spread(K &k, Value x, const TransposedWindow &window) {
  if (llvm::all_of(window.strides, [](int64_t stride) { return stride == 1; }))
    return x;
  Shape shape(shapeOf(x)), steps(2, 1);
  steps.append(window.strides);
  for (size_t d = 2; d < shape.size(); ++d)
    shape[d] = (shape[d] - 1) * steps[d] + 1;
  return k.insertSlice(x, k.filled(shape, 0, elementOf(x)), Shape(shape.size(), 0), steps);
}

/// Weights [C, M/groups, ...] as those of a convolution, [M, C/groups, ...], turned around.
struct TurnedWeights {
  TurnedWeights(const Shape &w, int64_t groups)
      : each(w[0] / groups), outputs(w[1]), size(product(Sizes(w).drop_front(2))) {
    shape = {groups * outputs, each};
    shape.append(w.begin() + 2, w.end());
  }
  /// Where the weight for output `m`, input `c` of the group and place `at` of the kernel lies.
  int64_t from(int64_t m, int64_t c, int64_t at) const {
    return ((m / outputs * each + c) * outputs + m % outputs) * size + size - 1 - at;
  }

  const int64_t each, outputs, size;
  Shape shape;
};

Value constantWeights(K &k, const TurnedWeights &turned) {
  const std::vector<float> &weights = k.constant(1)->floats;
  std::vector<float> values;
  for (int64_t m = 0; m < turned.shape[0]; ++m)
    for (int64_t c = 0; c < turned.each; ++c)
      for (int64_t at = 0; at < turned.size; ++at)
        values.push_back(weights[turned.from(m, c, at)]);
  return k.Body::constant<float>(turned.shape, values);
}

/// The same of weights that come at run time, [groups, C/groups, M/groups, ...].
Value computedWeights(K &k, const TurnedWeights &turned, int64_t groups) {
  const Shape &w = k.shape(1);
  Shape grouped{groups, turned.each, turned.outputs}, shape{groups, turned.outputs, turned.each};
  SmallVector<AffineExpr> at{k.b.getAffineDimExpr(0), k.b.getAffineDimExpr(2), k.b.getAffineDimExpr(1)};
  for (size_t d = 2; d < w.size(); ++d) {
    grouped.push_back(w[d]), shape.push_back(w[d]);
    at.push_back(w[d] - 1 - k.b.getAffineDimExpr(d + 1));
  }
  Value x = k.reshape(k.in(1), grouped);
  Value y = k.elementwise(shape, elementOf(x), Read{x, AffineMap::get(shape.size(), 0, at, k.b.getContext())},
                          [](ValueRange x) { return x[0]; });
  return k.reshape(y, turned.shape);
}

/// x with pads that may be negative.
Value padded(K &k, Value x, const TransposedWindow &window) {
  Shape before(2, 0), behind(2, 0), starts(2, 0), sizes(shapeOf(x));
  for (size_t i = 0; i < window.kernel.size(); ++i) {
    const int64_t extent = (window.kernel[i] - 1) * window.dilations[i];
    const int64_t front = extent - window.padBegin[i], back = extent - window.padEnd[i];
    before.push_back(std::max<int64_t>(front, 0)), behind.push_back(std::max<int64_t>(back, 0));
    starts.push_back(std::max<int64_t>(-front, 0));
    sizes[2 + i] -= starts[2 + i] + std::max<int64_t>(-back, 0);
  }
  Value part = k.slice(x, starts, sizes, Shape(sizes.size(), 1));
  return k.pad(part, before, behind, k.number(0, elementOf(x)));
}

Value convTranspose(K &k) {
  if (k.dtype(0) != onnx::TensorProto::FLOAT)
    return k.refuseType(0, "float32");
  const Shape &w = k.shape(1);
  const int64_t groups = k.integer("group", 1);
  const TransposedWindow window =
      *readTransposedWindow(k.node, k.shape(0), Shape(w.begin() + 2, w.end())); // checked
  const TurnedWeights turned(w, groups);
  const Shape zeros(window.kernel.size(), 0), ones(window.kernel.size(), 1);
  const kernels::Window plain{window.kernel, ones, window.dilations, zeros, zeros};
  Value weights = k.constant(1) ? constantWeights(k, turned) : computedWeights(k, turned, groups);
  Value x = padded(k, spread(k, k.in(0), window), window);
  Value sum = kernels::convolution(k, x, weights, plain, groups, k.output.shape);
  if (!k.has(2))
    return sum;
  return k.elementwiseOutput({k.broadcast(sum, k.output.shape), k.read(2, k.loops(k.output.shape.size(), 1))},
                             [&](ValueRange x) { return k.add(x[0], x[1]); });
}

/// By constants, in one group, without dilation. A kernel that its strides divide badly is left to a call:
/// filled up with zeros it would be more than four times as large.
Covered importConvTranspose(Importer &im, const Node &node) {
  const Shape x = im.known(node, 0).shape, w = im.known(node, 1).shape;
  const bool isByConstants =
      im.known(node, 1).isConstant && (!im.has(node, 2) || im.known(node, 2).isConstant);
  if (!im.areReal(node) || !isByConstants || (x.size() != 3 && x.size() != 4) ||
      intAttribute(node, "group", 1) != 1)
    return false;
  const Result<TransposedWindow> read = readTransposedWindow(node, x, Shape(w.begin() + 2, w.end()));
  if (!read)
    return LogicalResult(im.fail(node) << read.error());
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
  Value input = im.imageOf(node, 0), weights = im.imageOf(node, 1), bias = im.valueOf(node, 2);
  Value y = im.builder.create<qnn::TransposedConvOp>(
      node.loc, im.realType({x[0], w[1], output[0], output[1]}), input, weights, bias,
      ofImage(read->padBegin, 0), ofImage(read->strides, 1));
  Shape shape{x[0], w[1]};
  shape.append(read->output);
  im.define(node, im.reshaped(y, shape, node.loc));
  return true;
}

} // namespace

void addTransposedConvolutions(Operators &all) {
  all["ConvTranspose"] = {1, transposedConvolution, convTranspose, importConvTranspose,
                          "accelerator; 1-D and 2-D, constant weights, one group, no dilation, strides near "
                          "the kernel's sizes or less"};
}

} // namespace daedalus::onnximport
