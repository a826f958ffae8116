// The importer: one ONNX node, one operation, in ONNX's own layout. Real numbers are tensors of f32; what a
// QuantizeLinear gives has a type of the quant dialect, with the node's scale and zero point. A node that no
// operation covers is a call of a private function. Passes make the rest of it.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_IMPORTER_H
#define DAEDALUS_LIB_IMPORT_ONNX_IMPORTER_H

#include "Constants.h"
#include "Load.h"
#include "Node.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

#include "llvm/ADT/StringMap.h"

#include <functional>
#include <map>
#include <optional>

namespace daedalus::onnximport {

/// A tensor that is computed; of ONNX's shape.
struct Tensor {
  mlir::Value value;
  Shape shape;
};

/// What is known of an ONNX value.
struct OnnxValue {
  mlir::Value value; ///< null: a constant that nothing has read yet, which Importer::valueOf makes
  int32_t dtype = 0; ///< of ONNX; int8 and uint8 may be of a quantized type
  Shape shape;
  HostTensorPtr constant;  ///< of constants
  mlir::Type quantized;    ///< of constants behind DequantizeLinear: the type of the elements of `constant`
  std::string dequantize;  ///< the name of that node
  HostTensorPtr copied;    ///< of Identity: the constant that it copies
  bool isConstant = false; ///< or nodes that passes fold make it of constants
  mlir::Value plain;       ///< `value` as plain numbers, once something has asked for them
};

/// Of a constant, behind DequantizeLinear the real ones; null where it is none.
HostTensorPtr numbersOf(const OnnxValue &known);

struct Operand;
struct PlainType;

class Importer {
public:
  Importer(mlir::MLIRContext &context, const onnx::ModelProto &model);
  mlir::OwningOpRef<mlir::ModuleOp> run();

  // The families of operators: each gives the operation of a node that one covers, and defines its output;
  // false where none does, so that the node is a call.
  using Covered = mlir::FailureOr<bool>;
  Covered importConv(const Node &node); // Operators/Products.cpp
  Covered importConvTranspose(const Node &node);
  Covered importGemm(const Node &node);
  Covered importMatMul(const Node &node);
  Covered importBatchNormalization(const Node &node); // Operators/Elementwise.cpp
  Covered importBinary(const Node &node);
  Covered importClamp(const Node &node);
  Covered importMaxPool(const Node &node); // Operators/Pools.cpp
  Covered importAveragePool(const Node &node);
  Covered importGlobalAveragePool(const Node &node);
  Covered importReduceMean(const Node &node);
  Covered importResize(const Node &node);
  Covered importReshape(const Node &node); // Operators/Shapes.cpp
  Covered importTranspose(const Node &node);
  Covered importSlice(const Node &node);
  Covered importSplit(const Node &node);
  Covered importConcat(const Node &node);
  Covered importConstant(const Node &node);
  Covered importSize(const Node &node);
  Covered importIdentity(const Node &node);
  Covered importBlocks(const Node &node);
  Covered importDropout(const Node &node);
  Covered importCast(const Node &node);
  Covered importQuantize(const Node &node); // Operators/Quantization.cpp
  Covered importDequantize(const Node &node);

private:
  // Importer.cpp: the walk.
  mlir::LogicalResult importInitializers();
  mlir::LogicalResult importInputs();
  mlir::LogicalResult importNode(const Node &node);
  mlir::LogicalResult importOutputs();
  void setResultAttributes(int result, const onnx::ValueInfoProto &info);
  mlir::FailureOr<mlir::Value> outputValue(const onnx::ValueInfoProto &info);

  // Values.cpp: what is known of values.
  const OnnxValue &known(const Node &node, int input);
  llvm::StringRef inputName(const Node &node, int input);
  bool has(const Node &node, int input) { return !inputName(node, input).empty(); }
  /// The numbers of a constant, behind DequantizeLinear or Identity too; null where it is none.
  HostTensorPtr constantInput(const Node &node, int input);
  /// The input's value: of f32, of plain numbers or quantized. Null where it is absent.
  mlir::Value valueOf(const Node &node, int input);
  mlir::Value valueOf(OnnxValue &known, mlir::Location loc);
  /// An input [N,C,H,W], or one [N,C,L] as an image of height 1.
  mlir::Value imageOf(const Node &node, int input);
  mlir::Value reshaped(mlir::Value value, const Shape &shape, mlir::Location loc);
  Covered importGlobalAverage(const Node &node, const Shape &output);
  /// As plain numbers, a quantized value as it is stored.
  mlir::Value plainOf(OnnxValue &known, mlir::Location loc);
  bool isReal(const Node &node, int input) { return known(node, input).dtype == onnx::TensorProto::FLOAT; }
  /// Whether all inputs that are there are tensors of f32 with elements.
  bool areReal(const Node &node);
  /// Whether the first input has elements, of f32 or as a QuantizeLinear gave them: what moves or compares
  /// them takes them as they are.
  bool canMove(const Node &node);
  void define(const Node &node, mlir::Value value, int output = 0);
  /// Of elements of the first input.
  void defineMoved(const Node &node, mlir::Value value, int output = 0);
  void defineConstant(const Node &node, HostTensorPtr constant);
  mlir::Location locationOf(llvm::StringRef name);
  mlir::InFlightDiagnostic fail(const Node &node) {
    return mlir::emitError(
        sentenceLocation(builder.getContext(), node.name, nodeKind(node.proto, node.opset)));
  }
  mlir::InFlightDiagnostic failModel() { return mlir::emitError(builder.getUnknownLoc()); }
  mlir::RankedTensorType realType(llvm::ArrayRef<int64_t> shape);

  // Quantization.cpp.
  struct Quantization;
  mlir::FailureOr<Quantization> readQuantization(const Node &node, const Shape &shape);
  mlir::Type quantizedType(const Quantization &quantization, int32_t dtype);
  bool isQuantized(const Node &node);

  // Calls.cpp: nodes that no operation covers.
  mlir::LogicalResult importCall(const Node &node);
  mlir::LogicalResult importExternal(const Node &node);
  mlir::FailureOr<Operand> plainInput(const Node &node, int input);
  mlir::FailureOr<std::vector<Operand>> plainInputs(const Node &node);
  mlir::FailureOr<mlir::Value> callOf(const Node &node, unsigned output, const std::vector<Operand> &operands,
                                      const std::vector<PlainType> &outputs);
  mlir::FailureOr<std::vector<PlainType>> declaredOutputs(const Node &node);
  mlir::FailureOr<PlainType> declaredType(const Node &node, const std::string &value);

  mlir::OpBuilder builder;
  const onnx::GraphProto &graph;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp main;
  std::map<std::string, OnnxValue> values;
  llvm::StringMap<const onnx::TypeProto_Tensor *> declaredTypes; // of values, as the model says
  unsigned kernels = 0, externalKernels = 0;
  int64_t opset = 0;
};

} // namespace daedalus::onnximport

#endif
