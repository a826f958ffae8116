#include "float_definition.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedalus::testing {
namespace {

using Shape = std::vector<int64_t>;

/// A tensor of real numbers [n, c, h, w]; a matrix has h = w = 1.
struct Real {
  Shape shape;
  std::vector<double> values;

  double at(int64_t n, int64_t c, int64_t y, int64_t x) const {
    return values[((n * shape[1] + c) * shape[2] + y) * shape[3] + x];
  }
  bool has(int64_t y, int64_t x) const { return y >= 0 && y < shape[2] && x >= 0 && x < shape[3]; }
};

class Definition {
public:
  Definition(const Graph &graph, const GraphNode &node, const std::vector<std::vector<int8_t>> &data)
      : graph(graph), node(node), data(data), x(real(node.inputs[0])) {
    out.shape = graph.values[node.output].shape;
    out.shape.resize(4, 1);
  }

  std::vector<int8_t> run() {
    compute();
    const Quantization &to = graph.values[node.output].quantization;
    std::vector<int8_t> result;
    for (double value : out.values)
      result.push_back(quantized(active(value), to));
    return result;
  }

private:
  Real real(int value) const {
    const GraphValue &from = graph.values[value];
    Real result{from.shape, {}};
    result.shape.resize(4, 1);
    for (int8_t q : data[value])
      result.values.push_back(static_cast<double>(from.quantization.scale) *
                              (q - from.quantization.zeroPoint));
    return result;
  }

  static int8_t quantized(double value, const Quantization &to) {
    const double q = std::nearbyint(value / static_cast<double>(to.scale)) + to.zeroPoint;
    return static_cast<int8_t>(std::min(127.0, std::max(-128.0, q)));
  }

  double active(double value) const {
    if (node.activation == Activation::Relu)
      return std::max(value, 0.0);
    if (node.activation == Activation::Clip)
      return std::min<double>(std::max<double>(value, node.clipLow), node.clipHigh);
    return value;
  }

  double function(double v) const {
    switch (node.function) {
    case Function::Sigmoid:
      return 1 / (1 + std::exp(-v));
    case Function::Tanh:
      return std::tanh(v);
    case Function::HardSigmoid:
      return std::max(0.0, std::min(1.0, node.alpha * v + node.beta));
    case Function::HardSwish:
      return v * std::max(0.0, std::min(1.0, v / 6 + 0.5));
    case Function::LeakyRelu:
      return v < 0 ? node.alpha * v : v;
    case Function::ScaleAndShift:
      return v * node.alpha + node.beta;
    }
    return v;
  }

  template <class F> void each(F f) {
    for (int64_t n = 0; n < out.shape[0]; ++n)
      for (int64_t c = 0; c < out.shape[1]; ++c)
        for (int64_t y = 0; y < out.shape[2]; ++y)
          for (int64_t w = 0; w < out.shape[3]; ++w)
            out.values.push_back(f(n, c, y, w));
  }

  template <class F> void eachInWindow(int64_t y, int64_t w, F f) const {
    for (int64_t ky = 0; ky < node.kernel[0]; ++ky)
      for (int64_t kx = 0; kx < node.kernel[1]; ++kx)
        f(ky, kx, y * node.strides[0] - node.pads[0] + ky * node.dilations[0],
          w * node.strides[1] - node.pads[1] + kx * node.dilations[1]);
  }

  double weight(int64_t output, int64_t at, int64_t each) const {
    return static_cast<double>(node.weightScales[node.weightScales.size() > 1 ? output : 0]) *
           node.weights[output * each + at];
  }

  double bias(int64_t output) const {
    if (node.bias.empty())
      return 0;
    const double scale = node.weightScales[node.weightScales.size() > 1 ? output : 0];
    return node.bias[output] * scale * static_cast<double>(graph.values[node.inputs[0]].quantization.scale);
  }

  double conv(int64_t n, int64_t o, int64_t y, int64_t w) const {
    const int64_t channels = x.shape[1] / node.groups, outputs = out.shape[1] / node.groups;
    const int64_t area = node.kernel[0] * node.kernel[1];
    double sum = bias(o);
    eachInWindow(y, w, [&](int64_t ky, int64_t kx, int64_t iy, int64_t ix) {
      for (int64_t c = 0; c < channels && x.has(iy, ix); ++c)
        sum += x.at(n, o / outputs * channels + c, iy, ix) *
               weight(o, c * area + ky * node.kernel[1] + kx, channels * area);
    });
    if (!node.normalization.empty())
      return sum * node.normalization[2 * o] + node.normalization[2 * o + 1];
    return sum;
  }

  double pool(int64_t n, int64_t c, int64_t y, int64_t w) const {
    double most = -std::numeric_limits<double>::infinity(), sum = 0, count = 0;
    eachInWindow(y, w, [&](int64_t, int64_t, int64_t iy, int64_t ix) {
      const bool inside = x.has(iy, ix);
      count += inside || node.countsPadding;
      most = inside ? std::max(most, x.at(n, c, iy, ix)) : most;
      sum += inside ? x.at(n, c, iy, ix) : 0;
    });
    return node.kind == NodeKind::MaxPool ? most : sum / count;
  }

  double dense(int64_t n, int64_t o) const {
    const int64_t inputs = static_cast<int64_t>(x.values.size()) / x.shape[0];
    double sum = bias(o);
    for (int64_t i = 0; i < inputs; ++i)
      sum += x.values[n * inputs + i] * weight(o, i, inputs);
    return sum;
  }

  double product(const Real &b, int64_t n, int64_t c, int64_t y, int64_t w) const {
    const auto at = [&](const Real &side, bool isTransposed, int64_t row, int64_t column) {
      return isTransposed ? side.at(n, c, column, row) : side.at(n, c, row, column);
    };
    double sum = 0;
    for (int64_t k = 0; k < x.shape[node.transposed[0] ? 2 : 3]; ++k)
      sum += at(x, node.transposed[0], y, k) * at(b, node.transposed[1], k, w);
    return sum;
  }

  double mean(int64_t n, int64_t c) const {
    double sum = 0;
    for (int64_t y = 0; y < x.shape[2]; ++y)
      for (int64_t w = 0; w < x.shape[3]; ++w)
        sum += x.at(n, c, y, w);
    return sum / static_cast<double>(x.shape[2] * x.shape[3]);
  }

  double moved(Shape at) const {
    Shape from = at;
    for (size_t d = 0; d < 4; ++d) {
      if (node.kind == NodeKind::Transpose)
        from[node.offsets[d]] = at[d];
      else
        from[d] = node.kind == NodeKind::Slice    ? at[d] + node.offsets[d]
                  : node.kind == NodeKind::Resize ? at[d] / node.offsets[d]
                                                  : at[d] - node.offsets[d];
    }
    return x.has(from[2], from[3]) ? x.at(from[0], from[1], from[2], from[3]) : node.alpha;
  }

  void compute() {
    const Real b = node.inputs.size() > 1 ? real(node.inputs[1]) : Real();
    each([&](int64_t n, int64_t c, int64_t y, int64_t w) -> double {
      switch (node.kind) {
      case NodeKind::Conv:
        return conv(n, c, y, w) + (node.inputs.size() > 1 ? b.at(n, c, y, w) : 0);
      case NodeKind::MaxPool:
      case NodeKind::AveragePool:
        return pool(n, c, y, w);
      case NodeKind::GlobalAveragePool:
        return mean(n, c);
      case NodeKind::Add:
        return x.at(n, c, y, w) + b.at(n, c, y, w);
      case NodeKind::Sub:
        return x.at(n, c, y, w) - b.at(n, c, y, w);
      case NodeKind::Mul:
        return x.at(n, c, y, w) * b.at(n, c, y, w);
      case NodeKind::Activation:
        return x.at(n, c, y, w);
      case NodeKind::Lookup:
        return function(x.at(n, c, y, w));
      case NodeKind::Concat:
        return c < x.shape[1] ? x.at(n, c, y, w) : b.at(n, c - x.shape[1], y, w);
      case NodeKind::Slice:
      case NodeKind::Pad:
      case NodeKind::Resize:
      case NodeKind::Transpose:
        return moved({n, c, y, w});
      case NodeKind::Flatten:
        return x.values[out.values.size()];
      case NodeKind::Dense:
        return dense(n, c);
      case NodeKind::Product:
        return product(b, n, c, y, w);
      }
      return 0;
    });
  }

  const Graph &graph;
  const GraphNode &node;
  const std::vector<std::vector<int8_t>> &data;
  const Real x;
  Real out;
};

} // namespace

std::vector<int8_t> defined(const Graph &graph, const GraphNode &node,
                            const std::vector<std::vector<int8_t>> &data) {
  return Definition(graph, node, data).run();
}

std::vector<std::vector<int8_t>> definedAll(const Graph &graph, const std::vector<int8_t> &input) {
  std::vector<std::vector<int8_t>> data(graph.values.size());
  data[0] = input;
  for (const GraphNode &node : graph.nodes)
    data[node.output] = defined(graph, node, data);
  return data;
}

} // namespace daedalus::testing
