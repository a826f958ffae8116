#include "random_graph.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace daedalus::testing {
namespace {

// splitmix64 (Steele, Lea, Flood 2014): small, and the same everywhere.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed * 0x9e3779b97f4a7c15ull + 1) {}
  uint64_t next() {
    uint64_t z = state += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  /// In [low, high].
  int64_t between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(next() % static_cast<uint64_t>(high - low + 1));
  }
  bool oneIn(int64_t count) { return between(1, count) == 1; }
  /// In [low, high), with the full significand of a float.
  float real(double low, double high) {
    return static_cast<float>(low + (high - low) * static_cast<double>(next() >> 11) * 0x1p-53);
  }

private:
  uint64_t state;
};

int64_t elements(const std::vector<int64_t> &shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

class Generator {
public:
  explicit Generator(uint64_t seed) : random(seed) { graph.seed = seed; }

  Graph run() {
    graph.unsignedActivations = random.oneIn(3);
    addInput();
    int64_t layers = random.between(1, 5);
    for (int64_t layer = 0; layer < layers; ++layer)
      addSpatialLayer();
    if (graph.seed % 5 == 2)
      addProduct();
    if (graph.seed % 5 == 3)
      addConvPlusValue();
    if (random.oneIn(2))
      addClassifier();
    graph.outputs.push_back(static_cast<int>(graph.values.size()) - 1);
    if (graph.values.size() > 2 && random.oneIn(5)) // an inner value as a second output
      graph.outputs.push_back(
          static_cast<int>(random.between(1, static_cast<int64_t>(graph.values.size()) - 2)));
    return std::move(graph);
  }

private:
  const GraphValue &current() const { return graph.values.back(); }
  int currentIndex() const { return static_cast<int>(graph.values.size()) - 1; }

  int64_t channels() { return random.oneIn(3) ? random.between(1, 4) : random.between(1, 70); }

  int zeroPoint() {
    return static_cast<int>(random.oneIn(4) ? (random.oneIn(2) ? -128 : 0) : random.between(-128, 127));
  }

  void addInput() {
    GraphValue input;
    input.name = "input";
    input.shape = {random.oneIn(4) ? 2 : 1, channels(), random.between(1, 17), random.between(1, 17)};
    input.quantization = {random.real(0.005, 0.1), zeroPoint()};
    graph.values.push_back(input);
  }

  GraphNode &addNode(NodeKind kind, const std::string &name, std::vector<int> inputs) {
    GraphNode node;
    node.kind = kind;
    node.name = name + std::to_string(graph.nodes.size());
    node.inputs = std::move(inputs);
    graph.nodes.push_back(std::move(node));
    return graph.nodes.back();
  }

  void addOutput(GraphNode &node, std::vector<int64_t> shape, Quantization quantization) {
    node.output = static_cast<int>(graph.values.size());
    graph.values.push_back({node.name + ".out", std::move(shape), quantization});
  }

  void addActivation(GraphNode &node, float range) {
    if (random.oneIn(2))
      return;
    node.activation = random.oneIn(3) ? Activation::Clip : Activation::Relu;
    node.clipLow = random.oneIn(2) ? 0 : random.real(-range, 0);
    node.clipHigh = random.real(range / 4, range);
  }

  void addSpatialLayer() {
    switch (random.between(0, 20)) {
    case 0:
      return addMaxPool();
    case 1:
    case 2:
      return addResidual();
    case 3:
      return addStandaloneActivation();
    case 4:
    case 5:
      return addAveragePool();
    case 6:
    case 7:
      return addLookup();
    case 8:
      return addConcat();
    case 9:
      return addMove();
    case 10:
    case 11:
      return addGrouped();
    case 18:
      return addGate();
    case 19:
    case 20:
      return addSplit();
    default:
      return addConv();
    }
  }

  /// Of the matrices of two values of one shape, of which one is transposed; sometimes of that again.
  void addProduct() {
    do {
      const int other = sameShape();
      GraphNode &node = addNode(NodeKind::Product, "product", {other, currentIndex()});
      node.transposed[random.between(0, 1)] = true;
      node.qOperator = random.oneIn(3);
      std::vector<int64_t> shape = current().shape;
      const int64_t depth = node.transposed[0] ? shape[2] : shape[3];
      (node.transposed[0] ? shape[2] : shape[3]) = node.transposed[0] ? shape[3] : shape[2];
      const double spread = 74.0 * 74.0 * std::sqrt(static_cast<double>(depth)) *
                            static_cast<double>(graph.values[other].quantization.scale) *
                            static_cast<double>(current().quantization.scale);
      const float scale = random.real(spread / 90, spread / 30);
      addActivation(node, scale * 100);
      addOutput(node, shape, {scale, zeroPoint()});
    } while (random.oneIn(2) && current().quantization.scale < 1e4f); // which grows with every product
  }

  void addAveragePool() {
    GraphNode &node = addNode(NodeKind::AveragePool, "mean", {currentIndex()});
    std::vector<int64_t> shape = addWindow(node, 3, false);
    node.countsPadding = random.oneIn(2);
    node.qOperator = random.oneIn(3);
    addOutput(node, shape, {current().quantization.scale * random.real(0.5, 1.2), zeroPoint()});
  }

  void addLookup() {
    GraphNode &node = addNode(NodeKind::Lookup, "function", {currentIndex()});
    node.function = static_cast<Function>(random.between(0, 5));
    node.alpha = random.real(0.05, 0.4);
    node.beta = random.real(0.2, 0.8);
    node.qOperator = random.oneIn(3);
    addOutput(node, current().shape, {random.real(0.004, 0.03), zeroPoint()});
  }

  /// A value times a function of it, as networks write SiLU; sometimes a function of that, or a sum.
  void addGate() {
    const int x = currentIndex();
    addLookup();
    if (random.oneIn(3))
      addStandaloneActivation();
    addPair(x, currentIndex(), NodeKind::Mul);
    if (random.oneIn(3))
      addLookup();
    if (random.oneIn(3))
      addPair(currentIndex(), x, random.oneIn(2) ? NodeKind::Add : NodeKind::Sub);
  }

  /// A convolution plus a value, which are quantized together.
  void addConvPlusValue() {
    const int residual = sameShape();
    GraphNode &node = addNode(NodeKind::Conv, "plus", {currentIndex(), residual});
    const int64_t channels = current().shape[1], size = random.oneIn(2) ? 3 : 1;
    node.kernel = {size, size};
    node.pads.fill(size / 2);
    if (random.oneIn(4))
      node.groups = channels;
    const float scale = addParameters(node, channels, channels / node.groups * size * size);
    node.qOperator = false;
    const float wide = scale + graph.values[residual].quantization.scale * random.real(0.3, 1);
    addActivation(node, wide * 100);
    addOutput(node, current().shape, {wide, zeroPoint()});
  }

  bool hasPixelsOf(const GraphValue &a, const GraphValue &b) const {
    return a.shape.size() == 4 && a.shape[0] == b.shape[0] && a.shape[2] == b.shape[2] &&
           a.shape[3] == b.shape[3];
  }

  /// Along the channels, of values of one size.
  void addConcat() {
    std::vector<int> same;
    for (int i = 0; i <= currentIndex(); ++i)
      if (hasPixelsOf(graph.values[i], current()))
        same.push_back(i);
    addConcatWith(same[random.between(0, static_cast<int64_t>(same.size()) - 1)]);
  }

  void addConcatWith(int other) {
    std::vector<int64_t> joined = current().shape;
    joined[1] += graph.values[other].shape[1];
    if (joined[1] > 140)
      return;
    GraphNode &node = addNode(NodeKind::Concat, "concat", {other, currentIndex()});
    node.qOperator = random.oneIn(3);
    Quantization quantization = current().quantization;
    if (random.oneIn(2))
      quantization = {quantization.scale * random.real(0.7, 1.5), zeroPoint()};
    addOutput(node, joined, quantization);
  }

  void addChannels(int whole, int64_t first, int64_t count) {
    std::vector<int64_t> shape = graph.values[whole].shape;
    shape[1] = count;
    const Quantization quantization = graph.values[whole].quantization;
    GraphNode &node = addNode(NodeKind::Slice, "channels", {whole});
    node.offsets = {0, first, 0, 0};
    addOutput(node, std::move(shape), quantization);
  }

  /// The channels in two parts, of which a layer reads the second one; the first one is put before its
  /// result.
  void addSplit() {
    const int whole = currentIndex();
    const int64_t channels = current().shape[1];
    if (channels < 2)
      return addConv();
    const int64_t first = random.between(1, channels - 1);
    addChannels(whole, 0, first);
    const int kept = currentIndex();
    addChannels(whole, first, channels - first);
    random.oneIn(2) ? addConv() : addGrouped();
    if (hasPixelsOf(graph.values[kept], current()))
      addConcatWith(kept);
  }

  /// Moves elements without a change of what they mean.
  void addMove() {
    static const NodeKind kinds[] = {NodeKind::Slice, NodeKind::Pad, NodeKind::Resize, NodeKind::Transpose};
    const NodeKind kind = kinds[random.between(0, 3)];
    std::vector<int64_t> shape = current().shape;
    GraphNode &node = addNode(kind, "move", {currentIndex()});
    if (kind == NodeKind::Slice) {
      const bool isOfChannels = random.oneIn(2);
      for (size_t d = 0; d < shape.size(); ++d) {
        const bool isWhole = d == 0 || (isOfChannels && d != 1);
        node.offsets.push_back(isWhole ? 0 : random.between(0, (shape[d] - 1) / 2));
        shape[d] = isWhole ? shape[d] : random.between(1, shape[d] - node.offsets.back());
      }
    } else if (kind == NodeKind::Pad) {
      node.offsets = {0, 0, random.between(0, 2), random.between(0, 2),
                      0, 0, random.between(0, 2), random.between(0, 2)};
      node.alpha = random.oneIn(2) ? 0 : random.real(-1, 1);
      shape[2] += node.offsets[2] + node.offsets[6], shape[3] += node.offsets[3] + node.offsets[7];
    } else if (kind == NodeKind::Resize) {
      node.offsets = {1, 1, random.between(1, 2), random.between(1, 2)};
      shape[2] *= node.offsets[2], shape[3] *= node.offsets[3];
    } else {
      node.offsets = random.oneIn(2) ? std::vector<int64_t>{0, 1, 3, 2} : std::vector<int64_t>{0, 3, 1, 2};
      for (size_t d = 0; d < shape.size(); ++d)
        shape[d] = current().shape[node.offsets[d]];
    }
    addOutput(node, shape, current().quantization);
  }

  /// A convolution in groups, mostly depthwise.
  void addGrouped() {
    const int64_t inputs = current().shape[1];
    std::vector<int64_t> divisors;
    for (int64_t d = 2; d <= inputs; ++d)
      if (inputs % d == 0)
        divisors.push_back(d);
    if (divisors.empty())
      return addConv();
    GraphNode &node = addNode(NodeKind::Conv, "grouped", {currentIndex()});
    node.groups =
        random.oneIn(2) ? inputs : divisors[random.between(0, static_cast<int64_t>(divisors.size()) - 1)];
    std::vector<int64_t> shape = addWindow(node, 4, true);
    shape[1] = random.oneIn(3) ? node.groups * random.between(1, 2) : inputs;
    const float scale = addParameters(node, shape[1], inputs / node.groups * node.kernel[0] * node.kernel[1]);
    addActivation(node, scale * 100);
    addOutput(node, shape, {scale, zeroPoint()});
  }

  // Kernel, strides, dilations and pads of a window that gives at least one output in both directions.
  std::vector<int64_t> addWindow(GraphNode &node, int64_t largest, bool dilated) {
    std::vector<int64_t> shape = current().shape;
    for (int d = 0; d < 2; ++d) {
      int64_t size = shape[2 + d], extent;
      node.kernel[d] = random.between(1, largest);
      node.dilations[d] = dilated && random.oneIn(3) ? random.between(2, 3) : 1;
      node.strides[d] = random.oneIn(2) ? 1 : random.between(1, 3);
      do { // pads are smaller than the window, as ONNX's pools ask
        extent = (node.kernel[d] - 1) * node.dilations[d] + 1;
        int64_t most = dilated ? extent - 1 : node.kernel[d] - 1;
        node.pads[d] = random.between(0, most);
        node.pads[2 + d] = random.between(0, most);
        if (size + node.pads[d] + node.pads[2 + d] < extent)
          node.dilations[d] = 1, node.kernel[d] = std::max<int64_t>(1, node.kernel[d] - 1);
      } while (size + node.pads[d] + node.pads[2 + d] < extent);
      shape[2 + d] = (size + node.pads[d] + node.pads[2 + d] - extent) / node.strides[d] + 1;
    }
    return shape;
  }

  // Weights, scales and bias; returns a scale for which most results are in range.
  float addParameters(GraphNode &node, int64_t outputs, int64_t reduction) {
    float inputScale = graph.values[node.inputs[0]].quantization.scale;
    bool perChannel = !random.oneIn(4);
    node.unsignedWeights = random.oneIn(4);
    const int64_t zero = random.oneIn(3) ? 120 : 20; // the larger makes some weights need nine bits
    node.weightZero = random.oneIn(4) ? static_cast<int>(random.between(-zero, zero)) : 0;
    node.qOperator = random.oneIn(4);
    for (int64_t i = 0; i < outputs * reduction; ++i)
      node.weights.push_back(
          static_cast<int16_t>(random.between(-128 - node.weightZero, 127 - node.weightZero)));
    for (int64_t i = 0; i < (perChannel ? outputs : 1); ++i)
      node.weightScales.push_back(random.real(0.002, 0.02));
    if (!random.oneIn(4))
      for (int64_t i = 0; i < outputs; ++i)
        node.bias.push_back(static_cast<int32_t>(random.between(-20000, 20000)));
    double spread = 74.0 * 74.0 * std::sqrt(static_cast<double>(reduction)) * inputScale * 0.01;
    return random.real(spread / 90, spread / 30);
  }

  void addConv() {
    int64_t inputs = current().shape[1];
    GraphNode &node = addNode(NodeKind::Conv, "conv", {currentIndex()});
    std::vector<int64_t> shape = addWindow(node, 5, true);
    int64_t reduction = inputs * node.kernel[0] * node.kernel[1];
    int64_t perChannel = reduction * shape[2] * shape[3];
    shape[1] = std::max<int64_t>(1, std::min(channels(), 3000000 / perChannel));
    float scale = addParameters(node, shape[1], reduction);
    if (random.oneIn(4))
      addNormalization(node, shape[1], scale);
    addActivation(node, scale * 100);
    addOutput(node, shape, {scale, zeroPoint()});
  }

  void addNormalization(GraphNode &node, int64_t channels, float scale) {
    node.qOperator = false;
    for (int64_t c = 0; c < channels; ++c) {
      node.normalization.push_back(random.real(0.5, 1.5) * (random.oneIn(8) ? -1.0f : 1.0f));
      node.normalization.push_back(random.real(-scale * 30, scale * 30));
    }
  }

  void addMaxPool() {
    GraphNode &node = addNode(NodeKind::MaxPool, "pool", {currentIndex()});
    std::vector<int64_t> shape = addWindow(node, 3, false);
    Quantization quantization = current().quantization;
    if (random.oneIn(4))
      quantization = {quantization.scale * random.real(0.7, 1.5), zeroPoint()};
    addOutput(node, shape, quantization);
  }

  // Mostly behind a convolution that keeps the shape, so that there is a value to add to.
  void addResidual() {
    const std::vector<int64_t> shape = current().shape;
    if (!random.oneIn(4)) {
      GraphNode &node = addNode(NodeKind::Conv, "conv", {currentIndex()});
      int64_t radius = shape[1] * shape[1] * 9 * shape[2] * shape[3] < 3000000 ? random.between(0, 1) : 0;
      node.kernel = {2 * radius + 1, 2 * radius + 1};
      node.pads = {radius, radius, radius, radius};
      float scale = addParameters(node, shape[1], shape[1] * node.kernel[0] * node.kernel[1]);
      addOutput(node, shape, {scale, zeroPoint()});
    }
    addAdd();
  }

  /// A value of the shape of the current one.
  int sameShape() {
    std::vector<int> same;
    for (int i = 0; i <= currentIndex(); ++i)
      if (graph.values[i].shape == current().shape)
        same.push_back(i);
    return same[random.between(0, static_cast<int64_t>(same.size()) - 1)];
  }

  // Of two values of one shape; where there is no other, of a value and itself.
  void addAdd() {
    int a = sameShape(), b = currentIndex();
    if (random.oneIn(2))
      std::swap(a, b);
    addPair(a, b, random.oneIn(2) ? NodeKind::Add : random.oneIn(2) ? NodeKind::Sub : NodeKind::Mul);
  }

  void addPair(int a, int b, NodeKind kind) {
    GraphNode &node = addNode(kind, "add", {a, b});
    node.qOperator = random.oneIn(3);
    const float scaleA = graph.values[a].quantization.scale, scaleB = graph.values[b].quantization.scale;
    const float scale =
        (kind == NodeKind::Mul ? scaleA * scaleB * 80 : scaleA + scaleB) * random.real(0.5, 1.1);
    addActivation(node, scale * 100);
    addOutput(node, current().shape, {scale, zeroPoint()});
  }

  void addStandaloneActivation() {
    GraphNode &node = addNode(NodeKind::Activation, "act", {currentIndex()});
    float scale = current().quantization.scale * random.real(0.6, 1.2);
    node.activation = random.oneIn(2) ? Activation::Clip : Activation::Relu;
    node.clipLow = random.real(-scale * 80, 0);
    node.clipHigh = random.real(scale * 20, scale * 110);
    addOutput(node, current().shape, {scale, zeroPoint()});
  }

  void addClassifier() {
    if (random.oneIn(2)) {
      GraphNode &pool = addNode(NodeKind::GlobalAveragePool, "average", {currentIndex()});
      Quantization quantization = {current().quantization.scale * random.real(0.4, 1.1), zeroPoint()};
      addOutput(pool, {current().shape[0], current().shape[1], 1, 1}, quantization);
    }
    GraphNode &flat = addNode(NodeKind::Flatten, "flatten", {currentIndex()});
    flat.reshape = random.oneIn(3);
    const int64_t batch = current().shape[0];
    addOutput(flat, {batch, elements(current().shape) / batch}, current().quantization);
    for (int64_t layer = random.between(1, 2); layer > 0; --layer)
      addDense();
  }

  void addDense() {
    GraphNode &node = addNode(NodeKind::Dense, "dense", {currentIndex()});
    node.form = static_cast<DenseForm>(random.between(0, 3));
    int64_t outputs = random.between(1, 70);
    float scale = addParameters(node, outputs, current().shape[1]);
    if (node.form == DenseForm::MatMul)
      node.bias.clear();
    else if (node.form == DenseForm::MatMulAdd)
      node.bias.resize(outputs, 17);
    addActivation(node, scale * 100);
    addOutput(node, {current().shape[0], outputs}, {scale, zeroPoint()});
  }

  Random random;
  Graph graph;
};

template <class Container> std::string list(const Container &values) {
  std::ostringstream text;
  text << "[";
  for (size_t i = 0; i < values.size(); ++i)
    text << (i ? "," : "") << values[i];
  text << "]";
  return text.str();
}

const char *kindName(NodeKind kind) {
  switch (kind) {
  case NodeKind::Conv:
    return "Conv";
  case NodeKind::MaxPool:
    return "MaxPool";
  case NodeKind::GlobalAveragePool:
    return "GlobalAveragePool";
  case NodeKind::Add:
    return "Add";
  case NodeKind::Activation:
    return "Activation";
  case NodeKind::AveragePool:
    return "AveragePool";
  case NodeKind::Sub:
    return "Sub";
  case NodeKind::Mul:
    return "Mul";
  case NodeKind::Lookup:
    return "Lookup";
  case NodeKind::Concat:
    return "Concat";
  case NodeKind::Slice:
    return "Slice";
  case NodeKind::Pad:
    return "Pad";
  case NodeKind::Resize:
    return "Resize";
  case NodeKind::Transpose:
    return "Transpose";
  case NodeKind::Flatten:
    return "Flatten";
  case NodeKind::Dense:
    return "Dense";
  case NodeKind::Product:
    return "Product";
  }
  return "?";
}

std::string describeValue(const GraphValue &value) {
  std::ostringstream text;
  text << value.name << " " << list(value.shape) << " scale " << value.quantization.scale << " zero point "
       << value.quantization.zeroPoint;
  return text.str();
}

} // namespace

Graph randomGraph(uint64_t seed) {
  return Generator(seed).run();
}

std::string describe(const Graph &graph) {
  std::ostringstream text;
  text << "seed " << graph.seed << (graph.unsignedActivations ? " uint8" : "") << "\n  input "
       << describeValue(graph.values[0]) << "\n";
  for (const GraphNode &node : graph.nodes) {
    text << "  " << kindName(node.kind) << " of";
    for (int input : node.inputs)
      text << " " << graph.values[input].name;
    if (node.kind == NodeKind::Conv || node.kind == NodeKind::MaxPool || node.kind == NodeKind::AveragePool)
      text << " kernel " << list(node.kernel) << " strides " << list(node.strides) << " dilations "
           << list(node.dilations) << " pads " << list(node.pads);
    if (node.kind == NodeKind::Product)
      text << (node.transposed[0] ? " left" : " right") << " transposed";
    if (node.groups != 1)
      text << " groups " << node.groups;
    if (node.kind == NodeKind::AveragePool)
      text << (node.countsPadding ? " counts padding" : "");
    if (node.kind == NodeKind::Lookup)
      text << " function " << static_cast<int>(node.function) << " alpha " << node.alpha << " beta "
           << node.beta;
    if (!node.offsets.empty())
      text << " " << list(node.offsets) << " value " << node.alpha;
    if (!node.normalization.empty())
      text << " normalized";
    if (node.qOperator)
      text << " qoperator";
    if (node.weightZero || node.unsignedWeights)
      text << " weight zero " << node.weightZero << (node.unsignedWeights ? " uint8" : "");
    if (!node.weightScales.empty())
      text << (node.weightScales.size() > 1 ? " per channel" : " per tensor")
           << (node.bias.empty() ? "" : " bias");
    if (node.kind == NodeKind::Dense)
      text << " form " << static_cast<int>(node.form);
    if (node.activation == Activation::Relu)
      text << " relu";
    if (node.activation == Activation::Clip)
      text << " clip [" << node.clipLow << "," << node.clipHigh << "]";
    text << " -> " << describeValue(graph.values[node.output]) << "\n";
  }
  text << "  outputs " << list(graph.outputs) << "\n";
  return text.str();
}

std::vector<int8_t> randomInput(const Graph &graph) {
  Random random(~graph.seed);
  std::vector<int8_t> data(static_cast<size_t>(elements(graph.values[0].shape)));
  for (int8_t &value : data)
    value = static_cast<int8_t>(random.between(-128, 127));
  return data;
}

} // namespace daedalus::testing
