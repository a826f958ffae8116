// Kernels of single elements, and those that only move them.

#include "KernelReader.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace daedalus::accelerator {
namespace {

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

/// The constant that an argument of a block is reduced by: subi(extsi(arg), constant).
std::optional<int32_t> zeroOf(Value value, unsigned argument) {
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

/// Row 0, 1 and 3, 5 of six loops are read, and all six written.
bool isRepetition(mlir::linalg::GenericOp generic) {
  auto d = [&](unsigned dimension) { return mlir::getAffineDimExpr(dimension, generic.getContext()); };
  return generic.getIndexingMapsArray()[0] ==
             mlir::AffineMap::get(6, 0, {d(0), d(1), d(3), d(5)}, generic.getContext()) &&
         generic.getIndexingMapsArray()[1].isIdentity();
}

} // namespace

bool Reader::isPointwise(mlir::linalg::GenericOp generic) {
  return llvm::all_of(generic.getIndexingMapsArray(), [](mlir::AffineMap m) { return m.isIdentity(); });
}

bool Reader::readPair(mlir::linalg::GenericOp generic) {
  setShapes(generic.getInputs()[0], generic.getResult(0));
  return readInput(generic.getInputs()[0], false) && readInput(generic.getInputs()[1], false);
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
  if (!a || !b || !isPointwise(add))
    return fail("its elementwise computation is not a sum of two products");
  kernel.multiplierA = *a, kernel.multiplierB = *b;
  return readPair(add);
}

bool Reader::readMul(mlir::linalg::GenericOp mul) {
  kernel.kind = KernelKind::Mul;
  auto product = mul.getBody()->getTerminator()->getOperand(0).getDefiningOp<mlir::arith::MulIOp>();
  std::optional<int32_t> a, b;
  if (product)
    a = zeroOf(product.getLhs(), 0), b = zeroOf(product.getRhs(), 1);
  if (!a || !b || *a < -255 || *a > 255 || *b < -255 || *b > 255 || !isPointwise(mul))
    return fail("its elementwise computation is not a product of two differences");
  kernel.zeroA = *a, kernel.zeroB = *b;
  return readPair(mul);
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
    const auto offsets = slice.getStaticOffsets(), strides = slice.getStaticStrides();
    const bool isPlain = !offsets.empty() &&
                         llvm::all_of(offsets.drop_back(), [](int64_t offset) { return offset == 0; }) &&
                         llvm::all_of(strides, [](int64_t stride) { return stride == 1; }) &&
                         shapeOf(slice.getSource()).size() == offsets.size();
    if (!copy || !isPlain || offsets.back() != at ||
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
                      shapeOf(generic.getResult(0)).size() == 6 && isRepetition(generic) &&
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

} // namespace daedalus::accelerator
