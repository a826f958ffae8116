// MLIR text at level dae: blocks on scoped buffers and instructions, through tensorization to masks.
#include "mlir_text.h"

#include "daedalus/Dialect/Dae/Transforms/Passes.h"

std::vector<std::vector<uint8_t>> daedalus::fuzz::seeds() {
  return partsOfTests();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace daedalus;
  fuzz::runText(data, size, [](mlir::PassManager &passes) {
    passes.addNestedPass<mlir::func::FuncOp>(dae::createDaeTensorize());
    passes.addNestedPass<mlir::func::FuncOp>(dae::createDaeAllocate());
    passes.addNestedPass<mlir::func::FuncOp>(dae::createDaeTokens());
    passes.addNestedPass<mlir::func::FuncOp>(dae::createDaeMasks());
  });
  return 0;
}
