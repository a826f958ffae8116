// See BlockForm.h.

#include "BlockForm.h"

#include "BlockKey.h"
#include "daedalus/Analysis/Block.h"
#include "daedalus/Dialect/Dae/IR/Dae.h"

namespace daedalus::dae {
namespace {

/// A table is read by its number, so a block may name no other entry than the first.
bool namesTables(mlir::linalg::GenericOp block) {
  return llvm::all_of(llvm::zip(block->getOperands(), block.getIndexingMapsArray()), [](auto pair) {
    auto [operand, map] = pair;
    auto type = mlir::cast<mlir::MemRefType>(operand.getType());
    const bool isTable = scopeOf(operand) == Scope::Lut;
    return !isTable || (type.getShape() == llvm::ArrayRef<int64_t>{256} &&
                        map.getResult(0) == mlir::getAffineConstantExpr(0, map.getContext()));
  });
}

/// Whether a block writes all elements of its output.
bool writesAll(mlir::linalg::GenericOp block) {
  const mlir::AffineMap map = block.getIndexingMapsArray().back();
  const llvm::SmallVector<int64_t> ranges = block.getStaticLoopRanges();
  const auto shape = mlir::cast<mlir::MemRefType>(block.getOutputs()[0].getType()).getShape();
  llvm::SmallDenseSet<unsigned> seen;
  return llvm::all_of(llvm::zip(map.getResults(), shape), [&](auto pair) {
    auto [result, size] = pair;
    auto loop = mlir::dyn_cast<mlir::AffineDimExpr>(result);
    return size == 1 ||
           (loop && ranges[loop.getPosition()] == size && seen.insert(loop.getPosition()).second);
  });
}

/// Whether what a block reads of its output's buffer, it reads where it writes: iterations of one instruction
/// are not in an order that others could rely on.
bool readsItsOutputInPlace(mlir::linalg::GenericOp block) {
  const auto maps = block.getIndexingMapsArray();
  return llvm::all_of(llvm::zip(block->getOperands(), maps), [&](auto pair) {
    return std::get<0>(pair) != block.getOutputs()[0] || std::get<1>(pair) == maps.back();
  });
}

} // namespace

std::string formProblem(mlir::linalg::GenericOp block) {
  if (block->getNumResults() || block.getOutputs().size() != 1)
    return "is no block on buffers with one output";
  for (mlir::Value operand : block->getOperands())
    if (!operand.getDefiningOp<AllocOp>() && !operand.getDefiningOp<WindowOp>())
      return "has an operand that is neither a dae.alloc nor a dae.window";
  const llvm::SmallVector<int64_t> ranges = block.getStaticLoopRanges();
  for (int64_t range : ranges)
    if (range < 1 || range > UINT32_MAX)
      return "has loops that are not of 1 to 4294967295 iterations";
  const llvm::SmallVector<mlir::AffineMap> maps = block.getIndexingMapsArray();
  for (mlir::AffineMap map : maps)
    if (!llvm::all_of(map.getResults(), isLinear))
      return "has an indexing map that is not a sum of multiples of loops";
  const auto iterators = block.getIteratorTypesArray();
  for (auto [loop, range] : llvm::enumerate(ranges))
    if (range > 1 &&
        maps.back().isFunctionOfDim(loop) != (iterators[loop] == mlir::utils::IteratorType::parallel))
      return "has a parallel loop that its output does not move along, or a reduction that it does";
  if (!readsItsOutputInPlace(block))
    return "reads the buffer that it writes elsewhere than where it writes";
  if (!namesTables(block))
    return "reads a table elsewhere than at its first entry, by which a table is named";
  for (mlir::Operation &op : block.getBody()->without_terminator())
    if (!mlir::isPure(&op) || op.getNumRegions())
      return ("has " + op.getName().getStringRef() + " in its body, which is more than an expression").str();
  return "";
}

std::string fillProblem(mlir::linalg::GenericOp block, llvm::function_ref<bool(mlir::Value)> isFilled) {
  for (mlir::Value input : block.getInputs())
    if (isFilled(input))
      return "reads a buffer that is filled and that no block wrote since";
  if (isFilled(block.getOutputs()[0]) && !writesAll(block))
    return "writes a part of a buffer that is filled; expected all of it";
  return "";
}

} // namespace daedalus::dae
