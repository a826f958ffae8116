// How kernels are recognised: a walk from the returned value to the arguments, one function for each form.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_KERNELREADER_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_KERNELREADER_H

#include "Kernel.h"
#include "KernelBodies.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

namespace daedalus::accelerator {

using mlir::Value;
using Exprs = llvm::SmallVector<mlir::AffineExpr, 5>;

/// A walk up the def-use chains that remembers the first thing it did not understand.
class Reader {
public:
  Reader(mlir::func::FuncOp func, std::string &reason) : func(func), reason(reason), kernel(func.getLoc()) {}

  std::optional<Kernel> read();

private:
  bool fail(const llvm::Twine &why) {
    if (reason.empty())
      reason = why.str();
    return false;
  }

  bool isWellFormed();
  bool hasNoEffects();
  bool hasSteps();
  /// Whether the operands lie at `positions`, the output's last, whose loops are parallel and all others
  /// reductions.
  bool hasForm(mlir::linalg::LinalgOp op, llvm::ArrayRef<Exprs> positions);
  bool computes(mlir::linalg::LinalgOp op, bool does);
  bool readRequant(mlir::linalg::GenericOp generic, Value &acc);
  bool hasLegalParameters();
  bool readProducer(Value acc);
  bool readConv(mlir::linalg::Conv2DNhwcFhwcOp conv);
  bool readMatmul(mlir::linalg::MatmulTransposeBOp matmul);
  bool readMaxPool(mlir::linalg::PoolingNhwcMaxOp pool);
  bool readGeneric(mlir::linalg::GenericOp generic);
  bool readSumPool(mlir::linalg::PoolingNhwcSumOp pool);
  bool readGroupedConv(mlir::linalg::GenericOp conv);
  bool readMul(mlir::linalg::GenericOp mul);
  bool readLookup(mlir::linalg::GenericOp generic);
  bool readConcat(mlir::tensor::InsertSliceOp last);
  bool readRepeat(mlir::tensor::CollapseShapeOp joined);
  bool readAdd(mlir::linalg::GenericOp add);
  template <class Pool> bool readPool(Pool pool, KernelKind kind, int64_t start);
  Exprs windowAt(unsigned firstOffset);
  bool isPointwise(mlir::linalg::LinalgOp op);
  bool readPair(mlir::linalg::GenericOp generic);
  bool readInput(Value value, bool mayPad);
  bool readFill(Value value, int64_t expected);
  template <class T> bool readConstant(Value value, std::vector<T> &values, const char *what);
  void setShapes(Value input, Value output);
  Exprs loops(std::initializer_list<unsigned> positions);

  mlir::func::FuncOp func;
  std::string &reason;
  Kernel kernel;
};

inline llvm::ArrayRef<int64_t> shapeOf(Value value) {
  return mlir::cast<mlir::ShapedType>(value.getType()).getShape();
}

template <class T> bool Reader::readConstant(Value value, std::vector<T> &values, const char *what) {
  mlir::DenseIntElementsAttr attr;
  if (!mlir::matchPattern(value, mlir::m_Constant(&attr)))
    return fail(llvm::Twine("its ") + what + " are not constants");
  constexpr int64_t most = int64_t(1) << 28;
  if (attr.getNumElements() > most)
    return fail(llvm::Twine("it has more than ") + llvm::Twine(most) + " " + what);
  if (attr.getElementType().getIntOrFloatBitWidth() > 8 * sizeof(T))
    return fail(llvm::Twine("its ") + what + " less their zero points do not fit " +
                llvm::Twine(8 * sizeof(T)) + " bits: quantize them symmetrically");
  if (!attr.getElementType().isSignlessInteger(8 * sizeof(T)))
    return fail(llvm::Twine("its ") + what + " are not of " + llvm::Twine(8 * sizeof(T)) + " bits");
  values.reserve(attr.getNumElements());
  if (attr.isSplat())
    values.assign(attr.getNumElements(), static_cast<T>(attr.getSplatValue<llvm::APInt>().getSExtValue()));
  else if (sizeof(T) == 1 && attr.getElementType().isInteger(8))
    for (char c : attr.getRawData())
      values.push_back(static_cast<T>(c));
  else
    for (const llvm::APInt &v : attr)
      values.push_back(static_cast<T>(v.getSExtValue()));
  return true;
}

} // namespace daedalus::accelerator

#endif
