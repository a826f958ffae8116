// qnn-channels-last: a walk over @main that keeps, for each quantized tensor of four dimensions, and for real
// numbers between convolutions, where it lies in the order [N, H, W, C].

#include "Functions.h"
#include "ImageLayouts.h"
#include "Patterns.h"
#include "daedalus/Dialect/Qnn/Transforms/Constants.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"
#include "daedalus/Dialect/Qnn/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Quant/QuantOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>
#include <cmath>

namespace daedalus::qnn {
#define GEN_PASS_DEF_QNNCHANNELSLAST
#include "daedalus/Dialect/Qnn/Transforms/Passes.h.inc"

namespace {

using namespace mlir;

class Walker : ImageLayouts {
public:
  explicit Walker(func::FuncOp main) : ImageLayouts(main.getContext()), main(main) {}

  unsigned run() {
    for (Operation &op : llvm::make_early_inc_range(main.getBody().front()))
      visit(&op);
    eraseDead(main);
    return transposes;
  }

private:
  void visit(Operation *op) {
    builder.setInsertionPoint(op);
    llvm::TypeSwitch<Operation *>(op)
        .Case<ConvOp>([&](ConvOp op) { visitConv(op); })
        .Case<MaxPoolOp, AveragePoolOp, UpsampleOp>([&](auto op) { visitImage(op); })
        .Case<MatmulOp>([&](MatmulOp op) { visitMatmul(op); })
        .Case<AddOp, SubOp, MulOp>([&](auto op) { visitBinary(op); })
        .Case<tosa::ClampOp, tosa::CastOp, tosa::TableOp>([&](auto op) { visitElementwise(op); })
        .Case<ConcatOp>([&](auto op) { visitConcat(op); })
        .Case<BatchNormOp>([&](auto op) { visitBatchNorm(op); })
        .Case<tosa::ReshapeOp>([&](auto op) { visitReshape(op); })
        .Case<tosa::TransposeOp>([&](auto op) { visitTranspose(op); })
        .Case<tosa::SliceOp>([&](auto op) { visitSlice(op); })
        .Case<quant::StorageCastOp>([&](auto op) { visitStorageCast(op); })
        .Case<quant::QuantizeCastOp>([&](auto op) {
          readInOrder(op);
          orderBehind(op);
        })
        .Case<tosa::ConstOp>([](auto) {})
        .Default([&](Operation *op) { readInOrder(op); });
  }

  static bool isQuantized(Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type && isa<quant::QuantizedType>(type.getElementType());
  }
  static bool isImage(Value value) { return isQuantized(value) && shapeOf(value).size() == 4; }
  /// Of real numbers, behind a convolution or what goes on with its result.
  bool isRealImage(Value value) const {
    return elementOf(value).isF32() && shapeOf(value).size() == 4 && isOfImage(value);
  }
  bool isRowOfImage(Value value) const { return isOfImage(value) && shapeOf(value).size() == 3; }

  void visitConv(ConvOp op) {
    const bool isReal = elementOf(op).isF32() && shapeOf(op).size() == 4 && constantOf(op.getWeights());
    if (!(isReal || isQuantized(op.getInput())) || op.getChannelsLast())
      return readInOrder(op);
    Value x = image(op.getInput(), op.getLoc()), w = image(op.getWeights(), op.getLoc());
    Value residual = op.getResidual() ? image(op.getResidual(), op.getLoc()) : nullptr;
    define(op, builder.create<ConvOp>(op.getLoc(), imageType(op), x, w, op.getBias(), residual, op.getPad(),
                                      op.getStrides(), op.getDilations(), op.getGroups(), true));
  }

  template <class Op> void visitImage(Op op) {
    if (!(isImage(op) || isRealImage(op.getInput())) || op.getChannelsLast())
      return readInOrder(op);
    Value x = image(op.getInput(), op.getLoc());
    auto made = cast<Op>(builder.clone(*op));
    made->setOperand(0, x);
    made->getResult(0).setType(imageType(op));
    made.setChannelsLast(true);
    define(op, made);
  }

  /// Rows of a matrix; what it reads as a flattened image stays as it lies, and the weights' columns take its
  /// order.
  void visitMatmul(MatmulOp op) {
    if (!isQuantized(op.getInput()))
      return readInOrder(op);
    Value x = op.getInput(), w = op.getWeights();
    const auto source = sourceOf(x);
    const int64_t k = shapeOf(x).back();
    if (DenseElementsAttr elements = constantOf(w);
        source && source->kind == Source::Flattened && op.getTransposed() && elements) {
      x = source->value;
      const ArrayRef<int64_t> shape = shapeOf(x);
      w = builder.create<tosa::ConstOp>(
          w.getLoc(), w.getType(),
          swappedInner(elements, shapeOf(w)[0], shape[3], shape[1] * shape[2], shapeOf(w)));
    } else {
      x = inOrder(x, op.getLoc());
    }
    x = reshaped(x, {tensorType(x).getNumElements() / k, k}, op.getLoc());
    const RankedTensorType type = tensorType(op).clone({shapeOf(x)[0], shapeOf(op).back()});
    Value residual = op.getResidual();
    if (residual)
      residual = reshaped(inOrder(residual, op.getLoc()), type.getShape(), op.getLoc());
    define(op, builder.create<MatmulOp>(op.getLoc(), type, x, w, op.getBias(), residual, op.getTransposed()),
           {nullptr, Source::Rows});
  }

  template <class Op> void visitBinary(Op op) {
    const size_t rank = shapeOf(op).size();
    if (!isQuantized(op) && (rank != 4 || !(isRealImage(op.getA()) || isRealImage(op.getB()))))
      return readInOrder(op);
    // Four dimensions that no image has part in, as behind a product of matrices, stay in order.
    const bool isOfImages = rank == 4   ? isOfImage(op.getA()) || isOfImage(op.getB())
                            : rank == 3 ? isRowOfImage(op.getA()) || isRowOfImage(op.getB())
                                        : false;
    Value operands[2];
    for (int i : {0, 1}) {
      Value operand = ofRank(op->getOperand(i), rank, op.getLoc());
      operands[i] = isOfImages ? image(operand, op.getLoc()) : inOrder(operand, op.getLoc());
    }
    const Type type = isOfImages ? imageType(op) : tensorType(op);
    auto made = builder.create<Op>(op.getLoc(), type, operands[0], operands[1]);
    if (isOfImages)
      define(op, made);
    else
      op.replaceAllUsesWith(made.getResult());
  }

  template <class Op> void visitElementwise(Op op) {
    const auto source = sourceOf(op->getOperand(0));
    if (!source)
      return;
    Operation *made = builder.clone(*op);
    made->setOperand(0, source->value);
    made->getResult(0).setType(
        tensorType(source->value).clone(tensorType(op->getResult(0)).getElementType()));
    define(op, made->getResult(0), *source);
  }

  void visitConcat(ConcatOp op) {
    if (!isImage(op) && !llvm::all_of(op.getParts(), [&](Value part) { return isRealImage(part); }) &&
        (!isQuantized(op) || !llvm::any_of(op.getParts(), [&](Value part) { return isRowOfImage(part); })))
      return readInOrder(op);
    const bool isRow = shapeOf(op).size() == 3;
    const int64_t lies[] = {0, 3, isRow ? 2 : 1, 2}; // where N, C, H and W do, or N, C and L
    SmallVector<Value> parts;
    for (Value part : op.getParts())
      parts.push_back(image(part, op.getLoc()));
    define(op, builder.create<ConcatOp>(op.getLoc(), imageType(op), parts, lies[op.getAxis()]));
  }

  /// Of an image of real numbers: a product and a sum, with a number each a channel.
  void visitBatchNorm(BatchNormOp op) {
    DenseElementsAttr of[] = {constantOf(op.getScale()), constantOf(op.getBias()), constantOf(op.getMean()),
                              constantOf(op.getVariance())};
    if (!isRealImage(op.getInput()) ||
        !llvm::all_of(of, [](DenseElementsAttr numbers) { return bool(numbers); }))
      return readInOrder(op);
    std::vector<float> factors, summands;
    for (auto [scale, bias, mean, variance] : llvm::zip(of[0].getValues<float>(), of[1].getValues<float>(),
                                                        of[2].getValues<float>(), of[3].getValues<float>())) {
      factors.push_back(scale * (1 / std::sqrt(variance + op.getEpsilon().convertToFloat())));
      summands.push_back(bias - mean * factors.back());
    }
    const auto numbers = [&](ArrayRef<float> values) -> Value {
      const auto type = tensorType(op).clone({1, 1, 1, int64_t(values.size())});
      return builder.create<tosa::ConstOp>(op.getLoc(), type, DenseElementsAttr::get(type, values));
    };
    const RankedTensorType type = imageType(op);
    Value x = image(op.getInput(), op.getLoc());
    Value scaled = builder.create<MulOp>(op.getLoc(), type, x, numbers(factors));
    define(op, builder.create<AddOp>(op.getLoc(), type, scaled, numbers(summands)));
  }

  /// The same images and channels, with other rows and columns, lie as they do; an image flattened does too.
  void visitReshape(tosa::ReshapeOp op) {
    const ArrayRef<int64_t> to = shapeOf(op);
    const auto source = sourceOf(op.getInput1());
    if (source && to == shapeOf(op.getInput1()))
      return define(op, source->value, *source);
    if (!source || source->kind != Source::Image || to.size() < 2)
      return readInOrder(op);
    const Sizes lies(shapeOf(source->value)); // [N, H, W, C]
    const int64_t channels = lies[3], positions = lies[1] * lies[2];
    if (to.size() == 2 && to[0] == lies[0] && channels > 1 && positions > 1)
      return define(op, source->value, {nullptr, Source::Flattened});
    const bool areGroups = to.size() == 5 && to[1] * to[2] == channels; // as a shuffle of channels has them
    const bool isSplit =
        areGroups || (to.size() == 6 && (areBlocksOfChannels(to, lies) || areBlocksOfRows(to, lies)));
    if (to[0] != lies[0] || (to.size() < 5 ? to.size() == 2 || to[1] != channels : !isSplit))
      return readInOrder(op);
    define(op,
           to.size() != 4 ? source->value : reshaped(source->value, permuted(to, channelsLast), op.getLoc()));
  }

  /// Whether dimensions are those of an image that lies as [N, H, W, C], its channels split in three; or its
  /// rows and columns in two.
  static bool areBlocksOfChannels(ArrayRef<int64_t> to, ArrayRef<int64_t> lies) {
    return to[1] * to[2] * to[3] == lies[3] && to[4] == lies[1] && to[5] == lies[2];
  }
  static bool areBlocksOfRows(ArrayRef<int64_t> to, ArrayRef<int64_t> lies) {
    return to[1] == lies[3] && to[2] * to[3] == lies[1] && to[4] * to[5] == lies[2];
  }

  /// What is free, in order or as an image with channels last; else an image stays one.
  void visitTranspose(tosa::TransposeOp op) {
    Sizes order;
    const size_t rank = shapeOf(op).size();
    if (failed(op.getConstantPerms(order)) || !isQuantized(op))
      return readInOrder(op);
    if (rank == 5 && isOfImage(op.getInput1()) && order == Sizes{0, 2, 1, 3, 4})
      return visitShuffle(op);
    if (rank == 6 && isOfImage(op.getInput1())) {
      const ArrayRef<int64_t> split = shapeOf(op.getInput1()),
                              lies = shapeOf(sourceOf(op.getInput1())->value);
      if (order == Sizes{0, 3, 4, 1, 5, 2} && areBlocksOfChannels(split, lies))
        return visitBlocks(op, true);
      if (order == Sizes{0, 3, 5, 1, 2, 4} && areBlocksOfRows(split, lies))
        return visitBlocks(op, false);
    }
    if (rank != 3 && rank != 4)
      return readInOrder(op);
    const Lying from = lyingOf(op.getInput1(), op.getLoc());
    Sizes ordered;
    for (int64_t d : order)
      ordered.push_back(from.dimensions[d]);
    Sizes asImage = ordered;
    std::rotate(asImage.begin() + 1, asImage.begin() + 2, asImage.end()); // channels are the last
    const bool wasImage = isOfImage(op.getInput1()), moves = movesElements(shapeOf(from.x), ordered),
               movesImage = movesElements(shapeOf(from.x), asImage);
    if (wasImage ? movesImage && (rank == 3 || !moves) : movesImage || !moves) {
      op.replaceAllUsesWith(transposed(from.x, ordered, op.getLoc()));
      return;
    }
    define(op, reshaped(transposed(from.x, asImage, op.getLoc()), permuted(imageShape(op), channelsLast),
                        op.getLoc()));
  }

  /// Channels in groups, of which the first of each come first.
  void visitShuffle(tosa::TransposeOp op) {
    Value lying = sourceOf(op.getInput1())->value;
    const ArrayRef<int64_t> groups = shapeOf(op.getInput1());
    const Sizes lies(shapeOf(lying));
    Value x = reshaped(lying, {groups[0], groups[3] * groups[4], groups[1], groups[2]}, op.getLoc());
    define(op, reshaped(transposed(x, {0, 1, 3, 2}, op.getLoc()), lies, op.getLoc()));
  }

  /// Blocks of rows and columns from channels, which lie as [N, H, W, rows, columns, C], or channels from
  /// them.
  void visitBlocks(tosa::TransposeOp op, bool fromChannels) {
    Value lying = sourceOf(op.getInput1())->value;
    const ArrayRef<int64_t> result =
        shapeOf(op); // [N, C, H, rows, W, columns] or [N, rows, columns, C, H, W]
    const int64_t n = result[0], rows = result[fromChannels ? 3 : 1], columns = result[fromChannels ? 5 : 2],
                  c = result[fromChannels ? 1 : 3], h = result[fromChannels ? 2 : 4],
                  w = result[fromChannels ? 4 : 5];
    const Sizes split =
        fromChannels ? Sizes{n * h, w, rows, columns * c} : Sizes{n * h, rows, w, columns * c};
    const Sizes lies = fromChannels ? Sizes{n, h * rows, w * columns, c} : Sizes{n, h, w, rows * columns * c};
    Value x = transposed(reshaped(lying, split, op.getLoc()), {0, 2, 1, 3}, op.getLoc());
    define(op, reshaped(x, lies, op.getLoc()));
  }

  void visitSlice(tosa::SliceOp op) {
    const size_t rank = shapeOf(op).size();
    if (!isOfImage(op.getInput()) || (rank != 3 && rank != 4))
      return readInOrder(op);
    Sizes start(op.getStart());
    if (rank == 3)
      start.insert(start.begin() + 2, 0);
    const RankedTensorType type = imageType(op);
    define(op, builder.create<tosa::SliceOp>(op.getLoc(), type, image(op.getInput(), op.getLoc()),
                                             permuted(start, channelsLast), type.getShape()));
  }

  /// Between quantized types and their storage, an image stays as it lies.
  void visitStorageCast(quant::StorageCastOp op) {
    if (sourceOf(op.getArg()))
      visitElementwise(op);
    else
      orderBehind(op);
  }

  void orderBehind(Operation *op) {
    Value result = op->getResult(0);
    if (!isImage(result))
      return;
    builder.setInsertionPointAfter(op);
    Value ordered = transposed(result, channelsLast, op->getLoc());
    if (ordered != result)
      define(op, ordered);
  }

  func::FuncOp main;
};

struct ChannelsLast : GraphPass<impl::QnnChannelsLastBase<ChannelsLast>> {
  LogicalResult runOnGraph(func::FuncOp main) override {
    counts["transposes"] += Walker(main).run();
    return success();
  }
};

} // namespace
} // namespace daedalus::qnn
