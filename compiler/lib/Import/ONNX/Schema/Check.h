// What a model has to be before anything is built of it: every node is checked against its operator's schema
// (counts, attributes, types) and its operator's rule (ranks, axes, ranges, shapes that fit), and the types
// and shapes of its outputs are computed on the way. Behind it builders rely on all of that.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_SCHEMA_CHECK_H
#define DAEDALUS_LIB_IMPORT_ONNX_SCHEMA_CHECK_H

#include "../Load/QOperators.h"

#include "daedalus/support/result.h"

#include <onnx/onnx_pb.h>

#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/LogicalResult.h"

#include <set>
#include <string>
#include <vector>

namespace daedalus::onnximport {

/// The names and constants of a graph: every value is defined once and before it is read.
Result<void> checkStructure(const onnx::GraphProto &graph);

/// Types, sizes and data of a graph's inputs and constants.
Result<void> checkValues(const onnx::GraphProto &graph);

/// Refuses what is nothing a package can hold: functions, sparse constants, subgraphs, training.
Result<void> checkContent(const onnx::ModelProto &model);

/// The counts and attributes of a node of the QOperator form.
Result<void> checkQOperator(const onnx::NodeProto &node, int64_t opset);

/// The opset that the model declares, and the nodes that the importer has put in the place of others, which
/// are of opset 13 at least.
struct Opsets {
  int64_t declared = 0;
  Lowered lowered{};

  int64_t of(const onnx::NodeProto &node) const {
    return lowered.nodes.count(&node) ? std::max<int64_t>(declared, 13) : declared;
  }
};

/// Counts and attributes of all nodes of ONNX's own domain. On failure one diagnostic at the node is emitted.
mlir::LogicalResult checkForms(const onnx::GraphProto &graph, const Opsets &opsets,
                               mlir::MLIRContext &context);

/// Removes optional outputs that nothing reads: the mask of a Dropout, the indices of a MaxPool.
void dropUnread(onnx::GraphProto &graph, const Opsets &opsets);

/// Types, ranks, values and shapes of all nodes, in order. What is found becomes the graph's value_info. On
/// failure one diagnostic at the node is emitted.
mlir::LogicalResult checkNodes(onnx::GraphProto &graph, const Opsets &opsets, mlir::MLIRContext &context);

} // namespace daedalus::onnximport

#endif
