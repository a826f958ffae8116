// daedalus profile: where the cycles of a run went.
#include "Commands.h"
#include "Models/ProfileOptions.h"
#include "Models/Programs.h"
#include "Models/Samples.h"
#include "Report/Graph/Dot.h"
#include "Report/Html/HtmlReport.h"
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

using Options = ProfileOptions;

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
  const auto jsonOf = [&](bool instructions) {
    Json json = profileJson(run, instructions);
    if (options.whatIf)
      json["what_if"] = whatIfJson(changes);
    return json;
  };
  if (!options.report.empty())
    write(options.report, htmlReport(run, jsonOf(true)));
  const std::string json = options.json || !options.output.empty() ? dump(jsonOf(options.instructions)) : "";
  if (!options.output.empty())
    write(options.output, json);
  if (options.json)
    std::cout << json;
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
  checkOutput(options.report);
  checkOutput(options.waves);
  checkOutput(options.dot);
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
  if (!options.dot.empty())
    write(options.dot, profileDot(run));
  print(options, run, changesOf(options, run, files));
}

SavedProfile savedProfile(const std::string &path) {
  return orFail(readProfile(path, read(path, ProfileFile)));
}

/// Options of a run mean nothing to two profiles.
void refuseOthers(const CLI::App &command) {
  for (const CLI::Option *option : command.get_options())
    if (option->count() && option->get_name() != "--compare" && option->get_name() != "--report")
      throw Usage{"--compare takes two profiles and --report; '" + option->get_name() +
                  "' does not go with it"};
}

void compare(const Options &options) {
  if (options.report == "-")
    throw Usage{"--report cannot go to stdout; name a file"};
  const SavedProfile before = savedProfile(options.compared[0]), after = savedProfile(options.compared[1]);
  if (!options.report.empty())
    write(options.report, htmlComparison(before, after));
  std::cout << compareText(before, after);
}

} // namespace

void addProfile(CLI::App &app) {
  auto options = std::make_shared<Options>();
  CLI::App *command = app.add_subcommand("profile", "Show where the cycles of a run went");
  declareProfileOptions(*command, *options);
  command->callback([options, command] {
    options->output = outputOf(options->output);
    options->trace = outputOf(options->trace);
    options->waves = outputOf(options->waves);
    options->report = outputOf(options->report);
    options->dot = outputOf(options->dot);
    options->table.width = terminalWidth();
    if (options->compared.empty())
      return profile(*options);
    refuseOthers(*command);
    compare(*options);
  });
}

} // namespace daedalus::cli
