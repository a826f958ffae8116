// See BatchStatistics.h. The sums are of float64.

#include "Load/BatchStatistics.h"

#include "Load/Load.h"
#include "Values/HostTensor.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace daedalus::onnximport {
namespace {

using onnx::NodeProto;
using Numbers = std::vector<float>;

float attributeOf(const NodeProto &node, const std::string &name, float otherwise) {
  for (const auto &attribute : node.attribute())
    if (attribute.name() == name)
      return attribute.type() == onnx::AttributeProto::INT ? static_cast<float>(attribute.i())
                                                           : attribute.f();
  return otherwise;
}

bool isTrained(const NodeProto &node) {
  return isOnnxDomain(node.domain()) && node.op_type() == "BatchNormalization" &&
         attributeOf(node, "training_mode", 0) != 0;
}

/// Whether its output has the elements of input 0 in their order.
bool isView(const NodeProto &node) {
  static const std::set<std::string> all = {"Flatten", "Identity", "Reshape", "Squeeze", "Unsqueeze"};
  return isOnnxDomain(node.domain()) && all.count(node.op_type()) != 0;
}

/// Outputs 0 to 2 of one node.
struct Normalized {
  Numbers y, mean, variance;
};

/// x is [batch,channels,inner].
struct Extent {
  size_t batch, channels, inner;
};

/// `given`: x, scale, bias, mean and variance.
Normalized normalize(const std::vector<Numbers> &given, const Extent &of, double epsilon, double momentum) {
  const Numbers &x = given[0];
  Normalized result{Numbers(x.size()), Numbers(of.channels), Numbers(of.channels)};
  for (size_t c = 0; c < of.channels; ++c) {
    const auto each = [&](auto visit) {
      for (size_t n = 0; n < of.batch; ++n)
        for (size_t i = 0; i < of.inner; ++i)
          visit((n * of.channels + c) * of.inner + i);
    };
    double sum = 0, squares = 0;
    each([&](size_t at) { sum += x[at]; });
    const double count = static_cast<double>(of.batch * of.inner), mean = sum / count;
    each([&](size_t at) { squares += (x[at] - mean) * (x[at] - mean); });
    const double variance = squares / count, factor = given[1][c] / std::sqrt(variance + epsilon);
    each([&](size_t at) { result.y[at] = static_cast<float>((x[at] - mean) * factor + given[2][c]); });
    result.mean[c] = static_cast<float>(given[3][c] * momentum + mean * (1 - momentum));
    result.variance[c] = static_cast<float>(given[4][c] * momentum + variance * (1 - momentum));
  }
  return result;
}

class Folder {
public:
  explicit Folder(onnx::GraphProto &graph) : graph(graph) {
    for (const auto &tensor : graph.initializer())
      constants[tensor.name()] = &tensor;
    for (const NodeProto &node : graph.node())
      for (const std::string &output : node.output())
        givers[output] = &node;
    for (const auto &info : graph.value_info())
      shapes[info.name()] = &info.type().tensor_type().shape();
  }

  void run() {
    std::set<const NodeProto *> folded;
    std::vector<onnx::TensorProto> made;
    for (const NodeProto &node : graph.node())
      if (isTrained(node) && fold(node, made))
        folded.insert(&node);
    if (folded.empty())
      return;
    for (onnx::TensorProto &tensor : made)
      graph.add_initializer()->Swap(&tensor);
    remove(folded);
  }

private:
  bool fold(const NodeProto &node, std::vector<onnx::TensorProto> &made) const {
    std::vector<Numbers> inputs;
    for (const std::string &input : node.input())
      if (auto numbers = numbersOf(input))
        inputs.push_back(std::move(*numbers));
    const std::vector<int64_t> shape = inputs.empty() ? std::vector<int64_t>() : shapeOf(node.input(0));
    if (inputs.size() != 5 || shape.size() < 2 || inputs[0].empty())
      return false;
    const auto product = [&](size_t from, size_t to) {
      return static_cast<size_t>(elementCount({shape.begin() + from, shape.begin() + to}));
    };
    const Extent extent{static_cast<size_t>(shape[0]), static_cast<size_t>(shape[1]),
                        product(2, shape.size())};
    Normalized result =
        normalize(inputs, extent, attributeOf(node, "epsilon", 1e-5f), attributeOf(node, "momentum", 0.9f));
    Numbers *outputs[] = {&result.y, &result.mean, &result.variance};
    for (int i = 0; i < std::min(node.output_size(), 3); ++i)
      if (!node.output(i).empty()) {
        HostTensor host;
        host.dtype = onnx::TensorProto::FLOAT;
        host.shape = i ? std::vector<int64_t>{shape[1]} : shape;
        host.floats = std::move(*outputs[i]);
        made.push_back(encodeTensor(node.output(i), host));
      }
    return true;
  }

  std::vector<int64_t> shapeOf(const std::string &value) const {
    std::vector<int64_t> sizes;
    if (const auto constant = constants.find(value); constant != constants.end())
      sizes.assign(constant->second->dims().begin(), constant->second->dims().end());
    else if (const auto shape = shapes.find(value); shape != shapes.end())
      for (const auto &dim : shape->second->dim())
        sizes.push_back(dim.dim_value());
    return sizes;
  }

  /// Of a constant of float32, through views and products with one number or as many.
  std::optional<Numbers> numbersOf(const std::string &value) const {
    if (const auto constant = constants.find(value); constant != constants.end()) {
      const Result<HostTensorPtr> host = decodeTensor(*constant->second);
      return host && (*host)->dtype == onnx::TensorProto::FLOAT ? std::optional((*host)->floats)
                                                                : std::nullopt;
    }
    const auto giver = givers.find(value);
    if (giver == givers.end() || giver->second->input_size() == 0)
      return std::nullopt;
    const NodeProto &node = *giver->second;
    if (isView(node))
      return numbersOf(node.input(0));
    if (!isOnnxDomain(node.domain()) || node.op_type() != "Mul")
      return std::nullopt;
    std::optional<Numbers> a = numbersOf(node.input(0)), b = numbersOf(node.input(1));
    if (a && b && a->size() < b->size())
      std::swap(a, b);
    if (!a || !b || (b->size() != 1 && shapeOf(node.input(0)) != shapeOf(node.input(1))))
      return std::nullopt;
    for (size_t i = 0; i < a->size(); ++i)
      (*a)[i] *= (*b)[b->size() == 1 ? 0 : i];
    return a;
  }

  /// The nodes, and those that nobody reads any more; and what was said of their outputs.
  void remove(const std::set<const NodeProto *> &folded) {
    std::set<std::string> read;
    for (const auto &output : graph.output())
      read.insert(output.name());
    std::set<const NodeProto *> kept;
    for (int i = graph.node_size(); i-- > 0;) {
      const NodeProto &node = graph.node(i);
      const bool isUnread = (isView(node) || node.op_type() == "Mul") &&
                            std::none_of(node.output().begin(), node.output().end(),
                                         [&](const std::string &output) { return read.count(output) != 0; });
      if (folded.count(&node) || isUnread)
        continue;
      kept.insert(&node);
      read.insert(node.input().begin(), node.input().end());
    }
    std::set<std::string> gone;
    google::protobuf::RepeatedPtrField<NodeProto> nodes;
    nodes.Swap(graph.mutable_node());
    for (NodeProto &node : nodes)
      if (kept.count(&node))
        graph.add_node()->Swap(&node);
      else
        gone.insert(node.output().begin(), node.output().end());
    auto &infos = *graph.mutable_value_info();
    infos.erase(std::remove_if(infos.begin(), infos.end(),
                               [&](const auto &info) { return gone.count(info.name()) != 0; }),
                infos.end());
  }

  onnx::GraphProto &graph;
  std::map<std::string, const onnx::TensorProto *> constants;
  std::map<std::string, const NodeProto *> givers;
  std::map<std::string, const onnx::TensorShapeProto *> shapes;
};

} // namespace

void foldBatchStatistics(onnx::GraphProto &graph) {
  Folder(graph).run();
}

} // namespace daedalus::onnximport
