// See QOperators.h. The importer then treats both forms alike, so they give the same bytes.

#include "Load/QOperators.h"

#include "Load/Load.h"
#include "Schema/Schemas.h"
#include "Values/HostTensor.h"

#include <functional>
#include <map>

namespace daedalus::onnximport {
namespace {

using onnx::GraphProto;
using onnx::NodeProto;
using onnx::TensorProto;

constexpr const char *MicrosoftDomain = "com.microsoft";

/// The nodes that take one node's place.
class Expansion {
public:
  Expansion(const NodeProto &node, const Origin &origin, int64_t opset, GraphProto &graph,
            std::set<std::string> &names, Lowered &lowered)
      : node(node), name(origin.name), opset(opset), graph(graph), origin(origin), names(names),
        lowered(lowered) {}

  std::string input(int i) const { return i < node.input_size() ? node.input(i) : ""; }

  const onnx::AttributeProto *attribute(const char *wanted) const {
    for (const auto &attribute : node.attribute())
      if (attribute.name() == wanted)
        return &attribute;
    return nullptr;
  }

  int64_t integer(const char *wanted, int64_t otherwise) const {
    const auto *found = attribute(wanted);
    return found ? found->i() : otherwise;
  }

  /// A name that nothing in the graph has.
  std::string fresh(const std::string &what) {
    std::string made;
    do
      made = name + "/" + what + std::to_string(count++);
    while (!names.insert(made).second);
    return made;
  }

  std::string dequantized(int value, int scale, int zeroPoint, int64_t axis = 1) {
    NodeProto &added = add("DequantizeLinear", {input(value), input(scale), input(zeroPoint)}, fresh("real"));
    setInteger(added, "axis", axis);
    lowered.values[added.output(0)] = input(value);
    return added.output(0);
  }

  /// A bias: int32 in units of the product of two scales, and of `factor`.
  std::string dequantizedBias(int bias, int scaleA, int scaleB, float factor = 1) {
    const TensorProto *a = initializer(input(scaleA)), *b = initializer(input(scaleB));
    if (factor != 1 && !(a && b))
      good = error("attribute 'alpha' has value " + std::to_string(factor) +
                   ", and its scales are not constant; expected 1");
    const std::string scale = a && b ? productOf(*a, *b, factor)
                                     : add("Mul", {input(scaleA), input(scaleB)}, fresh("scale")).output(0);
    NodeProto &added = add("DequantizeLinear", {input(bias), scale}, fresh("bias"));
    setInteger(added, "axis", 0);
    lowered.values[added.output(0)] = input(bias);
    return added.output(0);
  }

  /// The operator itself; attributes of the node that it shares are taken over.
  NodeProto &compute(const char *type, std::vector<std::string> inputs,
                     std::vector<const char *> attributes) {
    NodeProto &added = add(type, std::move(inputs), fresh("result"));
    added.set_name(name);
    for (const char *wanted : attributes)
      if (const auto *found = attribute(wanted))
        *added.add_attribute() = *found;
    return added;
  }

  /// Without a zero point it is zero, of the type of input `like`.
  void quantize(const std::string &value, int scale, int zeroPoint, int like = 0) {
    const std::string given = input(zeroPoint);
    add("QuantizeLinear", {value, input(scale), given.empty() ? zeroLike(input(like)) : given},
        node.output(0));
  }

  /// The last node's result is the output as it is.
  void finish(NodeProto &last) { last.set_output(0, node.output(0)); }

  NodeProto &add(const char *type, std::vector<std::string> inputs, const std::string &output) {
    while (!inputs.empty() && inputs.back().empty())
      inputs.pop_back();
    NodeProto &added = *graph.add_node();
    lowered.nodes[&added] = origin;
    added.set_op_type(type);
    added.set_name(fresh(type));
    for (const std::string &one : inputs)
      added.add_input(one);
    added.add_output(output);
    return added;
  }

  static void setInteger(NodeProto &to, const char *key, int64_t value) {
    auto *attribute = to.add_attribute();
    attribute->set_name(key);
    attribute->set_type(onnx::AttributeProto::INT);
    attribute->set_i(value);
  }

  /// Dimensions of a constant; 0 for what is none.
  int64_t rankOf(const std::string &value) const {
    const TensorProto *found = initializer(value);
    return found ? found->dims_size() : 0;
  }

  const NodeProto &node;
  const std::string name;
  const int64_t opset; ///< of the model
  Result<void> good;   ///< whether it can be expanded; the sentence goes on behind the node's name

private:
  const TensorProto *initializer(const std::string &value) const {
    for (const TensorProto &one : graph.initializer())
      if (one.name() == value)
        return &one;
    return nullptr;
  }

  std::string zeroLike(const std::string &value) {
    int32_t dtype = TensorProto::UINT8;
    for (const auto *list : {&graph.input(), &graph.value_info(), &graph.output()})
      for (const auto &info : *list)
        if (info.name() == value)
          dtype = info.type().tensor_type().elem_type();
    TensorProto &zero = *graph.add_initializer();
    zero.set_name(fresh("zero"));
    zero.set_data_type(dtype);
    zero.add_int32_data(0);
    return zero.name();
  }

  std::string productOf(const TensorProto &a, const TensorProto &b, float factor) {
    const Result<HostTensorPtr> first = decodeTensor(a), second = decodeTensor(b);
    const HostTensorPtr x = first ? *first : nullptr, y = second ? *second : nullptr;
    TensorProto &result = *graph.add_initializer();
    result.set_name(fresh("scale"));
    result.set_data_type(TensorProto::FLOAT);
    if (!x || !y || !x->isFloat() || !y->isFloat() || x->size() != 1)
      return result.name();
    for (float value : y->floats)
      result.add_float_data(x->floats[0] * value * factor);
    if (y->size() != 1)
      result.add_dims(y->size());
    return result.name();
  }

  GraphProto &graph;
  const Origin &origin;
  std::set<std::string> &names;
  Lowered &lowered;
  int count = 0;
};

const std::vector<const char *> convolutionAttributes = {"auto_pad",     "dilations", "group",
                                                         "kernel_shape", "pads",      "strides"};
const std::vector<const char *> poolAttributes = {"auto_pad",     "ceil_mode", "count_include_pad",
                                                  "kernel_shape", "pads",      "strides"};

void qLinearConv(Expansion &e) {
  std::vector<std::string> inputs = {e.dequantized(0, 1, 2), e.dequantized(3, 4, 5, 0)};
  if (!e.input(8).empty())
    inputs.push_back(e.dequantizedBias(8, 1, 4));
  e.quantize(e.compute("Conv", inputs, convolutionAttributes).output(0), 6, 7);
}

void qLinearMatMul(Expansion &e) {
  const int64_t rank = std::max<int64_t>(e.rankOf(e.input(3)), 2);
  e.quantize(e.compute("MatMul", {e.dequantized(0, 1, 2), e.dequantized(3, 4, 5, rank - 1)}, {}).output(0), 6,
             7);
}

/// a, its scale and zero point, b and its, the output's.
template <const char *type> void qLinearBinary(Expansion &e) {
  e.quantize(e.compute(type, {e.dequantized(0, 1, 2), e.dequantized(3, 4, 5)}, {}).output(0), 6, 7);
}

bool refuseChannelsLast(Expansion &e) {
  if (const int64_t last = e.integer("channels_last", 0))
    e.good = error("attribute 'channels_last' has value " + std::to_string(last) + "; expected 0");
  return !e.good;
}

void qLinearGlobalAveragePool(Expansion &e) {
  if (!refuseChannelsLast(e))
    e.quantize(e.compute("GlobalAveragePool", {e.dequantized(0, 1, 2)}, {}).output(0), 3, 4);
}

void qLinearAveragePool(Expansion &e) {
  if (!refuseChannelsLast(e))
    e.quantize(e.compute("AveragePool", {e.dequantized(0, 1, 2)}, poolAttributes).output(0), 3, 4);
}

void qLinearSigmoid(Expansion &e) {
  e.quantize(e.compute("Sigmoid", {e.dequantized(0, 1, 2)}, {}).output(0), 3, 4);
}

void qLinearLeakyRelu(Expansion &e) {
  e.quantize(e.compute("LeakyRelu", {e.dequantized(0, 1, 2)}, {"alpha"}).output(0), 3, 4);
}

/// Before opset 13 it was one of all dimensions from its axis on; of the last, both are the same.
void qLinearSoftmax(Expansion &e) {
  const int64_t opset = e.integer("opset", 1);
  const bool isOld = opset < 13;
  if (opset < 1 || opset > newestOpset ||
      (isOld != (e.opset < 13) && e.integer("axis", isOld ? 1 : -1) != -1))
    e.good = error("attribute 'opset' has value " + std::to_string(opset) + "; expected " +
                   (e.opset < 13 ? "1 to 12" : "13 to " + std::to_string(newestOpset)) +
                   " where the model has opset " + std::to_string(e.opset));
  else
    e.quantize(e.compute("Softmax", {e.dequantized(0, 1, 2)}, {"axis"}).output(0), 3, 4);
}

void qLinearConcat(Expansion &e) {
  std::vector<std::string> inputs;
  for (int i = 2; i + 2 < e.node.input_size(); i += 3)
    inputs.push_back(e.dequantized(i, i + 1, i + 2));
  e.quantize(e.compute("Concat", inputs, {"axis"}).output(0), 0, 1, 2);
}

/// Without an output scale the result is float32.
void qGemm(Expansion &e) {
  const auto *alpha = e.attribute("alpha");
  const bool transB = e.integer("transB", 0) != 0;
  std::vector<std::string> inputs = {e.dequantized(0, 1, 2), e.dequantized(3, 4, 5, transB ? 0 : 1)};
  if (!e.input(6).empty())
    inputs.push_back(e.dequantizedBias(6, 1, 4, alpha ? alpha->f() : 1));
  NodeProto &gemm = e.compute("Gemm", inputs, {"alpha", "transA", "transB"});
  if (e.input(7).empty())
    e.finish(gemm);
  else
    e.quantize(gemm.output(0), 7, 8);
}

constexpr char Add[] = "Add", Mul[] = "Mul";

using Expand = void (*)(Expansion &);

const std::map<std::string, Expand> &standard() {
  static const std::map<std::string, Expand> all = {{"QLinearConv", qLinearConv},
                                                    {"QLinearMatMul", qLinearMatMul}};
  return all;
}

const std::map<std::string, Expand> &microsoft() {
  static const std::map<std::string, Expand> all = {{"QGemm", qGemm},
                                                    {"QLinearAdd", qLinearBinary<Add>},
                                                    {"QLinearAveragePool", qLinearAveragePool},
                                                    {"QLinearConcat", qLinearConcat},
                                                    {"QLinearGlobalAveragePool", qLinearGlobalAveragePool},
                                                    {"QLinearLeakyRelu", qLinearLeakyRelu},
                                                    {"QLinearMul", qLinearBinary<Mul>},
                                                    {"QLinearSigmoid", qLinearSigmoid},
                                                    {"QLinearSoftmax", qLinearSoftmax}};
  return all;
}

Expand expandOf(const NodeProto &node) {
  const bool isStandard = isOnnxDomain(node.domain());
  if (!isStandard && node.domain() != MicrosoftDomain)
    return nullptr;
  const auto &table = isStandard ? standard() : microsoft();
  auto found = table.find(node.op_type());
  return found == table.end() ? nullptr : found->second;
}

} // namespace

bool isQOperator(const NodeProto &node) {
  return expandOf(node) != nullptr;
}

std::vector<std::string> qOperators() {
  std::vector<std::string> names;
  for (const auto *table : {&standard(), &microsoft()})
    for (const auto &[name, expand] : *table)
      names.push_back(name);
  return names;
}

/// Of values and nodes.
static std::set<std::string> namesOf(const GraphProto &graph) {
  std::set<std::string> names;
  for (const auto &input : graph.input())
    names.insert(input.name());
  for (const auto &tensor : graph.initializer())
    names.insert(tensor.name());
  for (const NodeProto &node : graph.node()) {
    names.insert(node.name());
    names.insert(node.output().begin(), node.output().end());
  }
  return names;
}

Result<void> lowerQOperators(GraphProto &graph, int64_t opset, Lowered &lowered) {
  std::set<std::string> names = namesOf(graph);
  google::protobuf::RepeatedPtrField<NodeProto> nodes;
  nodes.Swap(graph.mutable_node());
  int index = 0;
  for (NodeProto &node : nodes) {
    const std::string name = nodeName(node, index++);
    node.set_name(name); // its index is another one afterwards
    if (Expand expand = expandOf(node)) {
      const Origin origin{name, nodeKind(node, opset)};
      Expansion expansion(node, origin, opset, graph, names, lowered);
      expand(expansion);
      if (!expansion.good)
        return error("node '" + name + "' (" + origin.kind + "): " + expansion.good.error());
      continue;
    }
    graph.add_node()->Swap(&node);
  }
  return {};
}

} // namespace daedalus::onnximport
