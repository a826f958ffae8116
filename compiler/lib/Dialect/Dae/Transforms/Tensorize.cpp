// Tensorize: matches blocks (linalg.generic on scoped memrefs) against the declared intrinsics. The lanes
// bind to the innermost dimensions; what is left of the iteration space becomes loops of the instruction,
// whose strides are the coefficients of the indexing maps times the rows between neighbours in the memref.
// Loops of one iteration are dropped, nested loops that step evenly are joined, and what still exceeds the
// instruction is unrolled into several.

#include "BlockForm.h"
#include "Intrinsics.h"
#include "daedalus/Dialect/Dae/Transforms/Transforms.h"

#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

namespace daedalus::dae {
namespace {

using mlir::failure;
using mlir::LogicalResult;
using mlir::success;
using Loop = IntrinsicMatch::Loop;
constexpr int64_t MaxCount = 65535, MaxStride = 32767, MaxInstructions = 65536;

/// Whether the row of an operand depends on a lane: rows have all their lanes at once.
bool rowsDependOn(const std::map<char, unsigned> &lanes, const Intrinsic &intrinsic,
                  llvm::ArrayRef<mlir::AffineMap> maps) {
  for (auto [operand, map] : llvm::zip(intrinsic.operands, maps))
    for (mlir::AffineExpr row : map.getResults().drop_back(operand.lanes.size()))
      for (auto [letter, loop] : lanes)
        if (row.isFunctionOfDim(loop))
          return true;
  return false;
}

/// Binds each lane letter of the intrinsic to an iteration dimension of N iterations.
bool bindLanes(const Intrinsic &intrinsic, mlir::linalg::GenericOp block, int64_t n,
               llvm::ArrayRef<int64_t> ranges, std::map<char, unsigned> &lanes) {
  auto maps = block.getIndexingMapsArray();
  for (auto [operand, map] : llvm::zip(intrinsic.operands, maps)) {
    if (map.getNumResults() < operand.lanes.size())
      return false;
    auto results = map.getResults().take_back(operand.lanes.size());
    for (auto [letter, result] : llvm::zip(operand.lanes, results)) {
      auto dim = mlir::dyn_cast<mlir::AffineDimExpr>(result);
      if (!dim || ranges[dim.getPosition()] != n)
        return false;
      auto [it, isNew] = lanes.try_emplace(letter, dim.getPosition());
      if (!isNew && it->second != dim.getPosition())
        return false;
    }
  }
  return !rowsDependOn(lanes, intrinsic, maps);
}

bool scopesMatch(const Intrinsic &intrinsic, mlir::linalg::GenericOp block) {
  if (intrinsic.operands.size() != block->getNumOperands())
    return false;
  for (auto [operand, value] : llvm::zip(intrinsic.operands, block->getOperands())) {
    auto scope =
        mlir::dyn_cast_or_null<ScopeAttr>(mlir::cast<mlir::MemRefType>(value.getType()).getMemorySpace());
    if (operand.scopes.empty() ? bool(scope)
                               : !scope || !llvm::is_contained(operand.scopes, scope.getValue()))
      return false;
  }
  return true;
}

/// The value of an expression. (AffineMap::compose would make, and for ever keep, attributes of numbers.)
int64_t valueAt(mlir::AffineExpr expr, llvm::ArrayRef<int64_t> point) {
  if (auto dim = mlir::dyn_cast<mlir::AffineDimExpr>(expr))
    return point[dim.getPosition()];
  if (auto constant = mlir::dyn_cast<mlir::AffineConstantExpr>(expr))
    return constant.getValue();
  auto binary = mlir::cast<mlir::AffineBinaryOpExpr>(expr);
  const int64_t a = valueAt(binary.getLHS(), point), b = valueAt(binary.getRHS(), point);
  switch (expr.getKind()) {
  case mlir::AffineExprKind::Add:
    return a + b;
  case mlir::AffineExprKind::Mul:
    return a * b;
  case mlir::AffineExprKind::FloorDiv:
    return llvm::divideFloorSigned(a, b);
  case mlir::AffineExprKind::CeilDiv:
    return llvm::divideCeilSigned(a, b);
  default:
    return a - b * llvm::divideFloorSigned(a, b); // Mod
  }
}

/// Rows from the buffer's start for a point of the iteration space; lanes do not count.
int64_t rowAt(mlir::Value buffer, mlir::AffineMap map, size_t lanes, llvm::ArrayRef<int64_t> point) {
  llvm::ArrayRef<int64_t> shape = mlir::cast<mlir::MemRefType>(buffer.getType()).getShape();
  int64_t row = 0;
  for (size_t d = 0; d + lanes < shape.size(); ++d)
    row = row * shape[d] + valueAt(map.getResult(d), point);
  return row;
}

/// Joins loops that step evenly into one another, in any order: iterations of parallel loops may be permuted,
/// and so may those of reduction loops.
void joinLoops(llvm::SmallVectorImpl<Loop> &loops) {
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t outer = 0; outer < loops.size() && !changed; ++outer)
      for (size_t inner = 0; inner < loops.size() && !changed; ++inner) {
        const Loop &o = loops[outer], &i = loops[inner];
        if (outer == inner || o.reduce != i.reduce || o.count * i.count > MaxCount)
          continue;
        bool even = llvm::all_of(llvm::zip(o.strides, i.strides),
                                 [&](auto s) { return std::get<0>(s) == std::get<1>(s) * i.count; });
        if (!even)
          continue;
        loops[inner].count *= o.count;
        loops.erase(loops.begin() + outer);
        changed = true;
      }
  }
}

/// The loop to unroll, or none when the instruction holds them all.
std::optional<size_t> loopTooMany(const IntrinsicMatch &match, size_t maxLoops) {
  for (auto [index, loop] : llvm::enumerate(match.loops))
    if (loop.count > MaxCount ||
        llvm::any_of(loop.strides, [](int64_t s) { return std::abs(s) > MaxStride; }))
      return index;
  if (match.loops.size() <= maxLoops)
    return std::nullopt;
  auto fewest =
      llvm::min_element(match.loops, [](const Loop &a, const Loop &b) { return a.count < b.count; });
  return fewest - match.loops.begin();
}

/// How many instructions emit makes; MaxInstructions + 1 for more than that.
int64_t instructionsOf(const Intrinsic &intrinsic, IntrinsicMatch match) {
  int64_t count = 1;
  while (std::optional<size_t> unroll = loopTooMany(match, intrinsic.maxLoops)) {
    if (match.loops[*unroll].count > MaxInstructions / count)
      return MaxInstructions + 1;
    count *= match.loops[*unroll].count;
    match.loops.erase(match.loops.begin() + *unroll);
  }
  return count;
}

void emit(mlir::OpBuilder &b, const Intrinsic &intrinsic, const IntrinsicMatch &match) {
  std::optional<size_t> unroll = loopTooMany(match, intrinsic.maxLoops);
  if (!unroll)
    return intrinsic.build(b, match);
  Loop loop = match.loops[*unroll];
  IntrinsicMatch one = match;
  one.loops.erase(one.loops.begin() + *unroll);
  for (int64_t i = 0; i < loop.count; ++i) {
    emit(b, intrinsic, one);
    for (auto [row, stride] : llvm::zip(one.rows, loop.strides))
      row += stride;
    one.accumulate |= loop.reduce;
  }
}

/// A block that does not read what it wrote holds no more than its last iteration: no reduction.
bool reducesInVain(const Intrinsic &intrinsic, mlir::linalg::GenericOp block) {
  return !intrinsic.identity && block.getNumReductionLoops();
}

bool matches(const Intrinsic &intrinsic, IntrinsicMatch &match, llvm::StringRef body, int64_t n) {
  mlir::linalg::GenericOp block = match.block;
  if (reducesInVain(intrinsic, block))
    return false;
  std::map<char, unsigned> lanes;
  if (!matchExpression(intrinsic.expression, body, match.immediates) || !scopesMatch(intrinsic, block))
    return false;
  llvm::SmallVector<int64_t> ranges = block.getStaticLoopRanges();
  if (!bindLanes(intrinsic, block, n, ranges, lanes))
    return false;
  auto maps = block.getIndexingMapsArray();
  auto iterators = block.getIteratorTypesArray();
  llvm::SmallVector<int64_t> point(ranges.size(), 0);
  for (size_t k = 0; k < maps.size(); ++k)
    match.rows.push_back(rowAt(block->getOperand(k), maps[k], intrinsic.operands[k].lanes.size(), point));
  for (size_t d = 0; d < ranges.size(); ++d) {
    if (ranges[d] == 1 || llvm::any_of(lanes, [&](auto &lane) { return lane.second == d; }))
      continue;
    Loop loop{iterators[d] == mlir::utils::IteratorType::reduction, ranges[d], {}};
    point[d] = 1;
    for (size_t k = 0; k < maps.size(); ++k)
      loop.strides.push_back(rowAt(block->getOperand(k), maps[k], intrinsic.operands[k].lanes.size(), point) -
                             match.rows[k]);
    point[d] = 0;
    match.loops.push_back(std::move(loop));
  }
  return true;
}

/// The last of several fills counts.
void addFill(mlir::linalg::FillOp fill, std::map<void *, mlir::linalg::FillOp> &fills) {
  mlir::linalg::FillOp &last = fills[fill.getOutputs()[0].getAsOpaquePointer()];
  if (last)
    last->erase();
  last = fill;
}

LogicalResult tensorizeBlock(mlir::linalg::GenericOp block, const isa::Machine &machine,
                             std::map<void *, mlir::linalg::FillOp> &fills) {
  std::string problem = formProblem(block);
  if (problem.empty())
    problem =
        fillProblem(block, [&](mlir::Value buffer) { return fills.count(buffer.getAsOpaquePointer()) != 0; });
  if (!problem.empty())
    return block.emitOpError(problem);
  std::string body = describeBody(block);
  for (const Intrinsic &intrinsic : intrinsics()) {
    IntrinsicMatch match;
    match.block = block;
    if (!matches(intrinsic, match, body, machine.n))
      continue;
    if (intrinsic.identity) {
      auto fill = fills.find(block.getOutputs()[0].getAsOpaquePointer());
      llvm::APInt value;
      match.accumulate = fill == fills.end();
      if (!match.accumulate) {
        if (!mlir::matchPattern(fill->second.getInputs()[0], mlir::m_ConstantInt(&value)) ||
            value.getSExtValue() != *intrinsic.identity)
          return fill->second.emitOpError("does not fill with the value that ")
                 << intrinsic.name << " starts from";
        fill->second->erase();
        fills.erase(fill);
      }
    }
    joinLoops(match.loops);
    if (instructionsOf(intrinsic, match) > MaxInstructions)
      return block.emitOpError("takes more than ")
             << MaxInstructions << " instructions; choose smaller tiles";
    mlir::OpBuilder b(block);
    emit(b, intrinsic, match);
    block->erase();
    return success();
  }
  return block.emitOpError("computes ")
         << body << " on operands that no intrinsic of the accelerator matches";
}

} // namespace

LogicalResult tensorize(mlir::func::FuncOp stream, const isa::Machine &machine) {
  std::map<void *, mlir::linalg::FillOp> fills;
  for (mlir::Operation &op : llvm::make_early_inc_range(stream.getBody().front())) {
    if (auto fill = mlir::dyn_cast<mlir::linalg::FillOp>(op); fill && fill->getNumResults() == 0)
      addFill(fill, fills);
    if (auto block = mlir::dyn_cast<mlir::linalg::GenericOp>(op))
      if (failed(tensorizeBlock(block, machine, fills)))
        return failure();
  }
  if (!fills.empty())
    return fills.begin()->second.emitOpError("fills a buffer that no block starts from");
  for (mlir::Operation &op : llvm::make_early_inc_range(llvm::reverse(stream.getBody().front())))
    if (op.use_empty() && (op.hasTrait<mlir::OpTrait::ConstantLike>() || mlir::isa<WindowOp>(op)))
      op.erase();
  return success();
}

} // namespace daedalus::dae
