// What DepthToSpace and SpaceToDepth do to the dimensions of an image.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_BLOCKMOVE_H
#define DAEDALUS_LIB_IMPORT_ONNX_BLOCKMOVE_H

#include "Node.h"

namespace daedalus::onnximport {

/// The image has the dimensions `split`, of which `order` are those of the result in turn, of shape `shape`.
struct BlockMove {
  Shape split, order, shape;
};

/// Of a checked node over `x` [N,C,H,W].
BlockMove blockMoveOf(const Node &node, const Shape &x);

} // namespace daedalus::onnximport

#endif
