// What a random graph computes, written separately from the product: plain loops over int64, straight from
// docs/quantization.md. It shares no code with the compiler, the engines or isa/semantics.h.
#pragma once

#include "random_graph.h"

namespace daedalus::testing {

/// The content of every value of the graph, in the order of Graph::values, for that input.
std::vector<std::vector<int8_t>> evaluate(const Graph &graph, const std::vector<int8_t> &input);

} // namespace daedalus::testing
