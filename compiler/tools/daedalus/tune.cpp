// daedalus tune: a better plan of a model on a machine, by trials of exact cycles.
#include "Commands.h"
#include "PlanSearch/PlanTuner.h"
#include "PlanSearch/TuneDatabase.h"
#include "Report/Figures.h"
#include "Report/Json.h"
#include "Report/Table.h"
#include "cli/Choices.h"
#include "cli/Files.h"
#include "cli/Machine.h"
#include "cli/Progress.h"
#include "daedalus/support/inputs.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

namespace daedalus::cli {
namespace {

using namespace plansearch;

struct Options {
  std::string model, database, target = "auto", strategy = "learned";
  GivenInputs inputs;
  TargetTexts texts;
  uint64_t trials = 1000, seconds = 0, seed = 1;
  bool json = false;
};

Strategy strategyOf(const std::string &name) {
  const auto &names = strategyNames();
  return static_cast<Strategy>(std::find(names.begin(), names.end(), name) - names.begin());
}

/// How many percent `cycles` are less than `before`.
std::string gainText(uint64_t before, uint64_t cycles) {
  return report::decimal(100 * (1 - double(cycles) / double(before)), "%.2f%%");
}

std::string tuningText(const Options &options, const Tuning &tuning) {
  Table table({"kernels", ">cycles before", ">cycles", ">saved"});
  for (const Improvement &one : tuning.improvements)
    table.row({one.first == one.last ? one.first : one.first + " to " + one.last, grouped(one.before),
               grouped(one.after), gainText(one.before, one.after)});
  std::string text = tuning.improvements.empty() ? "" : table.text() + "\n";
  text += "the planner's plan: " + grouped(tuning.planned) + " cycles; tuned: " + grouped(tuning.tuned) +
          " (" + gainText(tuning.planned, tuning.tuned) + " fewer) in " + grouped(tuning.trials) +
          " trials\n";
  text += "no plan takes fewer than " + grouped(tuning.bound) + " cycles; the tuned one is within " +
          report::decimal(100 * (double(tuning.tuned) / double(tuning.bound) - 1), "%.1f%%") + " of that\n";
  return text + "use it: daedalus compile " + options.model + " --tuned " + options.database + "\n";
}

Json tuningJson(const Tuning &tuning) {
  Json improvements = Json::array();
  for (const Improvement &one : tuning.improvements)
    improvements.push_back(
        {{"first", one.first}, {"last", one.last}, {"before", one.before}, {"after", one.after}});
  return {{"schema", 1},
          {"version", DAEDALUS_VERSION},
          {"planned_cycles", tuning.planned},
          {"tuned_cycles", tuning.tuned},
          {"bound_cycles", tuning.bound},
          {"trials", tuning.trials},
          {"improvements", improvements}};
}

/// Plans of the database to begin with: those of this machine, then those of others, the nearest first.
accelerator::Tuned startsOf(const std::string &path, const isa::Machine &machine) {
  if (!std::filesystem::exists(path))
    return {};
  const TuneDatabase database = orFail(TuneDatabase::open(path, /*mustExist=*/true));
  accelerator::Tuned starts = orFail(database.read(machine)), near = orFail(database.readNear(machine));
  starts.streams.insert(starts.streams.end(), near.streams.begin(), near.streams.end());
  return starts;
}

Tuning tune(const Options &options, const TargetSettings &settings, const isa::Machine &machine,
            const accelerator::Tuned &starts) {
  CompileOptions compile;
  compile.target = options.target;
  compile.inputs = options.inputs;
  compile.settings = settings;
  compile.verify = compile.code = false; // what is run without results needs no proof
  const TuneOptions how{strategyOf(options.strategy), options.trials, double(options.seconds), options.seed};
  const std::unique_ptr<ModelKernels> kernels = orFail(ModelKernels::of(options.model, compile));
  Progress progress(how.trials, "trials");
  return orFail(tunePlans(*kernels, settings, machine, starts, how,
                          [&](uint64_t trials, uint64_t) { progress.done(trials); }));
}

void run(Options options, bool trialsGiven) {
  if (options.seconds && !trialsGiven)
    options.trials = 0;
  noteInput(options.model);
  checkOutput(options.database);
  const TargetSettings settings = settingsOf(options.texts);
  const isa::Machine machine = machineOf(settings);
  const Tuning tuning = tune(options, settings, machine, startsOf(options.database, machine));
  TuneDatabase database = orFail(TuneDatabase::open(options.database, /*mustExist=*/false));
  for (const TunedStream &stream : tuning.streams)
    orFail(database.write(machine, stream, tuning.planned, tuning.tuned));
  std::cout << (options.json ? dump(tuningJson(tuning)) : tuningText(options, tuning));
}

} // namespace

void addTune(CLI::App &app) {
  auto options = std::make_shared<Options>();
  CLI::App *command = app.add_subcommand("tune", "Search for a faster plan of a model by exact cycles");
  command->add_option("model", options->model, "The ONNX model, or a tensor program")
      ->type_name("MODEL")
      ->required();
  command->add_option("--db", options->database, "Database of plans (SQLite); it is made, or added to")
      ->type_name("FILE")
      ->required();
  CLI::Option *trials =
      addNumberOption(*command, "--trials", options->trials, 1, 100'000'000, "Trials in all");
  trials->capture_default_str();
  addNumberOption(*command, "--seconds", options->seconds, 1, 10'000'000,
                  "Begin no trial after this many seconds; without --trials, make as many as fit")
      ->default_str("");
  command
      ->add_option("--strategy", options->strategy,
                   "How trials are chosen; learned: evolution behind a model of costs")
      ->check(oneOf(strategyNames()))
      ->capture_default_str();
  addNumberOption(*command, "--seed", options->seed, 0, 1'000'000'000, "Seed of the search")
      ->capture_default_str();
  addJsonOption(*command, options->json);
  addTargetOption(*command, options->target);
  addTargetOptions(*command, options->texts);
  addInputOptions(*command, options->inputs);
  command->footer("Examples:\n"
                  "  daedalus tune model.onnx --machine vta --db plans.db\n"
                  "  daedalus tune model.onnx --db plans.db --seconds 600\n"
                  "  daedalus compile model.onnx --machine vta --tuned plans.db");
  command->callback([options, trials] { run(*options, trials->count() > 0); });
}

} // namespace daedalus::cli
