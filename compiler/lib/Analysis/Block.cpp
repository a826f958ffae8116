// See Block.h.

#include "daedalus/Analysis/Block.h"

#include "daedalus/Analysis/Body.h"

#include "Access.h"

#include "mlir/IR/Matchers.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

namespace daedalus {
namespace {

/// Adds `times` the expression to a coordinate; false where a number is larger than any tensor.
bool addTo(Coordinate &coordinate, mlir::AffineExpr expr, int64_t times) {
  const auto add = [&](int64_t &to, int64_t value) {
    constexpr __int128 most = int64_t(1) << 31;
    const __int128 sum = to + __int128(times) * value;
    to = static_cast<int64_t>(sum);
    return sum >= -most && sum <= most;
  };
  if (auto dim = mlir::dyn_cast<mlir::AffineDimExpr>(expr))
    return add(coordinate.factors[dim.getPosition()], 1);
  if (auto constant = mlir::dyn_cast<mlir::AffineConstantExpr>(expr))
    return add(coordinate.offset, constant.getValue());
  auto binary = mlir::cast<mlir::AffineBinaryOpExpr>(expr);
  if (expr.getKind() == mlir::AffineExprKind::Add)
    return addTo(coordinate, binary.getLHS(), times) && addTo(coordinate, binary.getRHS(), times);
  const int64_t factor = mlir::cast<mlir::AffineConstantExpr>(binary.getRHS()).getValue(); // of a product
  return !llvm::MulOverflow(times, factor, times) && addTo(coordinate, binary.getLHS(), times);
}

/// The number of an access among others, to which it is added where it is not there.
unsigned numberOf(const Access &access, llvm::SmallVectorImpl<Access> &all) {
  const auto same = llvm::find_if(all, [&](const Access &other) { return isSame(other, access); });
  const unsigned number = same - all.begin();
  if (same == all.end())
    all.push_back(access);
  return number;
}

class BlockReader {
public:
  explicit BlockReader(mlir::linalg::LinalgOp op) : block{op} {}

  Result<Block> read() {
    for (auto step : {&BlockReader::readIterators, &BlockReader::readAccesses, &BlockReader::readExpression})
      if (Result<void> good = (this->*step)(); !good)
        return error(good.error());
    dropSingleIterations();
    orderIterators();
    mergeInputs();
    if (block.reads(block.outputNumber()))
      block.start = uniformValue(block.op.getDpsInits()[0]);
    return std::move(block);
  }

private:
  Error no(const llvm::Twine &reason) {
    return error(("its " + block.op->getName().getStringRef() + " " + reason).str());
  }

  Result<void> readIterators() {
    if (block.op->getNumResults() != 1)
      return no("has another number of results than one");
    const auto kinds = block.op.getIteratorTypesArray();
    for (auto [kind, extent] : llvm::zip(kinds, block.op.getStaticLoopRanges())) {
      if (extent < 1)
        return no("has an iterator of no iterations, or of a number that is not known before it runs");
      block.iterators.push_back({kind == mlir::utils::IteratorType::reduction, extent});
    }
    return {};
  }

  Result<void> readAccesses() {
    for (mlir::OpOperand &operand : block.op->getOpOperands()) {
      Access access{operand.get()};
      const mlir::AffineMap map = block.op.getMatchingIndexingMap(&operand);
      if (auto type = mlir::dyn_cast<mlir::RankedTensorType>(operand.get().getType());
          type && type.hasStaticShape())
        access.shape.assign(type.getShape().begin(), type.getShape().end());
      else if (mlir::isa<mlir::ShapedType>(operand.get().getType()))
        return no("has an operand that is no tensor of a static shape");
      for (mlir::AffineExpr expr : map.getResults()) {
        if (!isLinear(expr))
          return no("has an indexing map that is not a sum of multiples of iterators");
        access.at.push_back({llvm::SmallVector<int64_t, 6>(block.iterators.size(), 0)});
        if (!addTo(access.at.back(), expr, 1))
          return no("has an indexing map with a number above 2^31");
      }
      if (access.at.empty()) { // a scalar, or a tensor without dimensions: the only element of a list
        access.shape.assign(1, 1);
        access.at.push_back({llvm::SmallVector<int64_t, 6>(block.iterators.size(), 0)});
      }
      if (block.op.isDpsInit(&operand))
        block.output = std::move(access), block.output.tensor = block.op->getResult(0);
      else
        block.inputs.push_back(std::move(access));
    }
    for (auto [d, iterator] : llvm::enumerate(block.iterators)) {
      const bool moves =
          llvm::any_of(block.output.at, [d = d](const Coordinate &c) { return c.factors[d] != 0; });
      if (iterator.extent > 1 && moves == iterator.isReduction)
        return no("has a parallel iterator that its output does not move along, or a reduction that it does");
    }
    return {};
  }

  Result<void> readExpression() {
    mlir::Block &body = *block.op.getBlock();
    const std::optional<ExprId> read =
        expressionOf(body.getTerminator()->getOperand(0), body, block.expressions);
    if (!read)
      return no("has a body that is not an expression of at most 1024 operations");
    block.result = *read;
    return {};
  }

  void dropSingleIterations() {
    for (size_t d = block.iterators.size(); d-- > 0;) {
      if (block.iterators[d].extent != 1)
        continue;
      block.iterators.erase(block.iterators.begin() + d);
      forEachCoordinate([d](Coordinate &c) { c.factors.erase(c.factors.begin() + d); });
    }
  }

  template <class F> void forEachCoordinate(F f) {
    for (Access &access : block.inputs)
      llvm::for_each(access.at, f);
    llvm::for_each(block.output.at, f);
  }

  /// By what they move the output, the most first; reductions stay in their order.
  void orderIterators() {
    const Coordinate written = block.output.linear();
    llvm::SmallVector<unsigned, 6> order(block.iterators.size());
    std::iota(order.begin(), order.end(), 0);
    llvm::stable_sort(order, [&](unsigned a, unsigned b) {
      return std::abs(written.factors[a]) > std::abs(written.factors[b]);
    });
    const auto reorder = [&](auto &list) {
      auto copy = list;
      for (auto [to, from] : llvm::enumerate(order))
        list[to] = copy[from];
    };
    reorder(block.iterators);
    forEachCoordinate([&](Coordinate &c) { reorder(c.factors); });
  }

  /// Scalars become constants; what is not read goes, what is read twice alike stays once.
  void mergeInputs() {
    llvm::SmallVector<Access, 4> kept;
    Expressions all;
    const unsigned output = block.outputNumber();
    std::vector<ExprId> arguments(output + 1, 0);
    const std::map<unsigned, Expr> read = block.expressions.argumentsOf(block.result);
    for (const auto &[k, node] : read) { // the output comes last
      mlir::APInt scalar;
      if (k == output) {
        arguments[k] = all.argument(kept.size(), node.bits, node.detail);
      } else if (mlir::Value value = block.inputs[k].tensor;
                 !mlir::isa<mlir::ShapedType>(value.getType()) && node.bits &&
                 mlir::matchPattern(value, mlir::m_ConstantInt(&scalar))) {
        arguments[k] = all.constant(scalar.getSExtValue(), node.bits);
      } else {
        seeThrough(block.inputs[k], !block.hasReductions());
        arguments[k] = all.argument(numberOf(block.inputs[k], kept), node.bits, node.detail);
      }
    }
    block.result = all.substitute(block.expressions, block.result, arguments);
    block.expressions = std::move(all);
    block.inputs = std::move(kept);
  }

  Block block;
};

} // namespace

bool isLinear(mlir::AffineExpr expr) {
  bool linear = true;
  expr.walk([&](mlir::AffineExpr part) {
    const mlir::AffineExprKind kind = part.getKind();
    linear &= kind != mlir::AffineExprKind::FloorDiv && kind != mlir::AffineExprKind::CeilDiv &&
              kind != mlir::AffineExprKind::Mod;
  });
  return linear;
}

std::optional<unsigned> Coordinate::onlyIterator() const {
  std::optional<unsigned> only;
  for (auto [d, factor] : llvm::enumerate(factors)) {
    if (factor == 0)
      continue;
    if (only || factor != 1)
      return std::nullopt;
    only = d;
  }
  return offset == 0 ? only : std::nullopt;
}

int64_t Access::elements() const {
  return std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<>());
}

Coordinate Access::linear() const {
  Coordinate sum{llvm::SmallVector<int64_t, 6>(at[0].factors.size(), 0)};
  int64_t stride = 1;
  for (size_t d = at.size(); d-- > 0; stride *= shape[d]) {
    sum.offset += stride * at[d].offset;
    for (size_t k = 0; k < sum.factors.size(); ++k)
      sum.factors[k] += stride * at[d].factors[k];
  }
  return sum;
}

bool Block::hasReductions() const {
  return llvm::any_of(iterators, [](const Iterator &iterator) { return iterator.isReduction; });
}

bool Block::reads(unsigned number) const {
  return expressions.argumentsOf(result).count(number) != 0;
}

bool Block::writesInOrder() const {
  const Coordinate written = output.linear();
  int64_t step = 1;
  for (size_t d = iterators.size(); d-- > 0;) {
    if (iterators[d].isReduction)
      continue;
    if (written.factors[d] != step)
      return false;
    step *= iterators[d].extent;
  }
  return step == output.elements(); // so there is no offset either
}

Result<Block> blockOf(mlir::linalg::LinalgOp op) {
  return BlockReader(op).read();
}

std::optional<Block> inlined(const Block &user, unsigned input, const Block &producer) {
  const Access &read = user.inputs[input];
  if (producer.hasReductions() || producer.reads(producer.outputNumber()) || read.fill ||
      read.shape != producer.output.shape)
    return std::nullopt;
  // Where each iterator of the producer stands in the user's iterators.
  std::vector<const Coordinate *> places(producer.iterators.size(), nullptr);
  for (auto [written, size, at] : llvm::zip(producer.output.at, read.shape, read.at)) {
    const std::optional<unsigned> iterator = written.onlyIterator();
    if (iterator && !places[*iterator] && producer.iterators[*iterator].extent == size)
      places[*iterator] = &at;
    else if (size != 1) // not all of it is written
      return std::nullopt;
  }
  Block result{user.op, user.iterators, {}, user.output, {}, 0, user.start};
  const auto argumentOf = [&](const Access &access, const Expr &node) {
    return result.expressions.argument(numberOf(access, result.inputs), node.bits, node.detail);
  };
  std::vector<ExprId> ofProducer(producer.inputs.size() + 1, 0), ofUser(user.inputs.size() + 1, 0);
  for (const auto &[k, node] : producer.expressions.argumentsOf(producer.result)) // not the output
    ofProducer[k] = argumentOf(composed(producer.inputs[k], places, user.iterators.size()), node);
  ofUser[input] = result.expressions.substitute(producer.expressions, producer.result, ofProducer);
  for (const auto &[k, node] : user.expressions.argumentsOf(user.result)) // the output comes last
    if (k == user.outputNumber())
      ofUser[k] = result.expressions.argument(result.inputs.size(), node.bits, node.detail);
    else if (k != input)
      ofUser[k] = argumentOf(user.inputs[k], node);
  result.result = result.expressions.substitute(user.expressions, user.result, ofUser);
  return result;
}

static void inlineProducers(Block &block, const llvm::DenseMap<mlir::Value, Block> &blocks) {
  constexpr ExprId mostNodes = 4096;
  for (unsigned input = 0; input < block.inputs.size() && block.result < mostNodes;) {
    const auto producer = blocks.find(block.inputs[input].tensor);
    std::optional<Block> together;
    if (producer != blocks.end())
      together = inlined(block, input, producer->second);
    if (together)
      block = std::move(*together);
    else
      ++input;
  }
}

llvm::DenseMap<mlir::Value, Block> blocksOf(mlir::Block &body) {
  llvm::DenseMap<mlir::Value, Block> blocks;
  for (mlir::Operation &op : body) { // producers come first
    auto linalg = mlir::dyn_cast<mlir::linalg::LinalgOp>(op);
    if (!linalg)
      continue;
    Result<Block> block = blockOf(linalg);
    if (!block) // why is said where somebody needs it
      continue;
    inlineProducers(*block, blocks);
    blocks.try_emplace(op.getResult(0), std::move(*block));
  }
  return blocks;
}

std::optional<int64_t> uniformValue(mlir::Value tensor) {
  mlir::DenseIntElementsAttr constant;
  if (mlir::matchPattern(tensor, mlir::m_Constant(&constant)) && constant.isSplat() &&
      constant.getSplatValue<llvm::APInt>().getSignificantBits() <= 64)
    return constant.getSplatValue<llvm::APInt>().getSExtValue();
  auto op = tensor.getDefiningOp<mlir::linalg::LinalgOp>();
  if (!op)
    return std::nullopt;
  const Result<Block> block = blockOf(op);
  if (!block || !block->writesInOrder() || !block->expressions.isConstant(block->result))
    return std::nullopt;
  return block->expressions[block->result].value;
}

} // namespace daedalus
