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

#include "llvm/ADT/StringMap.h"

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

/// Which scale and zero point belong to an element of a constant, by its row-major position.
struct ChannelOf {
  ChannelOf(const std::vector<int64_t> &shape, const Quantization &quantization)
      : inner(elementCount(
            {shape.begin() + std::min<size_t>(quantization.axis + 1, shape.size()), shape.end()})),
        count(quantization.scales.size()) {}
  size_t operator()(size_t position) const { return count == 1 ? 0 : position / inner % count; }

  size_t inner, count;
};

/// The output of a fused group: its type and the range that Relu and Clip leave.
struct Output {
  QuantType type;
  int64_t lo = -128, hi = 127;
};

using Emit = std::function<mlir::FailureOr<Tensor>(const Output &, mlir::Location)>;

/// A function of one quantized tensor.
struct Lookup {
  Tensor source;
  std::function<double(double)> function;
};

/// What is known of an ONNX value.
struct Edge {
  enum class Kind {
    Absent,            // an optional input left out
    Constant,          // `constant`
    QuantizedConstant, // `constant` dequantized by `quantization`
    Plain,             // `tensor`, numbers of `dtype`, row-major
    Integer,           // `tensor`, quantized; of `dtype` int8, or uint8 whose values are stored less 128
    Real,              // the real numbers that `tensor`, quantized, stands for
    Pending,           // real numbers that `emit` computes once their quantization is known
  };
  Kind kind = Kind::Absent;
  HostTensorPtr constant;
  Quantization quantization;
  Tensor tensor; // Pending: the shape only
  int32_t dtype = 0;
  float lo = -std::numeric_limits<float>::infinity(), hi = std::numeric_limits<float>::infinity();
  std::vector<std::string> names; // of the nodes in the group
  Emit emit;
  std::shared_ptr<const struct Product> product;    // of a pending Conv, Gemm or MatMul
  std::shared_ptr<const Lookup> lookup;             // of a pending function of one tensor
  std::function<mlir::FailureOr<Tensor>()> general; // of Pending and clamped: the same in float32, on the CPU

  bool clamped() const;
};

struct Window { // of a convolution or pool, y before x
  Shape kernel, strides, dilations, padBegin, padEnd, output;
  Shape ceilExtra; // what of padEnd is there for ceil_mode alone

  /// [top, bottom, left, right].
  Shape pad() const { return {padBegin[0], padEnd[0], padBegin[1], padEnd[1]}; }
};

/// Weights of a product less their zero points, output channel outermost ([OC,KH,KW,IC] or [N,K]).
struct Weights {
  Shape shape;
  std::vector<int16_t> values; // from -255 to 255
  std::vector<double> scales;  // one, or one an output channel

  int64_t channels() const { return shape[0]; }
  bool fitInt8() const {
    return llvm::all_of(values, [](int16_t value) { return value >= -128 && value <= 127; });
  }
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
  int64_t groups = 1;
  bool hasBias = false;
  std::vector<int32_t> bias{}; // in units of the input's scale times the weights' scale
  Shape result{};              // of ONNX
};

/// A node with its name and what it was made of.
struct Node {
  const onnx::NodeProto &proto;
  std::string name;
  mlir::Location loc;
  int64_t opset;
};

struct Operand;
struct PlainType;
class Body;

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
  mlir::LogicalResult importSize(const Node &node);
  bool isQuantized(const Node &node);
  bool quantizesWhole(const Node &node);
  mlir::Value constantOutput(const Edge &edge);
  void setResultAttributes(int result, const onnx::ValueInfoProto &info);
  mlir::LogicalResult importExternal(const Node &node);
  mlir::FailureOr<mlir::Value> outputValue(const onnx::ValueInfoProto &info);

  // Quantization.cpp: QuantizeLinear, DequantizeLinear, Relu, Clip.
  mlir::LogicalResult importQuantize(const Node &node);
  mlir::LogicalResult importDequantize(const Node &node);
  mlir::LogicalResult quantizeConstant(const Node &node, const HostTensor &input, const Quantization &to);
  mlir::LogicalResult importClamp(const Node &node);
  mlir::FailureOr<Quantization> readQuantization(const Node &node, const std::vector<int64_t> &shape);
  QuantType activationType(const Quantization &quantization, int32_t dtype);
  Tensor clampTensor(Tensor tensor, int64_t lo, int64_t hi, mlir::Location loc);

  // Products.cpp: Conv, Gemm, MatMul.
  mlir::LogicalResult importConv(const Node &node);
  mlir::LogicalResult importGemm(const Node &node);
  mlir::LogicalResult importMatMul(const Node &node);
  bool isQuantizedProduct(const Node &node);
  bool isQuantizedNormalization(const Node &node);
  double normalizationFactor(const Node &node, int64_t channel);
  Product identityProduct(const Tensor &x, mlir::Location loc);
  mlir::LogicalResult importBatchNormalization(const Node &node);
  bool isBias(const Node &node);
  Weights readWeights(const Node &node, int input);
  mlir::FailureOr<Bias> readBias(const Node &node, int input, int64_t channels);
  mlir::LogicalResult setBias(const Node &node, Product &product, const Bias &bias);
  mlir::LogicalResult pendProduct(const Node &node, Product product, const Bias &bias,
                                  std::vector<std::string> names);
  Product matrixProduct(const Node &node, Weights weights, bool weightsTransposed);
  Tensor emitProduct(mlir::Location loc, const Output &output, const Product &product);

  // Lookup.cpp: functions of one tensor.
  std::optional<std::pair<std::function<double(double)>, int>> unaryFunction(const Node &node);
  mlir::LogicalResult importLookup(const Node &node);
  Tensor emitLookup(const Lookup &lookup, const Output &output, mlir::Location loc);

  // Moves.cpp: Concat, Slice, Transpose and the like.
  bool movesQuantized(const Node &node);
  mlir::LogicalResult importMove(const Node &node);
  mlir::LogicalResult importConcat(const Node &node);
  Tensor concatenate(llvm::ArrayRef<mlir::Value> parts, const Shape &shape, int64_t axis, Layout layout,
                     mlir::Location loc);
  std::optional<std::pair<int64_t, int64_t>> repeatsOf(const Node &node);
  mlir::LogicalResult importRepeat(const Node &node, std::pair<int64_t, int64_t> repeats);
  mlir::FailureOr<Tensor> moveBytes(const Node &node, unsigned output, const Tensor &tensor, QuantType type);

  // Operators.cpp: Add, Sub, Mul, pools, Reshape, Flatten.
  mlir::LogicalResult importBinary(const Node &node);
  mlir::LogicalResult importBias(const Node &node, int product);
  bool addsBias(const Node &node, int product, int bias);
  mlir::FailureOr<Tensor> addOperand(const Node &node, int input, size_t rank);
  mlir::LogicalResult importMaxPool(const Node &node);
  mlir::LogicalResult importAveragePool(const Node &node);
  mlir::LogicalResult importReshape(const Node &node);
  mlir::LogicalResult reshapeTo(const Node &node, const Shape &shape);

  // General.cpp: whatever is not quantized, on the CPU.
  mlir::LogicalResult importGeneral(const Node &node);
  mlir::FailureOr<Tensor> generalOutput(const Node &node, unsigned output);
  mlir::FailureOr<Tensor> buildGeneral(const Node &node, unsigned output,
                                       const std::vector<Operand> &operands,
                                       const std::vector<PlainType> &outputs, llvm::StringRef why);
  mlir::FailureOr<std::vector<PlainType>> declaredOutputs(const Node &node);
  mlir::FailureOr<PlainType> declaredType(const Node &node, const std::string &value);
  mlir::FailureOr<Operand> plainInput(const Node &node, int input);
  mlir::FailureOr<Tensor> plainTensor(const Edge &edge, mlir::Location loc);
  mlir::Value flipSign(mlir::Value bytes, mlir::Location loc);
  using KernelBody =
      llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::ValueRange arguments, int64_t &macs)>;
  mlir::Value callKernel(mlir::Location loc, mlir::ValueRange operands, mlir::Type result,
                         llvm::StringRef reason, bool isBoundary, KernelBody body);

  // Layouts.cpp.
  Tensor transpose(const Tensor &tensor, llvm::ArrayRef<int64_t> permutation, mlir::Location loc);
  Tensor reshapeValue(const Tensor &tensor, const Shape &shape, mlir::Location loc);
  Tensor toChannelsLast(const Tensor &tensor, mlir::Location loc);
  Tensor toRowMajor(const Tensor &tensor, mlir::Location loc);

  // Attributes.cpp.
  mlir::FailureOr<Window> windowOf(const Node &node, const Shape &input, const Shape &kernel);
  mlir::LogicalResult expectInt(const Node &node, llvm::StringRef name, int64_t expected, int64_t otherwise);

  // Edges.
  const Edge &edge(const Node &node, int input);
  llvm::StringRef inputName(const Node &node, int input);
  HostTensorPtr constantInput(const Node &node, int input);
  void define(const Node &node, Edge edge, int output = 0);
  mlir::Location locationOf(const std::vector<std::string> &names);
  mlir::InFlightDiagnostic fail(const Node &node) { return mlir::emitError(node.loc); }
  mlir::InFlightDiagnostic failModel() { return mlir::emitError(builder.getUnknownLoc()); }
  template <class T>
  mlir::Value constantOf(mlir::Location loc, llvm::ArrayRef<int64_t> shape, const std::vector<T> &data,
                         mlir::Type elementType);

  mlir::OpBuilder builder;
  const onnx::GraphProto &graph;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp main;
  std::map<std::string, Edge> edges;
  std::map<std::string, std::string> producers;                  // ONNX value -> name of its node
  std::map<std::string, Tensor> plainTensors;                    // of values that are not plain
  llvm::StringMap<const onnx::TypeProto_Tensor *> declaredTypes; // of values, as the model says
  unsigned generalKernels = 0, externalKernels = 0;
  int64_t opset = 0;
};

/// An attribute, or null; its value, or `otherwise` where the node has none.
const onnx::AttributeProto *attribute(const Node &node, llvm::StringRef name);
int64_t intAttribute(const Node &node, llvm::StringRef name, int64_t otherwise);
float floatAttribute(const Node &node, llvm::StringRef name, float otherwise);
Shape intsAttribute(const Node &node, llvm::StringRef name, const Shape &otherwise);
/// The constant of a Constant node: exactly one attribute, a tensor, number or list. Null, and `why`, where
/// it is none.
HostTensorPtr readConstant(const Node &node, std::string &why);
/// The first dimension that a Shape node takes of an input of `rank` dimensions, and the one behind the last.
std::pair<int64_t, int64_t> shapeRange(const Node &node, int64_t rank);
/// numpy's broadcast of two shapes; nothing where they do not fit.
std::optional<Shape> broadcastShapes(const Shape &a, const Shape &b);
/// auto_pad, pads, strides, dilations and ceil_mode of a convolution or pool over input [N,C,...]; nothing,
/// and `why`, where they do not fit.
std::optional<Window> readWindow(const Node &node, const Shape &input, const Shape &kernel, std::string &why);
/// Element `at` of a constant, in units of its scale where it is quantized.
double constantValue(const Edge &edge, int64_t at, size_t channel);
/// A quantized constant (int8 or uint8) less its zero points.
std::vector<int16_t> centredWeights(const Edge &edge);
/// A constant as it is, or a quantized one in float32.
HostTensorPtr dequantizedConstant(const Edge &edge);
/// "a + b".
std::string joinNames(const std::vector<std::string> &names);
/// "[1,2,3]".
std::string shapeText(llvm::ArrayRef<int64_t> shape);
/// round(x / scale) + zeroPoint, halves to even, saturated to int8: QuantizeLinear's own arithmetic.
int64_t quantizeValue(float x, float scale, int64_t zeroPoint);

} // namespace daedalus::onnximport

#endif
