// daedalus profile: where the cycles of a run went.
#include "Commands.h"
#include "Models/ModelOptions.h"
#include "Models/Programs.h"
#include "Models/Samples.h"
#include "Report/Profile/ProfileReport.h"
#include "Report/Profile/WhatIf.h"
#include "Report/Table.h"
#include "Report/Trace/RunTrace.h"
#include "Tuning/Inputs.h"
#include "cli/Files.h"
#include "cli/Progress.h"
#include "daedalus/support/inputs.h"

#include <iostream>

namespace daedalus::cli {
namespace {

struct Options : ModelOptions {
  std::string output, trace, engine = "systemc";
  std::vector<std::string> inputs;
  uint64_t threads = 1;
  bool json = false, instructions = false, whatIf = false, noNative = false;
};

std::unique_ptr<runtime::Session> createSession(package::Package package, const Options &options) {
  runtime::SessionOptions session;
  session.engine = options.engine;
  session.timingOnly = options.inputs.empty();
  session.nativeCode = !options.noNative;
  session.threads = static_cast<unsigned>(options.threads);
  session.profile = true;
  session.machine = machineOf(options);
  Progress progress("preparing engine " + options.engine);
  auto created = runtime::Session::create(std::move(package), session);
  if (!created)
    throw Failed{"'" + options.model + "': " + created.error()};
  return std::move(*created);
}

void checkOptions(const Options &options) {
  if (options.trace == "-")
    throw Usage{"--trace is a file of its own, not stdout"};
  if (!options.trace.empty() && options.trace == options.output)
    throw Usage{"-o and --trace name the same file '" + options.trace + "'; expected one for each"};
  if (options.instructions && !options.json && options.output.empty())
    throw Usage{"--instructions goes with --json or -o: there is no table of them"};
}

void writeTrace(const std::string &path, const ProfiledRun &run) {
  const std::unique_ptr<PacketFile> file = orFail(PacketFile::create(path));
  RunTrace trace(*file, run.package, run.model);
  for (const runtime::ProgramProfile &program : run.result.profiles)
    trace.add(program);
  orFail(file->finish());
}

std::string heading(const ProfiledRun &run) {
  if (run.result.profiles.empty())
    return run.model +
           " has no accelerator program: there are no cycles, the CPU's time is by the host's clock";
  return "profile of " + run.model + " on " + run.engine + ", machine " + run.machine->name + ": " +
         grouped(run.result.cycles) + " cycles";
}

void print(const Options &options, const ProfiledRun &run) {
  const std::vector<WhatIf> changes = options.whatIf ? orFail(whatIfs(run)) : std::vector<WhatIf>();
  Json json = profileJson(run, options.instructions);
  if (options.whatIf)
    json["what_if"] = whatIfJson(changes);
  if (!options.output.empty())
    write(options.output, dump(json));
  if (options.json)
    std::cout << dump(json);
  else if (options.output != "-")
    std::cout << heading(run) << "\n\n"
              << profileText(run) << (changes.empty() ? "" : "\n" + whatIfText(run, changes));
}

void profile(const Options &options) {
  checkOptions(options);
  InputFiles files(options.inputs, false);
  package::Package package = loadPackage(options, &files);
  if (options.noNative)
    refuseNativeCode(package, options.model);
  for (const std::string &input : options.inputs)
    noteInput(input.substr(input.find('=') + 1)); // all of it where there is none
  checkOutput(options.output);
  checkOutput(options.trace);
  const std::unique_ptr<runtime::Session> session = createSession(std::move(package), options);
  const package::Function &function = *orFail(session->function(0));
  const auto inputs =
      options.inputs.empty() ? zeroInputs(function) : readInputs(options.inputs, files, function, false);
  auto progress = std::make_unique<Progress>("running on engine " + options.engine);
  const runtime::RunResult result = orFail(session->run(function.name, inputs));
  progress.reset();
  const ProfiledRun run{options.model, options.engine, session->machine(), session->package(), result};
  if (!options.trace.empty())
    writeTrace(options.trace, run);
  print(options, run);
}

} // namespace

void addProfile(CLI::App &app) {
  auto options = std::make_shared<Options>();
  CLI::App *command = app.add_subcommand("profile", "Say where the cycles of a run went");
  addModelArgument(*command, *options);
  command
      ->add_option(
          "--input", options->inputs,
          "Data of an input; once an input (an only one needs no NAME=). None: zeros, for cycles do not "
          "depend on data")
      ->type_name("NAME=F.npy")
      ->allow_extra_args(false);
  addCycleEngineOption(*command, options->engine);
  addModelOptions(*command, *options);
  command->add_option("-o", options->output, "Receives the profile as JSON")->type_name("F.json");
  command
      ->add_option("--trace", options->trace,
                   "Receives what every module did, cycle by cycle, for https://ui.perfetto.dev")
      ->type_name("F.pftrace");
  command->add_flag("--json", options->json, "The profile as JSON, instead of the tables");
  command->add_flag("--instructions", options->instructions,
                    "In the JSON, the cycles of each instruction and the segments of the critical path");
  command->add_flag(
      "--what-if", options->whatIf,
      "What changes of the machine would be worth: estimated, and measured on systemc with the same "
      "instructions");
  addThreadsOption(*command, options->threads);
  addNoNativeOption(*command, options->noNative);
  command->footer(
      "Prints for each layer its cycles of the critical path, which add up to those of the run, what they\n"
      "were, the utilisation of the array in the cycles that GEMM had for it, and how long each module was\n"
      "busy for it; the microseconds of layers on this host's CPU are no cycles. docs/profile.md says what\n"
      "each number counts.\n\n"
      "Examples:\n"
      "  daedalus profile model.dae\n"
      "  daedalus profile model.onnx --machine large -o profile.json\n"
      "  daedalus profile model.onnx --trace model.pftrace\n"
      "  daedalus profile model.onnx --engine rtl --json --instructions");
  command->callback([options] {
    options->output = outputOf(options->output);
    options->trace = outputOf(options->trace);
    profile(*options);
  });
}

} // namespace daedalus::cli
