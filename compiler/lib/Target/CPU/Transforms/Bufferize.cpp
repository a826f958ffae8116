// Tensors to buffers in one shot, linalg to loops, allocations to one scratch argument.

#include "MicroKernels/Contraction.h"
#include "MicroKernels/VectorLoops.h"
#include "MicroKernels/WideBytes.h"
#include "Passes.h"

#include "daedalus/Codegen/Codegen.h"
#include "daedalus/Target/CPU/CPU.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace daedalus::cpu {

/// Whether it is a sum of products or another reduction of which the code generator makes vectors, or fills
/// what one begins with, or widens what it reads.
static bool isForCode(Operation *op) {
  if (isWidening(op))
    return true;
  const auto reduction = [](Operation *op) -> linalg::LinalgOp {
    auto sum = dyn_cast_or_null<linalg::LinalgOp>(op);
    return sum && (Contraction::of(sum) || isForVectors(sum)) ? sum : nullptr;
  };
  auto fill = dyn_cast<linalg::FillOp>(op);
  linalg::LinalgOp next = reduction(fill ? effectBehind(op) : op);
  return next && (!fill || next.getDpsInits()[0] == fill.getDpsInits()[0]);
}

LogicalResult lowerToLoops(func::FuncOp kernel, llvm::function_ref<bool(Operation *)> isKept) {
  SmallVector<linalg::LinalgOp> ops;
  kernel.walk([&](linalg::LinalgOp op) {
    if (!isKept(op))
      ops.push_back(op);
  });
  for (linalg::LinalgOp op : ops) {
    IRRewriter rewriter(op);
    if (failed(linalg::linalgOpToLoops(rewriter, op)))
      return op->emitError() << "cannot be lowered to loops for the CPU";
    rewriter.eraseOp(op);
  }
  return success();
}

/// Gives the iterations of shared loops memory of their own to write, where an operation outside has as much.
static void takeIntoSharedLoops(func::FuncOp kernel) {
  SmallVector<tensor::EmptyOp> outside;
  kernel.walk([&](tensor::EmptyOp op) { outside.push_back(op); });
  for (tensor::EmptyOp op : outside)
    for (OpOperand &use : llvm::make_early_inc_range(op->getUses())) {
      auto loop = use.getOwner()->getParentOfType<scf::ForallOp>();
      auto reader = dyn_cast<linalg::LinalgOp>(use.getOwner());
      const bool isShape = reader && reader.isDpsInput(&use); // such as a pool's window
      if (loop && !loop->isAncestor(op) && !isShape)
        use.set(OpBuilder::atBlockBegin(loop.getBody()).clone(*op)->getResult(0));
    }
}

LogicalResult bufferizeToLoops(func::FuncOp kernel) {
  takeIntoSharedLoops(kernel);
  if (failed(codegen::bufferize(kernel)))
    return kernel.emitError() << "cannot be bufferized for the CPU";
  return lowerToLoops(kernel, isForCode);
}

/// What an iteration of a shared loop allocates is memory of its worker.
static void allocateInWorkers(func::FuncOp kernel) {
  kernel.walk([](scf::ForallOp loop) {
    loop.walk([&](memref::AllocOp op) {
      OpBuilder b = OpBuilder::atBlockBegin(loop.getBody());
      op.replaceAllUsesWith(b.create<memref::AllocaOp>(op.getLoc(), op.getType()).getResult());
      op.erase();
    });
  });
}

LogicalResult allocateScratch(func::FuncOp kernel) {
  SmallVector<memref::AllocOp> allocations;
  kernel.walk([&](memref::AllocOp op) {
    if (op->use_empty())
      op->erase(); // such as the window of a pool, whose shape alone counts
    else
      allocations.push_back(op);
  });
  for (memref::AllocOp op : allocations)
    if (!op.getType().hasStaticShape())
      return op.emitError("needs memory of ") << op.getType() << " on the CPU, whose size is not known";
  llvm::erase_if(allocations, [](memref::AllocOp op) { return op->getParentOfType<scf::ForallOp>(); });
  allocateInWorkers(kernel);
  if (allocations.empty())
    return success();
  uint64_t bytes = 0;
  SmallVector<uint64_t> offsets;
  for (memref::AllocOp op : allocations) {
    offsets.push_back(bytes);
    uint64_t size = op.getType().getNumElements() * op.getType().getElementTypeBitWidth() / 8;
    bytes += llvm::alignTo(size, scratchAlignment);
  }
  OpBuilder builder(kernel.getContext());
  auto type = MemRefType::get({static_cast<int64_t>(bytes)}, builder.getI8Type());
  kernel.insertArgument(kernel.getNumArguments(), type, {}, kernel.getLoc());
  Value scratch = kernel.getArguments().back();
  builder.setInsertionPointToStart(&kernel.getBody().front());
  for (auto [op, offset] : llvm::zip(allocations, offsets)) {
    Value at = builder.create<arith::ConstantIndexOp>(op.getLoc(), offset);
    Value view = builder.create<memref::ViewOp>(op.getLoc(), op.getType(), scratch, at, ValueRange());
    op.getResult().replaceAllUsesWith(view);
  }
  for (memref::AllocOp op : allocations) // one of them may be what the builder stands before
    op.erase();
  return success();
}

} // namespace daedalus::cpu
