// See VectorLoops.h.

#include "VectorLoops.h"

#include "Contraction.h"
#include "Transforms/FlatBuffers.h"
#include "VectorBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace daedalus::cpu {
namespace {

constexpr int64_t LeastLanes = 8;           ///< of a loop that vectors are worth
constexpr int64_t FetchedAhead = 8 << 10;   ///< bytes from what is read to what is fetched, at least
constexpr int64_t FirstCache = 32 << 10;    ///< bytes of it
constexpr int64_t LeastStreamed = 16;       ///< bytes of an instruction that stores past the caches
constexpr int64_t StreamedBytes = 32 << 20; ///< of an argument that the caches of few hosts hold

/// Whether vectors of it lie in memory as its elements do, and are computed with as these are.
bool isLane(Type type) {
  return type.isF32() || type.isF64() ||
         (type.isSignlessInteger() && type.getIntOrFloatBitWidth() >= 8 &&
          llvm::isPowerOf2_32(type.getIntOrFloatBitWidth()));
}

/// The operation that takes a value into what was reduced before: the last one of the body, and nothing else
/// reads that. Null if there is none.
Operation *combinerOf(linalg::LinalgOp op) {
  Operation *combiner = op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  const BlockArgument before = op.getBlock()->getArguments().back();
  if (!combiner || combiner->getNumOperands() != 2 || !before.hasOneUse() ||
      *before.user_begin() != combiner || !linalg::getCombinerOpKind(combiner) ||
      !arith::getNeutralElement(combiner))
    return nullptr;
  return combiner;
}

class Emitter {
public:
  Emitter(linalg::LinalgOp operation, const Features &features)
      : op(operation), features(features), b(op), loc(op.getLoc()), sizes(op.getStaticLoopRanges()),
        combiner(combinerOf(op)), body(op, b) {}

  /// Whether stores go past the caches.
  bool isPast() const { return isPastCaches; }

  /// False, and nothing is emitted, where no loop is one of vectors.
  bool run() {
    if (!body.findSteps() || !findLanes())
      return false;
    takeFill();
    fetchAhead();
    first = body.begin(lane);
    if (isStreamed())
      stream();
    else
      emit();
    return true;
  }

private:
  using Places = VectorBody::Places;
  using Loops = SmallVector<unsigned>;

  void emit() {
    over(parallel, first, [&](const Places &at) { isAlong ? reduceAlong(at) : computeBeside(at); });
  }

  /// Whether a buffer is an argument that the caches of few hosts hold.
  static bool isLarge(Value buffer) {
    const auto type = cast<MemRefType>(buffer.getType());
    return isa<BlockArgument>(buffer) && type.hasStaticShape() &&
           type.getNumElements() * (type.getElementTypeBitWidth() / 8) >= StreamedBytes;
  }

  /// The next tile, where the first cache holds both; else what comes soon.
  static int64_t elementsAhead(MemRefType tile) {
    const int64_t elements = tile.getNumElements(), bytes = tile.getElementTypeBitWidth() / 8;
    const bool isHeld = 2 * elements * bytes <= FirstCache;
    return isHeld ? std::max(elements, FetchedAhead / bytes) : FetchedAhead / bytes;
  }

  /// Where this is the last operation of a tile that reads a part of a large argument, it fetches what
  /// comes behind that meanwhile: else memory would rest while it computes. Not where all that it does is
  /// reading.
  void fetchAhead() {
    if (isAlong)
      return;
    for (OpOperand *input : op.getDpsInputOperands()) {
      const auto type = dyn_cast<MemRefType>(input->get().getType());
      const bool isTile = type && type.hasStaticShape() && input->get() != baseOf(input->get());
      if (isTile && isLarge(baseOf(input->get())) && isLastReader(baseOf(input->get())))
        body.fetchAhead(input->getOperandNumber(), elementsAhead(type));
    }
  }

  bool isLastReader(Value buffer) {
    const auto reads = [&](linalg::LinalgOp other) {
      return llvm::any_of(other.getDpsInputs(), [&](Value value) { return baseOf(value) == buffer; });
    };
    bool isBehind = false, isRead = false;
    op->getParentOfType<func::FuncOp>().walk([&](linalg::LinalgOp other) {
      isBehind |= other == op;
      isRead |= other != op && isBehind && reads(other);
    });
    return !isRead;
  }

  /// Whether the output goes to a result that no cache keeps, in whole lines of these.
  bool isStreamed() {
    const Value result = baseOf(op.getDpsInits()[0]);
    const auto type = cast<MemRefType>(result.getType());
    const int64_t bytes = type.getElementTypeBitWidth() / 8, stored = lanes() * bytes;
    const auto areLines = [&](int64_t elements) { return elements * bytes % LineBytes == 0; };
    return features.isX86 && isLarge(result) && !isAlong && stored >= LeastStreamed &&
           areLines(sizes[lane]) && (LineBytes % stored == 0 || areLines(lanes())) &&
           llvm::all_of(parallel, [&](unsigned loop) { return areLines(body.stepOf(body.output(), loop)); });
  }

  /// Past the caches where the output begins with a line.
  void stream() {
    Value inLine =
        b.create<arith::RemUIOp>(loc, body.address(), b.create<arith::ConstantIndexOp>(loc, LineBytes));
    Value isLine = b.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, inLine,
                                           b.create<arith::ConstantIndexOp>(loc, 0));
    auto either = b.create<scf::IfOp>(loc, isLine, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(either.elseBlock());
    emit();
    b.setInsertionPointToStart(either.thenBlock());
    isPastCaches = true;
    emit();
  }

  bool isReduction(unsigned loop) { return linalg::isReductionIterator(op.getIteratorTypesArray()[loop]); }

  /// Whether every operand that is used has its elements side by side along a loop, or every second one, or
  /// one for all of it.
  bool hasLanes(unsigned loop) {
    bool any = false;
    for (OpOperand &operand : op->getOpOperands()) {
      const int64_t step = body.stepOf(operand.getOperandNumber(), loop);
      if (body.isUsed(operand) && (step < 0 || step > 2))
        return false;
      any |= body.isUsed(operand) && step != 0;
    }
    return any && sizes[loop] >= LeastLanes;
  }

  /// The longer of a loop of the output, whose vectors are sums side by side, and of one that is reduced
  /// along.
  bool findLanes() {
    int beside = -1, along = -1;
    for (int loop = 0; loop < int(sizes.size()); ++loop)
      if (hasLanes(loop) && !isReduction(loop) && body.stepOf(body.output(), loop) == 1)
        beside = loop;
      else if (hasLanes(loop) && isReduction(loop) && combiner)
        along = loop;
    isAlong = beside < 0 || (along >= 0 && sizes[along] > 4 * sizes[beside]);
    const int found = isAlong ? along : beside;
    if (found < 0)
      return false;
    lane = found;
    for (unsigned loop = 0; loop < sizes.size(); ++loop)
      if (loop != lane)
        (isReduction(loop) ? reductions : parallel).push_back(loop);
    return true;
  }

  bool isStrided() {
    return llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
      return body.stepOf(operand.getOperandNumber(), lane) > 1;
    });
  }

  /// Registers' worth of the widest numbers that the body has, not more than the loop: as many sums as hide
  /// the time of an addition, or half of the registers, which reads longer rows before it goes to the next
  /// one. A quarter where two are permuted to one.
  int64_t lanes() {
    unsigned widest = 8;
    for (Value argument : op.getBlock()->getArguments())
      widest = std::max(widest, argument.getType().getIntOrFloatBitWidth());
    for (Operation &inner : op.getBlock()->without_terminator())
      for (Type type : inner.getResultTypes())
        widest = std::max(widest, type.getIntOrFloatBitWidth());
    const int64_t registers = isAlong              ? 4
                              : reductions.empty() ? 2
                                                   : features.registers / (isStrided() ? 4 : 2);
    return std::min<int64_t>(registers * features.vectorBits / widest,
                             llvm::bit_floor(uint64_t(sizes[lane])));
  }

  /// What the fill in front of the reduction says of its output is a number of the code.
  void takeFill() {
    auto fill = dyn_cast_or_null<linalg::FillOp>(effectBefore(op));
    const Value output = op.getDpsInits()[0];
    if (!fill || fill.getDpsInits()[0] != output ||
        llvm::any_of(op.getDpsInputs(), [&](Value input) { return baseOf(input) == baseOf(output); }))
      return;
    initial = fill.getInputs()[0];
    fill.erase();
  }

  void over(ArrayRef<unsigned> loops, const Places &at, llvm::function_ref<void(const Places &)> inside) {
    if (loops.empty())
      return inside(at);
    emitLoop(b, loc, sizes[loops.front()],
             [&](Value i) { over(loops.drop_front(), body.moved(at, i, loops.front()), inside); });
  }

  /// What is reduced over loops, of which `step` is one step, from `before` on.
  Value reduced(ArrayRef<unsigned> loops, const Places &at, Value before,
                llvm::function_ref<Value(const Places &, Value)> step) {
    if (loops.empty())
      return step(at, before);
    const auto iteration = [&](Value i, SmallVector<Value> carried) -> SmallVector<Value> {
      return {reduced(loops.drop_front(), body.moved(at, i, loops.front()), carried[0], step)};
    };
    return emitLoop(b, loc, sizes[loops.front()], SmallVector<Value>{before}, iteration)[0];
  }

  /// Outputs side by side, vector behind vector, and what is left in smaller ones.
  void computeBeside(const Places &at) {
    int64_t done = 0;
    for (int64_t width = lanes(); width > 0; width /= 2) {
      const int64_t count = (sizes[lane] - done) / width;
      const Places start = body.moved(at, b.create<arith::ConstantIndexOp>(loc, done), lane);
      emitLoop(b, loc, count, [&](Value i) {
        Value offset = daedalus::cpu::moved(b, loc, b.create<arith::ConstantIndexOp>(loc, 0), i, width);
        computeVector(body.moved(start, offset, lane), width);
      });
      done += count * width;
    }
  }

  void computeVector(const Places &at, int64_t width) {
    Value before;
    if (body.takesOutput())
      before = initial ? body.splat(initial, width) : body.load(body.output(), at, width);
    Value sums = reduced(reductions, at, before, [&](const Places &place, Value carried) {
      return body.compute(place, carried, width);
    });
    isPastCaches ? body.storePastCaches(sums, at) : body.store(sums, at);
  }

  /// One output: a vector of what is reduced, this to one number, and what is left behind whole vectors.
  void reduceAlong(const Places &at) {
    const int64_t width = lanes(), count = sizes[lane] / width, done = count * width;
    const TypedAttr neutral = *arith::getNeutralElement(combiner);
    Value nothing = body.splat(b.create<arith::ConstantOp>(loc, neutral), width);
    Value vector = reduced(reductions, at, nothing, [&](const Places &place, Value carried) {
      return alongLane(place, 0, count, width, carried);
    });
    Value sum = b.create<vector::ReductionOp>(loc, *linalg::getCombinerOpKind(combiner), vector,
                                              arith::FastMathFlags::reassoc);
    Value before = initial ? initial : b.create<vector::ExtractOp>(loc, body.load(body.output(), at, 1), 0);
    sum = b.create(loc, combiner->getName().getIdentifier(), ValueRange{before, sum}, sum.getType())
              ->getResult(0);
    Value rest = reduced(reductions, at, body.splat(sum, 1), [&](const Places &place, Value carried) {
      return alongLane(place, done, sizes[lane] - done, 1, carried);
    });
    body.store(rest, at);
  }

  /// `count` vectors of the loop that is reduced along, from its element `first` on.
  Value alongLane(const Places &at, int64_t first, int64_t count, int64_t width, Value before) {
    const Places begin = body.moved(at, b.create<arith::ConstantIndexOp>(loc, first), lane);
    const auto iteration = [&](Value i, SmallVector<Value> carried) -> SmallVector<Value> {
      Value offset = daedalus::cpu::moved(b, loc, b.create<arith::ConstantIndexOp>(loc, 0), i, width);
      return {body.compute(body.moved(begin, offset, lane), carried[0], width)};
    };
    return emitLoop(b, loc, count, SmallVector<Value>{before}, iteration)[0];
  }

  linalg::LinalgOp op;
  const Features &features;
  OpBuilder b;
  const Location loc;
  const SmallVector<int64_t> sizes;
  Operation *combiner;
  VectorBody body;
  Places first;               ///< of the first elements
  unsigned lane = 0;          ///< the loop of vectors
  bool isAlong = false;       ///< it is a reduction
  Loops parallel, reductions; ///< without it
  bool isPastCaches = false;  ///< stores go to memory
  Value initial;              ///< what the outputs begin with, if that is known
};

/// Before the kernel returns: what was stored past the caches comes after other stores else.
void waitForStores(func::FuncOp kernel) {
  kernel.walk([](func::ReturnOp end) {
    OpBuilder b(end);
    b.create<LLVM::CallIntrinsicOp>(end.getLoc(), TypeRange(), b.getStringAttr("llvm.x86.sse.sfence"),
                                    ValueRange(), LLVM::FastmathFlagsAttr());
  });
}

} // namespace

bool isForVectors(linalg::LinalgOp op) {
  if (llvm::isa<linalg::FillOp>(op) || op.getNumLoops() == 0 || op.getNumDpsInits() != 1 ||
      op.hasDynamicShape() || !op->getNumRegions() || llvm::is_contained(op.getStaticLoopRanges(), 0))
    return false;
  const AffineMap output = op.getIndexingMapsArray().back();
  if (!output.isProjectedPermutation() || output.getNumResults() != op.getNumParallelLoops())
    return false; // such loops may be written, but reduce in other places than their own
  for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray()))
    if (linalg::isReductionIterator(type) == output.isFunctionOfDim(loop))
      return false;
  for (Value operand : op->getOperands())
    if (!isLane(getElementTypeOrSelf(operand.getType())))
      return false;
  if (op.getNumReductionLoops() > 0 && op.getBlock()->getArguments().back().use_empty())
    return false; // the last of what it computes counts
  return llvm::all_of(op.getBlock()->without_terminator(), [](Operation &inner) {
    return llvm::all_of(inner.getResultTypes(), [](Type type) { return type.isIntOrFloat(); }) &&
           (inner.hasTrait<OpTrait::ConstantLike>() || OpTrait::hasElementwiseMappableTraits(&inner));
  });
}

void lowerToVectors(func::FuncOp kernel, const Features &features) {
  bool isPastCaches = false;
  for (linalg::LinalgOp op : linalgOps(kernel)) {
    if (!isForVectors(op))
      continue;
    Emitter emitter(op, features);
    if (!emitter.run())
      continue;
    isPastCaches |= emitter.isPast();
    op.erase();
  }
  if (isPastCaches)
    waitForStores(kernel);
}

} // namespace daedalus::cpu
