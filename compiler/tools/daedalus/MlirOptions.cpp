// MLIR keeps its options in LLVM's own command line, which holds every option of every library linked: only
// those that begin with --mlir- are let through.
#include "MlirOptions.h"
#include "Commands.h"

#include "daedalus/Pipelines/Passes.h"
#include "daedalus/Pipelines/Statistics.h"

#include "mlir/IR/AsmState.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/Timing.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

namespace daedalus::cli {

std::function<bool(mlir::PassManager &)> mlirOptions(const std::vector<std::string> &options) {
  registerPasses(); // whose names are values of the options
  mlir::registerAsmPrinterCLOptions();
  mlir::registerPassManagerCLOptions();
  mlir::registerDefaultTimingManagerCLOptions();
  std::vector<const char *> arguments = {"daedalus"};
  for (const std::string &option : options)
    arguments.push_back(option.c_str());
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  if (!llvm::cl::ParseCommandLineOptions(arguments.size(), arguments.data(), "", &stream))
    throw Usage{problem.empty() ? "MLIR rejects the value of an option; the line above says which"
                                : "MLIR rejects its options: " + problem.substr(0, problem.find('\n'))};
  const bool counts = std::find(options.begin(), options.end(), "--mlir-pass-statistics") != options.end();
  return [counts](mlir::PassManager &passes) {
    mlir::applyDefaultTimingPassManagerCLOptions(passes);
    if (counts)
      passes.addInstrumentation(passStatistics());
    return succeeded(mlir::applyPassManagerCLOptions(passes));
  };
}

} // namespace daedalus::cli
