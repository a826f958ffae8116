#include "cli/CommandLine.h"
#include "cli/Completion.h"
#include "cli/Explain.h"
#include "cli/Help.h"
#include "cli/Plugins.h"
#include "daedalus/support/inputs.h"
#include "daedalus/support/one_line.h"
#include "daedalus/support/temporaries.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>

namespace daedalus::cli {
namespace {

/// On one line and of a length that can be read, whatever names and values stand in it.
std::string printable(const std::string &message) {
  constexpr size_t most = 4000;
  return oneLine(message.substr(0, most)) + (message.size() > most ? " ..." : "");
}

int refuse(const CLI::App &app, const std::string &message, int status) {
  std::cerr << app.get_name() << ": error: " << printable(message) << "\n";
  return status;
}

/// What was printed has to have arrived, or the command failed.
int finish(const CLI::App &app, int status) {
  errno = 0;
  std::cout.flush();
  const bool lost = std::fflush(stdout) != 0 || std::ferror(stdout) || !std::cout;
  const std::string why = errno ? std::strerror(errno) : "a part of the output did not arrive";
  return lost && status == 0 ? refuse(app, "cannot write to stdout: " + why, 1) : status;
}

int parse(CLI::App &app, int argc, char **argv, void (*addCommands)(CLI::App &)) {
  try {
    loadPlugins(argc, argv);
    addCommands(app);
    addCompletion(app);
    app.parse(argc, argv);
    return 0;
  } catch (const CLI::CallForHelp &help) {
    return app.exit(help);
  } catch (const CLI::CallForAllHelp &help) {
    return app.exit(help);
  } catch (const CLI::CallForVersion &version) {
    return app.exit(version);
  } catch (const CLI::ParseError &error) {
    return refuse(app, explain(app, error, argc, argv), 2);
  } catch (const Usage &usage) {
    return refuse(app, usage.message, 2);
  } catch (const Failed &failed) {
    return refuse(app, failed.message, 1);
  } catch (const Negative &) {
    return 1;
  } catch (const std::bad_alloc &) {
    return refuse(app, "out of memory", 1);
  }
}

} // namespace

int runCommand(CLI::App &app, int argc, char **argv, void (*addCommands)(CLI::App &)) {
  cleanUpOnSignals();
  protectInputs();
  std::signal(SIGXFSZ, SIG_IGN); // a file over the limit of the shell is an error of the write
  app.set_version_flag("--version", app.get_name() + " " DAEDALUS_VERSION);
  app.require_subcommand(1);
  app.formatter(helpFormatter());
  return finish(app, parse(app, argc, argv, addCommands));
}

} // namespace daedalus::cli
