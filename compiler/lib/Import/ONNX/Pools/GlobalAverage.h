// A mean over whole images.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_POOLS_GLOBALAVERAGE_H
#define DAEDALUS_LIB_IMPORT_ONNX_POOLS_GLOBALAVERAGE_H

#include "Importer.h"

namespace daedalus::onnximport {

/// The mean over all dimensions behind the channels, as a window that is the image; of shape `output`.
Covered importGlobalAverage(Importer &im, const Node &node, const Shape &output);

} // namespace daedalus::onnximport

#endif
