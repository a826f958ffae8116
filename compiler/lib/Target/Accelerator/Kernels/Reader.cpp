// The function of a kernel, its blocks, and what is made of its result. See Reader.h.

#include "Kernels/Reader.h"

#include "Kernels/Select.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace daedalus::accelerator {

using mlir::Value;

/// What all that follows takes for granted of a function that a user may have written: one block, and ranked
/// tensors of numbers and of a static shape wherever there are tensors.
bool Reader::isWellFormed() {
  constexpr int64_t mostElements = int64_t(1) << 31;
  const auto isPlain = [](Value value) {
    auto type = mlir::dyn_cast<mlir::RankedTensorType>(value.getType());
    if (!mlir::isa<mlir::TensorType>(value.getType()))
      return true;
    if (!type || type.getEncoding() || !type.getElementType().isIntOrIndexOrFloat())
      return false;
    int64_t elements = 1;
    for (int64_t size : type.getShape()) {
      if (size < 1 || size > mostElements / elements)
        return false;
      elements *= size;
    }
    return true;
  };
  if (!func.getBody().hasOneBlock())
    return fail("it has several blocks");
  mlir::Block &body = func.getBody().front();
  bool isPlainEverywhere = llvm::all_of(body.getArguments(), isPlain);
  for (mlir::Operation &op : body)
    isPlainEverywhere &= llvm::all_of(op.getResults(), isPlain);
  return isPlainEverywhere ||
         fail("it has a tensor that is not of numbers and of a static shape of 1 to 2^31 elements");
}

/// What nobody reads is left out, so it must not do anything else either.
bool Reader::hasNoEffects() {
  const mlir::WalkResult walk = func.getBody().walk([&](mlir::Operation *op) {
    if (op->getNumRegions() || mlir::isMemoryEffectFree(op))
      return mlir::WalkResult::advance();
    fail("it contains " + op->getName().getStringRef() + ", which may do more than compute a value");
    return mlir::WalkResult::interrupt();
  });
  return !walk.wasInterrupted();
}

std::optional<unsigned> Reader::argumentNumber(Value tensor) {
  auto argument = mlir::dyn_cast<mlir::BlockArgument>(tensor); // of the only block
  return argument ? std::optional(argument.getArgNumber()) : std::nullopt;
}

/// The number of an input among the kernel's.
std::optional<unsigned> Reader::addInput(const Access &access, const std::optional<Layout> &layout) {
  const std::optional<unsigned> number = argumentNumber(access.tensor);
  if (!number) {
    fail("it reads a value that is not an argument of the kernel");
    return std::nullopt;
  }
  if (!mlir::getElementTypeOrSelf(access.tensor.getType()).isSignlessInteger(8)) {
    fail("its input is not int8");
    return std::nullopt;
  }
  kernel.inputs.push_back(*number);
  kernel.layouts.push_back(layout);
  return kernel.inputs.size() - 1;
}

/// A shape seen as NHWC, of input and output: the last dimension is channels, those before fill up from the
/// right.
void Reader::setShape(llvm::ArrayRef<int64_t> shape) {
  llvm::SmallVector<int64_t> dims(shape.begin(), shape.end());
  while (dims.size() < 4)
    dims.insert(dims.begin(), 1);
  while (dims.size() > 4) {
    dims[1] *= dims[0];
    dims.erase(dims.begin());
  }
  Window &w = kernel.window;
  w.b = dims[0], w.h = w.oh = dims[1], w.w = w.ow = dims[2], w.c = w.oc = dims[3];
}

bool Reader::readResult(Value value) {
  if (auto last = value.getDefiningOp<mlir::tensor::InsertSliceOp>())
    return readParts(last);
  if (argumentNumber(value))
    return fail("its result is one of its arguments");
  while (mlir::isa_and_nonnull<mlir::tensor::CollapseShapeOp, mlir::tensor::ExpandShapeOp>(
      value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0); // the same elements in the same order
  const auto block = blocks.find(value);
  if (block != blocks.end() && !block->second.hasReductions())
    return readElementwise(block->second);
  if (block != blocks.end()) {
    if (!readReduction(block->second))
      return false;
    kernel.tail.result = reduced;
    return true;
  }
  if (auto linalg = value.getDefiningOp<mlir::linalg::LinalgOp>()) {
    const Result<Block> none = blockOf(linalg);
    return fail(none.error());
  }
  if (!value.getDefiningOp())
    return fail("it gives its input another shape and computes nothing");
  return fail("it contains " + value.getDefiningOp()->getName().getStringRef() +
              ", which the accelerator does not know");
}

Result<Kernel> Reader::read() {
  if (func.isExternal() || func.getFunctionType().getNumResults() != 1)
    return error("it is not a kernel function of one result");
  Value result = func.getBody().front().getTerminator()->getOperand(0);
  kernel.loc = result.getLoc();
  auto type = mlir::dyn_cast<mlir::RankedTensorType>(result.getType());
  if (!type || !type.hasStaticShape() ||
      !(type.getElementType().isSignlessInteger(8) || type.getElementType().isSignlessInteger(32)))
    return error("its result is not int8 or int32 of a static shape");
  if (!isWellFormed() || !hasNoEffects())
    return error(reason);
  blocks = blocksOf(func.getBody().front());
  if (!readResult(result))
    return error(reason);
  if (Result<void> selected = selectStages(kernel); !selected) {
    fail(selected.error());
    return error(reason);
  }
  return std::move(kernel);
}

Result<Kernel> readKernel(mlir::func::FuncOp func, int64_t n) {
  return Reader(func, n).read();
}

} // namespace daedalus::accelerator
