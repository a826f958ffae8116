// The shapes that Resize and Upsample give.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_IMAGES_RESIZERULE_H
#define DAEDALUS_LIB_IMPORT_ONNX_IMAGES_RESIZERULE_H

#include "OperatorTable.h"

namespace daedalus::onnximport {

bool resize(NodeCheck &c);
bool upsample(NodeCheck &c);

} // namespace daedalus::onnximport

#endif
