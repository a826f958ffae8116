// Nodes that no operation covers: each output becomes a call of a private function of plain numbers. Shapes
// are those that the checks give.

#include "Body/Halves.h"
#include "OperatorTable.h"

#include "daedalus/Analysis/Locations.h"
#include "daedalus/Conversion/GraphToLinalg/GraphToLinalg.h"
#include "daedalus/Dialect/Qnn/IR/Qnn.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace daedalus::onnximport {

/// What was built of constants and turned out to be one needs its operands no more.
static void eraseDead(mlir::Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

FailureOr<Operand> Importer::plainInput(const Node &node, int input) {
  const std::string name = inputName(node, input).str();
  if (name.empty())
    return Operand();
  auto found = values.find(name);
  if (found == values.end())
    return fail(node) << "input '" << name << "' is computed nowhere";
  OnnxValue &in = found->second;
  if (in.constant)
    return Operand{numbersOf(in), {}, in.dtype, in.shape};
  return Operand{nullptr, {plainOf(in, node.loc), in.shape}, in.dtype, in.shape};
}

FailureOr<std::vector<Operand>> Importer::plainInputs(const Node &node) {
  std::vector<Operand> inputs;
  for (int i = 0; i < node.proto.input_size(); ++i) {
    FailureOr<Operand> input = plainInput(node, i);
    if (failed(input))
      return failure();
    inputs.push_back(std::move(*input));
  }
  return inputs;
}

FailureOr<PlainType> Importer::declaredType(const Node &node, const std::string &value) {
  const onnx::TypeProto_Tensor *type = declaredTypes.lookup(value);
  if (!type || !type->has_shape())
    return fail(node) << "nothing says the shape of output '" << value
                      << "'; expected a static one: add it to the graph's value_info";
  PlainType result{type->elem_type(), {}};
  for (const auto &dim : type->shape().dim()) {
    if (!dim.has_dim_value() || dim.dim_value() < 0)
      return fail(node) << "output '" << value
                        << "' has a dimension of unknown size; expected a static shape";
    result.shape.push_back(dim.dim_value());
  }
  if (!isPlainType(result.dtype))
    return fail(node) << "output '" << value << "' has type " << dtypeName(result.dtype) << "; expected "
                      << plainTypeNames;
  return result;
}

FailureOr<std::vector<PlainType>> Importer::declaredOutputs(const Node &node) {
  std::vector<PlainType> types;
  for (const std::string &output : node.proto.output()) {
    FailureOr<PlainType> type =
        output.empty() ? FailureOr<PlainType>(PlainType()) : declaredType(node, output);
    if (failed(type))
      return failure();
    types.push_back(*type);
  }
  return types;
}

/// One output of a node, as a call of a function on the operands that are computed.
FailureOr<Value> Importer::callOf(const Node &node, unsigned output, const std::vector<Operand> &operands,
                                  const std::vector<PlainType> &outputs) {
  const Operator *known = operatorOf(node.proto.op_type());
  if (!known || !known->build)
    return fail(node) << "operator '" << node.proto.op_type() << "' has no form in float32";
  SmallVector<Value> arguments;
  for (const Operand &operand : operands)
    if (!operand.isAbsent() && !operand.constant)
      arguments.push_back(operand.tensor.value);
  const PlainType &type = outputs[output];
  const auto result = RankedTensorType::get(type.shape, elementType(builder, type.dtype));
  OpBuilder atEnd = OpBuilder::atBlockEnd(module->getBody());
  auto function = atEnd.create<func::FuncOp>(node.loc, kernelSymbol(kernels++, daedalus::nodeName(node.loc)),
                                             atEnd.getFunctionType(ValueRange(arguments).getTypes(), result));
  function.setPrivate();
  OpBuilder inside(builder.getContext());
  inside.setInsertionPointToEnd(function.addEntryBlock());
  const Widened wide(node, operands, outputs);
  GeneralKernel body(inside, node, wide.operands, wide.outputs, output);
  body.arguments = wide.arguments(body, function.getArguments());
  Value value = known->build(body);
  if (!value)
    return failure();
  inside.create<func::ReturnOp>(node.loc, wide.result(body, value, result.getElementType()));
  eraseDead(function.getBody().front());
  return builder.create<func::CallOp>(node.loc, function, arguments).getResult(0);
}

LogicalResult Importer::importCall(const Node &node) {
  FailureOr<std::vector<PlainType>> outputs = declaredOutputs(node);
  if (failed(outputs))
    return failure();
  FailureOr<std::vector<Operand>> operands = plainInputs(node);
  if (failed(operands))
    return failure();
  for (auto [i, type] : llvm::enumerate(*outputs)) {
    if (node.proto.output(i).empty())
      continue;
    FailureOr<Value> value = callOf(node, i, *operands, *outputs);
    if (failed(value))
      return failure();
    define(node, *value, i);
    values[node.proto.output(i)].dtype = type.dtype;
  }
  return success();
}

LogicalResult Importer::importExternal(const Node &node) {
  FailureOr<std::vector<Operand>> inputs = plainInputs(node);
  if (failed(inputs))
    return failure();
  SmallVector<Value> operands;
  for (auto [i, input] : llvm::enumerate(*inputs)) {
    if (input.constant || input.isAbsent())
      return fail(node) << "input '" << inputName(node, i) << "' is a constant; expected something computed";
    operands.push_back(input.tensor.value);
  }
  FailureOr<std::vector<PlainType>> outputs = declaredOutputs(node);
  if (failed(outputs))
    return failure();
  SmallVector<Type> results;
  for (const PlainType &type : *outputs)
    results.push_back(RankedTensorType::get(type.shape, elementType(builder, type.dtype)));
  auto type = builder.getFunctionType(ValueRange(operands).getTypes(), results);
  OpBuilder atEnd = OpBuilder::atBlockEnd(module->getBody());
  auto callee = atEnd.create<func::FuncOp>(node.loc, "external_" + std::to_string(externalKernels++), type);
  callee.setPrivate();
  atEnd.create<qnn::ExternalOp>(node.loc, callee.getName(), node.proto.op_type());
  auto call = builder.create<func::CallOp>(node.loc, callee, operands);
  for (auto [i, output] : llvm::enumerate(*outputs)) {
    define(node, call.getResult(i), i);
    values[node.proto.output(i)].dtype = output.dtype;
  }
  return success();
}

} // namespace daedalus::onnximport
