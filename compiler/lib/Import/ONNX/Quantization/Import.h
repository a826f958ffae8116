// QuantizeLinear and DequantizeLinear as casts between real numbers and a quantized type.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_QUANTIZATION_IMPORT_H
#define DAEDALUS_LIB_IMPORT_ONNX_QUANTIZATION_IMPORT_H

#include "OperatorTable.h"

namespace daedalus::onnximport {

Covered importQuantize(Importer &im, const Node &node);
Covered importDequantize(Importer &im, const Node &node);

} // namespace daedalus::onnximport

#endif
