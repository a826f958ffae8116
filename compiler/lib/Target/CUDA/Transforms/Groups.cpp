// Which operations one launch computes.

#include "Transforms.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace daedalus::cuda {
namespace {

/// Whether each thread can compute elements of its own: what it writes depends on all parallel loops, and on
/// no other one.
bool isShared(linalg::LinalgOp op) {
  if (op.getNumDpsInits() != 1 || op.hasDynamicShape() || op->getNumResults() != 0)
    return false;
  const AffineMap output = op.getIndexingMapsArray().back();
  if (!output.isProjectedPermutation())
    return false;
  for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray()))
    if ((type == utils::IteratorType::parallel) != output.isFunctionOfDim(loop))
      return false;
  return true;
}

bool isElementwise(linalg::GenericOp op) {
  return isShared(op) && op.getNumReductionLoops() == 0;
}

/// Whether the memory of what fills the root is read by nobody before the root.
bool isFillOf(linalg::FillOp fill, linalg::LinalgOp root) {
  return fill && root && fill.getDpsInits()[0] == root.getDpsInits()[0] && isShared(root) &&
         llvm::none_of(root.getDpsInputs(),
                       [&](Value input) { return bufferOf(input) == bufferOf(fill.getDpsInits()[0]); });
}

/// Users of memory but for those that take a part of it.
bool isUsedByAlone(Value buffer, ArrayRef<Operation *> users) {
  return buffer.getDefiningOp<memref::AllocOp>() &&
         llvm::all_of(buffer.getUsers(), [&](Operation *user) { return llvm::is_contained(users, user); });
}

/// The loop of the root that each loop of an elementwise reader of its result is; nothing where elements of
/// one are not those of the other.
std::optional<SmallVector<unsigned>> loopsOf(linalg::GenericOp reader, linalg::LinalgOp root,
                                             OpOperand *read) {
  const AffineMap from = reader.getMatchingIndexingMap(read), to = root.getIndexingMapsArray().back();
  if (!from.isPermutation() || from.getNumDims() != reader.getNumLoops())
    return std::nullopt;
  SmallVector<unsigned> loops(reader.getNumLoops());
  for (auto [read, written] : llvm::zip(from.getResults(), to.getResults())) {
    const unsigned loop = cast<AffineDimExpr>(written).getPosition();
    loops[cast<AffineDimExpr>(read).getPosition()] = loop;
  }
  return loops;
}

/// Takes an operation behind the root into the group, if it computes element by element of the root's result
/// and nobody else reads that.
void addEpilogue(Group &group) {
  auto next = dyn_cast_or_null<linalg::GenericOp>(effectBehind(group.root));
  if (!next || !isElementwise(next) || group.root.getNumReductionLoops() == 0)
    return;
  const Value between = group.root.getDpsInits()[0];
  OpOperand *read = nullptr;
  for (OpOperand *input : next.getDpsInputOperands()) {
    if (input->get() == between && read)
      return;
    if (input->get() == between)
      read = input;
  }
  const Value written = bufferOf(next.getDpsInits()[0]);
  const bool isOverwritten =
      llvm::any_of(group.root.getDpsInputs(), [&](Value input) { return bufferOf(input) == written; });
  SmallVector<Operation *> users = {group.root, next};
  if (group.fill)
    users.push_back(group.fill);
  const auto loops = read ? loopsOf(next, group.root, read) : std::nullopt;
  if (!loops || isOverwritten || written == bufferOf(between) || !group.fill ||
      !isUsedByAlone(between, users))
    return;
  group.epilogue = next;
  group.loops = *loops;
}

} // namespace

Operation *effectBehind(Operation *op) {
  do
    op = op->getNextNode();
  while (op && (isMemoryEffectFree(op) || isa<memref::AllocOp, memref::LoadOp>(op)));
  return op;
}

Value bufferOf(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (auto view = dyn_cast<ViewLikeOpInterface>(op))
      value = view.getViewSource();
    else if (isa<memref::CastOp>(op))
      value = op->getOperand(0);
    else
      break;
  }
  return value;
}

std::optional<Group> groupAt(Operation *op) {
  Group group;
  if (auto fill = dyn_cast<linalg::FillOp>(op)) {
    auto next = dyn_cast_or_null<linalg::LinalgOp>(effectBehind(op));
    if (isFillOf(fill, next) && !isa<linalg::FillOp>(next)) {
      group.fill = fill;
      op = next;
    }
  }
  group.root = dyn_cast<linalg::LinalgOp>(op);
  if (!group.root || !isShared(group.root))
    return std::nullopt;
  addEpilogue(group);
  return group;
}

} // namespace daedalus::cuda
