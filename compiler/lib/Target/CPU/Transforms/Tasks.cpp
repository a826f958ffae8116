// See Tasks.h.

#include "Tasks.h"
#include "MicroKernels/MicroKernels.h"

#include "daedalus/Target/CPU/CPU.h"
#include "daedalus/Target/CPU/ScheduleOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace daedalus::cpu {
namespace {

SmallVector<scf::ForallOp> sharedLoops(func::FuncOp kernel) {
  SmallVector<scf::ForallOp> loops;
  kernel.walk([&](scf::ForallOp loop) { loops.push_back(loop); });
  return loops;
}

/// Whether a task can compute the value from the kernel's arguments, of which allocations become parts.
bool isComputable(Value value, func::FuncOp kernel) {
  if (llvm::isa<BlockArgument>(value))
    return value.getParentBlock() == &kernel.getBody().front();
  Operation *op = value.getDefiningOp();
  return (llvm::isa<memref::AllocOp>(op) || isMemoryEffectFree(op)) && op->getNumRegions() == 0 &&
         llvm::all_of(op->getOperands(), [&](Value operand) { return isComputable(operand, kernel); });
}

/// Values from outside of a loop that are used in it.
SmallVector<Value> capturedBy(scf::ForallOp loop) {
  llvm::SetVector<Value> values;
  loop.getRegion().walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (!loop.getRegion().isAncestor(operand.getParentRegion()))
        values.insert(operand);
  });
  return values.takeVector();
}

/// Iterations of each of its loops, whose bounds are constants.
SmallVector<int64_t> countsOf(scf::ForallOp loop) {
  SmallVector<int64_t> all;
  for (auto [first, end, step] :
       llvm::zip(loop.getStaticLowerBound(), loop.getStaticUpperBound(), loop.getStaticStep()))
    all.push_back(end > first ? llvm::divideCeil(end - first, step) : 0);
  return all;
}

/// All of its iterations; nothing where there are more than anyone waits for.
std::optional<int64_t> tasksOf(scf::ForallOp loop) {
  constexpr int64_t most = int64_t(1) << 40;
  for (int64_t bound : llvm::concat<const int64_t>(loop.getStaticLowerBound(), loop.getStaticUpperBound()))
    if (bound < -most || bound > most)
      return std::nullopt;
  int64_t tasks = 1;
  for (int64_t count : countsOf(loop)) {
    if (tasks > 0 && count > most / tasks)
      return std::nullopt;
    tasks *= count;
  }
  return tasks;
}

bool isShareable(scf::ForallOp loop, func::FuncOp kernel) {
  return loop->getParentOp() == kernel && loop.getNumResults() == 0 &&
         !ShapedType::isDynamicShape(loop.getStaticLowerBound()) &&
         !ShapedType::isDynamicShape(loop.getStaticUpperBound()) &&
         !ShapedType::isDynamicShape(loop.getStaticStep()) &&
         llvm::all_of(loop.getStaticStep(), [](int64_t step) { return step > 0; }) && tasksOf(loop) &&
         llvm::all_of(capturedBy(loop), [&](Value value) { return isComputable(value, kernel); });
}

uint64_t bytesOf(memref::AllocaOp op) {
  return llvm::alignTo(op.getType().getNumElements() * op.getType().getElementTypeBitWidth() / 8,
                       scratchAlignment);
}

/// The function of one loop.
class Task {
public:
  Task(scf::ForallOp loop, func::FuncOp kernel, size_t index)
      : loop(loop), kernel(kernel), b(kernel), loc(loop.getLoc()),
        name((kernel.getName() + ".task" + Twine(index)).str()) {}

  void make() {
    SmallVector<Type> types(kernel.getArgumentTypes());
    types.push_back(b.getI64Type());
    types.push_back(MemRefType::get({std::max<int64_t>(workerBytesOf(kernel), 1)}, b.getI8Type()));
    function = b.create<func::FuncOp>(loc, name, b.getFunctionType(types, {}));
    function.setPrivate();
    mlir::Block *body = function.addEntryBlock();
    b.setInsertionPointToEnd(body);
    for (BlocksOp given : kernel.getOps<BlocksOp>())
      b.clone(*given);
    for (auto [from, to] : llvm::zip(kernel.getArguments(), body->getArguments()))
      mapping.map(from, to);
    for (Value value : capturedBy(loop))
      compute(value);
    placeIterators(body->getArgument(kernel.getNumArguments()));
    placeBuffers(body->getArguments().back());
    for (Operation &op : loop.getBody()->without_terminator())
      if (!llvm::isa<memref::AllocaOp>(op))
        b.clone(op, mapping);
    b.create<func::ReturnOp>(loc);
  }

  /// What has the runtime's threads run it, in place of the loop.
  void call(uint64_t workerBytes) {
    OpBuilder before(loop);
    Value count = before.create<arith::ConstantOp>(loc, before.getI64IntegerAttr(*tasksOf(loop)));
    before.create<RunOp>(loc, StringRef(name), count, workerBytes);
    loop.erase();
  }

private:
  void compute(Value value) {
    if (mapping.contains(value))
      return;
    Operation *op = value.getDefiningOp();
    for (Value operand : op->getOperands())
      compute(operand);
    b.clone(*op, mapping);
  }

  /// The last loop's is the one that changes from task to task.
  void placeIterators(Value task) {
    Value rest = b.create<arith::IndexCastOp>(loc, b.getIndexType(), task);
    const SmallVector<int64_t> all = countsOf(loop);
    const auto constant = [&](int64_t value) { return b.create<arith::ConstantIndexOp>(loc, value); };
    for (int i = all.size() - 1; i >= 0; --i) {
      Value at = i > 0 ? b.create<arith::RemUIOp>(loc, rest, constant(all[i])) : rest;
      if (i > 0)
        rest = b.create<arith::DivUIOp>(loc, rest, constant(all[i]));
      at = b.create<arith::MulIOp>(loc, at, constant(loop.getStaticStep()[i]));
      at = b.create<arith::AddIOp>(loc, at, constant(loop.getStaticLowerBound()[i]));
      mapping.map(loop.getInductionVar(i), at);
    }
  }

  void placeBuffers(Value memory) {
    int64_t offset = 0;
    for (auto buffer : loop.getBody()->getOps<memref::AllocaOp>()) {
      Value at = b.create<arith::ConstantIndexOp>(loc, offset);
      mapping.map(buffer.getResult(),
                  b.create<memref::ViewOp>(loc, buffer.getType(), memory, at, ValueRange()).getResult());
      offset += bytesOf(buffer);
    }
  }

  scf::ForallOp loop;
  func::FuncOp kernel;
  OpBuilder b;
  const Location loc;
  const std::string name;
  func::FuncOp function;
  IRMapping mapping;
};

} // namespace

void keepSharedLoops(func::FuncOp kernel, bool threads) {
  IRRewriter rewriter(kernel.getContext());
  for (scf::ForallOp loop : sharedLoops(kernel))
    if (!threads || !isShareable(loop, kernel)) {
      rewriter.setInsertionPoint(loop);
      (void)scf::forallToForLoop(rewriter, loop);
    }
}

uint64_t workerBytesOf(func::FuncOp kernel) {
  uint64_t most = 0;
  for (scf::ForallOp loop : sharedLoops(kernel)) {
    uint64_t bytes = 0;
    for (auto buffer : loop.getBody()->getOps<memref::AllocaOp>())
      bytes += bytesOf(buffer);
    most = std::max(most, bytes);
  }
  return most;
}

LogicalResult outlineTasks(ModuleOp kernels) {
  for (auto kernel : llvm::make_early_inc_range(kernels.getOps<func::FuncOp>())) {
    size_t index = 0;
    const uint64_t bytes = workerBytesOf(kernel);
    for (scf::ForallOp loop : sharedLoops(kernel)) {
      if (!isShareable(loop, kernel) || kernel.isPrivate())
        return loop.emitError(
            "cannot be shared by threads; expected constant bounds, no result, a place in no "
            "other loop, and buffers that are arguments of the kernel or parts of them");
      Task task(loop, kernel, index++);
      task.make();
      task.call(bytes);
    }
  }
  return success();
}

} // namespace daedalus::cpu
