// On tensors: destination passing, requant and padding in terms of upstream operations, tiling.

#include "Passes.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace daedalus::cpu {
namespace {

bool isEmpty(Type tensor) {
  return cast<RankedTensorType>(tensor).getNumElements() == 0;
}

/// A tensor without elements has no buffer that LLVM could address; a byte stands for it.
MemRefType bufferType(Type tensor) {
  auto type = cast<RankedTensorType>(tensor);
  if (isEmpty(tensor))
    return MemRefType::get({1}, IntegerType::get(tensor.getContext(), 8));
  return MemRefType::get(type.getShape(), type.getElementType());
}

/// The tensor.empty that `result` is computed into, through the destination operands of linalg operations.
tensor::EmptyOp destinationOf(Value result) {
  if (auto op = result.getDefiningOp<DestinationStyleOpInterface>())
    return op.getDpsInits()[0].getDefiningOp<tensor::EmptyOp>()
               ? op.getDpsInits()[0].getDefiningOp<tensor::EmptyOp>()
               : destinationOf(op.getDpsInits()[0]);
  return nullptr;
}

/// Whether nothing but the slice reads its destination, the copy into its place aside.
bool isSoleReader(tensor::InsertSliceOp slice) {
  return llvm::all_of(slice.getDest().getUsers(), [&](Operation *user) {
    auto place = dyn_cast<tensor::ExtractSliceOp>(user);
    auto copy = slice.getSource().getDefiningOp<linalg::CopyOp>();
    return user == slice || (place && copy && place->hasOneUse() && *place->user_begin() == copy);
  });
}

/// The slices that a result is put together of, the last first; none where anything else is in it.
SmallVector<tensor::InsertSliceOp> partsOf(Value result) {
  SmallVector<tensor::InsertSliceOp> parts;
  int64_t missing = cast<RankedTensorType>(result.getType()).getNumElements();
  Value rest = result;
  for (auto slice = rest.getDefiningOp<tensor::InsertSliceOp>(); slice && isSoleReader(slice);
       slice = rest.getDefiningOp<tensor::InsertSliceOp>()) {
    parts.push_back(slice);
    missing -= slice.getSourceType().getNumElements();
    rest = slice.getDest();
  }
  if (missing != 0 || !rest.getDefiningOp<tensor::EmptyOp>())
    parts.clear();
  return parts;
}

void eraseUnused(Operation *op) {
  if (op && op->use_empty())
    op->erase();
}

/// Writes each part to its place in the destination. As a chain of tensors the parts would be compared with
/// each other, pair by pair, before each found out that it has its own place.
void storeParts(ArrayRef<tensor::InsertSliceOp> parts, Value destination, OpBuilder &builder) {
  for (tensor::InsertSliceOp part : llvm::reverse(parts)) {
    Location loc = part.getLoc();
    Value source = part.getSource();
    auto copy = source.getDefiningOp<linalg::CopyOp>();
    if (copy)
      source = copy.getInputs()[0];
    auto type = cast<MemRefType>(memref::SubViewOp::inferRankReducedResultType(
        part.getSourceType().getShape(), cast<MemRefType>(destination.getType()), part.getMixedOffsets(),
        part.getMixedSizes(), part.getMixedStrides()));
    Value place = builder.create<memref::SubViewOp>(loc, type, destination, part.getMixedOffsets(),
                                                    part.getMixedSizes(), part.getMixedStrides());
    auto store = builder.create<bufferization::MaterializeInDestinationOp>(loc, Type(), source, place);
    store.setRestrict(false);
    store.setWritable(true);
  }
  for (tensor::InsertSliceOp part : parts) {
    Operation *copy = part.getSource().getDefiningOp<linalg::CopyOp>();
    Operation *place = copy ? copy->getOperand(1).getDefiningOp() : nullptr;
    Operation *rest = part.getDest().getDefiningOp();
    part.erase();
    eraseUnused(copy);
    eraseUnused(place);
    if (isa<tensor::EmptyOp>(rest))
      eraseUnused(rest);
  }
}

} // namespace

func::FuncOp cloneDestinationPassing(func::FuncOp kernel, ModuleOp module) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  SmallVector<Type> types;
  for (Type type : kernel.getArgumentTypes())
    types.push_back(bufferType(type));
  types.push_back(bufferType(kernel.getResultTypes()[0]));
  auto function =
      builder.create<func::FuncOp>(kernel.getLoc(), kernel.getName(), builder.getFunctionType(types, {}));
  builder.setInsertionPointToEnd(function.addEntryBlock());
  IRMapping mapping;
  Location loc = kernel.getLoc();
  for (auto [from, to] : llvm::zip(kernel.getArguments(), function.getArguments())) {
    if (isEmpty(from.getType())) {
      auto type = cast<RankedTensorType>(from.getType());
      mapping.map(from,
                  builder.create<tensor::EmptyOp>(loc, type.getShape(), type.getElementType()).getResult());
      continue;
    }
    auto tensor = builder.create<bufferization::ToTensorOp>(loc, from.getType(), to, /*restrict=*/true,
                                                            /*writable=*/false);
    mapping.map(from, tensor);
  }
  for (Operation &op : kernel.getBody().front().without_terminator())
    builder.clone(op, mapping);
  Value result = mapping.lookup(kernel.getBody().front().getTerminator()->getOperand(0));
  Value destination = function.getArguments().back();
  if (isEmpty(result.getType())) {
    builder.create<func::ReturnOp>(loc);
    return function;
  }
  if (auto parts = partsOf(result); !parts.empty()) {
    storeParts(parts, destination, builder);
    builder.create<func::ReturnOp>(loc);
    return function;
  }
  if (auto empty = destinationOf(result)) {
    OpBuilder before(empty);
    Value tensor = before.create<bufferization::ToTensorOp>(loc, empty.getType(), destination, true, true);
    empty.getResult().replaceAllUsesWith(tensor);
    empty.erase();
  }
  auto store = builder.create<bufferization::MaterializeInDestinationOp>(loc, Type(), result, destination);
  store.setRestrict(false);
  store.setWritable(true);
  builder.create<func::ReturnOp>(loc);
  return function;
}

void expandRequantize(func::FuncOp kernel) {
  kernel.walk([](qnn::RequantizeOp op) {
    OpBuilder b(op);
    Location loc = op.getLoc();
    Type wide = b.getI64Type();
    auto constant = [&](int64_t value) -> Value {
      return b.create<arith::ConstantOp>(loc, b.getI64IntegerAttr(value));
    };
    auto sum = b.create<arith::AddIOp>(loc, op.getAcc(), op.getBias());
    Value t = b.create<arith::MulIOp>(loc, b.create<arith::ExtSIOp>(loc, wide, sum),
                                      b.create<arith::ExtSIOp>(loc, wide, op.getMultiplier()));
    Value one = constant(1), shift = b.create<arith::ExtUIOp>(loc, wide, op.getShift());
    Value half = b.create<arith::ShLIOp>(loc, one, b.create<arith::SubIOp>(loc, shift, one));
    if (op.getRounding() == qnn::Rounding::HalfEven) {
      Value odd = b.create<arith::AndIOp>(loc, b.create<arith::ShRSIOp>(loc, t, shift), one);
      half = b.create<arith::AddIOp>(loc, b.create<arith::SubIOp>(loc, half, one), odd);
    }
    Value q = b.create<arith::ShRSIOp>(loc, b.create<arith::AddIOp>(loc, t, half), shift);
    q = b.create<arith::AddIOp>(loc, q, constant(static_cast<int8_t>(op.getZeroPoint())));
    q = b.create<arith::MaxSIOp>(loc, q, constant(static_cast<int8_t>(op.getLo())));
    q = b.create<arith::MinSIOp>(loc, q, constant(static_cast<int8_t>(op.getHi())));
    op.replaceAllUsesWith(b.create<arith::TruncIOp>(loc, b.getI8Type(), q).getResult());
    op.erase();
  });
}

void expandApplyScale(func::FuncOp kernel) {
  kernel.walk([](tosa::ApplyScaleOp op) {
    OpBuilder b(op);
    Location loc = op.getLoc();
    Type wide = b.getI64Type();
    auto constant = [&](int64_t value) -> Value {
      return b.create<arith::ConstantOp>(loc, b.getI64IntegerAttr(value));
    };
    Value value = b.create<arith::ExtSIOp>(loc, wide, op.getValue());
    Value shift = b.create<arith::ExtUIOp>(loc, wide, op.getShift()), one = constant(1);
    Value half = b.create<arith::ShLIOp>(loc, one, b.create<arith::SubIOp>(loc, shift, one));
    if (op.getDoubleRound()) {
      auto is = [&](arith::CmpIPredicate predicate, Value a, int64_t than) -> Value {
        return b.create<arith::CmpIOp>(loc, predicate, a, constant(than));
      };
      Value first = b.create<arith::SelectOp>(loc, is(arith::CmpIPredicate::sge, value, 0),
                                              constant(int64_t(1) << 30), constant(-(int64_t(1) << 30)));
      first = b.create<arith::SelectOp>(loc, is(arith::CmpIPredicate::sgt, shift, 31), first, constant(0));
      half = b.create<arith::AddIOp>(loc, half, first);
    }
    Value scaled =
        b.create<arith::MulIOp>(loc, value, b.create<arith::ExtSIOp>(loc, wide, op.getMultiplier()));
    scaled = b.create<arith::ShRSIOp>(loc, b.create<arith::AddIOp>(loc, scaled, half), shift);
    op.replaceAllUsesWith(b.create<arith::TruncIOp>(loc, op.getType(), scaled).getResult());
    op.erase();
  });
}

void expandLookup(func::FuncOp kernel) {
  kernel.walk([](qnn::LookupOp op) {
    OpBuilder b(op);
    Location loc = op.getLoc();
    Value at = b.create<arith::ExtSIOp>(loc, b.getI32Type(), op.getX());
    Value origin = b.create<arith::ConstantOp>(loc, b.getI32IntegerAttr(qnn::tableOrigin));
    at = b.create<arith::IndexCastOp>(loc, b.getIndexType(), b.create<arith::AddIOp>(loc, at, origin));
    op.replaceAllUsesWith(b.create<tensor::ExtractOp>(loc, op.getTable(), at).getResult());
    op.erase();
  });
}

void expandPad(func::FuncOp kernel) {
  kernel.walk([](tensor::PadOp op) {
    OpBuilder b(op);
    Location loc = op.getLoc();
    auto type = op.getResultType();
    Value empty = b.create<tensor::EmptyOp>(loc, type.getShape(), type.getElementType());
    Value filled = b.create<linalg::FillOp>(loc, op.getConstantPaddingValue(), empty).getResult(0);
    SmallVector<OpFoldResult> strides(type.getRank(), b.getIndexAttr(1)), sizes;
    for (int64_t size : op.getSourceType().getShape())
      sizes.push_back(b.getIndexAttr(size));
    Value result =
        b.create<tensor::InsertSliceOp>(loc, op.getSource(), filled, op.getMixedLowPad(), sizes, strides);
    op.replaceAllUsesWith(result);
    op.erase();
  });
}

/// Whether upstream computes the slices that tiles of this read: not where iterators of 0 are another place
/// than 0, by which it moves the slice and then the body goes on in the slice.
static bool hasTileableMaps(linalg::LinalgOp op) {
  return llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
    const SmallVector<int64_t> zeros(map.getNumDims(), 0);
    return llvm::all_of(map.compose(zeros), [](int64_t at) { return at == 0; });
  });
}

LogicalResult tileAndFuse(func::FuncOp kernel) {
  constexpr int64_t tileElements = 4096; // of the output: its int32 accumulators take 16 KiB
  linalg::LinalgOp last;
  bool isTileable = true;
  kernel.walk([&](linalg::LinalgOp op) {
    last = op;
    isTileable &= hasTileableMaps(op);
  });
  bool fuses = last && isTileable && llvm::any_of(last.getDpsInputs(), [](Value input) {
                 return input.getDefiningOp<linalg::LinalgOp>() != nullptr;
               });
  if (!fuses || last.getNumParallelLoops() != last.getNumLoops())
    return success();
  SmallVector<int64_t> shape = last.getStaticLoopRanges();
  SmallVector<OpFoldResult> tiles(shape.size(), OpFoldResult());
  IRRewriter rewriter(kernel.getContext());
  int64_t inner = 1;
  bool tiled = false;
  for (int i = shape.size() - 1; i >= 0; --i) {
    inner *= shape[i];
    bool tile = inner > tileElements && i + 1 < static_cast<int>(shape.size());
    tiled |= tile && shape[i] > 1;
    tiles[i] = rewriter.getIndexAttr(tile ? 1 : 0);
  }
  if (!tiled)
    return success();
  scf::SCFTilingOptions options;
  options.setTileSizes(tiles);
  rewriter.setInsertionPoint(last);
  auto result =
      scf::tileConsumerAndFuseProducersUsingSCF(rewriter, cast<TilingInterface>(last.getOperation()),
                                                scf::SCFTileAndFuseOptions().setTilingOptions(options));
  if (failed(result))
    return last->emitError() << "cannot be tiled for the CPU";
  for (auto [from, to] : result->replacements)
    rewriter.replaceAllUsesWith(from, to);
  return success();
}

} // namespace daedalus::cpu
