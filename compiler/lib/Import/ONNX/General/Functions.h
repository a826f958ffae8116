// Functions of one tensor, element by element: what their files share.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_GENERAL_FUNCTIONS_H
#define DAEDALUS_LIB_IMPORT_ONNX_GENERAL_FUNCTIONS_H

#include "Kernel.h"

namespace daedalus::onnximport {

/// f of each element.
template <class F> mlir::Value unary(GeneralKernel &k, F f) {
  return k.elementwiseOutput(k.read(0), [&](mlir::ValueRange x) { return f(x[0]); });
}

/// The same of float32 alone.
template <class F> mlir::Value ofFloat(GeneralKernel &k, F f) {
  if (k.dtype(0) != onnx::TensorProto::FLOAT)
    return k.refuseType(0, "float32");
  return unary(k, f);
}

/// 1 / (1 + e^-x).
inline mlir::Value sigmoidOf(kernels::Scalars &s, mlir::Value x) {
  mlir::Value e = s.exp(s.sub(s.number(0, x.getType()), x));
  return s.div(s.number(1, x.getType()), s.add(s.number(1, x.getType()), e));
}

} // namespace daedalus::onnximport

#endif
