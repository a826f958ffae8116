// Seeded random quantized networks, as a plain description from which graph_to_onnx.cpp builds the ONNX
// model and reference.cpp computes the expected bytes. Neither knows of the other.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace daedalus::testing {

/// The real number of q is scale * (q - zeroPoint).
struct Quantization {
  float scale = 1;
  int zeroPoint = 0;
};

/// An int8 tensor: NCHW, or [rows, features] after a flatten.
struct GraphValue {
  std::string name;
  std::vector<int64_t> shape;
  Quantization quantization;
};

enum class NodeKind {
  Conv,
  MaxPool,
  AveragePool,
  GlobalAveragePool,
  Add,
  Sub,
  Mul,
  Activation,
  Lookup,
  Concat,
  Slice,
  Pad,
  Resize,
  Transpose,
  Flatten,
  Dense,
  Product
};
/// Functions of one number; ScaleAndShift is a Mul and an Add of constants.
enum class Function { Sigmoid, Tanh, HardSigmoid, HardSwish, LeakyRelu, ScaleAndShift };
enum class Activation { None, Relu, Clip };
/// How a fully connected layer is written in ONNX.
enum class DenseForm { Gemm, GemmTransposed, MatMul, MatMulAdd };

struct GraphNode {
  NodeKind kind{};
  std::string name;
  std::vector<int> inputs; // indices into Graph::values; a Conv's second is added before it is quantized
  int output = -1;

  std::array<int64_t, 2> kernel{1, 1}, strides{1, 1}, dilations{1, 1};
  std::array<int64_t, 4> pads{0, 0, 0, 0}; // top, left, bottom, right

  int64_t groups = 1;         // of Conv
  bool countsPadding = false; // AveragePool's count_include_pad
  Function function{};        // of Lookup
  float alpha = 0, beta = 0;  // of functions; the value of Pad
  std::vector<int64_t>
      offsets; // Slice: starts; Pad: begins and ends; Resize: factors; Transpose: the permutation
  std::vector<float> normalization; // Conv: a factor and a summand for each output channel, behind it
  std::array<bool, 2> transposed{false,
                                 false}; // Product: whether each side's matrices are its values' transposed
  bool qOperator = false;                // written in QOperator form, where there is one

  std::vector<int16_t> weights;    // Conv: [out, in / groups, kernel y, kernel x]; Dense: [out, in]
  int weightZero = 0;              // of the stored weights, which are those above and this
  bool unsignedWeights = false;    // stored as uint8, 128 more
  std::vector<float> weightScales; // one, or one an output channel
  std::vector<int32_t> bias;       // empty: none; at the scale of the products

  Activation activation = Activation::None;
  float clipLow = 0, clipHigh = 0;
  DenseForm form = DenseForm::Gemm;
  bool reshape = false; // Flatten written as Reshape
};

struct Graph {
  uint64_t seed = 0;
  bool unsignedActivations = false; // uint8 in the model: 128 more, zero points too
  std::vector<GraphValue> values;   // the first one is the input
  std::vector<GraphNode> nodes;     // in an order in which they can be computed
  std::vector<int> outputs;
};

/// The same graph for the same seed, of at most a few million multiplications.
Graph randomGraph(uint64_t seed);

/// The graph in a few lines, for the message of a failure.
std::string describe(const Graph &graph);

/// Random content of the graph's input.
std::vector<int8_t> randomInput(const Graph &graph);

} // namespace daedalus::testing
