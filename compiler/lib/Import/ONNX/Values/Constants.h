// Constants of ONNX as constants of MLIR.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_VALUES_CONSTANTS_H
#define DAEDALUS_LIB_IMPORT_ONNX_VALUES_CONSTANTS_H

#include "Values/HostTensor.h"

#include "mlir/IR/BuiltinAttributes.h"

namespace daedalus::onnximport {

/// The elements, of the plain type that stands for the tensor's own.
mlir::DenseElementsAttr elementsOf(const HostTensor &host, mlir::RankedTensorType type);

/// The real numbers in f32 that integers of a quantized type stand for.
HostTensorPtr dequantized(const HostTensor &host, mlir::Type quantized);

} // namespace daedalus::onnximport

#endif
