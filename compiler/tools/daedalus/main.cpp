// daedalus: the command line. Thin: parses, calls libraries, prints. Exit status 0 on success, 1 when the
// command failed, 2 when it was not understood. Errors are one sentence on stderr.
#include "Commands.h"

#include <iostream>

using namespace daedalus::cli;

static int report(const std::string &message, int status) {
  std::cerr << "daedalus: error: " << message << "\n";
  return status;
}

// The message for a command line that was not understood.
static std::string explain(const CLI::App &app, const CLI::ParseError &error, int argc, char **argv) {
  std::string commands;
  bool known = false;
  for (const CLI::App *command : app.get_subcommands({})) {
    commands += (commands.empty() ? "" : ", ") + command->get_name();
    known |= argc > 1 && command->get_name() == argv[1];
  }
  if (argc > 1 && argv[1][0] != '-' && !known)
    return "there is no command '" + std::string(argv[1]) + "'; the commands are " + commands;
  return std::string(error.what()) + "; --help shows what there is";
}

static int parse(CLI::App &app, int argc, char **argv) {
  try {
    app.parse(argc, argv);
    return 0;
  } catch (const CLI::CallForHelp &help) {
    return app.exit(help);
  } catch (const CLI::CallForAllHelp &help) {
    return app.exit(help);
  } catch (const CLI::CallForVersion &version) {
    return app.exit(version);
  } catch (const CLI::ParseError &error) {
    return report(explain(app, error, argc, argv), 2);
  } catch (const Usage &usage) {
    return report(usage.message, 2);
  } catch (const Failed &failed) {
    return report(failed.message, 1);
  } catch (const Negative &) {
    return 1;
  } catch (const std::bad_alloc &) {
    return report("out of memory", 1);
  }
}

int main(int argc, char **argv) {
  CLI::App app("Compiles neural networks for a decoupled access-execute accelerator and runs them on its "
               "simulators.",
               "daedalus");
  app.set_version_flag("--version", "daedalus " DAEDALUS_VERSION);
  app.require_subcommand(1);
  app.footer("Examples:\n"
             "  daedalus compile model.onnx -o model.dae\n"
             "  daedalus compile model.onnx --placement\n"
             "  daedalus run model.dae --input image=image.npy --output results\n"
             "  daedalus disasm program.bin\n"
             "  daedalus info\n"
             "\nEach command has its own --help.");
  addCompile(app);
  addRun(app);
  addAsm(app);
  addDisasm(app);
  addVerify(app);
  addBench(app);
  addCheck(app);
  addCosim(app);
  addInfo(app);
  return parse(app, argc, argv);
}
