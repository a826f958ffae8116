// See ChainBuilder.h.

#include "ChainBuilder.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace daedalus::cuda {
namespace {

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

unsigned loopOf(AffineExpr result) {
  return cast<AffineDimExpr>(result).getPosition();
}

} // namespace

bool ChainBuilder::isReduction(const Candidate &candidate) {
  linalg::LinalgOp op = candidate.op;
  return candidate.fill && op.getNumReductionLoops() > 0 && operandOfAllLoops(op) && combinerOf(op);
}

std::optional<Chain> ChainBuilder::ofReduction(ArrayRef<Candidate> candidates, size_t reduction) {
  setLoops(candidates[reduction].op, operandOfAllLoops(candidates[reduction].op));
  SmallVector<Step> before; // the reduction, and what is before it, in the other order
  for (const Candidate &candidate : llvm::reverse(candidates.take_front(reduction + 1))) {
    std::optional<Step> step = stepOf(candidate);
    if (!step)
      return std::nullopt;
    before.push_back(*step);
  }
  for (Step &step : llvm::reverse(before))
    if (!add(step))
      return std::nullopt;
  return addAll(candidates.drop_front(reduction + 1));
}

std::optional<Chain> ChainBuilder::ofElements(ArrayRef<Candidate> candidates) {
  linalg::LinalgOp op = candidates.front().op;
  setLoops(op, op.getDpsInitOperand(0));
  return addAll(candidates);
}

std::optional<Chain> ChainBuilder::addAll(ArrayRef<Candidate> candidates) {
  for (const Candidate &candidate : candidates) {
    std::optional<Step> step = stepOf(candidate);
    if (!step || !add(*step))
      break;
  }
  finish();
  return chain.steps.empty() ? std::nullopt : std::optional<Chain>(std::move(chain));
}

void ChainBuilder::setLoops(linalg::LinalgOp op, OpOperand *operand) {
  chain.sizes = op.getStaticLoopRanges();
  const SmallVector<utils::IteratorType> types = op.getIteratorTypesArray();
  const auto isColumn = [&](unsigned loop) {
    return op.getNumReductionLoops() == 0 || !isParallel(types[loop]);
  };
  for (AffineExpr result : op.getIndexingMapsArray().back().getResults())
    if (!isColumn(loopOf(result)))
      chain.rowLoops.push_back(loopOf(result));
  const AffineMap map = op.getMatchingIndexingMap(operand);
  for (unsigned loop = 0; loop < types.size(); ++loop)
    if (isColumn(loop) && !map.isFunctionOfDim(loop))
      chain.columnLoops.push_back(loop);
  for (AffineExpr result : map.getResults()) {
    if (isColumn(loopOf(result)))
      chain.columnLoops.push_back(loopOf(result));
    if (chain.sizes[loopOf(result)] > 1)
      chain.isAlongColumns = isColumn(loopOf(result));
  }
  for (unsigned loop : chain.rowLoops)
    chain.rows *= chain.sizes[loop];
  for (unsigned loop : chain.columnLoops)
    chain.columns *= chain.sizes[loop];
  learn(op, llvm::to_vector(llvm::seq(op.getNumLoops())));
}

/// Which loops of the chain the dimensions of an operation's operands are.
void ChainBuilder::learn(linalg::LinalgOp op, ArrayRef<unsigned> loops) {
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
std::optional<SmallVector<unsigned>> ChainBuilder::loopsOf(linalg::LinalgOp op) {
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

/// Of all loops or, of a number for each row, of those of rows.
std::optional<Step> ChainBuilder::stepOf(const Candidate &candidate) {
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
    if (loops->size() != chain.rowLoops.size() || !llvm::all_of(*loops, [&](unsigned l) { return isRow(l); }))
      return std::nullopt;
  }
  learn(op, *loops);
  return step;
}

namespace {

/// Whether a step reads an operand's memory: not that of a result that is overwritten.
bool reads(const Step &step, OpOperand &operand) {
  const bool isOverwritten =
      &operand == &step.result() && (step.fill || !step.op.payloadUsesValueFromOperand(&operand));
  return isa<MemRefType>(operand.get().getType()) && !isOverwritten;
}

/// Buffers that a body reads besides the operands.
SmallVector<Value> captured(linalg::LinalgOp op) {
  SmallVector<Value> buffers;
  op.getBlock()->walk([&](Operation *nested) {
    for (Value operand : nested->getOperands())
      if (isa<MemRefType>(operand.getType()) &&
          !op->isProperAncestor(operand.getParentBlock()->getParentOp()))
        buffers.push_back(bufferOf(operand));
  });
  return buffers;
}

} // namespace

/// Whether the step can be one of the chain: what it reads is what one step made of the same element or
/// row, or nobody's; what it writes is read before at the same element alone.
bool ChainBuilder::add(Step step) {
  for (OpOperand &operand : step.op->getOpOperands()) {
    const auto writer = written.find(bufferOf(operand.get()));
    const bool isMade = reads(step, operand) && writer != written.end();
    step.producers.push_back(isMade ? static_cast<int>(writer->second) : -1);
    if (isMade && !isResultOf(chain.steps[writer->second], operand.get(), mapOf(step, operand)))
      return false;
  }
  for (Value buffer : captured(step.op))
    if (written.count(buffer))
      return false;
  if (!canWrite(step))
    return false;
  for (Value buffer : captured(step.op))
    read[buffer].push_back({Value(), AffineMap()});
  for (auto [operand, producer] : llvm::zip(step.op->getOpOperands(), step.producers))
    if (producer < 0 && reads(step, operand))
      read[bufferOf(operand.get())].push_back({operand.get(), mapOf(step, operand)});
  written[bufferOf(step.result().get())] = chain.steps.size();
  setPass(step);
  chain.steps.push_back(std::move(step));
  return true;
}

bool ChainBuilder::isResultOf(const Step &step, Value buffer, AffineMap map) const {
  return step.result().get() == buffer && mapOf(step, step.result()) == map;
}

bool ChainBuilder::canWrite(const Step &step) const {
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
void ChainBuilder::setPass(Step &step) {
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
void ChainBuilder::finish() {
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

} // namespace daedalus::cuda
