// See Bind.h.

#include "Bind.h"

#include "BoundWindow.h"
#include "daedalus/Dialect/Dae/Transforms/Transforms.h"

namespace daedalus::dae {
namespace {

using mlir::linalg::GenericOp;

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

  Bound result(bool accumulate) const {
    Bound result{{&match, block.getLoc(), std::nullopt, {}, firstRows(), {}, accumulate}, numbers};
    Nest &nest = result.nest;
    for (size_t d = 0; d < ranges.size(); ++d)
      if (ranges[d] != 1 && !bound.contains(d))
        nest.loops.push_back(loopOf(d, nest.rows));
    if (window) {
      nest.window = window->fields;
      nest.rows[0] += window->firstColumn;
    }
    nest.rows.append(match.intrinsic->temporaries, 0);
    result.temporaryRows = addTemporaries(nest);
    joinLoops(nest.loops);
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

  /// A row of ACC for each parallel iteration, in their order. Returns how many.
  int64_t addTemporaries(Nest &nest) const {
    int64_t rows = 1;
    for (Nest::Loop &loop : llvm::reverse(nest.loops)) {
      loop.strides.append(match.intrinsic->temporaries, loop.reduce ? 0 : rows);
      rows *= loop.reduce ? 1 : loop.count;
    }
    return rows;
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

} // namespace

Nest Bound::of(GenericOp block, mlir::OpBuilder &builder, int64_t n) const {
  Nest result = nest;
  result.place = block.getLoc();
  if (const auto layer = layerOf(block.getLoc()))
    std::tie(result.layer, result.place) = *layer;
  for (unsigned number : numbers)
    result.buffers.push_back(block->getOperand(number));
  auto type =
      mlir::MemRefType::get({temporaryRows, n}, builder.getI32Type(), mlir::MemRefLayoutAttrInterface(),
                            ScopeAttr::get(builder.getContext(), Scope::Acc));
  for (unsigned k = 0; k < nest.match->intrinsic->temporaries; ++k)
    result.buffers.push_back(builder.create<AllocOp>(result.place, type, mlir::IntegerAttr()));
  return result;
}

std::optional<Bound> bind(GenericOp block, const Match &match, const isa::Machine &machine, bool isFilled) {
  Binding binding(block, match, machine.n);
  const bool isBound = !binding.reducesInVain(isFilled) &&
                       (match.intrinsic->usesWindow() ? binding.bindWindow(machine) : binding.bindLanes());
  if (!isBound)
    return std::nullopt;
  return binding.result(match.intrinsic->reduces() && !isFilled);
}

} // namespace daedalus::dae
