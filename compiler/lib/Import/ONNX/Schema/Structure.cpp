// What a graph is before its nodes are looked at: names, constants, inputs and outputs.

#include "Schema/Check.h"

#include "Load/Load.h"
#include "Values/HostTensor.h"
#include "Values/Types.h"

#include <map>
#include <set>

namespace daedalus::onnximport {
namespace {

/// Every value is defined once, and read behind its definition (NodeOrder.h).
class Names {
public:
  Result<void> define(const std::string &name, const std::string &by) {
    if (name.empty())
      return error(by + " has no name; expected one");
    if (!defined.insert(name).second)
      return error(by + " defines '" + name + "', which is defined before; expected different names");
    return {};
  }

  bool has(const std::string &name) const { return defined.count(name); }

private:
  std::set<std::string> defined;
};

/// A constant that is an input too has the input's type.
Result<void> checkType(const onnx::TensorProto &tensor, const onnx::TypeProto &type) {
  const auto &declared = type.tensor_type();
  bool fits = declared.elem_type() == tensor.data_type() &&
              (!declared.has_shape() || declared.shape().dim_size() == tensor.dims_size());
  for (int i = 0; fits && i < declared.shape().dim_size(); ++i) {
    const auto &dim = declared.shape().dim(i);
    fits = !dim.has_dim_value() || dim.dim_value() == tensor.dims(i);
  }
  if (!fits)
    return error("input '" + tensor.name() +
                 "' has another type than the initializer of its name; expected the same");
  return {};
}

/// What is declared of a value is a tensor with sizes of at least 0.
Result<void> checkDeclaration(const onnx::ValueInfoProto &value) {
  if (value.type().value_case() != onnx::TypeProto::VALUE_NOT_SET && !value.type().has_tensor_type())
    return error("value '" + value.name() + "' is not declared as a tensor; expected one of static shape");
  for (const auto &dim : value.type().tensor_type().shape().dim())
    if (dim.has_dim_value() && dim.dim_value() < 0)
      return error("value '" + value.name() + "' is declared with a dimension of size " +
                   std::to_string(dim.dim_value()) + "; expected at least 0");
  return {};
}

Result<void> checkInputs(const onnx::GraphProto &graph, Names &names) {
  std::map<std::string, const onnx::TypeProto *> inputs;
  for (const auto &input : graph.input()) {
    if (Result<void> good = names.define(input.name(), "input '" + input.name() + "'"); !good)
      return good;
    inputs[input.name()] = &input.type();
    if (!input.type().has_tensor_type())
      return error("input '" + input.name() + "' is not a tensor; expected one of static shape");
  }
  std::set<std::string> constants;
  for (const auto &tensor : graph.initializer()) {
    if (!constants.insert(tensor.name()).second || tensor.name().empty())
      return error("initializer '" + tensor.name() +
                   "' appears twice or has no name; expected different names");
    const auto input = inputs.find(tensor.name());
    if (Result<void> good = input == inputs.end()
                                ? names.define(tensor.name(), "initializer '" + tensor.name() + "'")
                                : checkType(tensor, *input->second);
        !good)
      return good;
  }
  return {};
}

Result<void> checkNode(const onnx::NodeProto &node, const std::string &name, Names &names) {
  for (const std::string &input : node.input())
    if (!input.empty() && !names.has(input))
      return error("node '" + name + "' reads '" + input +
                   "', which no input, initializer or node gives; expected one that does");
  if (node.output_size() == 0)
    return error("node '" + name + "' has no output; expected at least one");
  for (const std::string &output : node.output())
    if (!output.empty())
      if (Result<void> good = names.define(output, "node '" + name + "'"); !good)
        return good;
  return {};
}

Result<void> checkAttributes(const onnx::NodeProto &node, const std::string &name) {
  for (const auto &attribute : node.attribute())
    if (attribute.has_g() || attribute.graphs_size() || attribute.has_sparse_tensor() ||
        attribute.sparse_tensors_size() || attribute.has_tp() || attribute.type_protos_size())
      return error("node '" + name + "' has a graph, type or sparse tensor in attribute '" +
                   attribute.name() + "'; expected numbers, texts or a dense tensor");
  return {};
}

Result<void> checkOutputs(const onnx::GraphProto &graph, const Names &names) {
  std::set<std::string> seen;
  if (graph.output_size() == 0)
    return error("it has no output; expected at least one");
  for (const auto *list : {&graph.output(), &graph.value_info()})
    for (const auto &value : *list)
      if (Result<void> good = checkDeclaration(value); !good)
        return good;
  for (const auto &output : graph.output()) {
    if (!names.has(output.name()))
      return error("output '" + output.name() +
                   "' is computed nowhere; expected an input, an initializer or a node that gives it");
    if (!seen.insert(output.name()).second)
      return error("output '" + output.name() + "' appears twice; expected different outputs");
  }
  return {};
}

} // namespace

Result<void> checkStructure(const onnx::GraphProto &graph) {
  Names names;
  if (Result<void> good = checkInputs(graph, names); !good)
    return good;
  int index = 0;
  for (const auto &node : graph.node()) {
    const std::string name = nodeName(node, index++);
    if (Result<void> good = checkAttributes(node, name); !good)
      return good;
    if (Result<void> good = checkNode(node, name, names); !good)
      return good;
  }
  return checkOutputs(graph, names);
}

Result<void> checkValues(const onnx::GraphProto &graph) {
  std::set<std::string> constants;
  for (const auto &tensor : graph.initializer()) {
    constants.insert(tensor.name());
    if (Result<void> good = checkTensor(tensor); !good)
      return error("initializer '" + tensor.name() + "' " + good.error());
  }
  for (const auto &input : graph.input()) {
    const int32_t dtype = input.type().tensor_type().elem_type();
    if (!constants.count(input.name()) && !isPlainType(dtype))
      return error("input '" + input.name() + "' has type " + dtypeName(dtype) + "; expected " +
                   plainTypeNames);
  }
  return {};
}

Result<void> checkContent(const onnx::ModelProto &model) {
  constexpr int64_t newestIrVersion = 14;
  if (model.ir_version() > newestIrVersion)
    return error("declares IR version " + std::to_string(model.ir_version()) + "; expected at most " +
                 std::to_string(newestIrVersion));
  std::set<std::string> domains;
  for (const auto &import : model.opset_import())
    if (!domains.insert(isOnnxDomain(import.domain()) ? "" : import.domain()).second)
      return error("imports opsets of domain '" + import.domain() + "' twice; expected one");
  if (model.training_info_size())
    return error("holds training information; expected a model for inference");
  if (model.graph().sparse_initializer_size())
    return error("holds sparse initializers; expected dense ones");
  return {};
}

} // namespace daedalus::onnximport
