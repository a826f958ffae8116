// Functions that a model defines for itself.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_LOAD_FUNCTIONS_H
#define DAEDALUS_LIB_IMPORT_ONNX_LOAD_FUNCTIONS_H

#include "daedalus/support/result.h"

#include <onnx/onnx_pb.h>

namespace daedalus::onnximport {

/// Puts the nodes of the model's functions in the place of the nodes that call them, functions of functions
/// too, and removes the functions. A node "f" that calls a function gives nodes and values "f/NAME".
Result<void> inlineFunctions(onnx::ModelProto &model);

} // namespace daedalus::onnximport

#endif
