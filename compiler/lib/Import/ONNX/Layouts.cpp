// NCHW and NHWC. A permutation that moves no element is a reshape.

#include "Importer.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;

namespace daedalus::onnximport {
namespace {

Shape permuted(ArrayRef<int64_t> shape, ArrayRef<int64_t> permutation) {
  Shape result;
  for (int64_t from : permutation)
    result.push_back(shape[from]);
  return result;
}

bool movesElements(ArrayRef<int64_t> shape, ArrayRef<int64_t> permutation) {
  int64_t last = -1;
  for (int64_t from : permutation) {
    if (shape[from] == 1)
      continue;
    if (from < last)
      return true;
    last = from;
  }
  return false;
}

} // namespace

Tensor Importer::reshapeValue(const Tensor &tensor, const Shape &shape, Location loc) {
  Tensor result{tensor.value, shape, Layout::RowMajor};
  auto type = cast<RankedTensorType>(tensor.value.getType());
  if (type.getShape() != ArrayRef<int64_t>(shape))
    result.value = builder.create<tosa::ReshapeOp>(loc, type.clone(ArrayRef<int64_t>(shape)), tensor.value,
                                                   builder.getDenseI64ArrayAttr(shape));
  return result;
}

/// Permutes the value; the result's shape is that of its value.
Tensor Importer::transpose(const Tensor &tensor, ArrayRef<int64_t> permutation, Location loc) {
  auto type = cast<RankedTensorType>(tensor.value.getType());
  Shape shape = permuted(type.getShape(), permutation);
  if (!movesElements(type.getShape(), permutation))
    return reshapeValue(tensor, shape, loc);
  auto permsType = RankedTensorType::get({static_cast<int64_t>(permutation.size())}, builder.getI64Type());
  Value perms = builder.create<tosa::ConstOp>(loc, permsType, DenseElementsAttr::get(permsType, permutation));
  return Tensor{
      builder.create<tosa::TransposeOp>(loc, type.clone(ArrayRef<int64_t>(shape)), tensor.value, perms),
      shape};
}

Tensor Importer::toChannelsLast(const Tensor &tensor, Location loc) {
  if (tensor.shape.size() != 4 || tensor.layout == Layout::ChannelsLast)
    return tensor;
  Tensor result = transpose(tensor, {0, 2, 3, 1}, loc);
  return Tensor{result.value, tensor.shape, Layout::ChannelsLast};
}

Tensor Importer::toRowMajor(const Tensor &tensor, Location loc) {
  if (tensor.layout == Layout::RowMajor)
    return tensor;
  return reshapeValue(transpose(tensor, {0, 3, 1, 2}, loc), tensor.shape, loc);
}

} // namespace daedalus::onnximport
