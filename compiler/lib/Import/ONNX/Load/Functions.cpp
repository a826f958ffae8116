// See Functions.h.

#include "Load/Functions.h"

#include "Load/Load.h"

#include <google/protobuf/unknown_field_set.h>

#include <map>

namespace daedalus::onnximport {
namespace {

using onnx::FunctionProto;
using onnx::GraphProto;
using onnx::NodeProto;

constexpr int mostDepth = 64, mostNodes = 1 << 20; // calls count as nodes

/// The values that a function's attributes have where a call gives none: the field attribute_proto, which
/// onnx.proto has since IR version 9 and libonnx 1.12 does not know.
std::vector<onnx::AttributeProto> defaultsOf(const FunctionProto &function) {
  constexpr int attributeProto = 11;
  std::vector<onnx::AttributeProto> defaults;
  const auto &unknown = function.unknown_fields();
  for (int i = 0; i < unknown.field_count(); ++i) {
    const auto &field = unknown.field(i);
    onnx::AttributeProto attribute;
    if (field.number() == attributeProto &&
        field.type() == google::protobuf::UnknownField::TYPE_LENGTH_DELIMITED &&
        attribute.ParseFromString(field.length_delimited()))
      defaults.push_back(std::move(attribute));
  }
  return defaults;
}

/// The names of a function's values at one call of it.
class Call {
public:
  Call(const FunctionProto &function, const NodeProto &node, std::string name) : name(std::move(name)) {
    for (int i = 0; i < function.input_size(); ++i)
      names[function.input(i)] = i < node.input_size() ? node.input(i) : "";
    for (int i = 0; i < function.output_size(); ++i)
      if (i < node.output_size() && !node.output(i).empty())
        define(function.output(i), node.output(i));
    attributes.assign(node.attribute().begin(), node.attribute().end());
    for (onnx::AttributeProto &attribute : defaultsOf(function))
      attributes.push_back(std::move(attribute)); // what the call gives comes first
  }

  /// Outputs of the function that are inputs of it, as nodes of the caller.
  const std::vector<NodeProto> &forwards() const { return forwarded; }

  /// A node of the function as one of the caller's.
  NodeProto at(const NodeProto &inner, int index) {
    NodeProto made = inner;
    made.set_name(name + "/" + nodeName(inner, index));
    for (std::string &input : *made.mutable_input())
      input = of(input);
    for (std::string &output : *made.mutable_output())
      output = of(output);
    made.clear_attribute();
    for (const auto &attribute : inner.attribute())
      add(attribute, made);
    return made;
  }

private:
  void define(const std::string &inner, const std::string &outer) {
    if (const auto [known, isNew] = names.insert({inner, outer}); !isNew) {
      NodeProto &node = forwarded.emplace_back();
      node.set_op_type("Identity"), node.set_name(name + "/" + inner);
      node.add_input(known->second), node.add_output(outer);
    }
  }

  std::string of(const std::string &value) {
    return value.empty() ? value : names.insert({value, name + "/" + value}).first->second;
  }

  /// An attribute that stands for one of the call is that one, or is not there.
  void add(const onnx::AttributeProto &attribute, NodeProto &made) const {
    if (attribute.ref_attr_name().empty()) {
      *made.add_attribute() = attribute;
      return;
    }
    const auto given = std::find_if(attributes.begin(), attributes.end(),
                                    [&](const auto &one) { return one.name() == attribute.ref_attr_name(); });
    if (given == attributes.end())
      return;
    auto *added = made.add_attribute();
    *added = *given;
    added->set_name(attribute.name());
  }

  const std::string name;
  std::map<std::string, std::string> names;
  std::vector<onnx::AttributeProto> attributes;
  std::vector<NodeProto> forwarded;
};

class Inliner {
public:
  explicit Inliner(onnx::ModelProto &model) : model(model) {
    for (const FunctionProto &function : model.functions())
      functions[{function.domain(), function.name()}] = &function;
    for (const auto &import : model.opset_import())
      if (isOnnxDomain(import.domain()))
        opset = import.version();
  }

  Result<void> run() {
    for (const FunctionProto &function : model.functions())
      for (const auto &import : function.opset_import())
        if (isOnnxDomain(import.domain()) && import.version() != opset)
          return error("defines function '" + function.name() + "' of opset " +
                       std::to_string(import.version()) + "; expected opset " + std::to_string(opset) +
                       ", as the model's own");
    GraphProto &graph = *model.mutable_graph();
    google::protobuf::RepeatedPtrField<NodeProto> nodes;
    nodes.Swap(graph.mutable_node());
    int index = 0;
    for (NodeProto &node : nodes) {
      node.set_name(nodeName(node, index++)); // its index is another one afterwards
      if (Result<void> good = add(node, graph, 0); !good)
        return good;
    }
    model.clear_functions();
    return {};
  }

private:
  const FunctionProto *calleeOf(const NodeProto &node) const {
    const auto found = functions.find({node.domain(), node.op_type()});
    return found == functions.end() ? nullptr : found->second;
  }

  Result<void> add(const NodeProto &node, GraphProto &graph, int depth) {
    const FunctionProto *callee = calleeOf(node);
    if (!callee) {
      *graph.add_node() = node;
      return {};
    }
    if (depth == mostDepth || ++calls + graph.node_size() > mostNodes)
      return error("defines function '" + callee->name() + "', which calls itself or grows beyond " +
                   std::to_string(mostNodes) + " nodes; expected functions that end");
    if (node.input_size() > callee->input_size() || node.output_size() > callee->output_size())
      return error("calls function '" + callee->name() + "' in node '" + node.name() + "' with " +
                   std::to_string(node.input_size()) + " inputs and " + std::to_string(node.output_size()) +
                   " outputs; expected at most " + std::to_string(callee->input_size()) + " and " +
                   std::to_string(callee->output_size()));
    Call call(*callee, node, node.name());
    int index = 0;
    for (const NodeProto &inner : callee->node())
      if (Result<void> good = add(call.at(inner, index++), graph, depth + 1); !good)
        return good;
    for (const NodeProto &forward : call.forwards())
      *graph.add_node() = forward;
    return {};
  }

  onnx::ModelProto &model;
  std::map<std::pair<std::string, std::string>, const FunctionProto *> functions;
  int64_t opset = 0;
  int calls = 0;
};

} // namespace

Result<void> inlineFunctions(onnx::ModelProto &model) {
  return model.functions_size() ? Inliner(model).run() : Result<void>();
}

} // namespace daedalus::onnximport
