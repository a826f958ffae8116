// The walk over initializers, inputs, nodes and outputs.

#include "Importer.h"

#include "OperatorTable.h"
#include "Values/Types.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"
#include "daedalus/Import/ONNX/Import.h"
#include "daedalus/Kernels/Names.h"
#include "daedalus/support/input_file.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Quant/QuantOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Verifier.h"

#include <filesystem>

using namespace mlir;

namespace daedalus {

void loadGraphDialects(MLIRContext &context) {
  context.loadDialect<func::FuncDialect, qnn::QnnDialect, tosa::TosaDialect, tensor::TensorDialect,
                      quant::QuantizationDialect, linalg::LinalgDialect, arith::ArithDialect,
                      math::MathDialect, scf::SCFDialect, cf::ControlFlowDialect>();
}

OwningOpRef<ModuleOp> importOnnxBytes(StringRef bytes, StringRef source, MLIRContext &context,
                                      const GivenInputs &given) {
  loadGraphDialects(context);
  onnx::ModelProto model;
  if (failed(onnximport::loadModel(bytes, source, "", given, context, model)))
    return nullptr;
  return onnximport::Importer(context, model).run();
}

static std::string folderOf(const std::string &path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "." : folder.string();
}

/// The bytes of the file are gone when the model is loaded.
static LogicalResult loadFile(const std::string &path, const GivenInputs &given, MLIRContext &context,
                              onnx::ModelProto &model) {
  const Result<std::vector<uint8_t>> bytes = readFile(path, input::Model);
  if (!bytes)
    return emitError(UnknownLoc::get(&context)) << bytes.error();
  return onnximport::loadModel(llvm::toStringRef(*bytes), path, folderOf(path), given, context, model);
}

OwningOpRef<ModuleOp> importOnnx(const std::string &path, MLIRContext &context, const GivenInputs &given) {
  loadGraphDialects(context);
  onnx::ModelProto model;
  if (failed(loadFile(path, given, context, model)))
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
  if (failed(importInitializers()) || failed(importInputs()))
    return nullptr;
  int index = 0;
  for (const auto &proto : graph.node()) {
    const std::string name = nodeName(proto, index++);
    if (failed(importNode(Node{proto, name, locationOf(name), opset})))
      return nullptr;
  }
  if (failed(importOutputs()) || failed(verify(*module)))
    return nullptr;
  return std::move(module);
}

LogicalResult Importer::importInitializers() {
  for (const auto &proto : graph.initializer()) {
    OnnxValue &known = values[proto.name()];
    const Result<HostTensorPtr> constant = decodeTensor(proto);
    if (!constant)
      return failModel() << "initializer '" << proto.name() << "' " << constant.error();
    known.constant = *constant;
    known.isConstant = true;
    known.dtype = known.constant->dtype;
    known.shape.assign(known.constant->shape.begin(), known.constant->shape.end());
  }
  return success();
}

LogicalResult Importer::importInputs() {
  SmallVector<Type> types;
  SmallVector<const onnx::ValueInfoProto *> inputs;
  for (const auto &input : graph.input()) {
    if (values.count(input.name()))
      continue;
    const auto &tensorType = input.type().tensor_type();
    OnnxValue &known = values[input.name()];
    known.dtype = tensorType.elem_type();
    if (!isPlainType(known.dtype))
      return failModel() << "input '" << input.name() << "' has type " << dtypeName(known.dtype)
                         << "; expected " << plainTypeNames;
    for (const auto &dim : tensorType.shape().dim())
      known.shape.push_back(dim.dim_value());
    types.push_back(RankedTensorType::get(known.shape, elementType(builder, known.dtype)));
    known.value = main.getBody().front().addArgument(types.back(), locationOf(input.name()));
    inputs.push_back(&input);
  }
  main.setFunctionType(builder.getFunctionType(types, {}));
  for (auto [i, input] : llvm::enumerate(inputs)) {
    main.setArgAttr(i, kernel::valueName, builder.getStringAttr(input->name()));
    main.setArgAttr(i, kernel::dtype,
                    builder.getStringAttr(dtypeName(input->type().tensor_type().elem_type())));
  }
  return success();
}

LogicalResult Importer::importNode(const Node &node) {
  if (node.proto.domain() == externalDomain)
    return importExternal(node);
  if (const Operator *known = operatorOf(node.proto.op_type()); known && known->import) {
    Covered covered = known->import(*this, node);
    if (failed(covered))
      return failure();
    if (*covered)
      return success();
  }
  return importCall(node);
}

/// The value of a graph's output; a quantized one as it is stored.
FailureOr<Value> Importer::outputValue(const onnx::ValueInfoProto &info) {
  auto found = values.find(info.name());
  if (found == values.end())
    return failModel() << "output '" << info.name() << "' is computed nowhere";
  return plainOf(found->second, locationOf(info.name()));
}

void Importer::setResultAttributes(int result, const onnx::ValueInfoProto &info) {
  main.setResultAttr(result, kernel::valueName, builder.getStringAttr(info.name()));
  main.setResultAttr(result, kernel::dtype, builder.getStringAttr(dtypeName(values[info.name()].dtype)));
}

LogicalResult Importer::importOutputs() {
  SmallVector<Value> results;
  for (const auto &info : graph.output()) {
    FailureOr<Value> value = outputValue(info);
    if (failed(value))
      return failure();
    results.push_back(*value);
  }
  builder.create<func::ReturnOp>(builder.getUnknownLoc(), results);
  main.setFunctionType(
      builder.getFunctionType(main.getBody().getArgumentTypes(), ValueRange(results).getTypes()));
  for (int i = 0; i < graph.output_size(); ++i)
    setResultAttributes(i, graph.output(i));
  return success();
}

} // namespace onnximport
} // namespace daedalus
