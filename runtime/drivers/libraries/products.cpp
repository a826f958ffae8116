#include "products.h"

#include <algorithm>
#include <limits>

namespace daedalus::runtime::libraries {
namespace {

using package::DType;
using package::TensorType;

using Shape = std::vector<int64_t>;

Error misfit(const LibraryCall &call, const std::string &expected) {
  std::string found;
  for (const Argument &input : call.inputs)
    found += (found.empty() ? "" : ", ") + toString(*input.type);
  found += " ->";
  for (const TensorType *output : call.outputs)
    found += " " + toString(*output);
  return error("'" + call.function + "' is called with " + found + "; expected " + expected);
}

/// The attributes: the last input, which is constant.
std::vector<int64_t> attributesOf(const LibraryCall &call) {
  const Argument &last = call.inputs.back();
  const auto *numbers = static_cast<const int64_t *>(last.constant);
  if (!numbers || last.type->dtype != DType::I64 || last.type->shape.size() != 1)
    return {};
  return {numbers, numbers + last.type->shape[0]};
}

bool takesBytes(const LibraryCall &call) {
  const std::string ending = "_i8";
  return call.function.size() > ending.size() &&
         call.function.compare(call.function.size() - ending.size(), ending.size(), ending) == 0;
}

/// Of these elements, and of sizes that an int holds.
bool isTensor(const TensorType &type, DType dtype) {
  return type.dtype == dtype && std::all_of(type.shape.begin(), type.shape.end(), [](int64_t size) {
           return size > 0 && size <= std::numeric_limits<int32_t>::max();
         });
}

/// The number of tensors, and what they consist of.
bool hasForm(const LibraryCall &call) {
  const bool isBytes = takesBytes(call);
  if (call.inputs.size() < 3 || call.inputs.size() > (isBytes ? 3 : 4) || call.outputs.size() != 1)
    return false;
  const DType in = isBytes ? DType::I8 : DType::F32, out = isBytes ? DType::I32 : DType::F32;
  return std::all_of(call.inputs.begin(), call.inputs.end() - 1,
                     [&](const Argument &input) { return isTensor(*input.type, in); }) &&
         isTensor(*call.outputs[0], out);
}

bool isFlag(int64_t value) {
  return value == 0 || value == 1;
}

bool isBias(const LibraryCall &call, int64_t columns) {
  return call.inputs.size() == 3 || call.inputs[2].type->shape == Shape{columns};
}

bool isBetween(int64_t value, int64_t least) {
  return value >= least && value <= (1 << 20);
}

/// Whether the rows and columns of the output are those of the window's places.
bool hasWindow(const Convolution &c) {
  for (int d : {0, 1}) {
    if (!isBetween(c.strides[d], 1) || !isBetween(c.dilations[d], 1) || !isBetween(c.padsBefore[d], 0) ||
        !isBetween(c.padsBehind[d], 0))
      return false;
    const int64_t places =
        c.size[d] + c.padsBefore[d] + c.padsBehind[d] - (c.kernel[d] - 1) * c.dilations[d] - 1;
    if (places < 0 || places / c.strides[d] + 1 != c.outSize[d])
      return false;
  }
  return true;
}

} // namespace

Result<MatMul> MatMul::of(const LibraryCall &call) {
  const char *expected =
      "matrices A and B or batches of them, perhaps a bias of the columns, and int64 [3] of "
      "what is transposed and whether negative results become 0, all of which fit each other";
  if (!hasForm(call))
    return misfit(call, expected);
  const bool isBytes = takesBytes(call);
  const Shape &a = call.inputs[0].type->shape, &b = call.inputs[1].type->shape, &out = call.outputs[0]->shape;
  const std::vector<int64_t> attributes = attributesOf(call);
  if (attributes.size() != 3 || !std::all_of(attributes.begin(), attributes.end(), isFlag) ||
      (isBytes && attributes[2]) || (a.size() != 2 && a.size() != 3))
    return misfit(call, expected);
  MatMul product;
  product.isOfBytes = isBytes;
  product.transposesA = attributes[0], product.transposesB = attributes[1], product.hasRelu = attributes[2];
  product.isBatched = a.size() == 3;
  product.batch = product.isBatched ? a[0] : 1;
  product.hasBias = call.inputs.size() == 4;
  const size_t rank = a.size();
  const auto size = [&](const Shape &shape, bool isTransposed, size_t dimension) {
    return shape[rank - (isTransposed ? 1 + dimension : 2 - dimension)];
  };
  if (b.size() != rank || out.size() != rank || (product.isBatched && b[0] != a[0]))
    return misfit(call, expected);
  product.m = size(a, product.transposesA, 0), product.k = size(a, product.transposesA, 1);
  product.n = size(b, product.transposesB, 1);
  Shape results = {product.batch, product.m, product.n};
  if (!product.isBatched)
    results.erase(results.begin());
  if (size(b, product.transposesB, 0) != product.k || out != results || !isBias(call, product.n))
    return misfit(call, expected);
  return product;
}

Result<Convolution> Convolution::of(const LibraryCall &call) {
  const char *expected =
      "images N x H x W x C, constant weights groups x OC x KH x KW x C of a group, perhaps a "
      "bias of the channels, and int64 [9] of strides, pads, dilations and whether negative results "
      "become 0, all of which fit each other";
  if (!hasForm(call))
    return misfit(call, expected);
  const bool isBytes = takesBytes(call);
  const Shape &x = call.inputs[0].type->shape, &w = call.inputs[1].type->shape, &y = call.outputs[0]->shape;
  const std::vector<int64_t> a = attributesOf(call);
  if (x.size() != 4 || w.size() != 5 || y.size() != 4 || a.size() != 9 || !isFlag(a[8]) ||
      (isBytes && a[8]) || !call.inputs[1].constant)
    return misfit(call, expected);
  Convolution c;
  c.isOfBytes = isBytes;
  c.images = x[0], c.channels = x[3], c.outputs = y[3], c.groups = w[0];
  c.size = {x[1], x[2]}, c.outSize = {y[1], y[2]}, c.kernel = {w[2], w[3]};
  c.strides = {a[0], a[1]}, c.padsBefore = {a[2], a[3]}, c.padsBehind = {a[4], a[5]},
  c.dilations = {a[6], a[7]};
  c.hasBias = call.inputs.size() == 4, c.hasRelu = a[8];
  if (y[0] != x[0] || w[0] * w[1] != y[3] || w[0] * w[4] != x[3] || !isBias(call, y[3]) || !hasWindow(c))
    return misfit(call, expected);
  return c;
}

} // namespace daedalus::runtime::libraries
