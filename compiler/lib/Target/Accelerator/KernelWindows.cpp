// Kernels of windows: convolutions, matrix products, pools.

#include "KernelReader.h"

namespace daedalus::accelerator {
namespace {

Value unpadded(Value value) {
  auto pad = value.getDefiningOp<mlir::tensor::PadOp>();
  return pad ? pad.getSource() : value;
}

template <class Op> void setStrides(Op op, Window &window) {
  auto strides = llvm::to_vector(op.getStrides().template getValues<int64_t>());
  auto dilations = llvm::to_vector(op.getDilations().template getValues<int64_t>());
  window.sh = strides[0], window.sw = strides[1];
  window.dh = dilations[0], window.dw = dilations[1];
}

} // namespace

/// Rows and columns of the input that output (1, 2) reads at the kernel position of loops `firstOffset` and
/// the next.
Exprs Reader::windowAt(unsigned firstOffset) {
  const Exprs d = loops({1, 2, firstOffset, firstOffset + 1});
  return {d[0] * kernel.window.sh + d[2] * kernel.window.dh,
          d[1] * kernel.window.sw + d[3] * kernel.window.dw};
}

bool Reader::readConv(mlir::linalg::Conv2DNhwcFhwcOp conv) {
  kernel.kind = KernelKind::Contraction;
  Value x = conv.getInputs()[0], w = conv.getInputs()[1];
  setShapes(unpadded(x), conv.getResult(0));
  setStrides(conv, kernel.window);
  kernel.window.kh = shapeOf(w)[1], kernel.window.kw = shapeOf(w)[2];
  Exprs at = windowAt(4);
  return computes(conv, multipliesAndAdds(conv)) && hasSteps() &&
         hasForm(conv,
                 {{loops({0})[0], at[0], at[1], loops({6})[0]}, loops({3, 4, 5, 6}), loops({0, 1, 2, 3})}) &&
         readInput(x, true) && readFill(conv.getOutputs()[0], 0) &&
         readConstant(w, kernel.weights, "weights");
}

bool Reader::readMatmul(mlir::linalg::MatmulTransposeBOp matmul) {
  kernel.kind = KernelKind::Contraction;
  Value x = matmul.getInputs()[0], w = matmul.getInputs()[1];
  setShapes(x, matmul.getResult(0));
  return computes(matmul, multipliesAndAdds(matmul)) &&
         hasForm(matmul, {loops({0, 2}), loops({1, 2}), loops({0, 1})}) && readInput(x, false) &&
         readFill(matmul.getOutputs()[0], 0) && readConstant(w, kernel.weights, "weights");
}

template <class Pool> bool Reader::readPool(Pool pool, KernelKind kind, int64_t start) {
  Value x = pool.getInputs()[0];
  kernel.kind = kind;
  setShapes(unpadded(x), pool.getResult(0));
  setStrides(pool, kernel.window);
  llvm::ArrayRef<int64_t> window = shapeOf(pool.getInputs()[1]);
  kernel.window.kh = window[0], kernel.window.kw = window[1];
  Exprs at = windowAt(4);
  return computes(pool, kind == KernelKind::MaxPool ? takesMaximum(pool) : addsFirst(pool)) && hasSteps() &&
         hasForm(pool, {{loops({0})[0], at[0], at[1], loops({3})[0]}, loops({4, 5}), loops({0, 1, 2, 3})}) &&
         readInput(x, true) && readFill(pool.getOutputs()[0], start);
}

bool Reader::readMaxPool(mlir::linalg::PoolingNhwcMaxOp pool) {
  if (!readPool(pool, KernelKind::MaxPool, -128))
    return false;
  bool pads = pool.getInputs()[0].getDefiningOp<mlir::tensor::PadOp>() != nullptr;
  return !pads || kernel.window.pad == -128 || fail("its padding is not the least value");
}

bool Reader::readSumPool(mlir::linalg::PoolingNhwcSumOp pool) {
  return readPool(pool, KernelKind::SumPool, 0);
}

/// x[n, y * sh + i * dh, x * sw + j * dw, g, c] times w[g, f, i, j, c], channels split into groups on both
/// sides.
bool Reader::readGroupedConv(mlir::linalg::GenericOp conv) {
  kernel.kind = KernelKind::Contraction;
  auto split = conv.getInputs()[0].getDefiningOp<mlir::tensor::ExpandShapeOp>();
  llvm::ArrayRef<int64_t> weights = shapeOf(conv.getInputs()[1]), output = shapeOf(conv.getResult(0));
  if (!split || split.getReassociationIndices().back().size() != 2 || weights.size() != 5 ||
      output.size() != 5 || conv.getNumLoops() != 8 || shapeOf(conv.getInputs()[0]).size() != 5 ||
      shapeOf(split.getSrc()).size() != 4)
    return fail("its linalg.generic is no convolution in groups");
  Value x = split.getSrc();
  setShapes(unpadded(x), unpadded(x));
  Window &w = kernel.window;
  w.oh = output[1], w.ow = output[2], w.oc = output[3] * output[4];
  w.kh = weights[2], w.kw = weights[3];
  kernel.groups = weights[0];
  mlir::AffineMap map = conv.getIndexingMapsArray()[0];
  auto at = [&](unsigned dimension, unsigned result) {
    llvm::SmallVector<int64_t> point(8, 0);
    point[dimension] = 1;
    return map.compose(point)[result];
  };
  w.sh = at(1, 1), w.sw = at(2, 2), w.dh = at(5, 1), w.dw = at(6, 2);
  Exprs position = windowAt(5);
  position.insert(position.begin(), loops({0})[0]);
  position.append(loops({3, 7}));
  if (!computes(conv, multipliesAndAdds(conv)) ||
      !hasForm(conv, {position, loops({3, 4, 5, 6, 7}), loops({0, 1, 2, 3, 4})}))
    return false;
  return hasSteps() && readInput(x, true) && readFill(conv.getOutputs()[0], 0) &&
         readConstant(conv.getInputs()[1], kernel.weights, "weights");
}

} // namespace daedalus::accelerator
