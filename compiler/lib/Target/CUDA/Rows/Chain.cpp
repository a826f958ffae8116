// See Chain.h. The loops of a chain are those of its first reduction; the loops of another operation are
// found by the buffers that both of them, or what was found before, read or write.

#include "Chain.h"

#include "Transforms/Transforms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace daedalus::cuda {
namespace {

constexpr unsigned mostSteps = 32;

bool isParallel(utils::IteratorType type) {
  return type == utils::IteratorType::parallel;
}

/// Whether an operand has an element for each value of the loops.
bool coversLoops(linalg::LinalgOp op, OpOperand *operand) {
  const AffineMap map = op.getMatchingIndexingMap(operand);
  if (!map.isProjectedPermutation())
    return false;
  for (auto [loop, size] : llvm::enumerate(op.getStaticLoopRanges()))
    if (size > 1 && !map.isFunctionOfDim(loop))
      return false;
  return true;
}

OpOperand *operandOfAllLoops(linalg::LinalgOp op) {
  for (OpOperand *input : op.getDpsInputOperands())
    if (coversLoops(op, input))
      return input;
  return nullptr;
}

/// An operation with what fills its result before.
struct Candidate {
  mutable linalg::LinalgOp op;
  mutable linalg::FillOp fill;
};

/// Those that stand behind each other, each with one result of which threads can compute elements of their
/// own. What reads memory between them is no part of them.
SmallVector<Candidate> candidatesAt(Operation *op) {
  SmallVector<Candidate> found;
  for (; op && found.size() < mostSteps; op = effectBehind(op)) {
    std::optional<Group> group = groupAt(op);
    if (!group)
      break;
    found.push_back({group->root, group->fill});
    op = group->root;
    for (Operation *next = op->getNextNode(); next && next != effectBehind(op); next = next->getNextNode())
      if (isa<memref::LoadOp>(next))
        return found;
  }
  return found;
}

/// Puts the steps of a chain together.
class ChainBuilder {
public:
  std::optional<Chain> run(ArrayRef<Candidate> candidates) {
    const auto *anchor = llvm::find_if(candidates, isAnchor);
    if (anchor == candidates.end())
      return std::nullopt;
    setLoops(anchor->op);
    SmallVector<Step> before; // the anchor, in the other order
    for (const auto *candidate = anchor;; --candidate) {
      std::optional<Step> step = stepOf(*candidate);
      if (!step)
        return std::nullopt;
      before.push_back(*step);
      if (candidate == candidates.begin())
        break;
    }
    for (Step &step : llvm::reverse(before))
      if (!add(step))
        return std::nullopt;
    for (const auto *candidate = anchor + 1; candidate != candidates.end(); ++candidate) {
      std::optional<Step> step = stepOf(*candidate);
      if (!step || !add(*step))
        break;
    }
    finish();
    return std::move(chain);
  }

private:
  static bool isAnchor(const Candidate &candidate) {
    linalg::LinalgOp op = candidate.op;
    return candidate.fill && op.getNumReductionLoops() > 0 && operandOfAllLoops(op) && combinerOf(op);
  }

  /// The loops of the first reduction. Columns are ordered as they lie in memory.
  void setLoops(linalg::LinalgOp op) {
    chain.sizes = op.getStaticLoopRanges();
    for (AffineExpr result : op.getIndexingMapsArray().back().getResults())
      chain.rowLoops.push_back(cast<AffineDimExpr>(result).getPosition());
    const AffineMap map = op.getMatchingIndexingMap(operandOfAllLoops(op));
    for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray()))
      if (!isParallel(type) && !map.isFunctionOfDim(loop))
        chain.columnLoops.push_back(loop);
    for (AffineExpr result : map.getResults())
      if (const unsigned loop = cast<AffineDimExpr>(result).getPosition();
          !isParallel(op.getIteratorTypesArray()[loop]))
        chain.columnLoops.push_back(loop);
    for (AffineExpr result : map.getResults())
      if (const unsigned loop = cast<AffineDimExpr>(result).getPosition(); chain.sizes[loop] > 1)
        chain.isAlongColumns = !isParallel(op.getIteratorTypesArray()[loop]);
    for (unsigned loop : chain.rowLoops)
      chain.rows *= chain.sizes[loop];
    for (unsigned loop : chain.columnLoops)
      chain.columns *= chain.sizes[loop];
    SmallVector<unsigned> own = llvm::to_vector(llvm::seq(op.getNumLoops()));
    learn(op, own);
  }

  /// Which loops of the chain the dimensions of an operation's operands are.
  void learn(linalg::LinalgOp op, ArrayRef<unsigned> loops) {
    for (OpOperand &operand : op->getOpOperands()) {
      const AffineMap map = op.getMatchingIndexingMap(&operand);
      if (!map.isProjectedPermutation() || !isa<MemRefType>(operand.get().getType()))
        continue;
      SmallVector<unsigned> dimensions;
      for (AffineExpr result : map.getResults())
        dimensions.push_back(loops[cast<AffineDimExpr>(result).getPosition()]);
      loopsOfBuffer.try_emplace(operand.get(), std::move(dimensions));
    }
  }

  /// The loops of the chain that an operation's loops are; nothing where that cannot be told, or two would be
  /// the same.
  std::optional<SmallVector<unsigned>> loopsOf(linalg::LinalgOp op) {
    SmallVector<int> found(op.getNumLoops(), -1);
    for (OpOperand &operand : op->getOpOperands()) {
      const auto buffer = loopsOfBuffer.find(operand.get());
      const AffineMap map = op.getMatchingIndexingMap(&operand);
      if (buffer == loopsOfBuffer.end() || !map.isProjectedPermutation())
        continue;
      for (auto [result, loop] : llvm::zip(map.getResults(), buffer->second))
        if (int &known = found[cast<AffineDimExpr>(result).getPosition()]; known < 0)
          known = static_cast<int>(loop);
    }
    SmallVector<unsigned> loops;
    for (auto [loop, size] : llvm::zip(found, op.getStaticLoopRanges())) {
      if (loop < 0 || chain.sizes[loop] != size || llvm::is_contained(loops, unsigned(loop)))
        return std::nullopt;
      loops.push_back(static_cast<unsigned>(loop));
    }
    return loops;
  }

  bool isRow(unsigned loop) const { return llvm::is_contained(chain.rowLoops, loop); }

  /// Of all loops or, of a number for each row, of those of rows.
  std::optional<Step> stepOf(const Candidate &candidate) {
    linalg::LinalgOp op = candidate.op;
    const auto loops = loopsOf(op);
    if (!loops)
      return std::nullopt;
    Step step{Step::Kind::Elements, op, candidate.fill, nullptr, *loops, {}};
    for (auto [loop, type] : llvm::zip(*loops, op.getIteratorTypesArray()))
      if (isParallel(type) != isRow(loop) && op.getNumReductionLoops() > 0)
        return std::nullopt;
    const bool hasAll = loops->size() == chain.sizes.size();
    if (op.getNumReductionLoops() > 0) {
      step.kind = Step::Kind::Reduction;
      step.combiner = combinerOf(op);
      if (!hasAll || !step.fill || !step.combiner)
        return std::nullopt;
    } else if (step.fill) {
      return std::nullopt; // which is of no use
    } else if (!hasAll) {
      step.kind = Step::Kind::Number;
      if (loops->size() != chain.rowLoops.size() ||
          !llvm::all_of(*loops, [&](unsigned l) { return isRow(l); }))
        return std::nullopt;
    }
    learn(op, *loops);
    return step;
  }

  AffineMap mapOf(const Step &step, OpOperand &operand) const {
    return step.mapOf(operand, chain.sizes.size());
  }

  /// Whether a step reads an operand's memory: not that of a result that is overwritten.
  static bool reads(const Step &step, OpOperand &operand) {
    const bool isOverwritten =
        &operand == &step.result() && (step.fill || !step.op.payloadUsesValueFromOperand(&operand));
    return isa<MemRefType>(operand.get().getType()) && !isOverwritten;
  }

  /// Whether the step can be one of the chain: what it reads is what one step made of the same element or
  /// row, or nobody's; what it writes is read before at the same element alone.
  bool add(Step step) {
    for (OpOperand &operand : step.op->getOpOperands()) {
      const auto writer = written.find(bufferOf(operand.get()));
      const bool isMade = reads(step, operand) && writer != written.end();
      step.producers.push_back(isMade ? static_cast<int>(writer->second) : -1);
      if (isMade && !isResultOf(chain.steps[writer->second], operand.get(), mapOf(step, operand)))
        return false;
    }
    if (!canWrite(step))
      return false;
    for (auto [operand, producer] : llvm::zip(step.op->getOpOperands(), step.producers))
      if (producer < 0 && reads(step, operand))
        read[bufferOf(operand.get())].push_back({operand.get(), mapOf(step, operand)});
    written[bufferOf(step.result().get())] = chain.steps.size();
    setPass(step);
    chain.steps.push_back(std::move(step));
    return true;
  }

  bool isResultOf(const Step &step, Value buffer, AffineMap map) const {
    return step.result().get() == buffer && mapOf(step, step.result()) == map;
  }

  bool canWrite(const Step &step) const {
    const Value result = step.result().get(), buffer = bufferOf(result);
    const AffineMap map = mapOf(step, step.result());
    if (const auto writer = written.find(buffer);
        writer != written.end() && !isResultOf(chain.steps[writer->second], result, map))
      return false;
    const auto isSame = [&](Value its, AffineMap at) {
      return step.kind == Step::Kind::Elements && its == result && at == map;
    };
    if (const auto before = read.find(buffer); before != read.end())
      for (const auto &[its, at] : before->second)
        if (!isSame(its, at))
          return false;
    for (auto [operand, producer] : llvm::zip(step.op->getOpOperands(), step.producers))
      if (producer < 0 && reads(step, operand) && bufferOf(operand.get()) == buffer &&
          !isSame(operand.get(), mapOf(step, operand)))
        return false;
    return true;
  }

  /// As early as what it reads allows, but not before steps on elements that stand before it.
  void setPass(Step &step) {
    int pass = step.kind == Step::Kind::Number ? -1 : chain.passes ? chain.passes - 1 : 0;
    for (int producer : step.producers) {
      if (producer < 0)
        continue;
      const Step &made = chain.steps[producer];
      const bool isBehind = made.kind != Step::Kind::Elements && step.kind != Step::Kind::Number;
      pass = std::max(pass, made.pass + (isBehind ? 1 : 0));
    }
    step.pass = pass;
    chain.passes = std::max(chain.passes, pass + 1);
  }

  /// What is read behind the chain: arguments of the kernel, and what others use.
  void finish() {
    llvm::DenseSet<Operation *> own;
    for (const Step &step : chain.steps) {
      own.insert(step.op);
      if (step.fill)
        own.insert(step.fill);
    }
    for (auto [buffer, writer] : written)
      chain.steps[writer].isStored =
          !buffer.getDefiningOp<memref::AllocOp>() ||
          llvm::any_of(buffer.getUsers(), [&](Operation *user) { return !own.contains(user); });
  }

  Chain chain;
  llvm::DenseMap<Value, SmallVector<unsigned>> loopsOfBuffer;
  llvm::DenseMap<Value, size_t> written; ///< by buffer: the last step that does
  llvm::DenseMap<Value, SmallVector<std::pair<Value, AffineMap>>> read; ///< of what no step wrote before
};

} // namespace

AffineMap Step::mapOf(OpOperand &operand, unsigned loopsOfChain) const {
  SmallVector<AffineExpr> places;
  for (unsigned loop : loops)
    places.push_back(getAffineDimExpr(loop, op.getContext()));
  return op.getMatchingIndexingMap(&operand).compose(
      AffineMap::get(loopsOfChain, 0, places, op.getContext()));
}

bool Chain::hasColumns(AffineMap map) const {
  return llvm::any_of(columnLoops, [&](unsigned loop) { return map.isFunctionOfDim(loop); });
}

Operation *combinerOf(linalg::LinalgOp op) {
  Operation *combiner = op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  const BlockArgument out = op.getBlock()->getArguments().back();
  const bool isKnown =
      isa_and_nonnull<arith::AddFOp, arith::AddIOp, arith::MulFOp, arith::MulIOp, arith::MaximumFOp,
                      arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp, arith::MaxSIOp, arith::MaxUIOp,
                      arith::MinSIOp, arith::MinUIOp, arith::AndIOp, arith::OrIOp>(combiner);
  const bool isUsedOnce = isKnown && out.hasOneUse() && *out.user_begin() == combiner;
  return isUsedOnce && arith::getNeutralElement(combiner) ? combiner : nullptr;
}

std::optional<Chain> chainAt(Operation *op) {
  const SmallVector<Candidate> candidates = candidatesAt(op);
  return ChainBuilder().run(candidates);
}

} // namespace daedalus::cuda
