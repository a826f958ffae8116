// The window of a transposed convolution: what its attributes make of an image's size.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_TRANSPOSEDWINDOW_H
#define DAEDALUS_LIB_IMPORT_ONNX_TRANSPOSEDWINDOW_H

#include "Node.h"

namespace daedalus::onnximport {

/// One entry a dimension of the image. Each element of the image adds the kernel to the output, `strides`
/// apart; of that `padBegin` and `padEnd` are cut off (added where negative), and `outputPadding` is part of
/// padEnd already.
struct TransposedWindow {
  Shape kernel, strides, dilations, padBegin, padEnd, output;
};

/// auto_pad, pads, strides, dilations, output_padding and output_shape of a ConvTranspose over input
/// [N,C,...].
Result<TransposedWindow> readTransposedWindow(const Node &node, const Shape &input, const Shape &kernel);

} // namespace daedalus::onnximport

#endif
