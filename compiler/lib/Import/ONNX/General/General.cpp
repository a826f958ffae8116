// Nodes that no fused group of quantized types takes: each output becomes one kernel of plain numbers for the
// CPU, called from main. Shapes are those that ONNX's shape inference gives.

#include "Builds.h"

#include "daedalus/Conversion/GraphToLinalg/GraphToLinalg.h"

#include "mlir/Dialect/Quant/QuantOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace daedalus::onnximport {
namespace {

const Builds &builds() {
  static const Builds all = [] {
    Builds table;
    for (auto add : {addElementwise, addFunctions, addGathers, addMovement, addPads, addSlices, addResize,
                     addShapes, addProducts, addPools, addReductions, addNormalizations, addQuantization})
      add(table);
    return table;
  }();
  return all;
}

Operand constantOperand(HostTensorPtr constant) {
  Operand operand;
  operand.dtype = constant->dtype;
  operand.shape.assign(constant->shape.begin(), constant->shape.end());
  operand.constant = std::move(constant);
  return operand;
}

/// What was built of constants and turned out to be one needs its operands no more.
void eraseDead(mlir::Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

} // namespace

BuildKernel generalKernelOf(StringRef type) {
  auto found = builds().find(type.str());
  return found == builds().end() ? nullptr : found->second;
}

std::vector<std::string> generalOperators() {
  std::vector<std::string> names;
  for (const auto &[name, build] : builds())
    names.push_back(name);
  return names;
}

Value Importer::callKernel(Location loc, ValueRange operands, Type result, StringRef reason, bool isBoundary,
                           KernelBody body) {
  OpBuilder atEnd = OpBuilder::atBlockEnd(module->getBody());
  auto type = atEnd.getFunctionType(operands.getTypes(), result);
  auto kernel = atEnd.create<func::FuncOp>(loc, "general_" + std::to_string(generalKernels++), type);
  kernel.setPrivate();
  kernel->setAttr(kernel::cpuOnly, atEnd.getStringAttr(reason));
  if (isBoundary)
    kernel->setAttr(kernel::boundary, atEnd.getUnitAttr());
  OpBuilder inside(builder.getContext());
  inside.setInsertionPointToEnd(kernel.addEntryBlock());
  int64_t macs = 0;
  Value value = body(inside, kernel.getArguments(), macs);
  if (!value) {
    kernel.erase();
    return nullptr;
  }
  inside.create<func::ReturnOp>(loc, value);
  eraseDead(kernel.getBody().front());
  kernel->setAttr(kernel::macs, atEnd.getI64IntegerAttr(macs));
  return builder.create<func::CallOp>(loc, kernel, operands).getResult(0);
}

/// uint8 as it is to uint8 less 128, or back: the highest bit changes.
Value Importer::flipSign(Value bytes, Location loc) {
  return callKernel(
      loc, bytes, bytes.getType(), "changes between uint8 and int8 at the boundary of the graph", true,
      [&](OpBuilder &b, ValueRange arguments, int64_t &) {
        Body body(b, loc);
        return body.elementwise(sizesOf(bytes), b.getI8Type(), body.broadcast(arguments[0], sizesOf(bytes)),
                                [&](ValueRange x) -> Value {
                                  Value bit = body.number(-128, b.getI8Type());
                                  return b.create<arith::XOrIOp>(loc, x[0], bit);
                                });
      });
}

FailureOr<Tensor> Importer::plainTensor(const Edge &edge, Location loc) {
  if (edge.kind == Edge::Kind::Plain)
    return edge.tensor;
  if (edge.general)
    return edge.general();
  Tensor tensor = toRowMajor(edge.tensor, loc);
  const bool isReal = edge.kind == Edge::Kind::Real;
  Type element = isReal ? Type(builder.getF32Type()) : Type(builder.getI8Type());
  auto type = RankedTensorType::get(tensor.shape, element);
  if (isReal)
    tensor.value = builder.create<quant::DequantizeCastOp>(loc, type, tensor.value);
  else
    tensor.value = builder.create<quant::StorageCastOp>(loc, type, tensor.value);
  if (edge.dtype == onnx::TensorProto::UINT8 && !isReal)
    tensor.value = flipSign(tensor.value, loc);
  return tensor;
}

FailureOr<Operand> Importer::plainInput(const Node &node, int input) {
  const std::string name = inputName(node, input).str();
  if (name.empty())
    return Operand();
  auto found = edges.find(name);
  if (found == edges.end())
    return fail(node) << "input '" << name << "' is computed nowhere";
  const Edge edge = found->second;
  if (edge.constant)
    return constantOperand(dequantizedConstant(edge));
  Location loc = edge.names.empty() ? node.loc : locationOf(edge.names);
  auto known = plainTensors.find(name);
  if (known == plainTensors.end()) {
    FailureOr<Tensor> tensor = plainTensor(edge, loc);
    if (failed(tensor))
      return failure();
    known = plainTensors.insert({name, *tensor}).first;
  }
  const bool isStored = edge.kind == Edge::Kind::Plain || edge.kind == Edge::Kind::Integer;
  return Operand{nullptr, known->second, isStored ? edge.dtype : int32_t(onnx::TensorProto::FLOAT),
                 known->second.shape};
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

/// One output as a kernel on `operands`, which stand for the node's inputs.
FailureOr<Tensor> Importer::buildGeneral(const Node &node, unsigned output,
                                         const std::vector<Operand> &operands,
                                         const std::vector<PlainType> &outputs, StringRef why) {
  BuildKernel build = generalKernelOf(node.proto.op_type());
  if (!build)
    return fail(node) << "operator '" << node.proto.op_type() << "' has no form in float32";
  SmallVector<Value> values;
  for (const Operand &operand : operands)
    if (!operand.isAbsent() && !operand.constant)
      values.push_back(operand.tensor.value);
  const PlainType &type = outputs[output];
  std::string reason;
  auto resultType = RankedTensorType::get(type.shape, onnximport::elementType(builder, type.dtype));
  Value result = callKernel(node.loc, values, resultType, why, false,
                            [&](OpBuilder &inside, ValueRange arguments, int64_t &macs) {
                              GeneralKernel kernel(inside, node, operands, outputs, output);
                              kernel.arguments.assign(arguments.begin(), arguments.end());
                              Value value = build(kernel);
                              macs = kernel.macs;
                              reason = kernel.reason;
                              return value;
                            });
  if (!result)
    return fail(node) << reason;
  return Tensor{result, type.shape};
}

FailureOr<Tensor> Importer::generalOutput(const Node &node, unsigned output) {
  FailureOr<std::vector<PlainType>> outputs = declaredOutputs(node);
  if (failed(outputs))
    return failure();
  std::vector<Operand> operands;
  for (int i = 0; i < node.proto.input_size(); ++i) {
    FailureOr<Operand> operand = plainInput(node, i);
    if (failed(operand))
      return failure();
    operands.push_back(*operand);
  }
  const int32_t dtype = operands.empty() ? (*outputs)[output].dtype : operands[0].dtype;
  return buildGeneral(node, output, operands, *outputs, "computes in " + dtypeName(dtype));
}

LogicalResult Importer::importGeneral(const Node &node) {
  for (int i = 0; i < node.proto.output_size(); ++i) {
    if (node.proto.output(i).empty())
      continue;
    FailureOr<Tensor> tensor = generalOutput(node, i);
    if (failed(tensor))
      return failure();
    Edge edge;
    edge.kind = Edge::Kind::Plain;
    edge.tensor = *tensor;
    edge.dtype = declaredType(node, node.proto.output(i))->dtype;
    define(node, edge, i);
  }
  return success();
}

} // namespace daedalus::onnximport
