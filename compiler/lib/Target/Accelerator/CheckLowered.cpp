// What a stream is at level `dae`, for modules that were read from a file.

#include "StreamCalls.h"

#include "daedalus/Dialect/Dae/IR/Dae.h"
#include "daedalus/Dialect/Dae/Transforms/Transforms.h"

using namespace mlir;

namespace daedalus::accelerator {

/// The operations of a stream.
static bool isOfStream(Operation *op) {
  return dae::isInstruction(op) || llvm::isa<dae::TensorOp, dae::AllocOp>(op);
}

LogicalResult checkLowered(func::FuncOp stream) {
  if (stream.getNumArguments() || stream.getNumResults())
    return stream.emitError("is a stream of type ")
           << stream.getFunctionType() << "; expected one without arguments and results";
  for (Operation &op : stream.getBody().front().without_terminator())
    if (!isOfStream(&op))
      return op.emitError("is in a stream; expected instructions, their buffers and tensors");
  return success();
}

} // namespace daedalus::accelerator
