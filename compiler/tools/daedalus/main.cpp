// daedalus: the command line. Thin: parses, calls libraries, prints. Exit status 0 on success, 1 when the
// command failed, 2 when it was not understood. Errors are one sentence on stderr. Ended by a signal, it
// leaves nothing half-made behind.
#include "Commands.h"
#include "Plugins.h"
#include "daedalus/support/inputs.h"
#include "daedalus/support/one_line.h"
#include "daedalus/support/temporaries.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>

using namespace daedalus::cli;

/// On one line and of a length that can be read, whatever names and values stand in it.
static std::string printable(const std::string &message) {
  constexpr size_t most = 4000;
  return daedalus::oneLine(message.substr(0, most)) + (message.size() > most ? " ..." : "");
}

static int report(const std::string &message, int status) {
  std::cerr << "daedalus: error: " << printable(message) << "\n";
  return status;
}

/// What was printed has to have arrived, or the command failed.
static int finish(int status) {
  errno = 0;
  std::cout.flush();
  const bool lost = std::fflush(stdout) != 0 || std::ferror(stdout) || !std::cout;
  const std::string why = errno ? std::strerror(errno) : "a part of the output did not arrive";
  return lost && status == 0 ? report("cannot write to stdout: " + why, 1) : status;
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
  addInfo(app);
}

static int parse(CLI::App &app, int argc, char **argv) {
  try {
    loadPlugins(argc, argv);
    addCommands(app);
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
  daedalus::cleanUpOnSignals();
  daedalus::protectInputs();
  std::signal(SIGXFSZ, SIG_IGN); // a file over the limit of the shell is an error of the write
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
  return finish(parse(app, argc, argv));
}
