// The walk over inputs, nodes and outputs, and external functions.

#include "Importer.h"

#include "daedalus/Import/ONNX/Import.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Quant/QuantOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Verifier.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;

namespace daedalus {

void loadGraphDialects(MLIRContext &context) {
  context
      .loadDialect<func::FuncDialect, tosa::TosaDialect, tensor::TensorDialect, quant::QuantizationDialect>();
}

OwningOpRef<ModuleOp> importOnnxBytes(StringRef bytes, StringRef source, MLIRContext &context) {
  loadGraphDialects(context);
  onnx::ModelProto model;
  if (failed(onnximport::loadModel(bytes, source, context, model)))
    return nullptr;
  return onnximport::Importer(context, model).run();
}

OwningOpRef<ModuleOp> importOnnx(const std::string &path, MLIRContext &context) {
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file) {
    emitError(UnknownLoc::get(&context)) << "cannot read '" << path << "': " << file.getError().message();
    return nullptr;
  }
  return importOnnxBytes((*file)->getBuffer(), path, context);
}

namespace onnximport {

Importer::Importer(MLIRContext &context, const onnx::ModelProto &model)
    : builder(&context), graph(model.graph()), module(ModuleOp::create(builder.getUnknownLoc())) {}

OwningOpRef<ModuleOp> Importer::run() {
  builder.setInsertionPointToEnd(module->getBody());
  main = builder.create<func::FuncOp>(builder.getUnknownLoc(), "main", builder.getFunctionType({}, {}));
  builder.setInsertionPointToEnd(main.addEntryBlock());
  if (failed(importInputs()))
    return nullptr;
  int index = 0;
  for (const auto &proto : graph.node()) {
    std::string name = nodeName(proto, index++);
    for (const std::string &output : proto.output())
      producers[output] = name;
    if (failed(importNode(Node{proto, name, locationOf({name})})))
      return nullptr;
  }
  if (failed(importOutputs()) || failed(verify(*module)))
    return nullptr;
  return std::move(module);
}

LogicalResult Importer::importInputs() {
  for (const auto &proto : graph.initializer()) {
    std::string why;
    Edge edge;
    edge.kind = Edge::Kind::Constant;
    edge.constant = decodeTensor(proto, why);
    if (!edge.constant)
      return failModel() << "initializer '" << proto.name() << "' " << why;
    edges[proto.name()] = edge;
  }
  SmallVector<Type> types;
  SmallVector<Attribute> names;
  for (const auto &input : graph.input()) {
    if (edges.count(input.name()))
      continue;
    const auto &tensorType = input.type().tensor_type();
    bool isInt8 = tensorType.elem_type() == onnx::TensorProto::INT8;
    if (!isInt8 && tensorType.elem_type() != onnx::TensorProto::FLOAT)
      return failModel() << "input '" << input.name() << "' has type " << dtypeName(tensorType.elem_type())
                         << "; expected int8 or float32";
    Edge edge;
    edge.kind = isInt8 ? Edge::Kind::Integer : Edge::Kind::Float;
    for (const auto &dim : tensorType.shape().dim())
      edge.tensor.shape.push_back(dim.dim_value());
    Type element = isInt8 ? Type(builder.getI8Type()) : Type(builder.getF32Type());
    auto loc = NameLoc::get(builder.getStringAttr(input.name()));
    types.push_back(RankedTensorType::get(edge.tensor.shape, element));
    edge.tensor.value = main.getBody().front().addArgument(types.back(), loc);
    names.push_back(builder.getStringAttr(input.name()));
    edges[input.name()] = edge;
  }
  main.setFunctionType(builder.getFunctionType(types, {}));
  for (auto [i, name] : llvm::enumerate(names))
    main.setArgAttr(i, "daedalus.name", name);
  return success();
}

LogicalResult Importer::importNode(const Node &node) {
  if (node.proto.domain() == externalDomain)
    return importExternal(node);
  const std::string &type = node.proto.op_type();
  if (type == "QuantizeLinear")
    return importQuantize(node);
  if (type == "DequantizeLinear")
    return importDequantize(node);
  if (type == "Relu" || type == "Clip")
    return importClamp(node);
  if (type == "Conv")
    return importConv(node);
  if (type == "Gemm")
    return importGemm(node);
  if (type == "MatMul")
    return importMatMul(node);
  if (type == "Add")
    return importAdd(node);
  if (type == "MaxPool")
    return importMaxPool(node);
  if (type == "GlobalAveragePool")
    return importGlobalAveragePool(node);
  if (type == "Reshape" || type == "Flatten")
    return importReshape(node);
  if (type == "Constant")
    return importConstant(node);
  return fail(node) << "operator '" << type << "' is not supported";
}

LogicalResult Importer::importConstant(const Node &node) {
  Edge edge;
  edge.kind = Edge::Kind::Constant;
  std::string why = "has no attribute 'value'; expected a tensor";
  if (const auto *value = attribute(node, "value"))
    edge.constant = decodeTensor(value->t(), why);
  auto scalar = std::make_shared<HostTensor>();
  if (const auto *value = attribute(node, "value_float")) {
    scalar->dtype = onnx::TensorProto::FLOAT;
    scalar->floats = {value->f()};
    edge.constant = scalar;
  } else if (const auto *value = attribute(node, "value_int")) {
    scalar->dtype = onnx::TensorProto::INT64;
    scalar->ints = {value->i()};
    edge.constant = scalar;
  } else if (const auto *value = attribute(node, "value_ints")) {
    scalar->dtype = onnx::TensorProto::INT64;
    scalar->ints.assign(value->ints().begin(), value->ints().end());
    scalar->shape = {static_cast<int64_t>(scalar->ints.size())};
    edge.constant = scalar;
  }
  if (!edge.constant)
    return fail(node) << "its constant " << why;
  define(node, edge);
  return success();
}

FailureOr<Value> Importer::externalOperand(const Node &node, int input) {
  const Edge &in = edge(node, input);
  switch (in.kind) {
  case Edge::Kind::Float:
    return in.tensor.value;
  case Edge::Kind::Integer:
  case Edge::Kind::Real: {
    if (in.clamped())
      break;
    Tensor tensor = toRowMajor(in.tensor, node.loc);
    Type to = in.kind == Edge::Kind::Real ? Type(builder.getF32Type()) : Type(builder.getI8Type());
    if (tensor.elementType() == to)
      return tensor.value;
    auto type = RankedTensorType::get(tensor.shape, to);
    if (in.kind == Edge::Kind::Real)
      return builder.create<quant::DequantizeCastOp>(node.loc, type, tensor.value).getResult();
    return builder.create<quant::StorageCastOp>(node.loc, type, tensor.value).getResult();
  }
  default:
    break;
  }
  (void)notQuantized(node, input);
  return failure();
}

LogicalResult Importer::importExternal(const Node &node) {
  SmallVector<Value> operands;
  for (int i = 0; i < node.proto.input_size(); ++i) {
    FailureOr<Value> operand = externalOperand(node, i);
    if (failed(operand))
      return failure();
    operands.push_back(*operand);
  }
  SmallVector<Type> results;
  std::vector<Edge> outputs;
  for (const std::string &name : node.proto.output()) {
    const onnx::ValueInfoProto *info = nullptr;
    for (const auto *list : {&graph.value_info(), &graph.output()})
      for (const auto &value : *list)
        if (value.name() == name && value.type().has_tensor_type() && value.type().tensor_type().has_shape())
          info = &value;
    if (!info)
      return fail(node) << "nothing says the type and shape of output '" << name
                        << "' of the external function; add it to the graph's value_info";
    Edge edge;
    int32_t dtype = info->type().tensor_type().elem_type();
    bool isInt8 = dtype == onnx::TensorProto::INT8;
    if (!isInt8 && dtype != onnx::TensorProto::FLOAT)
      return fail(node) << "output '" << name << "' has type " << dtypeName(dtype)
                        << "; expected int8 or float32";
    edge.kind = isInt8 ? Edge::Kind::Integer : Edge::Kind::Float;
    for (const auto &dim : info->type().tensor_type().shape().dim()) {
      if (dim.dim_value() <= 0)
        return fail(node) << "output '" << name
                          << "' has a dimension of unknown size; expected a static shape";
      edge.tensor.shape.push_back(dim.dim_value());
    }
    results.push_back(RankedTensorType::get(edge.tensor.shape,
                                            isInt8 ? Type(builder.getI8Type()) : Type(builder.getF32Type())));
    outputs.push_back(edge);
  }
  auto type = builder.getFunctionType(ValueRange(operands).getTypes(), results);
  OpBuilder atEnd = OpBuilder::atBlockEnd(module->getBody());
  auto callee = atEnd.create<func::FuncOp>(
      node.loc, "external_" + std::to_string(module->getBody()->getOperations().size()), type);
  callee.setPrivate();
  callee->setAttr("daedalus.external", builder.getStringAttr(node.proto.op_type()));
  auto call = builder.create<func::CallOp>(node.loc, callee, operands);
  for (size_t i = 0; i < outputs.size(); ++i) {
    outputs[i].tensor.value = call.getResult(i);
    define(node, outputs[i], i);
  }
  return success();
}

FailureOr<Value> Importer::outputValue(const onnx::ValueInfoProto &info) {
  auto found = edges.find(info.name());
  const Edge *out = found == edges.end() ? nullptr : &found->second;
  auto loc = NameLoc::get(builder.getStringAttr(info.name()));
  if (out && out->kind == Edge::Kind::Float)
    return out->tensor.value;
  if (out && (out->kind == Edge::Kind::Integer || (out->kind == Edge::Kind::Real && !out->clamped()))) {
    Location at = out->names.empty() ? Location(loc) : locationOf(out->names);
    Tensor tensor = toRowMajor(out->tensor, at);
    bool isReal = out->kind == Edge::Kind::Real;
    Type element = isReal ? Type(builder.getF32Type()) : Type(builder.getI8Type());
    if (tensor.elementType() == element)
      return tensor.value;
    auto type = RankedTensorType::get(tensor.shape, element);
    if (isReal)
      return builder.create<quant::DequantizeCastOp>(at, type, tensor.value).getResult();
    return builder.create<quant::StorageCastOp>(at, type, tensor.value).getResult();
  }
  if (out && out->kind == Edge::Kind::Constant)
    return failModel() << "output '" << info.name() << "' is a constant; expected something computed";
  auto producer = producers.find(info.name());
  Location at = producer == producers.end() ? builder.getUnknownLoc() : locationOf({producer->second});
  return emitError(at) << "output '" << info.name()
                       << "' is not quantized; put a QuantizeLinear and, for a float32"
                       << " output, a DequantizeLinear behind it";
}

LogicalResult Importer::importOutputs() {
  SmallVector<Value> values;
  for (const auto &info : graph.output()) {
    FailureOr<Value> value = outputValue(info);
    if (failed(value))
      return failure();
    values.push_back(*value);
  }
  builder.create<func::ReturnOp>(builder.getUnknownLoc(), values);
  main.setFunctionType(
      builder.getFunctionType(main.getBody().getArgumentTypes(), ValueRange(values).getTypes()));
  for (int i = 0; i < graph.output_size(); ++i)
    main.setResultAttr(i, "daedalus.name", builder.getStringAttr(graph.output(i).name()));
  return success();
}

} // namespace onnximport
} // namespace daedalus
