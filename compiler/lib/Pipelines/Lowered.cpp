// Modules at level `dae` as an input: what their parts have to be before a package is made of them. What they
// say in numbers is checked where the numbers are used, and the package is proved as always.

#include "Streams.h"

#include "daedalus/Conversion/GraphToLinalg/GraphToLinalg.h"
#include "daedalus/Dialect/Dae/IR/Dae.h"
#include "daedalus/Dialect/Qnn/IR/Qnn.h"
#include "daedalus/Pipelines/Program.h"
#include "daedalus/Target/Schedule.h"
#include "daedalus/Target/Target.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace daedalus {
namespace {

/// The operations of a stream.
bool isOfStream(Operation *op) {
  return llvm::isa<dae::TensorOp, dae::AllocOp, dae::LoadOp, dae::GemmOp, dae::VectorOp, dae::StoreOp>(op);
}

/// A buffer of a static shape without a layout as one with a layout, which the verifier compares.
bool namesLayout(Operation *op) {
  auto cast = dyn_cast<memref::CastOp>(op);
  auto from = cast ? dyn_cast<MemRefType>(cast.getSource().getType()) : MemRefType();
  return from && from.hasStaticShape() && from.getLayout().isIdentity();
}

/// The operations that cpu-lower-kernels makes.
bool isOfKernel(Operation *op) {
  return namesLayout(op) ||
         llvm::isa<arith::ArithDialect, linalg::LinalgDialect, math::MathDialect>(op->getDialect()) ||
         llvm::isa<scf::ForOp, scf::ForallOp, scf::InParallelOp, scf::IfOp, scf::YieldOp, memref::AllocaOp,
                   affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp, memref::GetGlobalOp,
                   memref::LoadOp, memref::StoreOp, memref::SubViewOp, memref::ViewOp,
                   memref::CollapseShapeOp, memref::ExpandShapeOp, func::CallOp, func::ReturnOp>(op);
}

class LoweredChecker {
public:
  explicit LoweredChecker(ModuleOp module) : module(module) {}

  LogicalResult check() {
    for (Operation &op : module.getOps())
      if (!llvm::isa<host::PackageOp, func::FuncOp, memref::GlobalOp, qnn::ExternalOp>(op) &&
          !schedulingOf(&op))
        return op.emitError("'") << op.getName()
                                 << "' stands in the module; expected host.package, functions and globals";
    FailureOr<Steps> steps = Steps::of(module);
    if (failed(steps))
      return failure();
    func::FuncOp main = steps->main();
    for (host::StepOp step : steps->steps())
      if (runsStreams(step.getTarget()))
        streams.insert(steps->callee(step));
    for (host::StepOp step : steps->steps())
      if (failed(checkStep(step, *steps)))
        return failure();
    for (auto function : module.getOps<func::FuncOp>())
      if (failed(checkFunction(function, main)))
        return failure();
    return success();
  }

private:
  LogicalResult checkFunction(func::FuncOp function, func::FuncOp main) {
    if (function.isExternal())
      return success();
    if (!function.getBody().hasOneBlock())
      return function.emitError("has several blocks; expected one");
    if (function == main)
      return checkMain(main);
    return streams.contains(function) ? checkStream(function) : checkKernel(function);
  }

  LogicalResult checkMain(func::FuncOp main) {
    for (Type type : llvm::concat<const Type>(main.getArgumentTypes(), main.getResultTypes()))
      if (failed(checkTensor(main, type)))
        return failure();
    for (Operation &op : main.getBody().front()) {
      if (!llvm::isa<host::StepOp, func::ReturnOp>(op) && !isView(&op) && !isNothing(&op))
        return op.emitError("stands in @main; expected steps and views");
      for (Type type : op.getResultTypes())
        if (failed(checkTensor(&op, type)))
          return failure();
    }
    return success();
  }

  static LogicalResult checkTensor(Operation *at, Type type) {
    if (isTensor(type))
      return success();
    return at->emitError("has a tensor of type ")
           << type << "; expected tensors of a static shape of i8, i16, i32, i64, f16, bf16, f32 or f64";
  }

  LogicalResult checkStream(func::FuncOp stream) {
    if (stream.getNumArguments() || stream.getNumResults())
      return stream.emitError("is a stream of type ")
             << stream.getFunctionType() << "; expected one without arguments and results";
    for (Operation &op : stream.getBody().front().without_terminator())
      if (!isOfStream(&op))
        return op.emitError("stands in a stream; expected instructions, their buffers and tensors");
    return success();
  }

  LogicalResult checkKernel(func::FuncOp kernel) {
    const WalkResult walk = kernel.getBody().walk([&](Operation *op) {
      if (!isOfKernel(op)) {
        op->emitError("stands in a kernel for the CPU; expected loops on buffers");
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

  LogicalResult checkStep(host::StepOp step, const Steps &steps) {
    func::FuncOp callee = steps.callee(step);
    const StringRef target = step.getTarget();
    const Target *found = findTarget(target);
    if (!found && target != kernel::externalTarget) {
      std::string names;
      for (const auto &known : targets())
        names += (names.empty() ? "" : ", ") + known->name();
      return step.emitOpError("has the target '") << target << "'; expected " << names << " or external";
    }
    if (callee.isExternal() != (!found) || streams.contains(callee) != runsStreams(target) ||
        callee == steps.main())
      return step.emitOpError("calls ")
             << step.getCalleeAttr() << ", which is nothing for the target '" << target << "'";
    const int64_t layers = steps.package().getLayers().size();
    for (int64_t layer : step.getLayers())
      if (layer < 0 || layer >= layers)
        return step.emitOpError("has layer ") << layer << " of " << layers;
    return success();
  }

  ModuleOp module;
  llvm::DenseSet<Operation *> streams; ///< functions that steps run so
};

} // namespace

bool isLowered(ModuleOp module) {
  return !module.getOps<host::PackageOp>().empty();
}

LogicalResult checkLowered(ModuleOp module) {
  return LoweredChecker(module).check();
}

} // namespace daedalus
