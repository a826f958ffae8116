#include "reference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace daedalus::testing {
namespace {

/// A real factor as multiplier / 2^shift.
struct Factor {
  int64_t multiplier = 0;
  int shift = 0;
};

// docs/quantization.md, "Multipliers": 31 significant bits, halves to even; a shift is at most 62.
Factor factorOf(double real) {
  Factor factor;
  while (factor.shift < 62 && std::ldexp(real, factor.shift) < 0x1p30)
    ++factor.shift;
  factor.multiplier = static_cast<int64_t>(std::nearbyint(std::ldexp(real, factor.shift)));
  if (factor.multiplier == int64_t{1} << 31) {
    factor.multiplier /= 2;
    --factor.shift;
  }
  return factor;
}

int64_t floorDivide(int64_t a, int64_t b) {
  return a / b - (a % b < 0);
}

// The integer nearest to value * multiplier / 2^shift, halves to the even one.
int64_t scaled(int64_t value, const Factor &factor) {
  int64_t product = value * factor.multiplier, divisor = int64_t{1} << factor.shift;
  int64_t floor = floorDivide(product, divisor);
  int64_t rest = product - floor * divisor; // in [0, divisor)
  bool up = rest * 2 > divisor || (rest * 2 == divisor && floor % 2 != 0);
  return floor + up;
}

struct Range {
  int64_t low = -128, high = 127;
};

// As ONNX defines QuantizeLinear: a float32 division, halves to even, then the zero point and the limits.
int64_t quantized(float real, const Quantization &q) {
  float steps = real / q.scale;
  return std::clamp<int64_t>(static_cast<int64_t>(std::nearbyint(steps)) + q.zeroPoint, -128, 127);
}

// docs/quantization.md, "Activations": bounds of the result as the output's quantization sees them.
Range rangeOf(const GraphNode &node, const Quantization &output) {
  switch (node.activation) {
  case Activation::Relu:
    return {output.zeroPoint, 127};
  case Activation::Clip:
    return {quantized(node.clipLow, output), quantized(node.clipHigh, output)};
  case Activation::None:
    break;
  }
  return {};
}

int8_t finish(int64_t accumulator, const Factor &factor, const Quantization &output, const Range &range) {
  return static_cast<int8_t>(
      std::clamp(scaled(accumulator, factor) + output.zeroPoint, range.low, range.high));
}

class Evaluator {
public:
  Evaluator(const Graph &graph, const std::vector<int8_t> &input) : graph(graph), data(graph.values.size()) {
    data[0] = input;
  }

  std::vector<std::vector<int8_t>> run() {
    for (const GraphNode &node : graph.nodes)
      evaluate(node);
    return std::move(data);
  }

private:
  void evaluate(const GraphNode &node) {
    switch (node.kind) {
    case NodeKind::Conv:
      return conv(node);
    case NodeKind::MaxPool:
      return maxPool(node);
    case NodeKind::AveragePool:
      return averagePool(node);
    case NodeKind::GlobalAveragePool:
      return average(node);
    case NodeKind::Add:
    case NodeKind::Sub:
      return isOfOneValue(node) ? combine(node) : add(node);
    case NodeKind::Mul:
      return isOfOneValue(node) ? combine(node) : multiply(node);
    case NodeKind::Lookup:
      return lookup(node);
    case NodeKind::Concat:
      return concat(node);
    case NodeKind::Slice:
    case NodeKind::Pad:
    case NodeKind::Resize:
    case NodeKind::Transpose:
      return move(node);
    case NodeKind::Activation:
      return rescale(node, data[node.inputs[0]]);
    case NodeKind::Flatten:
      data[node.output] = data[node.inputs[0]];
      return;
    case NodeKind::Dense:
      return dense(node);
    case NodeKind::Product:
      return product(node);
    }
  }

  const GraphValue &in(const GraphNode &node) const { return graph.values[node.inputs[0]]; }
  const GraphValue &out(const GraphNode &node) const { return graph.values[node.output]; }

  // The factor from the products of input and weights to the output.
  Factor productFactor(const GraphNode &node, int64_t channel) const {
    float weightScale = node.weightScales[node.weightScales.size() > 1 ? channel : 0];
    return factorOf(static_cast<double>(in(node).quantization.scale) * weightScale /
                    out(node).quantization.scale);
  }

  int64_t biasOf(const GraphNode &node, int64_t channel) const {
    return node.bias.empty() ? 0 : node.bias[channel];
  }

  // The element, or the zero point of the input where the position lies in the padding.
  int64_t padded(const GraphNode &node, int64_t image, int64_t channel, int64_t y, int64_t x,
                 int64_t outside) const {
    const std::vector<int64_t> &shape = in(node).shape;
    if (y < 0 || y >= shape[2] || x < 0 || x >= shape[3])
      return outside;
    return data[node.inputs[0]][((image * shape[1] + channel) * shape[2] + y) * shape[3] + x];
  }

  template <class Body> void forEachWindow(const GraphNode &node, Body body) {
    const std::vector<int64_t> &shape = out(node).shape;
    for (int64_t n = 0; n < shape[0]; ++n)
      for (int64_t c = 0; c < shape[1]; ++c)
        for (int64_t y = 0; y < shape[2]; ++y)
          for (int64_t x = 0; x < shape[3]; ++x)
            data[node.output].push_back(
                body(n, c, y * node.strides[0] - node.pads[0], x * node.strides[1] - node.pads[1]));
  }

  void conv(const GraphNode &node) {
    const Quantization &from = in(node).quantization, &to = out(node).quantization;
    const int64_t channels = in(node).shape[1] / node.groups, outputs = out(node).shape[1] / node.groups;
    Range range = rangeOf(node, to);
    const int shift = node.inputs.size() > 1 ? residualShift(node) : 0;
    forEachWindow(node, [&](int64_t n, int64_t o, int64_t top, int64_t left) {
      int64_t sum = biasOf(node, o);
      for (int64_t i = 0; i < channels; ++i)
        for (int64_t ky = 0; ky < node.kernel[0]; ++ky)
          for (int64_t kx = 0; kx < node.kernel[1]; ++kx) {
            int64_t x = padded(node, n, o / outputs * channels + i, top + ky * node.dilations[0],
                               left + kx * node.dilations[1], from.zeroPoint);
            int64_t w = node.weights[((o * channels + i) * node.kernel[0] + ky) * node.kernel[1] + kx];
            sum += (x - from.zeroPoint) * w;
          }
      if (node.inputs.size() > 1) {
        const int64_t r = data[node.inputs[1]][data[node.output].size()] - addedTo(node).zeroPoint;
        return finish(sum * (int64_t{1} << shift) + residualFactor(node, o, shift) * r,
                      factorOf(std::ldexp(unit(node, o) / to.scale, -shift)), to, range);
      }
      return node.normalization.empty()
                 ? finish(sum, productFactor(node, o), to, range)
                 : finish(normalized(node, sum, o), normalizedFactor(node, o), to, range);
    });
  }

  const Quantization &addedTo(const GraphNode &node) const {
    return graph.values[node.inputs[1]].quantization;
  }

  // docs/quantization.md, "Residuals".
  int64_t residualFactor(const GraphNode &node, int64_t o, int shift) const {
    return static_cast<int64_t>(
        std::nearbyint(std::ldexp(static_cast<double>(addedTo(node).scale) / unit(node, o), shift)));
  }

  int residualShift(const GraphNode &node) const {
    const int64_t zeroX = in(node).quantization.zeroPoint, zeroR = addedTo(node).zeroPoint;
    const int64_t outputs = out(node).shape[1], each = static_cast<int64_t>(node.weights.size()) / outputs;
    const auto fits = [&](int shift) {
      for (int64_t o = 0; o < outputs; ++o) {
        const int64_t factor = residualFactor(node, o, shift);
        int64_t least = biasOf(node, o), most = least;
        for (int64_t i = 0; i < each; ++i) {
          const int64_t w = node.weights[o * each + i], a = w * (-128 - zeroX), b = w * (127 - zeroX);
          least += std::min(a, b), most += std::max(a, b);
        }
        if (factor >= 1 << 21 || most * (int64_t{1} << shift) + factor * (127 - zeroR) > INT32_MAX ||
            least * (int64_t{1} << shift) + factor * (-128 - zeroR) < INT32_MIN)
          return false;
      }
      return true;
    };
    int shift = 15;
    while (!fits(shift))
      --shift;
    return shift;
  }

  // docs/quantization.md, "Batch normalization": the factor's size in the scale, the rest in the sum.
  double unit(const GraphNode &node, int64_t o) const {
    const float weightScale = node.weightScales[node.weightScales.size() > 1 ? o : 0];
    return static_cast<double>(in(node).quantization.scale) * weightScale;
  }

  int64_t normalized(const GraphNode &node, int64_t sum, int64_t o) const {
    const double factor = node.normalization[2 * o], summand = node.normalization[2 * o + 1];
    const double bias = static_cast<double>(biasOf(node, o)) * unit(node, o) * factor + summand;
    const double scale =
        static_cast<double>(node.weightScales[node.weightScales.size() > 1 ? o : 0]) * std::abs(factor);
    const int64_t products = sum - biasOf(node, o);
    return (factor < 0 ? -products : products) +
           static_cast<int64_t>(
               std::nearbyint(bias * (1 / (static_cast<double>(in(node).quantization.scale) * scale))));
  }

  Factor normalizedFactor(const GraphNode &node, int64_t o) const {
    const double scale = static_cast<double>(node.weightScales[node.weightScales.size() > 1 ? o : 0]) *
                         std::abs(double(node.normalization[2 * o]));
    return factorOf(scale * static_cast<double>(in(node).quantization.scale) /
                    static_cast<double>(out(node).quantization.scale));
  }

  void maxPool(const GraphNode &node) {
    forEachWindow(node, [&](int64_t n, int64_t c, int64_t top, int64_t left) {
      int64_t best = -128;
      for (int64_t ky = 0; ky < node.kernel[0]; ++ky)
        for (int64_t kx = 0; kx < node.kernel[1]; ++kx)
          best = std::max(best, padded(node, n, c, top + ky, left + kx, -128));
      return static_cast<int8_t>(best);
    });
    const Quantization &from = in(node).quantization, &to = out(node).quantization;
    if (from.scale != to.scale || from.zeroPoint != to.zeroPoint)
      rescale(node, std::move(data[node.output]));
  }

  // Relu, Clip or a change of scale alone.
  void rescale(const GraphNode &node, std::vector<int8_t> values) {
    const Quantization &from = in(node).quantization, &to = out(node).quantization;
    Factor factor = factorOf(static_cast<double>(from.scale) / to.scale);
    Range range = rangeOf(node, to);
    for (int8_t &value : values)
      value = finish(value - from.zeroPoint, factor, to, range);
    data[node.output] = std::move(values);
  }

  void average(const GraphNode &node) {
    const Quantization &from = in(node).quantization, &to = out(node).quantization;
    const std::vector<int64_t> &shape = in(node).shape;
    int64_t area = shape[2] * shape[3];
    Factor factor = factorOf(static_cast<double>(from.scale) / (static_cast<double>(to.scale) * area));
    for (int64_t c = 0; c < shape[0] * shape[1]; ++c) {
      int64_t sum = 0;
      for (int64_t i = 0; i < area; ++i)
        sum += data[node.inputs[0]][c * area + i] - from.zeroPoint;
      data[node.output].push_back(finish(sum, factor, to, {}));
    }
  }

  void averagePool(const GraphNode &node) {
    const Quantization &from = in(node).quantization, &to = out(node).quantization;
    const std::vector<int64_t> &shape = in(node).shape;
    forEachWindow(node, [&](int64_t n, int64_t c, int64_t top, int64_t left) {
      int64_t sum = 0, count = 0;
      for (int64_t ky = 0; ky < node.kernel[0]; ++ky)
        for (int64_t kx = 0; kx < node.kernel[1]; ++kx) {
          const int64_t y = top + ky, x = left + kx;
          const bool inside = y >= 0 && y < shape[2] && x >= 0 && x < shape[3];
          count += inside || node.countsPadding;
          sum += padded(node, n, c, y, x, from.zeroPoint) - from.zeroPoint;
        }
      const Factor factor =
          factorOf(static_cast<double>(from.scale) / (static_cast<double>(to.scale) * count));
      return finish(sum, factor, to, {});
    });
  }

  void multiply(const GraphNode &node) {
    const GraphValue &a = graph.values[node.inputs[0]], &b = graph.values[node.inputs[1]];
    const Quantization &to = out(node).quantization;
    const Factor factor = factorOf(static_cast<double>(a.quantization.scale) * b.quantization.scale /
                                   static_cast<double>(to.scale));
    const Range range = rangeOf(node, to);
    for (size_t i = 0; i < data[node.inputs[0]].size(); ++i) {
      const int64_t product = (data[node.inputs[0]][i] - int64_t{a.quantization.zeroPoint}) *
                              (data[node.inputs[1]][i] - int64_t{b.quantization.zeroPoint});
      data[node.output].push_back(finish(product, factor, to, range));
    }
  }

  static double valueOf(const GraphNode &node, double x) {
    switch (node.function) {
    case Function::Sigmoid:
      return 1 / (1 + std::exp(-x));
    case Function::Tanh:
      return std::tanh(x);
    case Function::HardSigmoid:
      return std::clamp(node.alpha * x + node.beta, 0.0, 1.0);
    case Function::HardSwish:
      return x * std::clamp(x / 6 + 0.5, 0.0, 1.0);
    case Function::LeakyRelu:
      return x < 0 ? node.alpha * x : x;
    case Function::ScaleAndShift:
      return x * node.alpha + node.beta;
    }
    return 0;
  }

  // docs/quantization.md, "Tables": the function of the real number, as QuantizeLinear takes it.
  void lookup(const GraphNode &node) {
    const Quantization &from = in(node).quantization, &to = out(node).quantization;
    for (int8_t q : data[node.inputs[0]]) {
      const double x = static_cast<double>(from.scale) * (q - from.zeroPoint);
      data[node.output].push_back(static_cast<int8_t>(quantized(static_cast<float>(valueOf(node, x)), to)));
    }
  }

  void concat(const GraphNode &node) {
    const std::vector<int64_t> &shape = out(node).shape;
    std::vector<std::vector<int8_t>> parts;
    for (int input : node.inputs) {
      const Quantization &from = graph.values[input].quantization, &to = out(node).quantization;
      parts.push_back(data[input]);
      if (from.scale == to.scale && from.zeroPoint == to.zeroPoint)
        continue;
      const Factor factor = factorOf(static_cast<double>(from.scale) / to.scale);
      for (int8_t &value : parts.back())
        value = finish(value - from.zeroPoint, factor, to, {});
    }
    for (int64_t n = 0; n < shape[0]; ++n)
      for (const std::vector<int8_t> &part : parts) {
        const size_t image = part.size() / shape[0];
        data[node.output].insert(data[node.output].end(), part.begin() + n * image,
                                 part.begin() + (n + 1) * image);
      }
  }

  // The input's index along a dimension; outside: padding.
  static int64_t sourceIndex(const GraphNode &node, size_t dimension, const std::array<int64_t, 4> &at) {
    switch (node.kind) {
    case NodeKind::Slice:
      return at[dimension] + node.offsets[dimension];
    case NodeKind::Pad:
      return at[dimension] - node.offsets[dimension];
    case NodeKind::Resize:
      return at[dimension] / node.offsets[dimension];
    default:
      for (size_t d = 0; d < 4; ++d)
        if (node.offsets[d] == static_cast<int64_t>(dimension))
          return at[d];
      return 0;
    }
  }

  void move(const GraphNode &node) {
    const std::vector<int64_t> &from = in(node).shape, &to = out(node).shape;
    const auto fill = static_cast<int8_t>(quantized(node.alpha, in(node).quantization));
    std::array<int64_t, 4> at{};
    for (at[0] = 0; at[0] < to[0]; ++at[0])
      for (at[1] = 0; at[1] < to[1]; ++at[1])
        for (at[2] = 0; at[2] < to[2]; ++at[2])
          for (at[3] = 0; at[3] < to[3]; ++at[3]) {
            int64_t position = 0;
            bool inside = true;
            for (size_t d = 0; d < 4; ++d) {
              const int64_t index = sourceIndex(node, d, at);
              inside &= index >= 0 && index < from[d];
              position = position * from[d] + index;
            }
            data[node.output].push_back(inside ? data[node.inputs[0]][position] : fill);
          }
  }

  const GraphNode *nodeOf(int value) const {
    for (const GraphNode &node : graph.nodes)
      if (node.output == value)
        return &node;
    return nullptr;
  }

  // docs/quantization.md, "Tables": whether both operands are made of one value, element by element.
  bool isOfOneValue(const GraphNode &node) const {
    std::set<int> values(node.inputs.begin(), node.inputs.end());
    while (values.size() > 1) {
      const GraphNode *last = nodeOf(*values.rbegin());
      if (!last ||
          (last->kind != NodeKind::Add && last->kind != NodeKind::Sub && last->kind != NodeKind::Mul &&
           last->kind != NodeKind::Lookup && last->kind != NodeKind::Activation))
        return false;
      values.erase(last->output);
      values.insert(last->inputs.begin(), last->inputs.end());
    }
    return true;
  }

  // A sum, difference or product as a function of one value: of real numbers, quantized once.
  void combine(const GraphNode &node) {
    const GraphValue &a = graph.values[node.inputs[0]], &b = graph.values[node.inputs[1]];
    const Quantization &to = out(node).quantization;
    const Range range = rangeOf(node, to);
    for (size_t i = 0; i < data[node.inputs[0]].size(); ++i) {
      const double left = static_cast<double>(a.quantization.scale) *
                          (data[node.inputs[0]][i] - a.quantization.zeroPoint),
                   right = static_cast<double>(b.quantization.scale) *
                           (data[node.inputs[1]][i] - b.quantization.zeroPoint);
      const double value = node.kind == NodeKind::Add   ? left + right
                           : node.kind == NodeKind::Sub ? left - right
                                                        : left * right;
      data[node.output].push_back(
          static_cast<int8_t>(std::clamp(quantized(static_cast<float>(value), to), range.low, range.high)));
    }
  }

  // docs/quantization.md, "Add": both operands as integers over one power of two, rounded once.
  void add(const GraphNode &node) {
    const GraphValue &a = graph.values[node.inputs[0]], &b = graph.values[node.inputs[1]];
    const Quantization &to = out(node).quantization;
    double scaleA = static_cast<double>(a.quantization.scale) / to.scale;
    double scaleB = static_cast<double>(b.quantization.scale) / to.scale;
    int64_t largestA = std::max(127 - a.quantization.zeroPoint, 128 + a.quantization.zeroPoint);
    int64_t largestB = std::max(127 - b.quantization.zeroPoint, 128 + b.quantization.zeroPoint);
    int bits = 33;
    int64_t factorA, factorB;
    do {
      --bits;
      factorA = static_cast<int64_t>(std::nearbyint(std::ldexp(scaleA, bits)));
      factorB = static_cast<int64_t>(std::nearbyint(std::ldexp(scaleB, bits)));
    } while (factorA + factorB >= int64_t{1} << 24 || factorA * largestA + factorB * largestB >= int64_t{1}
                                                                                                     << 31);
    Range range = rangeOf(node, to);
    for (size_t i = 0; i < data[node.inputs[0]].size(); ++i) {
      int64_t right = (data[node.inputs[1]][i] - b.quantization.zeroPoint) * factorB;
      int64_t sum = (data[node.inputs[0]][i] - a.quantization.zeroPoint) * factorA +
                    (node.kind == NodeKind::Sub ? -right : right);
      data[node.output].push_back(finish(sum, {1, bits}, to, range));
    }
  }

  void dense(const GraphNode &node) {
    const Quantization &from = in(node).quantization, &to = out(node).quantization;
    int64_t inputs = in(node).shape[1];
    Range range = rangeOf(node, to);
    for (int64_t n = 0; n < out(node).shape[0]; ++n)
      for (int64_t o = 0; o < out(node).shape[1]; ++o) {
        int64_t sum = biasOf(node, o);
        for (int64_t i = 0; i < inputs; ++i)
          sum +=
              (data[node.inputs[0]][n * inputs + i] - from.zeroPoint) * int64_t{node.weights[o * inputs + i]};
        data[node.output].push_back(finish(sum, productFactor(node, o), to, range));
      }
  }

  // docs/quantization.md, "Products of two tensors": each image and channel is a matrix.
  void product(const GraphNode &node) {
    const GraphValue *sides[] = {&graph.values[node.inputs[0]], &graph.values[node.inputs[1]]};
    const Quantization &to = out(node).quantization;
    const Factor factor =
        factorOf(static_cast<double>(sides[0]->quantization.scale) *
                 static_cast<double>(sides[1]->quantization.scale) / static_cast<double>(to.scale));
    const Range range = rangeOf(node, to);
    const auto element = [&](int side, int64_t matrix, int64_t row, int64_t column) {
      const std::vector<int64_t> &shape = sides[side]->shape;
      if (node.transposed[side])
        std::swap(row, column);
      return data[node.inputs[side]][(matrix * shape[2] + row) * shape[3] + column] -
             int64_t{sides[side]->quantization.zeroPoint};
    };
    const std::vector<int64_t> &shape = out(node).shape;
    const int64_t depth = sides[0]->shape[node.transposed[0] ? 2 : 3];
    for (int64_t matrix = 0; matrix < shape[0] * shape[1]; ++matrix)
      for (int64_t y = 0; y < shape[2]; ++y)
        for (int64_t x = 0; x < shape[3]; ++x) {
          int64_t sum = 0;
          for (int64_t k = 0; k < depth; ++k)
            sum += element(0, matrix, y, k) * element(1, matrix, k, x);
          data[node.output].push_back(finish(sum, factor, to, range));
        }
  }

  const Graph &graph;
  std::vector<std::vector<int8_t>> data;
};

} // namespace

std::vector<std::vector<int8_t>> evaluate(const Graph &graph, const std::vector<int8_t> &input) {
  return Evaluator(graph, input).run();
}

} // namespace daedalus::testing
