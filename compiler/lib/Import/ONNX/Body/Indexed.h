// Indices that are tensors: what they have to be at run time, and the places that they name.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_BODY_INDEXED_H
#define DAEDALUS_LIB_IMPORT_ONNX_BODY_INDEXED_H

#include "Body/Kernel.h"

namespace daedalus::onnximport {

/// The kernel gives up where an element of this input, unless it is constant and so was checked, is not from
/// `least` to below `end`.
void requireRange(GeneralKernel &k, size_t input, int64_t least, int64_t end);
/// The same of indices of a dimension of `size`, which may count from its end.
void requireIndices(GeneralKernel &k, size_t input, int64_t size);
/// The same from 0 on, where they may also be `except`.
void requireLabels(GeneralKernel &k, size_t input, int64_t end, std::optional<int64_t> except);
/// The same of an input [..., sizes] of indices of dimensions of `sizes`.
void requireTuples(GeneralKernel &k, size_t input, Sizes sizes);
/// An index of a dimension of `size`, where a negative one counts from the end; inside of it in any case.
mlir::Value wrapped(GeneralKernel &k, mlir::Value index, int64_t size);
/// The tuple at `at` of `tuples` [..., sizes].
Indices tupleAt(GeneralKernel &k, mlir::Value tuples, llvm::ArrayRef<mlir::Value> at, Sizes sizes);

} // namespace daedalus::onnximport

#endif
