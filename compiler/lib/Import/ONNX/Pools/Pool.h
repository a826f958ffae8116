// What pools share.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_POOLS_POOL_H
#define DAEDALUS_LIB_IMPORT_ONNX_POOLS_POOL_H

#include "OperatorTable.h"

#include "daedalus/Kernels/Pools.h"

namespace daedalus::onnximport {

/// A window of attribute 'kernel_shape' in which every place has an element. A sum over the padding alone is
/// zero; it has no mean, and no extreme.
bool poolShape(NodeCheck &c, bool isSum = false);
/// One place for each channel: of an input whose images have elements.
bool globalPool(NodeCheck &c);
/// Of a checked node.
Window poolWindow(GeneralKernel &k);
/// Input 0, surrounded by `padding`.
kernels::PoolInputs inputs(GeneralKernel &k, const Window &window, mlir::Value padding);
/// [N,C,H,W] or [N,C,L].
bool isImage(const Shape &shape);
/// Whether every window covers an element of the image of this shape.
bool covers(const Window &window, const Shape &shape);
Shape outputShape(const Shape &input, const Window &window);

} // namespace daedalus::onnximport

#endif
