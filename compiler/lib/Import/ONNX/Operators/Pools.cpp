// MaxPool, AveragePool, GlobalAveragePool, ReduceMean over an image, and Resize by whole factors. What has
// the shape [N,C,L] is an image of height 1.

#include "../Importer.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"

#include "mlir/Dialect/Quant/QuantTypes.h"

#include "llvm/ADT/Sequence.h"

#include <algorithm>
#include <cmath>
#include <set>

using namespace mlir;

namespace daedalus::onnximport {
namespace {

/// Whether every window of a dimension of `size` covers an element of it; with dilations all of them may lie
/// beside it.
bool coversAlong(const Window &window, size_t d, int64_t size) {
  for (int64_t o = 0; o < window.output[d]; ++o) {
    const int64_t first = o * window.strides[d] - window.padBegin[d], step = window.dilations[d];
    const int64_t skipped = first < 0 ? (step - 1 - first) / step : 0;
    if (skipped >= window.kernel[d] || first + skipped * step >= size)
      return false;
  }
  return true;
}

/// Whether every window covers an element of the image of this shape.
bool covers(const Window &window, const Shape &shape) {
  const int64_t rows = shape.size() == 4 ? shape[2] : 1;
  return coversAlong(window, 0, rows) && coversAlong(window, 1, shape.back());
}

/// [N,C,H,W] or [N,C,L].
bool isImage(const Shape &shape) {
  return shape.size() == 3 || shape.size() == 4;
}

Shape outputShape(const Shape &input, const Window &window) {
  Shape shape{input[0], input[1]};
  shape.append(window.output);
  return shape;
}

} // namespace

/// Of real numbers, or of what a QuantizeLinear gave.
Importer::Covered Importer::importMaxPool(const Node &node) {
  const Shape shape = known(node, 0).shape;
  if (!canMove(node) || !isImage(shape) || node.proto.output_size() != 1 ||
      intAttribute(node, "storage_order", 0))
    return false;
  const Result<Window> read = readWindow(node, shape, intsAttribute(node, "kernel_shape", {}));
  if (!read)
    return LogicalResult(fail(node) << read.error());
  const Window window = read->ofImage();
  if (!covers(window, shape))
    return false;
  Value x = imageOf(node, 0);
  const auto type = cast<RankedTensorType>(x.getType());
  Value y = builder.create<qnn::MaxPoolOp>(
      node.loc, type.clone({shape[0], shape[1], window.output[0], window.output[1]}), x, window.kernel,
      window.pad(), window.strides, window.dilations, false);
  defineMoved(node, reshaped(y, outputShape(shape, *read), node.loc));
  return true;
}

Importer::Covered Importer::importAveragePool(const Node &node) {
  const Shape x = known(node, 0).shape;
  if (!areReal(node) || !isImage(x))
    return false;
  const Result<Window> read = readWindow(node, x, intsAttribute(node, "kernel_shape", {}));
  if (!read)
    return LogicalResult(fail(node) << read.error());
  const Window window = read->ofImage();
  if (!covers(window, x) || window.dilations != Shape{1, 1})
    return false;
  DenseI64ArrayAttr counted;
  if (intAttribute(node, "count_include_pad", 0))
    counted = builder.getDenseI64ArrayAttr(
        {window.padEnd[0] - window.ceilExtra[0], window.padEnd[1] - window.ceilExtra[1]});
  Value input = imageOf(node, 0);
  Value y =
      builder.create<qnn::AveragePoolOp>(node.loc, realType({x[0], x[1], window.output[0], window.output[1]}),
                                         input, window.kernel, window.pad(), window.strides, counted, false);
  define(node, reshaped(y, outputShape(x, *read), node.loc));
  return true;
}

/// The mean over all dimensions behind the channels, as a window that is the image.
Importer::Covered Importer::importGlobalAverage(const Node &node, const Shape &output) {
  const Shape x = known(node, 0).shape;
  const int64_t columns = x.back();
  const Shape image{x[0], x[1], elementCount({x.begin() + 2, x.end()}) / columns, columns};
  Value input = reshaped(valueOf(node, 0), image, node.loc);
  Value y = builder.create<qnn::AveragePoolOp>(node.loc, realType({x[0], x[1], 1, 1}), input,
                                               Shape{image[2], image[3]}, Shape(4, 0), Shape(2, 1),
                                               DenseI64ArrayAttr(), false);
  define(node, reshaped(y, output, node.loc));
  return true;
}

Importer::Covered Importer::importGlobalAveragePool(const Node &node) {
  Shape output = known(node, 0).shape;
  if (!areReal(node) || output.size() < 3)
    return false;
  std::fill(output.begin() + 2, output.end(), 1);
  return importGlobalAverage(node, output);
}

/// Over all dimensions behind the channels; axes are an attribute or a constant.
Importer::Covered Importer::importReduceMean(const Node &node) {
  const Shape x = known(node, 0).shape;
  const int64_t rank = x.size();
  Shape axes = intsAttribute(node, "axes", {});
  if (const HostTensorPtr given = constantInput(node, 1))
    axes.assign(given->ints.begin(), given->ints.end());
  for (int64_t &axis : axes)
    axis += axis < 0 ? rank : 0;
  llvm::sort(axes);
  axes.erase(std::unique(axes.begin(), axes.end()), axes.end());
  if (rank < 3 || axes != llvm::to_vector<4>(llvm::seq<int64_t>(2, rank)) || !isReal(node, 0) ||
      llvm::is_contained(x, 0))
    return false;
  Shape output{x[0], x[1]};
  if (intAttribute(node, "keepdims", 1))
    output.resize(rank, 1);
  return importGlobalAverage(node, output);
}

/// How often a Resize of [N,C,H,W] repeats each row and column, where it does nothing else.
static std::optional<Shape> repeatsOf(const Node &node, const Shape &shape, const HostTensorPtr &scales,
                                      const HostTensorPtr &sizes) {
  // With a whole factor f these send the output's i f + r, r < f, to the input's i.
  static const std::set<std::pair<std::string, std::string>> repeating = {
      {"asymmetric", "floor"},
      {"tf_half_pixel_for_nn", "floor"},
      {"half_pixel", "round_prefer_floor"},
      {"half_pixel", "round_prefer_ceil"},
      {"pytorch_half_pixel", "round_prefer_floor"},
      {"pytorch_half_pixel", "round_prefer_ceil"}};
  const std::string coordinates = textAttribute(node, "coordinate_transformation_mode", "half_pixel"),
                    rounding = textAttribute(node, "nearest_mode", "round_prefer_floor");
  if (attribute(node, "axes") || textAttribute(node, "keep_aspect_ratio_policy", "stretch") != "stretch" ||
      textAttribute(node, "mode", "nearest") != "nearest" || !repeating.count({coordinates, rounding}))
    return std::nullopt;
  Shape factors;
  for (size_t d = 0; d < 4; ++d) {
    double factor = 0;
    if (sizes && sizes->ints.size() == 4)
      factor = double(sizes->ints[d]) / double(shape[d]);
    else if (scales && scales->floats.size() == 4)
      factor = scales->floats[d];
    if (factor < 1 || factor > 64 || factor != std::floor(factor))
      return std::nullopt;
    factors.push_back(static_cast<int64_t>(factor));
  }
  if (factors[0] != 1 || factors[1] != 1)
    return std::nullopt;
  return Shape{factors[2], factors[3]};
}

Importer::Covered Importer::importResize(const Node &node) {
  Shape shape = known(node, 0).shape;
  if (!canMove(node) || shape.size() != 4)
    return false;
  const std::optional<Shape> factors = repeatsOf(node, shape, constantInput(node, 2), constantInput(node, 3));
  if (!factors)
    return false;
  shape[2] *= (*factors)[0], shape[3] *= (*factors)[1];
  Value x = valueOf(node, 0);
  const auto type = cast<RankedTensorType>(x.getType()).clone(shape);
  defineMoved(node, builder.create<qnn::UpsampleOp>(node.loc, type, x, *factors, false));
  return true;
}

} // namespace daedalus::onnximport
