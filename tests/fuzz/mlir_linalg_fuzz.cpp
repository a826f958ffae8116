// MLIR text at level linalg: kernels on tensors, scheduled and made into blocks, and these into instructions.
#include "mlir_text.h"

#include "daedalus/Dialect/Dae/Transforms/Passes.h"
#include "daedalus/Target/Accelerator/Passes.h"

std::vector<std::vector<uint8_t>> daedalus::fuzz::seeds() {
  return partsOfTests();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace daedalus;
  fuzz::runText(data, size, [](mlir::PassManager &passes) {
    passes.addPass(accelerator::createDaeSchedule());
    passes.addPass(accelerator::createDaeBlockize());
    passes.addNestedPass<mlir::func::FuncOp>(dae::createDaeTensorize());
    passes.addNestedPass<mlir::func::FuncOp>(dae::createDaeAllocate());
    passes.addNestedPass<mlir::func::FuncOp>(dae::createDaeTokens());
    passes.addNestedPass<mlir::func::FuncOp>(dae::createDaeMasks());
  });
  return 0;
}
