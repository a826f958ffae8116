// The order of nodes in a file, which runtimes do not rely on.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_LOAD_NODEORDER_H
#define DAEDALUS_LIB_IMPORT_ONNX_LOAD_NODEORDER_H

#include "daedalus/support/result.h"

#include <onnx/onnx_pb.h>

namespace daedalus::onnximport {

/// Every node of the graph, of the functions and of branches stands behind those whose values it reads, and
/// otherwise as it stood; where that moves any, those without a name get the one of their place. The error
/// names the nodes of a cycle; it goes on behind the model's name.
Result<void> orderNodes(onnx::ModelProto &model);

} // namespace daedalus::onnximport

#endif
