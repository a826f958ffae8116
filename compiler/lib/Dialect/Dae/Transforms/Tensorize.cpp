// Tensorize: matches blocks (linalg.generic on scoped memrefs) against the intrinsics. The lanes bind to the
// innermost dimensions; what is left of the iteration space becomes loops of the instruction, whose strides
// are the coefficients of the indexing maps times the rows between neighbours in the memref (Nest.h).

#include "BlockForm.h"
#include "BoundWindow.h"
#include "Nest.h"
#include "daedalus/Analysis/Body.h"
#include "daedalus/Dialect/Dae/Transforms/Transforms.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

namespace daedalus::dae {
namespace {

using mlir::failure;
using mlir::LogicalResult;
using mlir::success;
using mlir::linalg::GenericOp;

std::optional<Scope> scopeOf(mlir::Value buffer) {
  auto scope =
      mlir::dyn_cast_or_null<ScopeAttr>(mlir::cast<mlir::MemRefType>(buffer.getType()).getMemorySpace());
  return scope ? std::optional(scope.getValue()) : std::nullopt;
}

/// The matches of bodies, each looked for once.
class Bodies {
public:
  explicit Bodies(const Intrinsics &intrinsics) : intrinsics(intrinsics) {}

  const std::vector<Match> &matchesOf(GenericOp block) {
    std::vector<const void *> key = keyOf(block);
    if (key.empty())
      return unshared = find(block);
    const auto [found, isNew] = known.try_emplace(std::move(key));
    if (isNew)
      found->second = find(block);
    return found->second;
  }

  static std::string text(GenericOp block) {
    Expressions all;
    const std::optional<ExprId> root = read(block, all);
    return root ? all.text(*root) : "more than 1024 operations";
  }

private:
  static std::optional<ExprId> read(GenericOp block, Expressions &all) {
    return expressionOf(block.getBody()->getTerminator()->getOperand(0), *block.getBody(), all);
  }

  std::vector<Match> find(GenericOp block) const {
    Expressions all;
    const std::optional<ExprId> root = read(block, all);
    if (!root)
      return {};
    llvm::SmallVector<BlockOperand> operands;
    for (mlir::Value value : block->getOperands())
      operands.push_back(
          {scopeOf(value), mlir::cast<mlir::MemRefType>(value.getType()).getElementTypeBitWidth()});
    return findMatches(intrinsics, all, *root, operands);
  }

  /// What the expression of a body depends on: names, attributes, types and which values are used where.
  /// Equal keys are equal bodies as long as their context lives; empty where a value comes from nowhere.
  static std::vector<const void *> keyOf(GenericOp block) {
    std::vector<const void *> key;
    llvm::SmallDenseMap<mlir::Value, uintptr_t, 16> numbers;
    const auto add = [&](uintptr_t number) { key.push_back(reinterpret_cast<const void *>(number)); };
    for (auto [value, argument] : llvm::zip(block->getOperands(), block.getBody()->getArguments())) {
      add(static_cast<uintptr_t>(scopeOf(value).value_or(Scope(0))));
      key.push_back(argument.getType().getAsOpaquePointer());
      numbers[argument] = numbers.size();
    }
    for (mlir::Operation &op : *block.getBody()) {
      key.push_back(op.getName().getAsOpaquePointer());
      key.push_back(op.getAttrDictionary().getAsOpaquePointer());
      for (mlir::Value operand : op.getOperands()) {
        mlir::Attribute constant;
        if (const auto number = numbers.find(operand); number != numbers.end())
          add(number->second);
        else if (mlir::matchPattern(operand, mlir::m_Constant(&constant)))
          key.push_back(constant.getAsOpaquePointer());
        else
          return {};
      }
      for (mlir::Value result : op.getResults()) {
        key.push_back(result.getType().getAsOpaquePointer());
        numbers[result] = numbers.size();
      }
    }
    return key;
  }

  const Intrinsics &intrinsics;
  std::map<std::vector<const void *>, std::vector<Match>> known;
  std::vector<Match> unshared;
};

/// A match on the operands of a block.
class Binding {
public:
  Binding(GenericOp block, const Match &match, int64_t n)
      : block(block), match(match), n(n), ranges(block.getStaticLoopRanges()),
        iterators(block.getIteratorTypesArray()), maps(block.getIndexingMapsArray()) {
    for (unsigned source : match.sources)
      numbers.push_back(source);
    numbers.push_back(block->getNumOperands() - 1);
  }

  /// Binds each lane to an iteration dimension of N iterations, another one for each.
  bool bindLanes() {
    for (auto [operand, number] : llvm::zip(match.intrinsic->operands, numbers)) {
      if (maps[number].getNumResults() < operand.lanes.size())
        return false;
      for (auto [lane, result] :
           llvm::zip(operand.lanes, maps[number].getResults().take_back(operand.lanes.size()))) {
        auto dim = mlir::dyn_cast<mlir::AffineDimExpr>(result);
        if (!dim || ranges[dim.getPosition()] != n ||
            lanes.try_emplace(lane, dim.getPosition()).first->second != dim.getPosition())
          return false;
      }
    }
    for (auto [lane, loop] : lanes)
      for (auto [other, otherLoop] : lanes)
        if (lane != other && loop == otherLoop)
          return false;
    for (auto [lane, loop] : lanes)
      bound.insert(loop);
    return !rowsDependOnLanes();
  }

  /// The same of a window.
  bool bindWindow(const isa::Machine &machine) {
    const llvm::SmallVector<int64_t> rows = firstRows();
    llvm::SmallVector<Nest::Loop> all;
    for (size_t d = 0; d < ranges.size(); ++d)
      all.push_back(loopOf(d, rows));
    window = dae::bindWindow({ranges, iterators, all, maps[numbers[0]], maps[numbers[1]], maps[numbers[2]]},
                             machine);
    if (window)
      bound.insert(window->loops.begin(), window->loops.end());
    return window.has_value();
  }

  /// Whether a loop reduces that the instruction would only repeat, or what was there is also a source.
  bool reducesInVain(bool isFilled) const {
    const bool readsOld = llvm::is_contained(match.sources, block->getNumOperands() - 1);
    if (match.intrinsic->reduces())
      return false;
    return (readsOld && isFilled) || block.getNumReductionLoops();
  }

  /// Makes the buffers of temporaries, so only of a binding that is taken.
  Nest nest(mlir::OpBuilder &builder, bool accumulate) const {
    const auto layer = layerOf(block.getLoc());
    Nest result{&match, block.getLoc(), std::nullopt, {}, {}, {}, accumulate};
    if (layer)
      std::tie(result.layer, result.place) = *layer;
    for (unsigned number : numbers)
      result.buffers.push_back(block->getOperand(number));
    result.rows = firstRows();
    for (size_t d = 0; d < ranges.size(); ++d)
      if (ranges[d] != 1 && !bound.contains(d))
        result.loops.push_back(loopOf(d, result.rows));
    if (window) {
      result.window = window->fields;
      result.rows[0] += window->firstColumn;
    }
    addTemporaries(builder, result);
    joinLoops(result.loops);
    return result;
  }

private:
  /// Of each operand, the row of the first iteration.
  llvm::SmallVector<int64_t> firstRows() const {
    const llvm::SmallVector<int64_t> point(ranges.size(), 0);
    llvm::SmallVector<int64_t> rows;
    for (size_t k = 0; k < numbers.size(); ++k)
      rows.push_back(rowAt(k, point));
    return rows;
  }

  Nest::Loop loopOf(size_t d, llvm::ArrayRef<int64_t> rows) const {
    llvm::SmallVector<int64_t> point(ranges.size(), 0);
    point[d] = 1;
    Nest::Loop loop{iterators[d] == mlir::utils::IteratorType::reduction, ranges[d], {}};
    for (size_t k = 0; k < numbers.size(); ++k)
      loop.strides.push_back(rowAt(k, point) - rows[k]);
    return loop;
  }

  /// Rows have all their lanes at once.
  bool rowsDependOnLanes() const {
    for (auto [operand, number] : llvm::zip(match.intrinsic->operands, numbers))
      for (mlir::AffineExpr row : maps[number].getResults().drop_back(operand.lanes.size()))
        for (auto [lane, loop] : lanes)
          if (row.isFunctionOfDim(loop))
            return true;
    return false;
  }

  /// Rows from the start of an operand's buffer for a point of the iteration space; lanes do not count.
  int64_t rowAt(size_t operand, llvm::ArrayRef<int64_t> point) const {
    const unsigned number = numbers[operand];
    const IntrinsicOperand &declared = match.intrinsic->operands[operand];
    auto type = mlir::cast<mlir::MemRefType>(block->getOperand(number).getType());
    const bool ofTaps = match.intrinsic->usesWindow() && declared.scope == Scope::Inp; // whose rows are apart
    const size_t laneDims = ofTaps ? 1 : declared.lanes.size();
    int64_t row = 0;
    for (size_t d = 0; d + laneDims < size_t(type.getRank()); ++d)
      row = row * type.getDimSize(d) + valueAt(maps[number].getResult(d), point);
    return declared.scope == Scope::Out ? row * (declared.bits / 8) : row; // rows of OUT are N bytes
  }

  /// A row of ACC for each parallel iteration, in their order.
  void addTemporaries(mlir::OpBuilder &builder, Nest &nest) const {
    int64_t rows = 1;
    for (Nest::Loop &loop : llvm::reverse(nest.loops)) {
      loop.strides.append(match.intrinsic->temporaries, loop.reduce ? 0 : rows);
      rows *= loop.reduce ? 1 : loop.count;
    }
    auto type = mlir::MemRefType::get({rows, n}, builder.getI32Type(), mlir::MemRefLayoutAttrInterface(),
                                      ScopeAttr::get(builder.getContext(), Scope::Acc));
    for (unsigned k = 0; k < match.intrinsic->temporaries; ++k) {
      nest.buffers.push_back(builder.create<AllocOp>(nest.place, type, mlir::IntegerAttr()));
      nest.rows.push_back(0);
    }
  }

  mutable GenericOp block; // operations are handles, whose queries are not const
  const Match &match;
  const int64_t n;
  const llvm::SmallVector<int64_t> ranges;
  const llvm::SmallVector<mlir::utils::IteratorType> iterators;
  const llvm::SmallVector<mlir::AffineMap> maps;
  llvm::SmallVector<unsigned> numbers;    ///< of the block's operand that each of the intrinsic's is
  std::map<unsigned, unsigned> lanes;     ///< iterator of the description -> of the block
  llvm::SmallDenseSet<unsigned, 4> bound; ///< loops of the block that are none of the instruction's nest
  std::optional<BoundWindow> window;
};

/// The blocks of a stream in order, and the fills that they start from.
class Tensorizer {
public:
  Tensorizer(const isa::Machine &machine, const Intrinsics &intrinsics)
      : machine(machine), bodies(intrinsics) {}

  LogicalResult run(mlir::func::FuncOp stream) {
    for (mlir::Operation &op : llvm::make_early_inc_range(stream.getBody().front())) {
      if (auto fill = mlir::dyn_cast<mlir::linalg::FillOp>(op); fill && fill->getNumResults() == 0)
        addFill(fill);
      if (auto block = mlir::dyn_cast<GenericOp>(op); block && failed(replace(block)))
        return failure();
    }
    if (!fills.empty())
      return fills.begin()->second.emitOpError("fills a buffer that no block starts from");
    for (mlir::Operation &op : llvm::make_early_inc_range(llvm::reverse(stream.getBody().front())))
      if (op.use_empty() && (op.hasTrait<mlir::OpTrait::ConstantLike>() || mlir::isa<WindowOp>(op)))
        op.erase();
    return success();
  }

private:
  /// The last of several fills counts.
  void addFill(mlir::linalg::FillOp fill) {
    mlir::linalg::FillOp &last = fills[fill.getOutputs()[0].getAsOpaquePointer()];
    if (last)
      last->erase();
    last = fill;
  }

  bool isFilled(mlir::Value buffer) const { return fills.count(buffer.getAsOpaquePointer()) != 0; }

  LogicalResult replace(GenericOp block) {
    std::string problem = formProblem(block);
    if (problem.empty())
      problem = fillProblem(block, [&](mlir::Value buffer) { return isFilled(buffer); });
    if (!problem.empty())
      return block.emitOpError(problem);
    for (const Match &match : bodies.matchesOf(block)) {
      Binding binding(block, match, machine.n);
      if (!binding.reducesInVain(isFilled(block.getOutputs()[0])) &&
          (match.intrinsic->usesWindow() ? binding.bindWindow(machine) : binding.bindLanes()))
        return take(block, match, binding);
    }
    return block.emitOpError("computes ")
           << Bodies::text(block) << " on operands that no intrinsic of the accelerator matches";
  }

  LogicalResult take(GenericOp block, const Match &match, const Binding &binding) {
    const bool startsAnew = match.intrinsic->reduces() && isFilled(block.getOutputs()[0]);
    if (startsAnew && failed(takeFill(block, match)))
      return failure();
    mlir::OpBuilder builder(block);
    const Nest nest = binding.nest(builder, match.intrinsic->reduces() && !startsAnew);
    if (instructionsOf(nest) > MostInstructions)
      return block.emitOpError("takes more than ")
             << MostInstructions << " instructions; choose smaller tiles";
    emitNest(builder, nest);
    block->erase();
    return success();
  }

  /// The first iteration of a reduction overwrites, so what was filled in must leave it as it is.
  LogicalResult takeFill(GenericOp block, const Match &match) {
    const auto fill = fills.find(block.getOutputs()[0].getAsOpaquePointer());
    llvm::APInt value;
    if (!mlir::matchPattern(fill->second.getInputs()[0], mlir::m_ConstantInt(&value)) ||
        !isNeutral(*match.intrinsic, value.getSExtValue()))
      return fill->second.emitOpError("does not fill with the value that ")
             << match.intrinsic->name << " starts from";
    fill->second->erase();
    fills.erase(fill);
    return success();
  }

  const isa::Machine &machine;
  Bodies bodies;
  std::map<void *, mlir::linalg::FillOp> fills;
};

} // namespace

LogicalResult tensorize(mlir::func::FuncOp stream, const isa::Machine &machine,
                        const Intrinsics &intrinsics) {
  return Tensorizer(machine, intrinsics).run(stream);
}

} // namespace daedalus::dae
