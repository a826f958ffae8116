// What a kernel for the CPU is at level `dae`, for modules that were read from a file.

#include "Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace daedalus::cpu {

/// A buffer of a static shape without a layout as one with a layout, which the verifier compares.
static bool namesLayout(Operation *op) {
  auto cast = dyn_cast<memref::CastOp>(op);
  auto from = cast ? dyn_cast<MemRefType>(cast.getSource().getType()) : MemRefType();
  return from && from.hasStaticShape() && from.getLayout().isIdentity();
}

/// The operations that cpu-lower-kernels makes.
static bool isOfKernel(Operation *op) {
  return namesLayout(op) ||
         llvm::isa<arith::ArithDialect, linalg::LinalgDialect, math::MathDialect>(op->getDialect()) ||
         llvm::isa<scf::ForOp, scf::ForallOp, scf::InParallelOp, scf::IfOp, scf::YieldOp, memref::AllocaOp,
                   affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp, memref::GetGlobalOp,
                   memref::LoadOp, memref::StoreOp, memref::SubViewOp, memref::ViewOp,
                   memref::CollapseShapeOp, memref::ExpandShapeOp, func::CallOp, func::ReturnOp>(op);
}

LogicalResult checkLowered(func::FuncOp kernel) {
  const WalkResult walk = kernel.getBody().walk([&](Operation *op) {
    if (!isOfKernel(op)) {
      op->emitError("is in a kernel for the CPU; expected loops on buffers");
      return WalkResult::interrupt();
    }
    if (auto buffer = dyn_cast<memref::AllocaOp>(op);
        buffer && (!llvm::isa<scf::ForallOp>(op->getParentOp()) || !buffer.getType().hasStaticShape())) {
      op->emitError("is memory of a thread; expected in scf.forall, of a static shape");
      return WalkResult::interrupt();
    }
    for (Type type : op->getResultTypes())
      if (auto shaped = dyn_cast<ShapedType>(type); shaped && !llvm::isa<MemRefType>(type)) {
        op->emitError("has a result of type ") << type << "; expected scalars and buffers";
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

} // namespace daedalus::cpu
