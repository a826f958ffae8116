// The importer: one ONNX node, one operation, in ONNX's own layout. Real numbers are tensors of f32; what a
// QuantizeLinear gives has a type of the quant dialect, with the node's scale and zero point. A node that no
// operation covers is a call of a private function. Passes make the rest of it.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_IMPORTER_H
#define DAEDALUS_LIB_IMPORT_ONNX_IMPORTER_H

#include "Load/Load.h"
#include "Node.h"
#include "Values/Constants.h"

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

/// Whether an operation covers a node; where none does, the node is a call.
using Covered = mlir::FailureOr<bool>;

class Importer {
public:
  Importer(mlir::MLIRContext &context, const onnx::ModelProto &model);
  mlir::OwningOpRef<mlir::ModuleOp> run();

  // Values.cpp: what is known of values, and what the import functions of operators define.
  const OnnxValue &known(const Node &node, int input);
  llvm::StringRef inputName(const Node &node, int input);
  bool has(const Node &node, int input) { return !inputName(node, input).empty(); }
  /// The numbers of a constant, behind DequantizeLinear or Identity too; null where it is none.
  HostTensorPtr constantInput(const Node &node, int input);
  /// The input's value: of f32, of plain numbers or quantized. Null where it is absent.
  mlir::Value valueOf(const Node &node, int input);
  /// An input [N,C,H,W], or one [N,C,L] as an image of height 1.
  mlir::Value imageOf(const Node &node, int input);
  mlir::Value reshaped(mlir::Value value, const Shape &shape, mlir::Location loc);
  bool isReal(const Node &node, int input) { return known(node, input).dtype == onnx::TensorProto::FLOAT; }
  /// Whether all inputs that are there are tensors of f32 with elements.
  bool areReal(const Node &node);
  /// Whether the first input has elements, of f32 or as a QuantizeLinear gave them: what moves or compares
  /// them takes them as they are.
  bool canMove(const Node &node);
  /// What is known of an output.
  OnnxValue &output(const Node &node, int output = 0) { return values[node.proto.output(output)]; }
  void define(const Node &node, mlir::Value value, int output = 0);
  /// Of elements of the first input.
  void defineMoved(const Node &node, mlir::Value value, int output = 0);
  void defineConstant(const Node &node, HostTensorPtr constant);
  mlir::InFlightDiagnostic fail(const Node &node) {
    return mlir::emitError(
        sentenceLocation(builder.getContext(), node.name, nodeKind(node.proto, node.opset)));
  }
  mlir::RankedTensorType realType(llvm::ArrayRef<int64_t> shape);

  // Calls.cpp.
  /// One output of a node as a call of a function on the operands that are computed.
  mlir::FailureOr<mlir::Value> callOf(const Node &node, unsigned output, const std::vector<Operand> &operands,
                                      const std::vector<PlainType> &outputs);
  mlir::FailureOr<std::vector<PlainType>> declaredOutputs(const Node &node);
  mlir::FailureOr<PlainType> declaredType(const Node &node, const std::string &value);

  mlir::OpBuilder builder;

private:
  // Importer.cpp: the walk.
  mlir::LogicalResult importInitializers();
  mlir::LogicalResult importInputs();
  mlir::LogicalResult importNode(const Node &node);
  mlir::LogicalResult importOutputs();
  void setResultAttributes(int result, const onnx::ValueInfoProto &info);
  mlir::FailureOr<mlir::Value> outputValue(const onnx::ValueInfoProto &info);

  // Values.cpp.
  mlir::Value valueOf(OnnxValue &known, mlir::Location loc);
  /// As plain numbers, a quantized value as it is stored.
  mlir::Value plainOf(OnnxValue &known, mlir::Location loc);
  mlir::Location locationOf(llvm::StringRef name);
  mlir::InFlightDiagnostic failModel() { return mlir::emitError(builder.getUnknownLoc()); }

  // Calls.cpp: nodes that no operation covers.
  mlir::LogicalResult importCall(const Node &node);
  mlir::LogicalResult importExternal(const Node &node);
  mlir::FailureOr<Operand> plainInput(const Node &node, int input);
  mlir::FailureOr<std::vector<Operand>> plainInputs(const Node &node);

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
