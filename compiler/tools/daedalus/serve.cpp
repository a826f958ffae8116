// daedalus serve: a simulated accelerator for other processes.
#include "Commands.h"
#include "Report/Hexadecimal.h"
#include "cli/Files.h"
#include "cli/Machine.h"
#include "cli/Progress.h"
#include "daedalus/runtime/server.h"
#include "daedalus/support/decimal.h"

#include <iostream>
#include <memory>

namespace daedalus::cli {
namespace {

struct Options {
  std::string folder, machine, engine = "systemc";
  uint64_t mebibytes = 64;
};

void run(const Options &options) {
  runtime::ServerOptions given;
  given.engine = options.engine;
  given.machine = machineNamed(options.machine);
  given.memoryBytes = options.mebibytes << 20;
  checkNewFolder(options.folder);
  auto progress = std::make_unique<Progress>("preparing engine " + options.engine);
  const std::unique_ptr<runtime::Server> server = orFail(runtime::Server::create(options.folder, given));
  progress.reset();
  std::cout << "serving machine " << given.machine.name << " (hash " << hexadecimal(given.machine.hash())
            << ") on " << options.engine << ": registers '" << server->registers() << "', memory '"
            << server->memory() << "' of " << grouped(given.memoryBytes) << " bytes at " << std::hex
            << std::showbase << runtime::Server::memoryAddress << "\n"
            << std::flush;
  throw Failed{server->serve().message};
}

} // namespace

void addServe(CLI::App &app) {
  auto options = std::make_shared<Options>();
  CLI::App *command =
      app.add_subcommand("serve", "Let other processes use a simulated accelerator as they use hardware");
  command
      ->add_option("folder", options->folder,
                   "Make the socket and the memory in this folder, which is new or empty")
      ->required()
      ->type_name("DIR");
  addMachineOption(*command, options->machine);
  addSimulatorOption(*command, options->engine);
  addNumberOption(*command, "--memory", options->mebibytes, 1, 4095,
                  "Size of the accelerator's memory in MiB")
      ->type_name("MIB");
  command->footer(
      "Programs that use hardware by Linux's UIO use the simulator in its place: 'daedalus run --engine "
      "uio', "
      "and models that 'daedalus export' wrote (docs/export.md). One connection is served at a time. Ends "
      "with "
      "a signal, such as that of Ctrl-C, and then removes what it made.\n"
      "\nExamples:\n"
      "  daedalus serve accelerator --machine tiny &\n"
      "  DAEDALUS_UIO=accelerator/registers daedalus run model.dae --input image=image.npy --engine uio");
  command->callback([options] { run(*options); });
}

} // namespace daedalus::cli
