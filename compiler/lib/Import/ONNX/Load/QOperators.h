// The QOperator form, and com.microsoft's quantized operators, in QDQ form.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_LOAD_QOPERATORS_H
#define DAEDALUS_LIB_IMPORT_ONNX_LOAD_QOPERATORS_H

#include "daedalus/support/result.h"

#include <onnx/onnx_pb.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace daedalus::onnximport {

/// What a node was made of that stands in another one's place.
struct Origin {
  std::string name, kind; ///< as nodeKind says it
};
struct Lowered {
  std::map<const onnx::NodeProto *, Origin> nodes;
  std::map<std::string, std::string> values; ///< what an input became when it was dequantized: the input
};

/// Whether a node is one of a quantized operator that lowerQOperators replaces.
bool isQOperator(const onnx::NodeProto &node);

/// Replaces them: each becomes a DequantizeLinear for every quantized input, the operator on real numbers
/// under the node's name, and a QuantizeLinear, which are those of opset 13 whatever the model's is. What is
/// dropped or cannot be said in QDQ form is an error.
Result<void> lowerQOperators(onnx::GraphProto &graph, int64_t opset, Lowered &lowered);

/// "QLinearAdd", ... as docs and messages name them.
std::vector<std::string> qOperators();

} // namespace daedalus::onnximport

#endif
