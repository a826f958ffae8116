// The importer: walks the nodes in order and keeps, for every ONNX value, what is known of it. Operators on
// dequantized values stay pending until a QuantizeLinear says their output scale; then one operation on
// quantized types is made of the whole group. Activations with four dimensions lie in NHWC order.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_IMPORTER_H
#define DAEDALUS_LIB_IMPORT_ONNX_IMPORTER_H

#include "HostTensor.h"
#include "Load.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Quant/QuantTypes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

#include <functional>
#include <limits>
#include <map>
#include <optional>

namespace daedalus::onnximport {

using Shape = llvm::SmallVector<int64_t, 4>;
using QuantType = mlir::quant::UniformQuantizedType;

/// How a tensor's value holds the elements of its ONNX shape.
///   RowMajor          as ONNX does
///   ChannelsLast      ONNX shape [N,C,H,W], value [N,H,W,C]
///   FlatChannelsLast  ONNX shape [N,C*H*W], value still [N,H,W,C]
enum class Layout { RowMajor, ChannelsLast, FlatChannelsLast };

struct Tensor {
  mlir::Value value;
  Shape shape; // of ONNX
  Layout layout = Layout::RowMajor;

  mlir::Type elementType() const;
};

/// Scales and zero points of a quantized constant: one, or one for each index of `axis`.
struct Quantization {
  std::vector<float> scales;
  std::vector<int64_t> zeroPoints;
  int64_t axis = 0;
};

/// The output of a fused group: its type and the range that Relu and Clip leave.
struct Output {
  QuantType type;
  int64_t lo = -128, hi = 127;
};

using Emit = std::function<mlir::FailureOr<Tensor>(const Output &, mlir::Location)>;

/// What is known of an ONNX value.
struct Edge {
  enum class Kind {
    Absent,            // an optional input left out
    Constant,          // `constant`
    QuantizedConstant, // `constant` dequantized by `quantization`
    Float,             // `tensor`, float32, row-major
    Integer,           // `tensor`, int8 with or without quantized type
    Real,              // the real numbers that `tensor`, quantized, stands for
    Pending,           // real numbers that `emit` computes once their quantization is known
  };
  Kind kind = Kind::Absent;
  HostTensorPtr constant;
  Quantization quantization;
  Tensor tensor; // Pending: the shape only
  float lo = -std::numeric_limits<float>::infinity(), hi = std::numeric_limits<float>::infinity();
  std::vector<std::string> names; // of the nodes in the group
  Emit emit;
  std::shared_ptr<const struct Product> product; // of a pending Conv, Gemm or MatMul

  bool clamped() const;
};

struct Window { // of a convolution or pool, y before x
  Shape kernel, strides, dilations, padBegin, padEnd, output;
};

/// Weights of a product: int8 with zero point 0, output channel outermost ([OC,KH,KW,IC] or [N,K]).
struct Weights {
  Shape shape;
  std::vector<int8_t> values;
  std::vector<double> scales; // one, or one an output channel

  int64_t channels() const { return shape[0]; }
  double scale(int64_t channel) const { return scales[scales.size() == 1 ? 0 : channel]; }
};

/// Numbers added for each output channel: value[c] * scale[c]. Empty: none.
struct Bias {
  std::vector<double> values, scales;
};

/// A convolution (with `window`) or a matrix product, all but its output's quantization.
struct Product {
  Tensor x;
  Weights weights;
  std::optional<Window> window;
  bool hasBias = false;
  std::vector<int32_t> bias{}; // in units of the input's scale times the weights' scale
  Shape result{};              // of ONNX
};

/// A node with its name and what it was made of.
struct Node {
  const onnx::NodeProto &proto;
  std::string name;
  mlir::Location loc;
};

class Importer {
public:
  Importer(mlir::MLIRContext &context, const onnx::ModelProto &model);
  mlir::OwningOpRef<mlir::ModuleOp> run();

private:
  // Importer.cpp: the walk.
  mlir::LogicalResult importInputs();
  mlir::LogicalResult importNode(const Node &node);
  mlir::LogicalResult importOutputs();
  mlir::LogicalResult importConstant(const Node &node);
  mlir::LogicalResult importExternal(const Node &node);
  mlir::FailureOr<mlir::Value> externalOperand(const Node &node, int input);
  mlir::FailureOr<mlir::Value> outputValue(const onnx::ValueInfoProto &info);

  // Quantization.cpp: QuantizeLinear, DequantizeLinear, Relu, Clip.
  mlir::LogicalResult importQuantize(const Node &node);
  mlir::LogicalResult importDequantize(const Node &node);
  mlir::LogicalResult quantizeConstant(const Node &node, const HostTensor &input, const Quantization &to);
  mlir::LogicalResult importClamp(const Node &node);
  mlir::FailureOr<Quantization> readQuantization(const Node &node, const std::vector<int64_t> &shape);
  mlir::FailureOr<QuantType> activationType(const Node &node, const Quantization &quantization);
  Tensor clampTensor(Tensor tensor, int64_t lo, int64_t hi, mlir::Location loc);

  // Products.cpp: Conv, Gemm, MatMul.
  mlir::LogicalResult importConv(const Node &node);
  mlir::LogicalResult importGemm(const Node &node);
  mlir::LogicalResult importMatMul(const Node &node);
  mlir::FailureOr<Weights> readWeights(const Node &node, int input, int64_t outputAxis);
  mlir::FailureOr<Bias> readBias(const Node &node, int input, int64_t channels);
  mlir::LogicalResult setBias(const Node &node, Product &product, const Bias &bias);
  mlir::LogicalResult pendProduct(const Node &node, Product product, const Bias &bias,
                                  std::vector<std::string> names);
  mlir::FailureOr<Product> matrixProduct(const Node &node, Weights weights, bool weightsTransposed);
  Tensor emitProduct(mlir::Location loc, const Output &output, const Product &product);

  // Operators.cpp: Add, pools, Reshape, Flatten.
  mlir::LogicalResult importAdd(const Node &node);
  bool addsBias(const Node &node, int product, int bias);
  mlir::FailureOr<Tensor> addOperand(const Node &node, int input, size_t rank);
  mlir::LogicalResult importMaxPool(const Node &node);
  mlir::LogicalResult importGlobalAveragePool(const Node &node);
  mlir::LogicalResult importReshape(const Node &node);
  mlir::LogicalResult reshapeTo(const Node &node, const Shape &shape);

  // Layouts.cpp.
  Tensor transpose(const Tensor &tensor, llvm::ArrayRef<int64_t> permutation, mlir::Location loc);
  Tensor reshapeValue(const Tensor &tensor, const Shape &shape, mlir::Location loc);
  Tensor toChannelsLast(const Tensor &tensor, mlir::Location loc);
  Tensor toRowMajor(const Tensor &tensor, mlir::Location loc);

  // Attributes.cpp.
  mlir::FailureOr<Window> readWindow(const Node &node, const Shape &input, const Shape &kernel);
  mlir::LogicalResult checkSpatial(const Node &node, const Shape &shape);
  const onnx::AttributeProto *attribute(const Node &node, llvm::StringRef name);
  int64_t intAttribute(const Node &node, llvm::StringRef name, int64_t otherwise);
  float floatAttribute(const Node &node, llvm::StringRef name, float otherwise);
  Shape intsAttribute(const Node &node, llvm::StringRef name, const Shape &otherwise);
  mlir::LogicalResult expectInt(const Node &node, llvm::StringRef name, int64_t expected, int64_t otherwise);

  // Edges.
  const Edge &edge(const Node &node, int input);
  llvm::StringRef inputName(const Node &node, int input);
  HostTensorPtr constantInput(const Node &node, int input);
  mlir::FailureOr<Tensor> quantizedInput(const Node &node, int input);
  mlir::LogicalResult notQuantized(const Node &node, int input);
  void define(const Node &node, Edge edge, int output = 0);
  mlir::Location locationOf(const std::vector<std::string> &names);
  mlir::InFlightDiagnostic fail(const Node &node) { return mlir::emitError(node.loc); }
  mlir::InFlightDiagnostic failModel() { return mlir::emitError(builder.getUnknownLoc()); }
  mlir::Value constantI8(mlir::Location loc, llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int8_t> data,
                         mlir::Type elementType);

  mlir::OpBuilder builder;
  const onnx::GraphProto &graph;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp main;
  std::map<std::string, Edge> edges;
  std::map<std::string, std::string> producers; // ONNX value -> name of its node
};

/// Element `at` of a constant, in units of its scale where it is quantized.
double constantValue(const Edge &edge, int64_t at, size_t channel);
/// "a + b".
std::string joinNames(const std::vector<std::string> &names);
/// "[1,2,3]".
std::string shapeText(llvm::ArrayRef<int64_t> shape);
/// round(x / scale) + zeroPoint, halves to even, saturated to int8: QuantizeLinear's own arithmetic.
int64_t quantizeValue(float x, float scale, int64_t zeroPoint);

} // namespace daedalus::onnximport

#endif
