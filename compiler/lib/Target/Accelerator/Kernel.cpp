// Recognises the kernel forms of the level linalg. See KernelReader.h.

#include "KernelReader.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace daedalus::accelerator {

/// What all that follows takes for granted of a function that a user may have written: one block, and ranked
/// tensors of numbers and of a static shape wherever there are tensors.
bool Reader::isWellFormed() {
  constexpr int64_t mostElements = int64_t(1) << 31;
  const auto isPlain = [](Value value) {
    auto type = mlir::dyn_cast<mlir::RankedTensorType>(value.getType());
    if (!mlir::isa<mlir::TensorType>(value.getType()))
      return true;
    if (!type || type.getEncoding() || !type.getElementType().isIntOrIndexOrFloat())
      return false;
    int64_t elements = 1;
    for (int64_t size : type.getShape()) {
      if (size < 1 || size > mostElements / elements)
        return false;
      elements *= size;
    }
    return true;
  };
  if (!func.getBody().hasOneBlock())
    return fail("it has several blocks");
  mlir::Block &body = func.getBody().front();
  bool isPlainEverywhere = llvm::all_of(body.getArguments(), isPlain);
  for (mlir::Operation &op : body) {
    isPlainEverywhere &= llvm::all_of(op.getResults(), isPlain);
    if (auto generic = mlir::dyn_cast<mlir::linalg::GenericOp>(op);
        generic && (generic.getNumResults() != 1 || generic.getNumDpsInputs() == 0))
      return fail("it has a linalg.generic without inputs or of another number of results than one");
  }
  return isPlainEverywhere ||
         fail("it has a tensor that is not of numbers and of a static shape of 1 to 2^31 elements");
}

/// What nobody reads is left out, so it must not do anything else either.
bool Reader::hasNoEffects() {
  const mlir::WalkResult walk = func.getBody().walk([&](mlir::Operation *op) {
    if (op->getNumRegions() || mlir::isMemoryEffectFree(op))
      return mlir::WalkResult::advance();
    fail("it contains " + op->getName().getStringRef() + ", which may do more than compute a value");
    return mlir::WalkResult::interrupt();
  });
  return !walk.wasInterrupted();
}

Exprs Reader::loops(std::initializer_list<unsigned> positions) {
  Exprs exprs;
  for (unsigned position : positions)
    exprs.push_back(mlir::getAffineDimExpr(position, func.getContext()));
  return exprs;
}

bool Reader::hasForm(mlir::linalg::LinalgOp op, llvm::ArrayRef<Exprs> positions) {
  const auto maps = op.getIndexingMapsArray();
  const auto iterators = op.getIteratorTypesArray();
  bool isSame = maps.size() == positions.size();
  for (size_t k = 0; isSame && k < maps.size(); ++k)
    isSame =
        mlir::simplifyAffineMap(maps[k]) ==
        mlir::simplifyAffineMap(mlir::AffineMap::get(iterators.size(), 0, positions[k], op.getContext()));
  for (size_t d = 0; isSame && d < iterators.size(); ++d)
    isSame = maps.back().isFunctionOfDim(d) == (iterators[d] == mlir::utils::IteratorType::parallel);
  return isSame || fail("its " + op->getName().getStringRef() +
                        " has other indexing maps or iterators than the accelerator knows of it");
}

bool Reader::computes(mlir::linalg::LinalgOp op, bool does) {
  return does || fail("its " + op->getName().getStringRef() +
                      " computes something that the accelerator does not know of it");
}

/// The body of a requantization: of its four arguments in order, the first extended or not, and nothing else.
static dae::RequantOp requantOf(mlir::linalg::GenericOp generic) {
  mlir::Block *body = generic.getBody();
  auto op = body->getTerminator()->getOperand(0).getDefiningOp<dae::RequantOp>();
  if (!op || op->getBlock() != body || body->getNumArguments() != 5)
    return {};
  auto extended = op.getAcc().getDefiningOp<mlir::arith::ExtSIOp>();
  if ((extended ? extended.getIn() : op.getAcc()) != body->getArgument(0) ||
      (extended && !extended.getIn().getType().isSignlessInteger(8)))
    return {};
  for (unsigned parameter : {1, 2, 3})
    if (op->getOperand(parameter) != body->getArgument(parameter))
      return {};
  return op;
}

bool Reader::readRequant(mlir::linalg::GenericOp generic, Value &acc) {
  dae::RequantOp op = requantOf(generic);
  if (!op)
    return fail("its requantization is not that of accumulator, bias, multiplier and shift as they are");
  Requant requant;
  acc = generic.getInputs()[0];
  requant.zeroPoint = op.getZeroPointAttr().getValue().getSExtValue();
  requant.lo = op.getLoAttr().getValue().getSExtValue();
  requant.hi = op.getHiAttr().getValue().getSExtValue();
  requant.rounding = op.getRounding();
  const unsigned rank = generic.getNumLoops();
  if (rank == 0 || generic.getNumReductionLoops() || !generic.getIndexingMapsArray()[0].isIdentity() ||
      !generic.getIndexingMapsArray()[4].isIdentity())
    return fail("its requantization reads other positions than it writes");
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
  return hasLegalParameters();
}

/// What dae.requant asks for: other values have no meaning, or another one on each engine.
bool Reader::hasLegalParameters() {
  for (int32_t multiplier : kernel.requant->multiplier)
    if (multiplier < 0)
      return fail("its requantization has multiplier " + llvm::Twine(multiplier) + "; expected at least 0");
  for (uint8_t shift : kernel.requant->shift)
    if (shift < 1 || shift > 62)
      return fail("its requantization has shift " + llvm::Twine(static_cast<int8_t>(shift)) +
                  "; expected 1 to 62");
  return true;
}

bool Reader::readFill(Value value, int64_t expected) {
  auto fill = value.getDefiningOp<mlir::linalg::FillOp>();
  llvm::APInt constant;
  if (!fill || !mlir::matchPattern(fill.getInputs()[0], mlir::m_ConstantInt(&constant)) ||
      constant.getSExtValue() != expected)
    return fail("its result does not start from " + llvm::Twine(expected));
  const bool fills = yieldsFirst(fill) && fill.getIndexingMapsArray()[0].getNumResults() == 0 &&
                     fill.getIndexingMapsArray()[1].isIdentity() && !fill.getNumReductionLoops();
  return computes(fill, fills);
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
    if (low[1] < 0 || low[2] < 0 || high[1] < 0 || high[2] < 0) // or not known before it runs
      return fail("its padding is not of constant sizes");
    kernel.window.pad = static_cast<int8_t>(constant.getSExtValue());
    kernel.window.pt = low[1];
    kernel.window.pl = low[2];
    value = pad.getSource();
  }
  auto argument = mlir::dyn_cast<mlir::BlockArgument>(value);
  if (!argument || argument.getOwner() != &func.getBody().front())
    return fail("it reads a value that is no argument of the kernel");
  auto type = mlir::dyn_cast<mlir::ShapedType>(value.getType());
  if (!type || !type.getElementType().isSignlessInteger(8))
    return fail("its input is not int8");
  kernel.inputs.push_back(argument.getArgNumber());
  return true;
}

/// Steps between positions are at least one.
bool Reader::hasSteps() {
  const Window &w = kernel.window;
  return (w.sh >= 1 && w.sw >= 1 && w.dh >= 1 && w.dw >= 1) ||
         fail("it has a stride or a dilation below one");
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
  if (!generic.getNumReductionLoops() && generic.getNumDpsInputs() == 2)
    return zerosOfProduct(generic) ? readMul(generic) : readAdd(generic);
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
  auto type = mlir::dyn_cast<mlir::RankedTensorType>(result.getType());
  if (!type || !type.hasStaticShape() || !type.getElementType().isSignlessInteger(8)) {
    fail("its result is not int8 of a static shape");
    return std::nullopt;
  }
  if (!isWellFormed() || !hasNoEffects())
    return std::nullopt;
  Value acc = result;
  auto generic = result.getDefiningOp<mlir::linalg::GenericOp>();
  bool requants = generic && !generic.getBody()->getOps<dae::RequantOp>().empty();
  if (requants && !readRequant(generic, acc))
    return std::nullopt;
  if (!readProducer(acc))
    return std::nullopt;
  const bool staysInt8 = kernel.kind == KernelKind::Lookup || kernel.kind == KernelKind::Move ||
                         kernel.kind == KernelKind::Concat;
  if (requants ? staysInt8 : !staysInt8 && kernel.kind != KernelKind::MaxPool) {
    fail(requants ? "it requantizes what it looked up or moved" : "its result is not requantized");
    return std::nullopt;
  }
  if (kernel.kind == KernelKind::Mul && requants)
    for (int32_t &bias : kernel.requant->bias) // wraps, as the accumulator does
      bias = static_cast<int32_t>(static_cast<uint32_t>(bias) +
                                  static_cast<uint32_t>(kernel.zeroA * kernel.zeroB));
  const auto isOneEach = [&](size_t count) { return static_cast<int64_t>(count) == kernel.window.oc; };
  if (requants && !(isOneEach(kernel.requant->bias.size()) && isOneEach(kernel.requant->multiplier.size()) &&
                    isOneEach(kernel.requant->shift.size()))) {
    fail("it does not have one requantization parameter a channel");
    return std::nullopt;
  }
  return kernel;
}

std::optional<Kernel> readKernel(mlir::func::FuncOp func, std::string &reason) {
  return Reader(func, reason).read();
}

} // namespace daedalus::accelerator
