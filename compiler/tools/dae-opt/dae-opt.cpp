// dae-opt: mlir-opt with the dialects of all levels and the passes of the compiler, and upstream ones that
// tensor programs are rewritten with. A copy of the process does the work, so that no text ends it with a
// signal.
//
//   dae-opt --daedalus-lower=options=machine=tiny program.mlir
//   dae-opt --dae-blockize=machine=tiny --dae-tensorize=machine=tiny kernels.mlir

#include "daedalus/Pipelines/Passes.h"
#include "daedalus/Pipelines/Statistics.h"
#include "daedalus/support/file.h"
#include "daedalus/support/input_file.h"
#include "daedalus/support/mlir_text.h"
#include "daedalus/support/process.h"
#include "daedalus/support/temporaries.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <unistd.h>

static int fail(llvm::StringRef message) {
  llvm::errs() << "dae-opt: error: " << message << "\n";
  return EXIT_FAILURE;
}

int main(int argc, char **argv) {
  daedalus::cleanUpOnSignals("dae-opt");
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
  if (const auto plain = daedalus::checkMlirText({text->begin(), text->end()}); !plain)
    return fail(name + ": " + plain.error());
  mlir::MlirOptMainConfig config = mlir::MlirOptMainConfig::createFromCLOptions();
  const mlir::MlirOptMainConfig asked = config;
  const bool counts = std::find(argv, argv + argc, llvm::StringRef("--mlir-pass-statistics")) != argv + argc;
  config.setPassPipelineSetupFn([=](mlir::PassManager &passes) {
    if (counts)
      passes.addInstrumentation(daedalus::passStatistics());
    return asked.setupPassPipeline(passes);
  });
  const auto run = daedalus::runInCopy(
      [&] {
        std::string printed;
        llvm::raw_string_ostream stream(printed);
        auto buffer = llvm::MemoryBuffer::getMemBufferCopy(llvm::toStringRef(*text), name);
        if (failed(mlir::MlirOptMain(stream, std::move(buffer), registry, config)))
          _exit(EXIT_FAILURE); // it has said why
        return printed;
      },
      /*printsErrors=*/true);
  if (!run)
    return fail(run.error());
  if (run->status)
    return run->status == EXIT_FAILURE ? EXIT_FAILURE
                                       : fail(name + ": MLIR ends with " + run->ending() + " on it");
  const auto written = daedalus::writeFileAtomically(output == "-" ? "/dev/stdout" : output, run->text);
  return written ? EXIT_SUCCESS : fail(written.error());
}
