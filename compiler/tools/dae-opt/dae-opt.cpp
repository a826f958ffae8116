// dae-opt: mlir-opt with the dialects and passes of the accelerator path.
//
//   dae-opt --dae-blockize=machine=tiny --dae-tensorize=machine=tiny kernels.mlir

#include "daedalus/Dialect/Dae/IR/Dae.h"
#include "daedalus/Dialect/Dae/Transforms/Passes.h"
#include "daedalus/Dialect/Qnn/IR/Qnn.h"
#include "daedalus/Dialect/Qnn/Transforms/Passes.h"
#include "daedalus/Target/Accelerator/Passes.h"
#include "daedalus/support/input_file.h"
#include "daedalus/support/mlir_text.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

#include <unistd.h>

static int fail(llvm::StringRef message) {
  llvm::errs() << "dae-opt: error: " << message << "\n";
  return EXIT_FAILURE;
}

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<daedalus::dae::DaeDialect, daedalus::qnn::QnnDialect, mlir::arith::ArithDialect,
                  mlir::func::FuncDialect, mlir::linalg::LinalgDialect, mlir::memref::MemRefDialect,
                  mlir::tensor::TensorDialect, mlir::tosa::TosaDialect>();
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
  daedalus::qnn::registerQnnPasses();
  daedalus::dae::registerDaePasses();
  daedalus::accelerator::registerAcceleratorPasses();
  const llvm::InitLLVM llvm(argc, argv);
  const auto [input, output] =
      mlir::registerAndParseCLIOptions(argc, argv, "Daedalus accelerator optimizer\n", registry);
  const auto text = input == "-" ? daedalus::readDescriptor(STDIN_FILENO, "stdin", daedalus::input::MlirText)
                                 : daedalus::readFile(input, daedalus::input::MlirText);
  if (!text)
    return fail(text.error());
  if (const auto plain = daedalus::checkMlirText({text->begin(), text->end()}); !plain)
    return fail((llvm::Twine(input) + ": " + plain.error()).str());
  std::string why;
  const auto file = mlir::openOutputFile(output, &why);
  if (!file)
    return fail(why);
  const llvm::StringRef name = input == "-" ? "<stdin>" : llvm::StringRef(input);
  if (failed(mlir::MlirOptMain(file->os(),
                               llvm::MemoryBuffer::getMemBufferCopy(llvm::toStringRef(*text), name), registry,
                               mlir::MlirOptMainConfig::createFromCLOptions())))
    return EXIT_FAILURE;
  file->keep();
  return EXIT_SUCCESS;
}
