// Recognises the kernel forms of the level linalg. See KernelReader.h.

#include "KernelReader.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace daedalus::accelerator {

bool Reader::readRequant(mlir::linalg::GenericOp generic, Value &acc) {
  auto ops = generic.getBody()->getOps<dae::RequantOp>();
  dae::RequantOp op = *ops.begin();
  Requant requant;
  acc = generic.getInputs()[0];
  requant.zeroPoint = op.getZeroPointAttr().getValue().getSExtValue();
  requant.lo = op.getLoAttr().getValue().getSExtValue();
  requant.hi = op.getHiAttr().getValue().getSExtValue();
  requant.rounding = op.getRounding();
  if (generic.getNumDpsInputs() != 4)
    return fail("its requantization has other operands than accumulator, bias, multiplier and shift");
  const unsigned rank = generic.getNumLoops();
  mlir::AffineMap channel =
      mlir::AffineMap::get(rank, 0, mlir::getAffineDimExpr(rank - 1, generic.getContext()));
  for (unsigned parameter : {1, 2, 3})
    if (generic.getIndexingMapsArray()[parameter] != channel)
      return fail("it requantizes each position by numbers of its own");
  if (!readConstant(generic.getInputs()[1], requant.bias, "biases") ||
      !readConstant(generic.getInputs()[2], requant.multiplier, "multipliers") ||
      !readConstant(generic.getInputs()[3], requant.shift, "shifts"))
    return false;
  kernel.requant = std::move(requant);
  return true;
}

bool Reader::readFill(Value value, int64_t expected) {
  auto fill = value.getDefiningOp<mlir::linalg::FillOp>();
  llvm::APInt constant;
  if (fill && mlir::matchPattern(fill.getInputs()[0], mlir::m_ConstantInt(&constant)) &&
      constant.getSExtValue() == expected)
    return true;
  return fail("its result does not start from " + llvm::Twine(expected));
}

bool Reader::readInput(Value value, bool mayPad) {
  if (auto pad = value.getDefiningOp<mlir::tensor::PadOp>(); pad && mayPad) {
    llvm::APInt constant;
    Value fill = pad.getConstantPaddingValue();
    if (!fill || !mlir::matchPattern(fill, mlir::m_ConstantInt(&constant)))
      return fail("its padding value is not a constant");
    auto low = pad.getStaticLow(), high = pad.getStaticHigh();
    if (low.size() != 4 || low[0] || low[3] || high[0] || high[3])
      return fail("it pads another dimension than height and width");
    kernel.window.pad = static_cast<int8_t>(constant.getSExtValue());
    kernel.window.pt = low[1];
    kernel.window.pl = low[2];
    value = pad.getSource();
  }
  auto argument = mlir::dyn_cast<mlir::BlockArgument>(value);
  if (!argument)
    return fail("it reads a value that is no argument of the kernel");
  if (!mlir::cast<mlir::ShapedType>(value.getType()).getElementType().isInteger(8))
    return fail("its input is not int8");
  kernel.inputs.push_back(argument.getArgNumber());
  return true;
}

/// Dimensions of input and output seen as NHWC: the last is channels, those before fill up from the right.
void Reader::setShapes(Value input, Value output) {
  auto fill = [](llvm::ArrayRef<int64_t> shape, int64_t &b, int64_t &h, int64_t &w, int64_t &c) {
    llvm::SmallVector<int64_t> dims(shape.begin(), shape.end());
    while (dims.size() < 4)
      dims.insert(dims.begin(), 1);
    while (dims.size() > 4) {
      dims[1] *= dims[0];
      dims.erase(dims.begin());
    }
    b = dims[0], h = dims[1], w = dims[2], c = dims[3];
  };
  Window &win = kernel.window;
  fill(shapeOf(input), win.b, win.h, win.w, win.c);
  int64_t b = 1;
  fill(shapeOf(output), b, win.oh, win.ow, win.oc);
}

bool Reader::readGeneric(mlir::linalg::GenericOp generic) {
  if (generic.getNumReductionLoops() == 3 && generic.getNumDpsInputs() == 2)
    return readGroupedConv(generic);
  const bool multiplies =
      generic.getBody()->getTerminator()->getOperand(0).getDefiningOp<mlir::arith::MulIOp>();
  if (!generic.getNumReductionLoops() && generic.getNumDpsInputs() == 2)
    return multiplies ? readMul(generic) : readAdd(generic);
  if (!generic.getNumReductionLoops() && generic.getNumDpsInputs() == 1)
    return readLookup(generic);
  return fail("its linalg.generic is none that the accelerator knows");
}

bool Reader::readProducer(Value acc) {
  if (auto last = acc.getDefiningOp<mlir::tensor::InsertSliceOp>())
    return readConcat(last);
  if (auto joined = acc.getDefiningOp<mlir::tensor::CollapseShapeOp>()) {
    if (mlir::cast<mlir::ShapedType>(acc.getType()).getElementType().isInteger(8))
      return readRepeat(joined);
    acc = joined.getSrc();
  }
  mlir::Operation *op = acc.getDefiningOp();
  if (!op) {
    kernel.kind = KernelKind::Requant;
    setShapes(acc, acc);
    return readInput(acc, false);
  }
  if (auto conv = mlir::dyn_cast<mlir::linalg::Conv2DNhwcFhwcOp>(op))
    return readConv(conv);
  if (auto matmul = mlir::dyn_cast<mlir::linalg::MatmulTransposeBOp>(op))
    return readMatmul(matmul);
  if (auto pool = mlir::dyn_cast<mlir::linalg::PoolingNhwcMaxOp>(op))
    return readMaxPool(pool);
  if (auto pool = mlir::dyn_cast<mlir::linalg::PoolingNhwcSumOp>(op))
    return readSumPool(pool);
  if (auto generic = mlir::dyn_cast<mlir::linalg::GenericOp>(op))
    return readGeneric(generic);
  return fail("it contains " + op->getName().getStringRef() + ", which the accelerator does not know");
}

std::optional<Kernel> Reader::read() {
  if (func.isExternal() || func.getFunctionType().getNumResults() != 1) {
    fail("it is no kernel function of one result");
    return std::nullopt;
  }
  Value result = func.getBody().front().getTerminator()->getOperand(0);
  kernel.loc = result.getLoc();
  for (Value value : {result})
    if (!mlir::cast<mlir::ShapedType>(value.getType()).hasStaticShape() ||
        !mlir::cast<mlir::ShapedType>(value.getType()).getElementType().isInteger(8)) {
      fail("its result is not int8 of a static shape");
      return std::nullopt;
    }
  Value acc = result;
  auto generic = result.getDefiningOp<mlir::linalg::GenericOp>();
  bool requants = generic && !generic.getBody()->getOps<dae::RequantOp>().empty();
  if (requants && !readRequant(generic, acc))
    return std::nullopt;
  if (!readProducer(acc))
    return std::nullopt;
  const bool isInt8 = kernel.kind == KernelKind::MaxPool || kernel.kind == KernelKind::Lookup ||
                      kernel.kind == KernelKind::Move || kernel.kind == KernelKind::Concat;
  if (!requants && !isInt8) {
    fail("its result is not requantized");
    return std::nullopt;
  }
  if (kernel.kind == KernelKind::Mul && requants)
    for (int32_t &bias : kernel.requant->bias) // at most 2^15 in size
      bias += kernel.zeroA * kernel.zeroB;
  if (requants && int64_t(kernel.requant->bias.size()) != kernel.window.oc) {
    fail("it does not have one requantization parameter a channel");
    return std::nullopt;
  }
  return kernel;
}

std::optional<Kernel> readKernel(mlir::func::FuncOp func, std::string &reason) {
  return Reader(func, reason).read();
}

} // namespace daedalus::accelerator
