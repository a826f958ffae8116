// dae-opt: mlir-opt with the dialects of all levels and the passes of the compiler, and upstream ones that
// tensor programs are rewritten with. It reads its text as `daedalus compile` does.
//
//   dae-opt --daedalus-lower=machine=tiny program.mlir
//   dae-opt --dae-blockize=machine=tiny --dae-tensorize=machine=tiny kernels.mlir

#include "daedalus/Pipelines/Passes.h"
#include "daedalus/Pipelines/Program.h"
#include "daedalus/Pipelines/Statistics.h"
#include "daedalus/support/input_file.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

#include <algorithm>
#include <unistd.h>

static int fail(llvm::StringRef message) {
  llvm::errs() << "dae-opt: error: " << message << "\n";
  return EXIT_FAILURE;
}

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  daedalus::registerDialects(registry);
  daedalus::registerPasses();
  const llvm::InitLLVM llvm(argc, argv);
  const auto [input, output] =
      mlir::registerAndParseCLIOptions(argc, argv, "Daedalus accelerator optimizer\n", registry);
  const auto text = input == "-" ? daedalus::readDescriptor(STDIN_FILENO, "stdin", daedalus::input::MlirText)
                                 : daedalus::readFile(input, daedalus::input::MlirText);
  if (!text)
    return fail(text.error());
  const std::string name = input == "-" ? "<stdin>" : input;
  if (const auto parsed = daedalus::tryToParse({text->begin(), text->end()}, name, registry); !parsed)
    return fail(parsed.error());
  mlir::MlirOptMainConfig config = mlir::MlirOptMainConfig::createFromCLOptions();
  const mlir::MlirOptMainConfig asked = config;
  const bool counts = std::find(argv, argv + argc, llvm::StringRef("--mlir-pass-statistics")) != argv + argc;
  config.setPassPipelineSetupFn([=](mlir::PassManager &passes) {
    if (counts)
      passes.addInstrumentation(daedalus::passStatistics());
    return asked.setupPassPipeline(passes);
  });
  std::string why;
  const auto file = mlir::openOutputFile(output, &why);
  if (!file)
    return fail(why);
  if (failed(mlir::MlirOptMain(file->os(),
                               llvm::MemoryBuffer::getMemBufferCopy(llvm::toStringRef(*text), name), registry,
                               config)))
    return EXIT_FAILURE;
  file->keep();
  return EXIT_SUCCESS;
}
