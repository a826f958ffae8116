// The ONNX model of a random graph: QDQ form, int8 from the input to the outputs.
#pragma once

#include "random_graph.h"

#include <string>

namespace daedalus::testing {

/// The serialized ModelProto (opset 13): a DequantizeLinear per use of a value or one shared by all of
/// them, chosen by the seed, and a QuantizeLinear behind every node.
std::string toOnnx(const Graph &graph);

} // namespace daedalus::testing
