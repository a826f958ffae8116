// The walk over inputs, nodes and outputs, and external functions.

#include "Importer.h"

#include "General/Kernel.h"

#include "daedalus/Conversion/GraphToLinalg/GraphToLinalg.h"
#include "daedalus/Import/ONNX/Import.h"
#include "daedalus/support/input_file.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Quant/QuantOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Verifier.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace daedalus {

void loadGraphDialects(MLIRContext &context) {
  context
      .loadDialect<func::FuncDialect, qnn::QnnDialect, tosa::TosaDialect, tensor::TensorDialect, quant::QuantizationDialect,
                   linalg::LinalgDialect, arith::ArithDialect, math::MathDialect, cf::ControlFlowDialect>();
}

OwningOpRef<ModuleOp> importOnnxBytes(StringRef bytes, StringRef source, MLIRContext &context) {
  loadGraphDialects(context);
  onnx::ModelProto model;
  if (failed(onnximport::loadModel(bytes, source, context, model)))
    return nullptr;
  return onnximport::Importer(context, model).run();
}

/// The bytes of the file are gone when the model is loaded.
static LogicalResult loadFile(const std::string &path, MLIRContext &context, onnx::ModelProto &model) {
  const Result<std::vector<uint8_t>> bytes = readFile(path, input::Model);
  if (!bytes)
    return emitError(UnknownLoc::get(&context)) << bytes.error();
  return onnximport::loadModel(llvm::toStringRef(*bytes), path, context, model);
}

OwningOpRef<ModuleOp> importOnnx(const std::string &path, MLIRContext &context) {
  loadGraphDialects(context);
  onnx::ModelProto model;
  if (failed(loadFile(path, context, model)))
    return nullptr;
  return onnximport::Importer(context, model).run();
}

namespace onnximport {

Importer::Importer(MLIRContext &context, const onnx::ModelProto &model)
    : builder(&context), graph(model.graph()), module(ModuleOp::create(builder.getUnknownLoc())) {
  for (const auto &import : model.opset_import())
    if (isOnnxDomain(import.domain()))
      opset = import.version();
  for (const auto *list : {&graph.value_info(), &graph.output()})
    for (const auto &info : *list)
      if (info.type().has_tensor_type())
        declaredTypes[info.name()] = &info.type().tensor_type();
}

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
    if (failed(importNode(Node{proto, name, locationOf({name}), opset})))
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
  SmallVector<Attribute> names, dtypes;
  for (const auto &input : graph.input()) {
    if (edges.count(input.name()))
      continue;
    const auto &tensorType = input.type().tensor_type();
    Edge edge;
    edge.kind = Edge::Kind::Plain;
    edge.dtype = tensorType.elem_type();
    if (!isPlainType(edge.dtype))
      return failModel() << "input '" << input.name() << "' has type " << dtypeName(edge.dtype)
                         << "; expected " << plainTypeNames;
    for (const auto &dim : tensorType.shape().dim())
      edge.tensor.shape.push_back(dim.dim_value());
    auto loc = NameLoc::get(builder.getStringAttr(input.name()));
    types.push_back(RankedTensorType::get(edge.tensor.shape, elementType(builder, edge.dtype)));
    dtypes.push_back(builder.getStringAttr(dtypeName(edge.dtype)));
    edge.tensor.value = main.getBody().front().addArgument(types.back(), loc);
    names.push_back(builder.getStringAttr(input.name()));
    edges[input.name()] = edge;
  }
  main.setFunctionType(builder.getFunctionType(types, {}));
  for (auto [i, name] : llvm::enumerate(names)) {
    main.setArgAttr(i, kernel::valueName, name);
    main.setArgAttr(i, kernel::dtype, dtypes[i]);
  }
  return success();
}

/// Whether a node belongs to what is computed on quantized types; anything else is general.
bool Importer::isQuantized(const Node &node) {
  const std::string &type = node.proto.op_type();
  auto is = [&](int input, std::initializer_list<Edge::Kind> kinds) {
    return llvm::is_contained(kinds, edge(node, input).kind);
  };
  using Kind = Edge::Kind;
  auto isReal = [&](int input) { return is(input, {Kind::Real}) && !edge(node, input).clamped(); };
  auto isConstant = [&](int input) { return is(input, {Kind::Constant, Kind::QuantizedConstant}); };
  if (type == "QuantizeLinear" || type == "DequantizeLinear")
    return is(1, {Kind::Constant}) && (inputName(node, 2).empty() || is(2, {Kind::Constant})) &&
           quantizesWhole(node);
  if (type == "Relu" || type == "Clip")
    return is(0, {Kind::Real, Kind::Pending}) && (inputName(node, 1).empty() || isConstant(1)) &&
           (inputName(node, 2).empty() || isConstant(2));
  if (type == "Conv" || type == "Gemm" || type == "MatMul")
    return isQuantizedProduct(node);
  if (type == "Add" && (addsBias(node, 0, 1) || addsBias(node, 1, 0)))
    return true;
  if (type == "Add" || type == "Sub" || type == "Mul")
    return ((isReal(0) || is(0, {Kind::QuantizedConstant})) &&
            (isReal(1) || is(1, {Kind::QuantizedConstant})) && (isReal(0) || isReal(1)));
  if (type == "MaxPool")
    return is(0, {Kind::Real, Kind::Pending, Kind::Integer}) && edge(node, 0).tensor.shape.size() == 4 &&
           node.proto.output_size() == 1 && !intAttribute(node, "storage_order", 0);
  if (type == "GlobalAveragePool" || type == "AveragePool")
    return isReal(0) && edge(node, 0).tensor.shape.size() == 4;
  return (type == "Reshape" || type == "Flatten") && (isReal(0) || is(0, {Kind::Integer, Kind::Plain})) &&
         (inputName(node, 1).empty() || is(1, {Kind::Constant}));
}

LogicalResult Importer::importNode(const Node &node) {
  using Import = LogicalResult (Importer::*)(const Node &);
  static const std::map<std::string, Import> quantized = {{"QuantizeLinear", &Importer::importQuantize},
                                                          {"DequantizeLinear", &Importer::importDequantize},
                                                          {"Relu", &Importer::importClamp},
                                                          {"Clip", &Importer::importClamp},
                                                          {"Conv", &Importer::importConv},
                                                          {"Gemm", &Importer::importGemm},
                                                          {"MatMul", &Importer::importMatMul},
                                                          {"Add", &Importer::importBinary},
                                                          {"Sub", &Importer::importBinary},
                                                          {"Mul", &Importer::importBinary},
                                                          {"MaxPool", &Importer::importMaxPool},
                                                          {"GlobalAveragePool", &Importer::importAveragePool},
                                                          {"AveragePool", &Importer::importAveragePool},
                                                          {"Reshape", &Importer::importReshape},
                                                          {"Flatten", &Importer::importReshape}};
  if (node.proto.domain() == externalDomain)
    return importExternal(node);
  const std::string &type = node.proto.op_type();
  if (type == "Constant")
    return importConstant(node);
  if (type == "Shape" || type == "Size")
    return importSize(node);
  const bool addsToProduct = type == "Add" && (addsBias(node, 0, 1) || addsBias(node, 1, 0));
  if (!addsToProduct && unaryFunction(node))
    return importLookup(node);
  if (movesQuantized(node))
    return importMove(node);
  if (isQuantizedNormalization(node))
    return importBatchNormalization(node);
  auto found = quantized.find(type);
  if (found != quantized.end() && isQuantized(node))
    return (this->*found->second)(node);
  return importGeneral(node);
}

/// Shapes are static, so Shape and Size are constants.
LogicalResult Importer::importSize(const Node &node) {
  const Edge &in = edge(node, 0);
  Shape shape = in.constant ? Shape(in.constant->shape.begin(), in.constant->shape.end()) : in.tensor.shape;
  auto values = std::make_shared<HostTensor>();
  values->dtype = onnx::TensorProto::INT64;
  if (node.proto.op_type() == "Size") {
    values->ints = {elementCount({shape.begin(), shape.end()})};
  } else {
    const auto [start, end] = shapeRange(node, shape.size());
    values->ints = std::vector<int64_t>(shape.begin() + start, shape.begin() + end);
    values->shape = {end - start};
  }
  Edge out;
  out.kind = Edge::Kind::Constant;
  out.constant = values;
  define(node, out);
  return success();
}

LogicalResult Importer::importConstant(const Node &node) {
  Edge edge;
  edge.kind = Edge::Kind::Constant;
  std::string why;
  edge.constant = readConstant(node, why);
  if (!edge.constant)
    return fail(node) << why;
  define(node, edge);
  return success();
}

LogicalResult Importer::importExternal(const Node &node) {
  SmallVector<Value> operands;
  for (int i = 0; i < node.proto.input_size(); ++i) {
    FailureOr<Operand> operand = plainInput(node, i);
    if (failed(operand))
      return failure();
    if (operand->constant || operand->isAbsent())
      return fail(node) << "input '" << inputName(node, i) << "' is a constant; expected something computed";
    operands.push_back(operand->tensor.value);
  }
  SmallVector<Type> results;
  std::vector<Edge> outputs;
  for (const std::string &name : node.proto.output()) {
    FailureOr<PlainType> type = declaredType(node, name);
    if (failed(type))
      return failure();
    Edge edge;
    edge.kind = Edge::Kind::Plain;
    edge.dtype = type->dtype;
    edge.tensor.shape = type->shape;
    results.push_back(RankedTensorType::get(type->shape, elementType(builder, type->dtype)));
    outputs.push_back(edge);
  }
  auto type = builder.getFunctionType(ValueRange(operands).getTypes(), results);
  OpBuilder atEnd = OpBuilder::atBlockEnd(module->getBody());
  auto callee = atEnd.create<func::FuncOp>(node.loc, "external_" + std::to_string(externalKernels++), type);
  callee.setPrivate();
  callee->setAttr("daedalus.external", builder.getStringAttr(node.proto.op_type()));
  auto call = builder.create<func::CallOp>(node.loc, callee, operands);
  for (size_t i = 0; i < outputs.size(); ++i) {
    outputs[i].tensor.value = call.getResult(i);
    define(node, outputs[i], i);
  }
  return success();
}

/// The value of a graph's output; int8, uint8 or what it was computed in.
FailureOr<Value> Importer::outputValue(const onnx::ValueInfoProto &info) {
  auto found = edges.find(info.name());
  if (found == edges.end())
    return failModel() << "output '" << info.name() << "' is computed nowhere";
  const Edge &out = found->second;
  if (out.kind == Edge::Kind::Constant || out.kind == Edge::Kind::QuantizedConstant)
    return constantOutput(out);
  Location at = out.names.empty() ? NameLoc::get(builder.getStringAttr(info.name())) : locationOf(out.names);
  FailureOr<Tensor> tensor = plainTensor(out, at);
  if (failed(tensor))
    return failure();
  return tensor->value;
}

Value Importer::constantOutput(const Edge &edge) {
  const HostTensorPtr constant = dequantizedConstant(edge);
  Shape shape(constant->shape.begin(), constant->shape.end());
  Type element = elementType(builder, constant->dtype);
  return callKernel(builder.getUnknownLoc(), {}, RankedTensorType::get(shape, element), "is a constant", true,
                    [&](OpBuilder &b, ValueRange, int64_t &) {
                      Body body(b, b.getUnknownLoc());
                      Value values = body.constant(*constant);
                      return body.elementwise(shape, element, body.broadcast(values, shape),
                                              [](ValueRange x) { return x[0]; });
                    });
}

void Importer::setResultAttributes(int result, const onnx::ValueInfoProto &info) {
  const Edge &out = edges[info.name()];
  int32_t dtype = onnx::TensorProto::FLOAT;
  if (out.kind == Edge::Kind::Constant)
    dtype = out.constant->dtype;
  if (out.kind == Edge::Kind::Plain || out.kind == Edge::Kind::Integer)
    dtype = out.dtype;
  main.setResultAttr(result, kernel::valueName, builder.getStringAttr(info.name()));
  main.setResultAttr(result, kernel::dtype, builder.getStringAttr(dtypeName(dtype)));
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
    setResultAttributes(i, graph.output(i));
  return success();
}

} // namespace onnximport
} // namespace daedalus
