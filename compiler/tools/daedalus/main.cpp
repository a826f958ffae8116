// daedalus: the command line. Thin: parses, calls libraries, prints.
#include "Commands.h"
#include "Explore/Job.h"

#include <cstdlib>

using namespace daedalus::cli;

static void addCommands(CLI::App &app) {
  addCompile(app);
  addRun(app);
  addProfile(app);
  addCertify(app);
  addAsm(app);
  addDisasm(app);
  addVerify(app);
  addBench(app);
  addCheck(app);
  addCosim(app);
  addExplore(app);
  addTune(app);
  addExport(app);
  addServe(app);
  addInfo(app);
}

int main(int argc, char **argv) {
  if (argc > 1 && std::string(argv[1]) == "explore")
    daedalus::explore::printOnlyOfFirst(daedalus::explore::launchOf(std::getenv));
  CLI::App app("Compiles neural networks for a decoupled access-execute accelerator and runs them on its "
               "simulators.",
               "daedalus");
  app.footer("Examples:\n"
             "  daedalus compile model.onnx -o model.dae\n"
             "  daedalus compile model.onnx --placement\n"
             "  daedalus run model.dae --input image=image.npy --output results\n"
             "  daedalus disasm program.bin\n"
             "  daedalus info\n"
             "\nEach command has its own --help.\n"
             "\nExit status: 0 for success, 1 for a failure or a negative answer, 2 for a command line that "
             "was not\n"
             "understood (docs/exit_codes.md).");
  return runCommand(app, argc, argv, addCommands);
}
