// See Stream.h; and compileStream, which takes a stream all the way to instructions.

#include "Lowering/Stream.h"

#include "Bound/LeastWork.h"
#include "Lowering/Blockize.h"
#include "Plan/Calls.h"

#include "daedalus/Dialect/Dae/Transforms/Transforms.h"

#include "mlir/IR/Verifier.h"

namespace daedalus::accelerator {

using mlir::failure;
using mlir::FailureOr;
using mlir::LogicalResult;
using mlir::success;

LogicalResult blockizeCalls(mlir::ModuleOp module, llvm::ArrayRef<mlir::func::CallOp> calls,
                            llvm::ArrayRef<uint32_t> layerIds, const isa::Machine &machine,
                            const DramPlacement &placement, Planning &planning, PackedConstants &constants,
                            AcceleratorStream &result) {
  FailureOr<PlannedCalls> planned = planCalls(module, calls, layerIds, machine, placement, planning);
  if (failed(planned))
    return failure();
  result.expectedCycles = planned->expectedCycles;
  result.unstored = std::move(planned->unstored);
  result.bounds = layerBounds(planned->calls, machine);
  result.dae = mlir::ModuleOp::create(module.getLoc());
  mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(result.dae->getBody());
  auto stream =
      builder.create<mlir::func::FuncOp>(module.getLoc(), "stream", builder.getFunctionType({}, {}));
  builder.setInsertionPointToStart(stream.addEntryBlock());
  blockize(builder, planned->program, planned->calls, machine, constants);
  builder.create<mlir::func::ReturnOp>(module.getLoc());
  return success();
}

FailureOr<AcceleratorStream> compileStream(mlir::ModuleOp module, llvm::ArrayRef<mlir::func::CallOp> calls,
                                           llvm::ArrayRef<uint32_t> layerIds, const isa::Machine &machine,
                                           const DramPlacement &placement, std::vector<uint8_t> &constants,
                                           Planning *planning) {
  Planning alone;
  AcceleratorStream result;
  PackedConstants packed(std::move(constants));
  const LogicalResult blockized = blockizeCalls(module, calls, layerIds, machine, placement,
                                                planning ? *planning : alone, packed, result);
  constants = packed.take();
  if (failed(blockized))
    return failure();
  auto stream = *result.dae->getOps<mlir::func::FuncOp>().begin();
  auto step = [&](LogicalResult outcome) {
    return succeeded(outcome) && succeeded(mlir::verify(*result.dae));
  };
  if (!step(success()) || !step(dae::tensorize(stream, machine)) || !step(dae::allocate(stream, machine)) ||
      !step(dae::orderByTokens(stream, machine)))
    return failure();
  dae::assignMasks(stream);
  FailureOr<dae::Instructions> instructions = dae::toInstructions(stream, machine);
  if (failed(instructions))
    return failure();
  result.instructions = std::move(instructions->all);
  result.layerOfInstruction = std::move(instructions->layers);
  return result;
}

} // namespace daedalus::accelerator
