// The heads of attention.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_ATTENTION_HEADS_H
#define DAEDALUS_LIB_IMPORT_ONNX_ATTENTION_HEADS_H

#include "OperatorTable.h"

namespace daedalus::onnximport {

/// The shape [batch,heads,length,size] of queries, keys or values, of which those of rank 3 are packed;
/// attribute `key` says the number of heads.
bool headsOf(NodeCheck &c, size_t input, Text key, Shape &shape);

} // namespace daedalus::onnximport

#endif
