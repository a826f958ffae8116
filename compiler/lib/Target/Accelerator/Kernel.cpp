// Recognises the kernel forms of the level linalg by walking from the returned value to the arguments.

#include "Kernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

namespace daedalus::accelerator {
namespace {

using mlir::Value;

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

  bool readRequant(mlir::linalg::GenericOp generic, Value &acc);
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
  bool readInput(Value value, bool mayPad);
  bool readFill(Value value, int64_t expected);
  template <class T> bool readConstant(Value value, std::vector<T> &values, const char *what);
  void setShapes(Value input, Value output);

  mlir::func::FuncOp func;
  std::string &reason;
  Kernel kernel;
};

llvm::ArrayRef<int64_t> shapeOf(Value value) {
  return mlir::cast<mlir::ShapedType>(value.getType()).getShape();
}

template <class T> bool Reader::readConstant(Value value, std::vector<T> &values, const char *what) {
  mlir::DenseIntElementsAttr attr;
  if (!mlir::matchPattern(value, mlir::m_Constant(&attr)))
    return fail(llvm::Twine("its ") + what + " are not constants");
  if (attr.getElementType().getIntOrFloatBitWidth() > 8 * sizeof(T))
    return fail(llvm::Twine("its ") + what + " less their zero points do not fit " +
                llvm::Twine(8 * sizeof(T)) + " bits: quantize them symmetrically");
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

bool Reader::readConv(mlir::linalg::Conv2DNhwcFhwcOp conv) {
  kernel.kind = KernelKind::Contraction;
  Value x = conv.getInputs()[0], w = conv.getInputs()[1];
  setShapes(unpadded(x), conv.getResult(0));
  setStrides(conv, kernel.window);
  kernel.window.kh = shapeOf(w)[1], kernel.window.kw = shapeOf(w)[2];
  return readInput(x, true) && readFill(conv.getOutputs()[0], 0) &&
         readConstant(w, kernel.weights, "weights");
}

bool Reader::readMatmul(mlir::linalg::MatmulTransposeBOp matmul) {
  kernel.kind = KernelKind::Contraction;
  Value x = matmul.getInputs()[0], w = matmul.getInputs()[1];
  setShapes(x, matmul.getResult(0));
  return readInput(x, false) && readFill(matmul.getOutputs()[0], 0) &&
         readConstant(w, kernel.weights, "weights");
}

bool Reader::readMaxPool(mlir::linalg::PoolingNhwcMaxOp pool) {
  kernel.kind = KernelKind::MaxPool;
  setShapes(unpadded(pool.getInputs()[0]), pool.getResult(0));
  setStrides(pool, kernel.window);
  llvm::ArrayRef<int64_t> window = shapeOf(pool.getInputs()[1]);
  kernel.window.kh = window[0], kernel.window.kw = window[1];
  if (!readInput(pool.getInputs()[0], true) || !readFill(pool.getOutputs()[0], -128))
    return false;
  bool pads = pool.getInputs()[0].getDefiningOp<mlir::tensor::PadOp>() != nullptr;
  return !pads || kernel.window.pad == -128 || fail("its padding is not the least value");
}

/// The constant that an argument of a block is multiplied by: muli(extsi(arg), constant), either way round.
std::optional<int32_t> factorOf(Value value, unsigned argument) {
  auto product = value.getDefiningOp<mlir::arith::MulIOp>();
  if (!product)
    return std::nullopt;
  for (auto [x, k] :
       {std::pair(product.getLhs(), product.getRhs()), std::pair(product.getRhs(), product.getLhs())}) {
    auto extended = x.getDefiningOp<mlir::arith::ExtSIOp>();
    auto source = extended ? mlir::dyn_cast<mlir::BlockArgument>(extended.getIn()) : mlir::BlockArgument();
    llvm::APInt constant;
    if (source && source.getArgNumber() == argument && mlir::matchPattern(k, mlir::m_ConstantInt(&constant)))
      return static_cast<int32_t>(constant.getSExtValue());
  }
  return std::nullopt;
}

bool Reader::readAdd(mlir::linalg::GenericOp add) {
  kernel.kind = KernelKind::Add;
  auto sum = add.getBody()->getTerminator()->getOperand(0).getDefiningOp<mlir::arith::AddIOp>();
  std::optional<int32_t> a, b;
  if (sum) {
    a = factorOf(sum.getLhs(), 0), b = factorOf(sum.getRhs(), 1);
    if (!a || !b)
      a = factorOf(sum.getRhs(), 0), b = factorOf(sum.getLhs(), 1);
  }
  if (!a || !b || !llvm::all_of(add.getIndexingMapsArray(), [](mlir::AffineMap m) { return m.isIdentity(); }))
    return fail("its elementwise computation is not a sum of two products");
  kernel.multiplierA = *a, kernel.multiplierB = *b;
  setShapes(add.getInputs()[0], add.getResult(0));
  return readInput(add.getInputs()[0], false) && readInput(add.getInputs()[1], false);
}

bool Reader::readSumPool(mlir::linalg::PoolingNhwcSumOp pool) {
  kernel.kind = KernelKind::SumPool;
  setShapes(unpadded(pool.getInputs()[0]), pool.getResult(0));
  setStrides(pool, kernel.window);
  llvm::ArrayRef<int64_t> window = shapeOf(pool.getInputs()[1]);
  kernel.window.kh = window[0], kernel.window.kw = window[1];
  return readInput(pool.getInputs()[0], true) && readFill(pool.getOutputs()[0], 0);
}

/// x[n, y * sh + i * dh, x * sw + j * dw, g, c] times w[g, f, i, j, c], channels split into groups on both
/// sides.
bool Reader::readGroupedConv(mlir::linalg::GenericOp conv) {
  kernel.kind = KernelKind::Contraction;
  auto split = conv.getInputs()[0].getDefiningOp<mlir::tensor::ExpandShapeOp>();
  llvm::ArrayRef<int64_t> weights = shapeOf(conv.getInputs()[1]), output = shapeOf(conv.getResult(0));
  if (!split || weights.size() != 5 || output.size() != 5)
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
  return readInput(x, true) && readFill(conv.getOutputs()[0], 0) &&
         readConstant(conv.getInputs()[1], kernel.weights, "weights");
}

/// The constant that an argument of a block is reduced by: subi(extsi(arg), constant).
static std::optional<int32_t> zeroOf(Value value, unsigned argument) {
  auto difference = value.getDefiningOp<mlir::arith::SubIOp>();
  auto extended =
      difference ? difference.getLhs().getDefiningOp<mlir::arith::ExtSIOp>() : mlir::arith::ExtSIOp();
  auto source = extended ? mlir::dyn_cast<mlir::BlockArgument>(extended.getIn()) : mlir::BlockArgument();
  llvm::APInt constant;
  if (source && source.getArgNumber() == argument &&
      mlir::matchPattern(difference.getRhs(), mlir::m_ConstantInt(&constant)))
    return static_cast<int32_t>(constant.getSExtValue());
  return std::nullopt;
}

bool Reader::readMul(mlir::linalg::GenericOp mul) {
  kernel.kind = KernelKind::Mul;
  auto product = mul.getBody()->getTerminator()->getOperand(0).getDefiningOp<mlir::arith::MulIOp>();
  std::optional<int32_t> a, b;
  if (product)
    a = zeroOf(product.getLhs(), 0), b = zeroOf(product.getRhs(), 1);
  if (!a || !b || !llvm::all_of(mul.getIndexingMapsArray(), [](mlir::AffineMap m) { return m.isIdentity(); }))
    return fail("its elementwise computation is not a product of two differences");
  kernel.zeroA = *a, kernel.zeroB = *b;
  setShapes(mul.getInputs()[0], mul.getResult(0));
  return readInput(mul.getInputs()[0], false) && readInput(mul.getInputs()[1], false);
}

/// An element of a constant table of 256 entries.
bool Reader::readLookup(mlir::linalg::GenericOp generic) {
  kernel.kind = KernelKind::Lookup;
  auto element = generic.getBody()->getTerminator()->getOperand(0).getDefiningOp<mlir::tensor::ExtractOp>();
  if (!element || !readConstant(element.getTensor(), kernel.table, "table entries") ||
      kernel.table.size() != 256)
    return fail("its elementwise computation is no lookup in a table of 256 entries");
  setShapes(generic.getInputs()[0], generic.getResult(0));
  return readInput(generic.getInputs()[0], false);
}

/// Arguments copied to slices of one tensor that lie one behind the other in its last dimension.
bool Reader::readConcat(mlir::tensor::InsertSliceOp last) {
  kernel.kind = KernelKind::Concat;
  setShapes(last.getResult(), last.getResult());
  int64_t end = kernel.window.c;
  std::vector<mlir::tensor::InsertSliceOp> slices;
  for (mlir::tensor::InsertSliceOp op = last; op;
       op = op.getDest().getDefiningOp<mlir::tensor::InsertSliceOp>())
    slices.insert(slices.begin(), op);
  int64_t at = 0;
  for (mlir::tensor::InsertSliceOp slice : slices) {
    auto copy = slice.getSource().getDefiningOp<mlir::linalg::CopyOp>();
    if (!copy || slice.getStaticOffsets().back() != at ||
        shapeOf(slice.getSource()).drop_back() != shapeOf(last.getResult()).drop_back())
      return fail("concatenates along another dimension than channels");
    kernel.parts.push_back(shapeOf(slice.getSource()).back());
    at += kernel.parts.back();
    if (!readInput(copy.getInputs()[0], false))
      return false;
  }
  return at == end || fail("its slices do not fill its result");
}

/// Each row and each column several times.
bool Reader::readRepeat(mlir::tensor::CollapseShapeOp joined) {
  auto generic = joined.getSrc().getDefiningOp<mlir::linalg::GenericOp>();
  const bool copies = generic && generic.getNumLoops() == 6 && generic.getNumDpsInputs() == 1 &&
                      generic.getBody()->getTerminator()->getOperand(0) == generic.getBody()->getArgument(0);
  if (!copies)
    return fail("it joins dimensions of something else than repeated rows and columns");
  kernel.kind = KernelKind::Move;
  Value x = generic.getInputs()[0];
  setShapes(x, x);
  kernel.repeatH = shapeOf(generic.getResult(0))[2];
  kernel.repeatW = shapeOf(generic.getResult(0))[4];
  return readInput(x, false);
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

} // namespace

std::optional<Kernel> readKernel(mlir::func::FuncOp func, std::string &reason) {
  return Reader(func, reason).read();
}

} // namespace daedalus::accelerator
