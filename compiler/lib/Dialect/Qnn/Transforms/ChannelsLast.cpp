// qnn-channels-last: a walk over @main that keeps, for each quantized tensor of four dimensions, where it
// lies in the order [N, H, W, C]. A permutation that moves no element is a reshape.

#include "Functions.h"
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

namespace daedalus::qnn {
#define GEN_PASS_DEF_QNNCHANNELSLAST
#include "daedalus/Dialect/Qnn/Transforms/Passes.h.inc"

namespace {

using namespace mlir;
using Shape = SmallVector<int64_t>;

constexpr int64_t channelsLast[] = {0, 2, 3, 1}, channelsFirst[] = {0, 3, 1, 2};

Shape permuted(ArrayRef<int64_t> shape, ArrayRef<int64_t> permutation) {
  Shape result;
  for (int64_t from : permutation)
    result.push_back(shape[from]);
  return result;
}

bool movesElements(ArrayRef<int64_t> shape, ArrayRef<int64_t> permutation) {
  int64_t last = -1;
  for (int64_t from : permutation) {
    if (shape[from] == 1)
      continue;
    if (from < last)
      return true;
    last = from;
  }
  return false;
}

/// The elements of `data` of shape [a, b, c] in the order [a, c, b].
template <class T> std::vector<T> swappedInner(ArrayRef<T> data, int64_t a, int64_t b, int64_t c) {
  std::vector<T> result(data.size());
  for (int64_t i = 0; i < a; ++i)
    for (int64_t j = 0; j < b; ++j)
      for (int64_t k = 0; k < c; ++k)
        result[(i * c + k) * b + j] = data[(i * b + j) * c + k];
  return result;
}

/// The same of a constant of 8 or 16 bits, as one of `shape`.
DenseElementsAttr swappedInner(DenseElementsAttr elements, int64_t a, int64_t b, int64_t c,
                               ArrayRef<int64_t> shape) {
  const auto swap = [&](auto zero) {
    using T = decltype(zero);
    const std::vector<T> data(elements.value_begin<T>(), elements.value_end<T>());
    return DenseElementsAttr::get(elements.getType().clone(shape),
                                  ArrayRef<T>(swappedInner<T>(data, a, b, c)));
  };
  return elements.getElementType().isInteger(16) ? swap(int16_t()) : swap(int8_t());
}

class Walker {
public:
  explicit Walker(func::FuncOp main) : main(main), builder(main.getContext()) {}

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
        .Case<tosa::ReshapeOp>([&](auto op) { visitReshape(op); })
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

  /// What a value is made of.
  struct Source {
    Value value;
    enum { Image, Flattened, Rows } kind; ///< channels last; such an image flattened; a matrix
  };

  void define(Operation *op, Value value, Source like = {nullptr, Source::Image}) {
    sources[op->getResult(0)] = {value, like.kind};
  }

  std::optional<Source> sourceOf(Value value) const {
    auto found = sources.find(value);
    return found == sources.end() ? std::nullopt : std::optional(found->second);
  }

  /// The image, with channels last.
  Value image(Value value, Location loc) {
    if (const auto source = sourceOf(value); source && source->kind == Source::Image)
      return source->value;
    if (DenseElementsAttr elements = constantOf(value)) {
      const ArrayRef<int64_t> from = shapeOf(value);
      const Shape shape = permuted(from, channelsLast);
      return builder.create<tosa::ConstOp>(
          value.getLoc(), tensorType(value).clone(shape),
          swappedInner(elements, from[0], from[1], from[2] * from[3], shape));
    }
    return transposed(inOrder(value, loc), channelsLast, loc);
  }

  /// The value in ONNX's order.
  Value inOrder(Value value, Location loc) {
    const auto source = sourceOf(value);
    if (!source)
      return value;
    Value ordered =
        source->kind == Source::Rows ? source->value : transposed(source->value, channelsFirst, loc);
    return reshaped(ordered, shapeOf(value), loc);
  }

  void readInOrder(Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      operand.set(inOrder(operand.get(), op->getLoc()));
  }

  Value reshaped(Value value, ArrayRef<int64_t> shape, Location loc) {
    if (shapeOf(value) == shape)
      return value;
    return builder.create<tosa::ReshapeOp>(loc, tensorType(value).clone(shape), value,
                                           builder.getDenseI64ArrayAttr(shape));
  }

  Value transposed(Value value, ArrayRef<int64_t> permutation, Location loc) {
    const Shape shape = permuted(shapeOf(value), permutation);
    if (!movesElements(shapeOf(value), permutation))
      return reshaped(value, shape, loc);
    ++transposes;
    auto type = RankedTensorType::get({static_cast<int64_t>(permutation.size())}, builder.getI64Type());
    Value order = builder.create<tosa::ConstOp>(loc, type, DenseElementsAttr::get(type, permutation));
    return builder.create<tosa::TransposeOp>(loc, tensorType(value).clone(shape), value, order);
  }

  RankedTensorType imageType(Value result) {
    return tensorType(result).clone(permuted(shapeOf(result), channelsLast));
  }

  void visitConv(ConvOp op) {
    if (!isImage(op) || op.getChannelsLast())
      return readInOrder(op);
    Value x = image(op.getInput(), op.getLoc()), w = image(op.getWeights(), op.getLoc());
    define(op, builder.create<ConvOp>(op.getLoc(), imageType(op), x, w, op.getBias(), op.getPad(),
                                      op.getStrides(), op.getDilations(), op.getGroups(), true));
  }

  template <class Op> void visitImage(Op op) {
    if (!isImage(op) || op.getChannelsLast())
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
    if (!isQuantized(op))
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
    define(op,
           builder.create<MatmulOp>(op.getLoc(), tensorType(op).clone({shapeOf(x)[0], shapeOf(op).back()}), x,
                                    w, op.getBias(), op.getTransposed()),
           {nullptr, Source::Rows});
  }

  /// An operand with the rank of the result.
  Value ofRank(Value value, size_t rank, Location loc) {
    Shape shape(shapeOf(value));
    if (shape.size() == rank)
      return value;
    shape.insert(shape.begin(), rank - shape.size(), 1);
    if (DenseElementsAttr elements = constantOf(value))
      return builder.create<tosa::ConstOp>(value.getLoc(), tensorType(value).clone(shape),
                                           elements.reshape(elements.getType().clone(shape)));
    return reshaped(inOrder(value, loc), shape, loc);
  }

  template <class Op> void visitBinary(Op op) {
    if (!isQuantized(op))
      return readInOrder(op);
    const size_t rank = shapeOf(op).size();
    Value operands[2];
    for (int i : {0, 1}) {
      Value operand = ofRank(op->getOperand(i), rank, op.getLoc());
      operands[i] = rank == 4 ? image(operand, op.getLoc()) : inOrder(operand, op.getLoc());
    }
    const Type type = rank == 4 ? imageType(op) : tensorType(op);
    auto made = builder.create<Op>(op.getLoc(), type, operands[0], operands[1]);
    if (rank == 4)
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
    if (!isImage(op))
      return readInOrder(op);
    static constexpr int64_t lies[] = {0, 3, 1, 2}; // where N, C, H and W do
    SmallVector<Value> parts;
    for (Value part : op.getParts())
      parts.push_back(image(part, op.getLoc()));
    define(op, builder.create<ConcatOp>(op.getLoc(), imageType(op), parts, lies[op.getAxis()]));
  }

  void visitReshape(tosa::ReshapeOp op) {
    const ArrayRef<int64_t> to = shapeOf(op), from = shapeOf(op.getInput1());
    const auto source = sourceOf(op.getInput1());
    const bool flattens = to.size() == 2 && from.size() == 4 && to[0] == from[0];
    if (source && to == from)
      return define(op, source->value, *source);
    if (source && source->kind == Source::Image && flattens && from[1] > 1 && from[2] * from[3] > 1)
      return define(op, source->value, {nullptr, Source::Flattened});
    readInOrder(op);
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
  OpBuilder builder;
  DenseMap<Value, Source> sources; ///< of values that lie otherwise than their shape says
  unsigned transposes = 0;
};

struct ChannelsLast : GraphPass<impl::QnnChannelsLastBase<ChannelsLast>> {
  LogicalResult runOnGraph(func::FuncOp main) override {
    counts["transposes"] += Walker(main).run();
    return success();
  }
};

} // namespace
} // namespace daedalus::qnn
