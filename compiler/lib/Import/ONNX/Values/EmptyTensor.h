// Constants without elements.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_VALUES_EMPTYTENSOR_H
#define DAEDALUS_LIB_IMPORT_ONNX_VALUES_EMPTYTENSOR_H

#include "Values/HostTensor.h"

namespace daedalus::onnximport {

/// The tensor of a shape with an extent of 0.
template <class Shape> HostTensorPtr emptyTensor(int32_t dtype, const Shape &shape) {
  auto tensor = std::make_shared<HostTensor>();
  tensor->dtype = dtype;
  tensor->shape.assign(shape.begin(), shape.end());
  return tensor;
}

} // namespace daedalus::onnximport

#endif
