// See LibraryConv.h.

#include "LibraryConv.h"

#include "CallOperands.h"
#include "Products/Padding.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/TypeUtilities.h"

#include "llvm/ADT/SmallSet.h"

using namespace mlir;

namespace daedalus::cuda {
namespace {

/// Which dimension of an operand is which.
struct Layout {
  bool hasChannelsLast;
  unsigned channels, rows, columns; // of filters, too; the first one is that of images or filters
};
constexpr Layout channelsLast{true, 3, 1, 2}, channelsFirst{false, 1, 2, 3};

/// The loop that one of an operand's dimensions is; nothing where it is none alone.
std::optional<unsigned> loopAt(AffineMap map, unsigned dimension) {
  auto loop = dyn_cast<AffineDimExpr>(map.getResult(dimension));
  return loop ? std::optional<unsigned>(loop.getPosition()) : std::nullopt;
}

/// The loops of a convolution.
struct Loops {
  unsigned images, results, rows, columns, channels, windowRows, windowColumns;
};

std::optional<Loops> loopsOf(AffineMap filters, AffineMap out, const Layout &layout) {
  llvm::SmallSet<unsigned, 7> all;
  for (AffineMap map : {filters, out})
    for (unsigned dimension = 0; dimension < 4; ++dimension) {
      const std::optional<unsigned> loop = loopAt(map, dimension);
      if (!loop)
        return std::nullopt;
      all.insert(*loop);
    }
  if (all.size() != 7 || *loopAt(filters, 0) != *loopAt(out, layout.channels))
    return std::nullopt;
  return Loops{*loopAt(out, 0),
               *loopAt(filters, 0),
               *loopAt(out, layout.rows),
               *loopAt(out, layout.columns),
               *loopAt(filters, layout.channels),
               *loopAt(filters, layout.rows),
               *loopAt(filters, layout.columns)};
}

/// Whether a dimension of the image moves with one loop, element by element.
bool isLoop(AffineMap image, unsigned dimension, unsigned loop) {
  return loopAt(image, dimension) == loop;
}

/// One that moves with a loop of the result and one of the window.
std::optional<Extent> extentOf(AffineMap image, unsigned dimension, unsigned result, unsigned window,
                               const Product &product) {
  SmallVector<int64_t> steps = stepsAlong(image, dimension);
  const int64_t stride = std::exchange(steps[result], 0), dilation = std::exchange(steps[window], 0);
  if (stride < 0 || dilation < 0 || llvm::any_of(steps, [](int64_t step) { return step != 0; }))
    return std::nullopt;
  Extent extent;
  extent.window = uint64_t(product.sizes[window]);
  extent.stride = product.sizes[result] == 1 && stride == 0 ? 1 : uint64_t(stride);
  extent.dilation = extent.window == 1 ? 1 : uint64_t(dilation);
  return extent;
}

std::optional<Conv> windowsOf(const Product &product, const Layout &layout) {
  linalg::LinalgOp op = product.op;
  const AffineMap image = op.getIndexingMapsArray()[0];
  const auto loops = loopsOf(op.getIndexingMapsArray()[1], op.getIndexingMapsArray()[2], layout);
  if (!loops || !isLoop(image, 0, loops->images) || !isLoop(image, layout.channels, loops->channels))
    return std::nullopt;
  const auto rows = extentOf(image, layout.rows, loops->rows, loops->windowRows, product),
             columns = extentOf(image, layout.columns, loops->columns, loops->windowColumns, product);
  if (!rows || !columns)
    return std::nullopt;
  Conv conv;
  conv.type = product.a.type().isF16() ? package::DType::F16 : package::DType::F32;
  conv.hasChannelsLast = layout.hasChannelsLast;
  conv.images = uint64_t(product.sizes[loops->images]);
  conv.channels = uint64_t(product.sizes[loops->channels]);
  conv.results = uint64_t(product.sizes[loops->results]);
  conv.rows = *rows, conv.columns = *columns;
  return conv;
}

bool hasShape(Value value, const Layout &layout, std::array<uint64_t, 4> sizes) {
  const ArrayRef<int64_t> shape = cast<MemRefType>(value.getType()).getShape();
  return shape[0] == int64_t(sizes[0]) && shape[layout.channels] == int64_t(sizes[1]) &&
         shape[layout.rows] == int64_t(sizes[2]) && shape[layout.columns] == int64_t(sizes[3]);
}

/// With the extents of the image that it reads, and zeros around it.
bool setImage(FoundConv &found, const Layout &layout, const std::optional<Padding> &padding) {
  const ArrayRef<int64_t> shape = cast<MemRefType>(found.image.getType()).getShape();
  Conv &conv = found.conv;
  for (auto [extent, dimension] :
       {std::pair(&conv.rows, layout.rows), std::pair(&conv.columns, layout.columns)}) {
    extent->image = uint64_t(shape[dimension]);
    extent->pad = padding ? uint64_t(padding->place().getStaticOffset(dimension)) : 0;
  }
  return isLegal(conv) &&
         hasShape(found.image, layout, {conv.images, conv.channels, conv.rows.image, conv.columns.image});
}

std::optional<FoundConv> convIn(const Product &product, const Layout &layout) {
  linalg::LinalgOp op = product.op;
  const std::optional<Conv> conv = windowsOf(product, layout);
  if (!conv)
    return std::nullopt;
  const Factor &factor = product.a.operand->getOperandNumber() == 0 ? product.a : product.b;
  std::optional<Padding> padding = paddingOf(factor);
  if (padding && !isZero(padding->constant))
    return std::nullopt;
  FoundConv found{*conv, padding ? padding->image() : factor.operand->get(), op.getDpsInputs()[1], {}};
  if (padding)
    found.unused = padding->writers;
  if (!setImage(found, layout, padding))
    return std::nullopt;
  const Conv &made = found.conv;
  const bool isSame =
      hasShape(op.getDpsInits()[0], layout,
               {made.images, made.results, made.rows.result(), made.columns.result()}) &&
      hasShape(found.filters, layout, {made.results, made.channels, made.rows.window, made.columns.window});
  return isSame ? std::optional<FoundConv>(std::move(found)) : std::nullopt;
}

bool isDense(Value value) {
  auto type = dyn_cast<MemRefType>(value.getType());
  return type && type.hasStaticShape() && type.getLayout().isIdentity();
}

} // namespace

std::optional<FoundConv> convOf(const Product &product) {
  linalg::LinalgOp op = product.op;
  const Type element = product.a.type();
  const bool hasForm =
      op.getNumLoops() == 7 && isDense(op.getDpsInits()[0]) &&
      llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) { return map.getNumResults() == 4; });
  if (!hasForm || (!element.isF32() && !element.isF16()))
    return std::nullopt;
  std::optional<FoundConv> found = convIn(product, channelsLast);
  return found ? found : convIn(product, channelsFirst);
}

bool isRounding(linalg::GenericOp op) {
  Operation *rounded = op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  const SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  return op.getNumDpsInputs() == 1 && maps[0] == maps[1] && isDense(op.getDpsInits()[0]) &&
         isa_and_nonnull<arith::TruncFOp>(rounded) &&
         rounded->getOperand(0) == op.getBlock()->getArgument(0) &&
         getElementTypeOrSelf(op.getDpsInits()[0].getType()).isF16();
}

void splitRounding(linalg::GenericOp op, Value sums) {
  OpOperand *read = nullptr;
  for (OpOperand *input : op.getDpsInputOperands())
    if (input->get() == sums)
      read = input;
  if (!read || isRounding(op) || !isDense(sums))
    return;
  BlockArgument argument = op.getMatchingBlockArgument(read);
  auto rounded = argument.hasOneUse() ? dyn_cast<arith::TruncFOp>(*argument.user_begin()) : nullptr;
  if (!rounded || !rounded.getType().isF16())
    return;
  OpBuilder b(op);
  const auto type = MemRefType::get(cast<MemRefType>(sums.getType()).getShape(), rounded.getType());
  Value halves = b.create<memref::AllocOp>(op.getLoc(), type);
  const AffineMap map = b.getMultiDimIdentityMap(type.getRank());
  const SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
  b.create<linalg::GenericOp>(op.getLoc(), sums, halves, ArrayRef<AffineMap>{map, map}, loops,
                              [](OpBuilder &body, Location loc, ValueRange at) {
                                Value half = body.create<arith::TruncFOp>(loc, at[1].getType(), at[0]);
                                body.create<linalg::YieldOp>(loc, half);
                              });
  read->set(halves);
  argument.setType(rounded.getType());
  rounded.replaceAllUsesWith(Value(argument));
  rounded.erase();
}

void createConv(OpBuilder &b, Location loc, const Conv &conv, StringAttr function,
                const std::array<Value, 3> &buffers, UnitAttr accumulates) {
  const auto list = [&](ArrayRef<uint64_t> values) {
    return b.getDenseI64ArrayAttr(SmallVector<int64_t>(values.begin(), values.end()));
  };
  const Extent &rows = conv.rows, &columns = conv.columns;
  b.create<ConvOp>(loc, function, buffers[0], buffers[1], buffers[2],
                   list({conv.images, conv.channels, rows.image, columns.image}),
                   list({conv.results, rows.window, columns.window}), list({rows.pad, columns.pad}),
                   list({rows.stride, columns.stride}), list({rows.dilation, columns.dilation}),
                   conv.hasChannelsLast ? b.getUnitAttr() : UnitAttr(), accumulates);
}

Conv convOf(ConvOp op) {
  const ArrayRef<int64_t> images = op.getImages(), filters = op.getFilters(), pads = op.getPads(),
                          strides = op.getStrides(), dilations = op.getDilations();
  Conv conv;
  conv.type = typeOf(getElementTypeOrSelf(op.getX().getType()));
  conv.hasChannelsLast = op.getChannelsLast();
  conv.accumulates = op.getAccumulates();
  conv.images = uint64_t(images[0]), conv.channels = uint64_t(images[1]), conv.results = uint64_t(filters[0]);
  for (unsigned i : {0U, 1U})
    (i ? conv.columns : conv.rows) = {uint64_t(images[2 + i]), uint64_t(filters[1 + i]), uint64_t(pads[i]),
                                      uint64_t(strides[i]), uint64_t(dilations[i])};
  return conv;
}

LogicalResult ConvOp::verify() {
  if (getImages().size() != 4 || getFilters().size() != 3 || getPads().size() != 2 ||
      getStrides().size() != 2 || getDilations().size() != 2)
    return emitOpError("has sizes that are not of images N, C, H, W and filters F, R, S, or pads, strides or "
                       "dilations that are not of rows and columns");
  const Type element = getElementTypeOrSelf(getX().getType());
  if (element != getElementTypeOrSelf(getW().getType()) ||
      element != getElementTypeOrSelf(getOut().getType()))
    return emitOpError("convolves ") << getX().getType() << " by " << getW().getType() << " to "
                                     << getOut().getType()
                                     << "; expected images, filters and a result of one type";
  return verifyCall(*this, convOf(*this), "has sizes of no convolution");
}

} // namespace daedalus::cuda
