// Indices that are tuples, in input 1 [..., depth].

#ifndef DAEDALUS_LIB_IMPORT_ONNX_INDEXING_TUPLES_H
#define DAEDALUS_LIB_IMPORT_ONNX_INDEXING_TUPLES_H

#include "Body/Indexed.h"
#include "OperatorTable.h"

namespace daedalus::onnximport {

/// That the tuples index these dimensions.
bool tuplesIndex(NodeCheck &c, Sizes sizes);
/// That their depth is from 1 to `most`.
bool depthIsTo(NodeCheck &c, int64_t most);

} // namespace daedalus::onnximport

#endif
