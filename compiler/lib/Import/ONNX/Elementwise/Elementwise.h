// What operators share whose element is made of one element of each operand.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_ELEMENTWISE_ELEMENTWISE_H
#define DAEDALUS_LIB_IMPORT_ONNX_ELEMENTWISE_ELEMENTWISE_H

#include "OperatorTable.h"

namespace daedalus::onnximport {

/// The output has the shape of input 0.
bool sameShape(NodeCheck &c);
/// The shape that numpy's broadcast makes of both inputs'.
bool binary(NodeCheck &c);
/// A function of one tensor of any opset.
Operator functionOf(BuildKernel build);

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
