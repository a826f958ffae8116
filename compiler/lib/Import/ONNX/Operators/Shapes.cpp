// What gives its input another shape or none, Transpose, DepthToSpace, SpaceToDepth, Slice, Split, Concat,
// and what is known when the model is compiled.

#include "../BlockMove.h"
#include "../EmptyTensor.h"
#include "../General/Kernel.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"
#include "daedalus/Dialect/Qnn/Transforms/Constants.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

#include <algorithm>

using namespace mlir;

namespace daedalus::onnximport {

/// A view: of another shape, or of none where the operator computes nothing.
Importer::Covered Importer::importReshape(const Node &node) {
  const bool hasShape = node.proto.op_type() != "Dropout" && has(node, 1);
  if (hasShape && !constantInput(node, 1))
    return false;
  FailureOr<PlainType> output = declaredType(node, node.proto.output(0));
  if (failed(output))
    return failure();
  if (llvm::is_contained(output->shape, 0)) // tosa has no empty tensors
    return false;
  Value x = valueOf(node, 0);
  const auto type = cast<RankedTensorType>(x.getType());
  defineMoved(node, builder.create<tosa::ReshapeOp>(node.loc, type.clone(output->shape), x,
                                                    builder.getDenseI64ArrayAttr(output->shape)));
  return true;
}

/// Of parts with elements; of one alone a view.
Importer::Covered Importer::importConcat(const Node &node) {
  SmallVector<int> inputs;
  for (int i = 0; i < node.proto.input_size(); ++i)
    if (!llvm::is_contained(known(node, i).shape, 0))
      inputs.push_back(i);
  if (inputs.empty() || !llvm::all_of(inputs, [&](int i) { return isReal(node, i); }))
    return false;
  FailureOr<PlainType> output = declaredType(node, node.proto.output(0));
  if (failed(output))
    return failure();
  const int64_t rank = output->shape.size(), given = intAttribute(node, "axis", 1);
  SmallVector<Value> parts;
  for (int i : inputs)
    parts.push_back(valueOf(node, i));
  define(node, builder.create<qnn::ConcatOp>(node.loc, realType(output->shape), parts,
                                             given < 0 ? given + rank : given));
  return true;
}

Importer::Covered Importer::importTranspose(const Node &node) {
  const Shape x = known(node, 0).shape;
  if (!canMove(node) || x.empty())
    return false;
  Shape order, shape;
  for (int64_t d = x.size(); d-- > 0;)
    order.push_back(d);
  order = intsAttribute(node, "perm", order);
  for (int64_t d : order)
    shape.push_back(x[d]);
  Value input = valueOf(node, 0);
  const auto type = RankedTensorType::get({static_cast<int64_t>(order.size())}, builder.getI64Type());
  Value permutation =
      builder.create<tosa::ConstOp>(node.loc, type, DenseElementsAttr::get(type, ArrayRef<int64_t>(order)));
  const auto moved = cast<RankedTensorType>(input.getType()).clone(shape);
  defineMoved(node, builder.create<tosa::TransposeOp>(node.loc, moved, input, permutation));
  return true;
}

/// With steps of 1, from known starts to known ends.
Importer::Covered Importer::importSlice(const Node &node) {
  const Shape x = known(node, 0).shape;
  const int64_t rank = x.size();
  const auto numbers = [&](int input, StringRef name) -> std::optional<Shape> {
    if (!has(node, 1))
      return intsAttribute(node, name, {});
    if (!has(node, input))
      return Shape();
    const HostTensorPtr given = constantInput(node, input);
    return given ? std::optional(Shape(given->ints.begin(), given->ints.end())) : std::nullopt;
  };
  const auto starts = numbers(1, "starts"), ends = numbers(2, "ends"), axes = numbers(3, "axes"),
             steps = numbers(4, "steps");
  if (!canMove(node) || !starts || !ends || !axes || !steps || !llvm::all_equal(*steps) ||
      (!steps->empty() && (*steps)[0] != 1))
    return false;
  Shape start(rank, 0), size = x;
  for (size_t i = 0; i < starts->size(); ++i) {
    const int64_t given = axes->empty() ? static_cast<int64_t>(i) : (*axes)[i];
    const int64_t axis = given < 0 ? given + rank : given;
    const auto bound = [&](int64_t at) {
      return std::clamp<int64_t>(at < 0 ? at + x[axis] : at, 0, x[axis]);
    };
    start[axis] = bound((*starts)[i]);
    size[axis] = bound((*ends)[i]) - start[axis];
  }
  if (llvm::any_of(size, [](int64_t count) { return count <= 0; })) // tosa has no empty tensors
    return false;
  Value input = valueOf(node, 0);
  const auto slice = cast<RankedTensorType>(input.getType()).clone(size);
  defineMoved(node, builder.create<tosa::SliceOp>(node.loc, slice, input, start, size));
  return true;
}

Importer::Covered Importer::importSplit(const Node &node) {
  const Shape x = known(node, 0).shape;
  if (!canMove(node) || (has(node, 1) && !constantInput(node, 1)))
    return false;
  FailureOr<std::vector<PlainType>> outputs = declaredOutputs(node);
  if (failed(outputs))
    return failure();
  for (const PlainType &output : *outputs) // one without a name has no shape
    if (output.shape.size() != x.size())
      return false;
  const int64_t given = intAttribute(node, "axis", 0), rank = x.size();
  const int64_t axis = given < 0 ? given + rank : given;
  Shape start(rank, 0);
  Value input = valueOf(node, 0);
  for (auto [i, output] : llvm::enumerate(*outputs)) {
    const Shape size(output.shape.begin(), output.shape.end());
    if (llvm::is_contained(size, 0)) {
      OnnxValue none;
      none.dtype = output.dtype, none.shape = size, none.isConstant = true;
      none.constant = emptyTensor(output.dtype, size);
      values[node.proto.output(int(i))] = none;
      continue;
    }
    const auto part = cast<RankedTensorType>(input.getType()).clone(size);
    defineMoved(node, builder.create<tosa::SliceOp>(node.loc, part, input, start, size), i);
    start[axis] += size[axis];
  }
  return true;
}

Importer::Covered Importer::importConstant(const Node &node) {
  const Result<HostTensorPtr> constant = readConstant(node);
  if (!constant)
    return LogicalResult(fail(node) << constant.error());
  defineConstant(node, *constant);
  return true;
}

/// Shapes are static, so Shape and Size are constants.
Importer::Covered Importer::importSize(const Node &node) {
  const Shape shape = known(node, 0).shape;
  auto numbers = std::make_shared<HostTensor>();
  numbers->dtype = onnx::TensorProto::INT64;
  if (node.proto.op_type() == "Size") {
    numbers->ints = {elementCount({shape.begin(), shape.end()})};
  } else {
    const auto [start, end] = shapeRange(node, shape.size());
    numbers->ints = std::vector<int64_t>(shape.begin() + start, shape.begin() + end);
    numbers->shape = {end - start};
  }
  defineConstant(node, numbers);
  return true;
}

/// Blocks of rows and columns from channels, or channels from them.
Importer::Covered Importer::importBlocks(const Node &node) {
  const Shape x = known(node, 0).shape;
  if (!canMove(node))
    return false;
  const BlockMove move = blockMoveOf(node, x);
  Value blocks = reshaped(valueOf(node, 0), move.split, node.loc);
  defineMoved(node, reshaped(qnn::transposed(builder, node.loc, blocks, move.order), move.shape, node.loc));
  return true;
}

/// In inference, where nobody reads the mask.
Importer::Covered Importer::importDropout(const Node &node) {
  const HostTensorPtr training = constantInput(node, 2);
  const bool isInference = !has(node, 2) || (training && training->ints[0] == 0);
  return isInference && node.proto.output_size() == 1 ? importReshape(node) : Covered(false);
}

/// To the type that it has.
Importer::Covered Importer::importCast(const Node &node) {
  return known(node, 0).dtype == intAttribute(node, "to", 0) ? importIdentity(node) : Covered(false);
}

/// Of a constant: a call that passes fold. Its numbers are known behind it.
Importer::Covered Importer::importIdentity(const Node &node) {
  const OnnxValue in = known(node, 0);
  if (!in.isConstant)
    return importReshape(node);
  const std::vector<Operand> operands = {{nullptr, {valueOf(node, 0), in.shape}, in.dtype, in.shape}};
  FailureOr<Value> copy = callOf(node, 0, operands, {{in.dtype, in.shape}});
  if (failed(copy))
    return failure();
  define(node, *copy);
  OnnxValue &out = values[node.proto.output(0)];
  out.dtype = in.dtype;
  out.copied = in.quantized ? nullptr : in.constant ? in.constant : in.copied;
  out.isConstant = true;
  return true;
}

} // namespace daedalus::onnximport
