// Tensorize: matches blocks (linalg.generic on scoped memrefs) against the intrinsics, and makes the
// instructions of what the matches bind to (Bind.h). Blocks of one form are looked at once.

#include "Bind.h"
#include "BlockForm.h"
#include "BlockKey.h"
#include "daedalus/Analysis/Body.h"
#include "daedalus/Dialect/Dae/Transforms/Transforms.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"

namespace daedalus::dae {
namespace {

using mlir::failure;
using mlir::LogicalResult;
using mlir::success;
using mlir::linalg::GenericOp;

/// The matches of bodies, each looked for once.
class Bodies {
public:
  explicit Bodies(const Intrinsics &intrinsics) : intrinsics(intrinsics) {}

  const std::vector<Match> &matchesOf(GenericOp block) {
    Key key = keyOfBody(block);
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

  const Intrinsics &intrinsics;
  std::map<Key, std::vector<Match>> known;
  std::vector<Match> unshared;
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
    const auto filled = [&](mlir::Value buffer) { return isFilled(buffer); };
    Key key = keyOfBlock(block, filled);
    if (const auto found = known.find(key); found != known.end())
      return take(block, found->second);
    std::string problem = formProblem(block);
    if (problem.empty())
      problem = fillProblem(block, filled);
    if (!problem.empty())
      return block.emitOpError(problem);
    for (const Match &match : bodies.matchesOf(block)) {
      const std::optional<Bound> bound = bind(block, match, machine, isFilled(block.getOutputs()[0]));
      if (!bound)
        continue;
      if (instructionsOf(bound->nest) > MostInstructions)
        return block.emitOpError("takes more than ")
               << MostInstructions << " instructions; choose smaller tiles";
      if (!key.empty())
        known.try_emplace(std::move(key), *bound);
      return take(block, *bound);
    }
    return block.emitOpError("computes ")
           << Bodies::text(block) << " on operands that no intrinsic of the accelerator matches";
  }

  LogicalResult take(GenericOp block, const Bound &bound) {
    const Match &match = *bound.nest.match;
    if (match.intrinsic->reduces() && isFilled(block.getOutputs()[0]) && failed(takeFill(block, match)))
      return failure();
    mlir::OpBuilder builder(block);
    emitNest(builder, bound.of(block, builder, machine.n));
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
  std::map<Key, Bound> known; ///< of the blocks so far
  std::map<void *, mlir::linalg::FillOp> fills;
};

} // namespace

LogicalResult tensorize(mlir::func::FuncOp stream, const isa::Machine &machine,
                        const Intrinsics &intrinsics) {
  return Tensorizer(machine, intrinsics).run(stream);
}

} // namespace daedalus::dae
