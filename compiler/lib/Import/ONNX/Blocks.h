// The blocks of an image that a Col2Im puts together.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_BLOCKS_H
#define DAEDALUS_LIB_IMPORT_ONNX_BLOCKS_H

#include "Node.h"

namespace daedalus::onnximport {

/// One entry a dimension of the image.
struct Blocks {
  Shape image, block, strides, dilations, padBegin, counts; ///< counts: blocks along each dimension
};

/// strides, dilations and pads of a Col2Im to an image of blocks of these shapes.
Result<Blocks> readBlocks(const Node &node, const Shape &image, const Shape &block);

} // namespace daedalus::onnximport

#endif
