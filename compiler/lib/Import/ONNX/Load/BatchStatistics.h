// Normalizations of constants by their own statistics: standardized weights, as timm's networks have them.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_LOAD_BATCHSTATISTICS_H
#define DAEDALUS_LIB_IMPORT_ONNX_LOAD_BATCHSTATISTICS_H

#include <onnx/onnx_pb.h>

namespace daedalus::onnximport {

/// Computes each BatchNormalization with training_mode whose inputs are constants, or constants in another
/// shape or scaled: its outputs are initializers afterwards. The graph is a checked one, whose types are
/// known.
void foldBatchStatistics(onnx::GraphProto &graph);

} // namespace daedalus::onnximport

#endif
