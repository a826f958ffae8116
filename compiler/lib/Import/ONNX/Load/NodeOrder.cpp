// Kahn's algorithm: of the nodes that can be computed, the one that stands first in the file is next.

#include "Load/NodeOrder.h"

#include "Load/Load.h"

#include <algorithm>
#include <map>
#include <queue>
#include <set>
#include <vector>

namespace daedalus::onnximport {
namespace {

using onnx::NodeProto;
using Nodes = google::protobuf::RepeatedPtrField<NodeProto>;

constexpr size_t mostNames = 20; ///< of a cycle, in its sentence

/// What a node reads: its inputs, and of its branches what is not their own.
void collectReads(const NodeProto &node, std::set<std::string> &reads) {
  reads.insert(node.input().begin(), node.input().end());
  for (const auto &attribute : node.attribute()) {
    std::set<std::string> inner;
    for (const NodeProto &below : attribute.g().node())
      collectReads(below, inner);
    for (const auto &output : attribute.g().output())
      inner.insert(output.name());
    for (const NodeProto &below : attribute.g().node())
      for (const std::string &own : below.output())
        inner.erase(own);
    reads.insert(inner.begin(), inner.end());
  }
}

/// The nodes of one list, by their places in it.
class Order {
public:
  explicit Order(Nodes &nodes) : nodes(nodes), readers(nodes.size()), missing(nodes.size()) {
    for (int i = 0; i < nodes.size(); ++i)
      for (const std::string &output : nodes[i].output())
        if (!output.empty())
          givers.insert({output, i});
    for (int i = 0; i < nodes.size(); ++i)
      for (int giver : giversOf(i)) {
        readers[giver].push_back(i);
        ++missing[i];
      }
  }

  Result<void> run() {
    std::priority_queue<int, std::vector<int>, std::greater<>> ready;
    for (int i = 0; i < nodes.size(); ++i)
      if (missing[i] == 0)
        ready.push(i);
    std::vector<int> order;
    while (!ready.empty()) {
      const int next = ready.top();
      ready.pop();
      order.push_back(next);
      for (int reader : readers[next])
        if (--missing[reader] == 0)
          ready.push(reader);
    }
    if (order.size() < static_cast<size_t>(nodes.size()))
      return cycle();
    if (!std::is_sorted(order.begin(), order.end()))
      move(order);
    return {};
  }

private:
  /// The nodes that give what a node reads, itself too where it reads its own output.
  std::set<int> giversOf(int index) const {
    std::set<std::string> reads;
    collectReads(nodes[index], reads);
    std::set<int> all;
    for (const std::string &read : reads)
      if (const auto found = givers.find(read); found != givers.end())
        all.insert(found->second);
    return all;
  }

  void move(const std::vector<int> &order) {
    Nodes before;
    before.Swap(&nodes);
    for (int i : order) {
      before[i].set_name(nodeName(before[i], i));
      nodes.Add()->Swap(&before[i]);
    }
  }

  /// From a node that waits to one that it waits for, until one comes again.
  Error cycle() const {
    std::vector<int> path;
    int at = static_cast<int>(std::find_if(missing.begin(), missing.end(), [](int m) { return m > 0; }) -
                              missing.begin());
    for (; std::find(path.begin(), path.end(), at) == path.end();) {
      path.push_back(at);
      const std::set<int> all = giversOf(at);
      at = *std::find_if(all.begin(), all.end(), [&](int giver) { return missing[giver] > 0; });
    }
    path.erase(path.begin(), std::find(path.begin(), path.end(), at));
    std::string names;
    for (size_t i = 0; i < std::min(path.size(), mostNames); ++i)
      names += (i ? ", '" : "'") + nodeName(nodes[path[i]], path[i]) + "'";
    if (path.size() > mostNames)
      names += " and " + std::to_string(path.size() - mostNames) + " more";
    return error(path.size() == 1
                     ? "has the node " + names + ", which reads its own output; expected no cycle"
                     : "has a cycle of the nodes " + names +
                           ", each of which reads what the next one gives, and the last one what the "
                           "first one gives; expected no cycle");
  }

  Nodes &nodes;
  std::map<std::string, int> givers; ///< by values
  std::vector<std::vector<int>> readers;
  std::vector<int> missing; ///< givers that are not there yet
};

Result<void> orderList(Nodes &nodes) {
  for (NodeProto &node : nodes)
    for (auto &attribute : *node.mutable_attribute())
      if (attribute.has_g())
        if (Result<void> good = orderList(*attribute.mutable_g()->mutable_node()); !good)
          return good;
  return Order(nodes).run();
}

} // namespace

Result<void> orderNodes(onnx::ModelProto &model) {
  for (auto &function : *model.mutable_functions())
    if (Result<void> good = orderList(*function.mutable_node()); !good)
      return good;
  return orderList(*model.mutable_graph()->mutable_node());
}

} // namespace daedalus::onnximport
