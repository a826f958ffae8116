// Tensors whose data lie in a file beside the model, as exporters write large ones.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_LOAD_EXTERNALDATA_H
#define DAEDALUS_LIB_IMPORT_ONNX_LOAD_EXTERNALDATA_H

#include "daedalus/support/result.h"

#include <onnx/onnx_pb.h>

#include <string>

namespace daedalus::onnximport {

/// Reads the data of initializers and attributes into the graph. Files lie in `folder` or below it, links
/// followed; an empty folder stands for a model that is no file, which has none.
Result<void> readExternalData(onnx::GraphProto &graph, const std::string &folder);

} // namespace daedalus::onnximport

#endif
