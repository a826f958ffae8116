// What is done to kernels on their way to launches.

#ifndef DAEDALUS_LIB_TARGET_CUDA_TRANSFORMS_H
#define DAEDALUS_LIB_TARGET_CUDA_TRANSFORMS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"

#include <optional>

namespace daedalus::cuda {

/// The operation, or what takes the place of one that has a name.
mlir::FailureOr<mlir::linalg::GenericOp> asGeneric(mlir::linalg::LinalgOp op, mlir::RewriterBase &rewriter);
/// Lets products read factors of 16 bits that are widened to float32 before.
void takeStoredFactors(mlir::func::FuncOp kernel);
/// Moves factors of 8 and 16 bits that are not read in chunks of 16 bytes.
void lineUpFactors(mlir::func::FuncOp kernel);
/// Cuts the reduction of a kernel of tensors, if it has one of very many elements to few results.
void splitReductions(mlir::func::FuncOp kernel);

/// A kernel's buffers for its tensors. A diagnostic says why it has none.
mlir::LogicalResult bufferize(mlir::func::FuncOp kernel);

/// Replaces each cf.assert by a store to a further argument: 1 to word 0 of shapes, word 1 of indices.
void reportStatus(mlir::func::FuncOp kernel);
/// Names that argument.
constexpr const char *statusAttribute = "daedalus.status";

/// Operations that one launch computes: `root`, of which each thread computes elements, perhaps with what its
/// result begins with and what is computed of it element by element.
struct Group {
  mutable mlir::linalg::FillOp fill;
  mutable mlir::linalg::LinalgOp root;
  mutable mlir::linalg::GenericOp epilogue;
  /// Of each loop of the epilogue, the loop of `root` that it is.
  llvm::SmallVector<unsigned> loops;

  mlir::Operation *last() const { return epilogue ? epilogue.getOperation() : root.getOperation(); }
};

/// The group that begins at an operation of a kernel; nothing of what no threads can share.
std::optional<Group> groupAt(mlir::Operation *op);

/// The operation behind another one that reads or writes memory; null where there is none.
mlir::Operation *effectBehind(mlir::Operation *op);

/// What a buffer is a part or another shape of.
mlir::Value bufferOf(mlir::Value value);

/// A function for the GPU while it is made. Values of the kernel that it uses become arguments, where they
/// are memory, or are computed in it again.
class DeviceFunction {
public:
  /// Launched where `builder` stands, with so many threads a block at most.
  DeviceFunction(mlir::gpu::GPUModuleOp device, llvm::StringRef name, mlir::OpBuilder &builder,
                 mlir::Location loc, unsigned blocks, unsigned threads);

  /// What stands for a value of the kernel.
  mlir::Value operator()(mlir::Value value);
  /// Memory that the threads of a block share, of these extents; aligned to so many bytes.
  mlir::Value addShared(llvm::ArrayRef<int64_t> shape, mlir::Type element, int64_t alignment = 16);
  /// As many bytes as a launch asks for, more than a function may declare, and where they begin in them.
  std::pair<mlir::Value, int64_t> addDynamicShared(int64_t bytes);
  /// One block a multiprocessor is enough: ptxas spills no registers for more of them.
  void keepRegisters();
  /// The same of all that an operation of the kernel uses, for who clones it.
  void take(mlir::Operation *op);
  /// Ends the function, and launches it.
  void finish();

  mlir::OpBuilder b; ///< in the function
  mlir::IRMapping values;

private:
  mlir::Value addArgument(mlir::Value buffer);

  mlir::OpBuilder &host;
  const mlir::Location loc;
  mlir::gpu::GPUFuncOp function;
  mlir::Operation *begin; ///< before which that stands which is computed again
  llvm::SmallVector<mlir::Value> captured;
  const unsigned blocks, threads;
  mlir::Value dynamicShared;
  int64_t dynamicBytes = 0;
};

/// What the root's result begins with, at values of its loops: what fills it, what is there, or, where nobody
/// reads that, nothing.
mlir::Value firstOf(const Group &group, mlir::ValueRange loops, DeviceFunction &f);
/// Stores an element of the root's result, or what the group's epilogue computes of it.
void finishPoint(const Group &group, mlir::Value result, mlir::ValueRange loops, DeviceFunction &f);
/// Indices of an operand's element, at values of an operation's loops.
llvm::SmallVector<mlir::Value> indicesOf(mlir::AffineMap map, mlir::ValueRange loops, mlir::OpBuilder &b,
                                         mlir::Location loc);
/// What an operand gives to the body of an operation, at values of its loops.
mlir::Value loadElement(mlir::linalg::LinalgOp op, mlir::OpOperand &operand, mlir::ValueRange loops,
                        DeviceFunction &f);
/// What gives operands of the root, as loadElement does.
using ElementLoader = llvm::function_ref<mlir::Value(mlir::linalg::LinalgOp op, mlir::OpOperand &operand,
                                                     mlir::ValueRange loops, DeviceFunction &f)>;
/// In a thread, the computation of one element of a group's result: at `at`, a value of each parallel loop of
/// the root in order.
void computePoint(const Group &group, mlir::ValueRange at, DeviceFunction &f,
                  ElementLoader load = loadElement);

/// The body of an operation, with these arguments, at values of its loops. What it yields.
mlir::Value computeBody(mlir::linalg::LinalgOp op, mlir::ValueRange arguments, mlir::ValueRange loops,
                        DeviceFunction &f);
/// Stores an element of an operation's result.
void storeElement(mlir::linalg::LinalgOp op, mlir::Value value, mlir::ValueRange loops, DeviceFunction &f);

/// Of a group whose loops have known sizes: how many elements it computes.
int64_t pointsOf(const Group &group);

/// A launch of a thread for each element of a group's result, where `b` stands; none of a result without
/// elements.
void launchPoints(const Group &group, mlir::gpu::GPUModuleOp device, llvm::StringRef name,
                  mlir::OpBuilder &b);
/// A launch of one thread, which does what operations of a kernel do, one after the other; they are erased. A
/// diagnostic says which cannot be loops.
mlir::LogicalResult launchSerially(llvm::ArrayRef<mlir::Operation *> ops, mlir::gpu::GPUModuleOp device,
                                   llvm::StringRef name, mlir::OpBuilder &b);

class Decisions;
struct LibraryChoice;

/// All of a kernel as launches of functions that are added to `device`, and as calls of libraries. A
/// diagnostic says which schedule that is given cannot be.
mlir::LogicalResult formLaunches(mlir::func::FuncOp kernel, mlir::gpu::GPUModuleOp device,
                                 llvm::ArrayRef<LibraryChoice> libraries, Decisions &schedules);

} // namespace daedalus::cuda

#endif
