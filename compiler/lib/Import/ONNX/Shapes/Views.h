// Operators that compute nothing.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_SHAPES_VIEWS_H
#define DAEDALUS_LIB_IMPORT_ONNX_SHAPES_VIEWS_H

#include "OperatorTable.h"

namespace daedalus::onnximport {

/// A view: of another shape, or of none where the operator computes nothing.
Covered importReshape(Importer &im, const Node &node);
/// Of a constant: a call that passes fold. Its numbers are known behind it.
Covered importIdentity(Importer &im, const Node &node);

} // namespace daedalus::onnximport

#endif
