// See Branches.h.

#include "Load/Branches.h"

#include "Load/Load.h"

#include <algorithm>
#include <map>
#include <set>

namespace daedalus::onnximport {
namespace {

using onnx::GraphProto;
using onnx::ModelProto;
using onnx::NodeProto;
using Names = std::map<std::string, std::string>;

constexpr int mostNodes = 1 << 20;

bool isIf(const NodeProto &node) {
  return isOnnxDomain(node.domain()) && node.op_type() == "If";
}

const GraphProto *branchOf(const NodeProto &node, bool isTaken) {
  for (const auto &attribute : node.attribute())
    if (attribute.name() == (isTaken ? "then_branch" : "else_branch") && attribute.has_g())
      return &attribute.g();
  return nullptr;
}

/// What a node reads, its branches too.
void collectReads(const NodeProto &node, std::set<std::string> &reads) {
  reads.insert(node.input().begin(), node.input().end());
  for (const auto &attribute : node.attribute())
    for (const NodeProto &inner : attribute.g().node())
      collectReads(inner, reads);
}

/// The model as far as one value depends on it, which is its only output.
ModelProto slice(const ModelProto &model, const std::string &value) {
  ModelProto part;
  part.set_ir_version(model.ir_version());
  *part.mutable_opset_import() = model.opset_import();
  GraphProto &graph = *part.mutable_graph();
  graph.set_name(model.graph().name());
  std::set<std::string> needed = {value};
  std::vector<const NodeProto *> nodes;
  for (int i = model.graph().node_size(); i-- > 0;) {
    const NodeProto &node = model.graph().node(i);
    if (std::any_of(node.output().begin(), node.output().end(),
                    [&](const std::string &output) { return needed.count(output) != 0; })) {
      nodes.push_back(&node);
      collectReads(node, needed);
    }
  }
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node)
    *graph.add_node() = **node;
  for (const auto &tensor : model.graph().initializer())
    if (needed.count(tensor.name()))
      *graph.add_initializer() = tensor;
  *graph.mutable_input() = model.graph().input();
  *graph.mutable_value_info() = model.graph().value_info();
  auto &output = *graph.add_output();
  output.set_name(value);
  output.mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::BOOL);
  return part;
}

/// Renames what a node reads and gives; in its branches what they read of outside.
void rename(NodeProto &node, const Names &names) {
  const auto replace = [&](std::string &value) {
    if (const auto found = names.find(value); found != names.end())
      value = found->second;
  };
  for (std::string &input : *node.mutable_input())
    replace(input);
  for (std::string &output : *node.mutable_output())
    replace(output);
  for (auto &attribute : *node.mutable_attribute()) {
    if (!attribute.has_g())
      continue;
    Names outer = names;
    for (const auto &tensor : attribute.g().initializer())
      outer.erase(tensor.name());
    for (const NodeProto &inner : attribute.g().node())
      for (const std::string &output : inner.output())
        outer.erase(output);
    for (NodeProto &inner : *attribute.mutable_g()->mutable_node())
      rename(inner, outer);
    for (auto &output : *attribute.mutable_g()->mutable_output())
      if (const auto found = outer.find(output.name()); found != outer.end())
        output.set_name(found->second);
  }
}

/// A branch in the place of its If.
class Splice {
public:
  Splice(const NodeProto &node, const GraphProto &branch, GraphProto &graph) {
    const std::string prefix = node.name() + "/";
    for (const auto &tensor : branch.initializer())
      names[tensor.name()] = prefix + tensor.name();
    for (const NodeProto &inner : branch.node())
      for (const std::string &output : inner.output())
        if (!output.empty())
          names[output] = prefix + output;
    for (const auto &tensor : branch.initializer()) {
      auto *added = graph.add_initializer();
      *added = tensor;
      added->set_name(names[tensor.name()]);
    }
    int index = 0;
    for (const NodeProto &inner : branch.node()) {
      NodeProto &made = nodes.emplace_back(inner);
      made.set_name(prefix + nodeName(inner, index++));
      rename(made, names);
    }
    for (int i = 0; i < node.output_size(); ++i)
      if (!node.output(i).empty())
        give(branch.output(i).name(), node.output(i), prefix);
  }

  std::vector<NodeProto> nodes;

private:
  /// A value of the branch, or one that it reads of outside, under the name that the If gives.
  void give(const std::string &inner, const std::string &outer, const std::string &prefix) {
    const auto found = names.find(inner);
    NodeProto &node = nodes.emplace_back();
    node.set_op_type("Identity"), node.set_name(prefix + inner);
    node.add_input(found == names.end() ? inner : found->second), node.add_output(outer);
  }

  Names names;
};

class Inliner {
public:
  Inliner(ModelProto &model, const Evaluate &evaluate) : model(model), evaluate(evaluate) {}

  Result<void> run() {
    auto &nodes = *model.mutable_graph()->mutable_node();
    for (int i = 0; i < nodes.size(); ++i)
      nodes[i].set_name(nodeName(nodes[i], i)); // its index is another one afterwards
    for (int i = 0; i < nodes.size();) {
      if (!isIf(nodes[i]))
        ++i;
      else if (Result<void> good = inlineAt(i); !good)
        return good;
    }
    return {};
  }

private:
  Result<void> inlineAt(int at) {
    GraphProto &graph = *model.mutable_graph();
    const NodeProto node = graph.node(at);
    const std::string who = "has node '" + node.name() + "', an If, ";
    if (node.input_size() != 1 || !branchOf(node, true) || !branchOf(node, false))
      return error(who + "without a condition, then_branch or else_branch");
    const std::optional<bool> condition = evaluate(slice(model, node.input(0)));
    if (!condition)
      return error(
          who + "whose condition '" + node.input(0) +
          "' comes at run time; expected one that constants and shapes decide: where an input decides it, "
          "fix that input with --set INPUT=NUMBER");
    const GraphProto &branch = *branchOf(node, *condition);
    if (branch.output_size() != node.output_size())
      return error(who + "with " + std::to_string(node.output_size()) + " outputs and a branch of " +
                   std::to_string(branch.output_size()) + "; expected as many");
    return replace(at, Splice(node, branch, graph).nodes, who);
  }

  Result<void> replace(int at, const std::vector<NodeProto> &with, const std::string &who) {
    GraphProto &graph = *model.mutable_graph();
    google::protobuf::RepeatedPtrField<NodeProto> nodes;
    nodes.Swap(graph.mutable_node());
    if (nodes.size() + int(with.size()) > mostNodes)
      return error(who + "and more than " + std::to_string(mostNodes) + " nodes; expected fewer");
    for (int i = 0; i < nodes.size(); ++i)
      if (i == at)
        for (const NodeProto &node : with)
          *graph.add_node() = node;
      else
        graph.add_node()->Swap(&nodes[i]);
    return {};
  }

  ModelProto &model;
  const Evaluate &evaluate;
};

} // namespace

Result<void> inlineBranches(ModelProto &model, const Evaluate &evaluate) {
  const auto &nodes = model.graph().node();
  return std::any_of(nodes.begin(), nodes.end(), isIf) ? Inliner(model, evaluate).run() : Result<void>();
}

} // namespace daedalus::onnximport
