// Products of matrices by numpy's rules, in float32, and in int32 of int8 and uint8.

#include "Builds.h"
#include "Centred.h"

#include "daedalus/Kernels/Products.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace daedalus::onnximport {
namespace {

using K = GeneralKernel;

Value matmul(K &k) {
  return kernels::batchProduct(k, k.in(0), k.in(1), k.output.shape, k.outputType());
}

Value matmulInteger(K &k) {
  const kernels::BatchLoops loops(k.b.getContext(), k.shape(0), k.shape(1), k.output.shape.size());
  Centred left(k, 0, 2), right(k, 1, 3);
  SmallVector<Read> reads;
  left.read(loops.left, loops.row, reads);
  right.read(loops.right, loops.column, reads);
  return k.reduce(k.output.shape, loops.output, k.number(0, k.outputType()), reads,
                  [&](Value sum, ValueRange elements) {
                    return k.add(sum, k.mul(left.element(elements), right.element(elements)));
                  });
}

Value gemm(K &k) {
  if (k.dtype(0) != onnx::TensorProto::FLOAT)
    return k.refuseType(0, "float32");
  const float alpha = k.real("alpha", 1), beta = k.real("beta", 1);
  Value sum =
      kernels::matrixProduct(k, k.in(0), k.in(1), k.integer("transA", 0) != 0, k.integer("transB", 0) != 0);
  if (!k.has(2) && alpha == 1)
    return sum;
  SmallVector<Read> reads{k.broadcast(sum, k.output.shape)};
  if (k.has(2))
    reads.push_back(k.read(2));
  return k.elementwiseOutput(reads, [&](ValueRange x) {
    Value result = k.mul(k.f32(alpha), x[0]);
    return k.has(2) ? k.add(result, k.mul(k.f32(beta), x[1])) : result;
  });
}

} // namespace

void addProducts(Builds &builds) {
  builds.insert({{"Gemm", gemm}, {"MatMul", matmul}, {"MatMulInteger", matmulInteger}});
}

} // namespace daedalus::onnximport
