// What ONNX means by a node of a random graph: real numbers in double precision between DequantizeLinear and
// QuantizeLinear. It shares no code with reference.cpp, which computes in integers.
#pragma once

#include "random_graph.h"

namespace daedalus::testing {

/// The node's output for the given content of the graph's values.
std::vector<int8_t> defined(const Graph &graph, const GraphNode &node,
                            const std::vector<std::vector<int8_t>> &data);

/// The content of every value, each node as it is defined.
std::vector<std::vector<int8_t>> definedAll(const Graph &graph, const std::vector<int8_t> &input);

} // namespace daedalus::testing
