// daedalus profile: where the cycles of a run went.
#include "Commands.h"
#include "Models/ModelOptions.h"
#include "Models/Programs.h"
#include "Models/Samples.h"
#include "Report/Profile/LayerFigures.h"
#include "Report/Profile/ProfileReport.h"
#include "Report/Profile/WhatIf.h"
#include "Report/Table.h"
#include "Report/Trace/RunTrace.h"
#include "Report/Waves/RunWaves.h"
#include "Tuning/Inputs.h"
#include "cli/Files.h"
#include "cli/Progress.h"
#include "cli/Terminal.h"
#include "cli/Window.h"
#include "daedalus/support/inputs.h"

#include <iostream>

namespace daedalus::cli {
namespace {

struct Options : ModelOptions {
  std::string output, trace, waves, window, energyTable, engine = "systemc";
  std::vector<std::string> inputs;
  uint64_t threads = 1;
  bool json = false, instructions = false, whatIf = false, energy = false, noNative = false;
  TableOptions table;
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

void checkApart(const char *one, const std::string &its, const char *other, const std::string &path) {
  if (!path.empty() && its == path)
    throw Usage{std::string(one) + " and " + other + " name the same file '" + path +
                "'; expected one for each"};
}

bool isOfTable(const Options &options) {
  return options.table.wide || options.table.top || options.table.order != RowOrder::Network;
}

void checkOptions(const Options &options) {
  if (options.trace == "-")
    throw Usage{"--trace is a file of its own, not stdout"};
  if (options.waves == "-")
    throw Usage{"--waves is a file of its own, not stdout"};
  if (!options.window.empty() && options.waves.empty())
    throw Usage{"--window goes with --waves"};
  checkApart("-o", options.output, "--trace", options.trace);
  checkApart("-o", options.output, "--waves", options.waves);
  checkApart("--trace", options.trace, "--waves", options.waves);
  if (isOfTable(options) && (options.json || options.output == "-"))
    throw Usage{"--wide, --sort and --top are of the table, which --json and -o - do not print"};
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

std::optional<EnergyTable> energyTableOf(const Options &options) {
  if (!options.energyTable.empty())
    return orFail(readEnergyTable(options.energyTable));
  return options.energy ? std::optional(defaultEnergyTable()) : std::nullopt;
}

void writeWaves(const Options &options, const ProfiledRun &run) {
  WaveWindow window;
  if (!options.window.empty())
    std::tie(window.first, window.last) = cyclesOf(options.window);
  RunWaves waves(run.package, window);
  for (const runtime::ProgramProfile &program : run.result.profiles)
    waves.add(program);
  write(options.waves, waves.text());
}

std::string heading(const ProfiledRun &run) {
  if (run.result.profiles.empty())
    return run.model +
           " has no accelerator program: there are no cycles, the CPU's time is by the host's clock";
  return "profile of " + run.model + " on " + run.engine + ", machine " + run.machine->name + ": " +
         grouped(run.result.cycles) + " cycles, at least " + grouped(report::boundOf(run)) +
         " with any schedule";
}

std::vector<WhatIf> changesOf(const Options &options, const ProfiledRun &run, InputFiles &files) {
  if (!options.whatIf)
    return {};
  Progress progress("trying other machines");
  return orFail(whatIfs(run, compilerFor(options, files)));
}

void print(const Options &options, const ProfiledRun &run, const std::vector<WhatIf> &changes) {
  Json json = profileJson(run, options.instructions);
  if (options.whatIf)
    json["what_if"] = whatIfJson(changes);
  if (!options.output.empty())
    write(options.output, dump(json));
  if (options.json)
    std::cout << dump(json);
  else if (options.output != "-")
    std::cout << heading(run) << "\n\n"
              << profileText(run, options.table) << (changes.empty() ? "" : "\n" + whatIfText(run, changes));
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
  checkOutput(options.waves);
  if (!options.window.empty())
    cyclesOf(options.window); // refused before anything runs
  const std::optional<EnergyTable> energy = energyTableOf(options);
  const std::unique_ptr<runtime::Session> session = createSession(std::move(package), options);
  const package::Function &function = *orFail(session->function(0));
  const auto inputs =
      options.inputs.empty() ? zeroInputs(function) : readInputs(options.inputs, files, function, false);
  auto progress = std::make_unique<Progress>("running on engine " + options.engine);
  const runtime::RunResult result = orFail(session->run(function.name, inputs));
  progress.reset();
  const ProfiledRun run{options.model,      options.engine, session->machine(),
                        session->package(), result,         energy ? &*energy : nullptr};
  if (!options.trace.empty())
    writeTrace(options.trace, run);
  if (!options.waves.empty())
    writeWaves(options, run);
  print(options, run, changesOf(options, run, files));
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
  command->add_flag("--energy", options->energy,
                    "Estimate the energy of each layer, by published numbers of a 45 nm process");
  command
      ->add_option(
          "--energy-table", options->energyTable,
          "The same by numbers of your own: a file with the keys of compiler/lib/Report/Energy/45nm.yaml")
      ->type_name("F.yaml");
  command
      ->add_option("--waves", options->waves,
                   "Receives the modules' states, queues and tokens as waves, for GTKWave")
      ->type_name("F.vcd");
  command->add_option("--window", options->window, "Cycles that are in the waves")->type_name("A:B");
  command->add_flag("--json", options->json, "The profile as JSON, instead of the tables");
  command->add_flag("--instructions", options->instructions,
                    "In the JSON, the cycles of each instruction and the segments of the critical path");
  command->add_flag(
      "--what-if", options->whatIf,
      "What changes of the machine would be worth: estimated, measured on systemc with the same "
      "instructions, and with the model compiled again");
  command->add_flag("--wide", options->table.wide, "All columns of the table");
  command
      ->add_option(
          "--sort", options->table.order,
          "Sort layers, the largest first: by cycles on the path, by those over the bound, by DRAM bytes")
      ->transform(CLI::CheckedTransformer(std::map<std::string, RowOrder>{
          {"path", RowOrder::Path}, {"over", RowOrder::Over}, {"bytes", RowOrder::Bytes}}))
      ->type_name("path|over|bytes");
  command->add_option("--top", options->table.top, "Only so many layers, the others as one row")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  addThreadsOption(*command, options->threads);
  addNoNativeOption(*command, options->noNative);
  command->footer(
      "Prints for each layer its cycles of the critical path, which add up to those of the run, the least\n"
      "cycles that any schedule needs for it, what limits it, how much of the array it used and what it "
      "moved.\n"
      "--wide adds what each module did. docs/profile.md says what each number counts.\n\n"
      "Examples:\n"
      "  daedalus profile model.dae\n"
      "  daedalus profile model.onnx --sort over --top 10\n"
      "  daedalus profile model.onnx --machine large -o profile.json\n"
      "  daedalus profile model.onnx --trace model.pftrace\n"
      "  daedalus profile model.onnx --engine rtl --json --instructions");
  command->callback([options] {
    options->output = outputOf(options->output);
    options->trace = outputOf(options->trace);
    options->waves = outputOf(options->waves);
    options->table.width = terminalWidth();
    profile(*options);
  });
}

} // namespace daedalus::cli
