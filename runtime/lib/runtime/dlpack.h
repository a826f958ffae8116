// DLPack tensors and ours.
#pragma once

#include "daedalus/package/package.h"
#include "daedalus/runtime/session.h"
#include "daedalus/support/result.h"

#include <dlpack/dlpack.h>

namespace daedalus::runtime {

DLDataType toDl(package::DType dtype);
Result<package::DType> fromDl(DLDataType dtype);

/// A dense tensor in host memory over `view`; its shape is the view's type's.
DLTensor toDl(const TensorView &view);

/// The type of a dense row-major tensor in host memory. Errors are clauses: "is not on the CPU".
Result<package::TensorType> typeOf(const DLTensor &tensor);

/// The first element.
inline uint8_t *dataOf(const DLTensor &tensor) {
  return static_cast<uint8_t *>(tensor.data) + tensor.byte_offset;
}

} // namespace daedalus::runtime
