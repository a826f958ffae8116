// A tensor as three dimensions around an axis.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_REDUCTIONS_AROUNDAXIS_H
#define DAEDALUS_LIB_IMPORT_ONNX_REDUCTIONS_AROUNDAXIS_H

#include "OperatorTable.h"

namespace daedalus::onnximport {

/// The tensor as [outer, the axis (with `toEnd` all dimensions from it on), inner].
mlir::Value aroundAxis(GeneralKernel &k, unsigned axis, bool toEnd);

} // namespace daedalus::onnximport

#endif
