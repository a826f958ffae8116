// daedalus tune: faster plans of a model on a machine, by trials of exact cycles, and faster schedules of its
// kernels on this host's CPU and GPUs, by measurement.
#include "Commands.h"
#include "Models/TuneText.h"
#include "PlanSearch/TunedPlans.h"
#include "PlanSearch/TunedSchedules.h"
#include "cli/Choices.h"
#include "cli/Files.h"
#include "cli/Machine.h"
#include "cli/Plugins.h"
#include "cli/Progress.h"
#include "daedalus/Pipelines/Schedules.h"
#include "daedalus/Target/Choice.h"
#include "daedalus/support/inputs.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>

namespace daedalus::cli {
namespace {

using namespace plansearch;

struct Options {
  std::string model, database, target = "auto", strategy = "learned", only;
  GivenInputs inputs;
  TargetTexts texts;
  uint64_t trials = 1000, seconds = 0, seed = 1, threads = 1;
  bool json = false, strategyGiven = false;
};

/// One command: what is searched, with what the database has already.
class Tune {
public:
  explicit Tune(const Options &options)
      : options(options), settings(settingsOf(options.texts)), machine(machineOf(settings)),
        only(orFail(TargetChoice::parse(options.target)).only()) {
    checkDatabase();
    compile.target = options.target;
    compile.inputs = options.inputs;
    compile.settings = settings;
  }

  void run() {
    const std::vector<ScheduledKernel> kernels = searchedKernels();
    Tuned tuned;
    tuned.threads = threads();
    if (options.only != "schedules" && (!only || runsStreams(only->name())))
      tuned.plans = plans(!kernels.empty());
    if (!tuned.plans && kernels.empty())
      throw Failed{"nothing of the model " +
                   std::string(only ? "that runs on '" + options.target + "' " : "") +
                   "has a plan or a schedule to tune; use compile --placement to see where its nodes run"};
    if (!tuned.plans && options.strategyGiven)
      throw Usage{"--strategy is for plans of the accelerator, and nothing of the model runs there"};
    if (!kernels.empty())
      searchKernels(kernels, tuned);
    write(tuned);
    std::cout << (options.json ? dump(tunedJson(tuned)) : tunedText(tuned, use()));
  }

private:
  unsigned threads() const { return static_cast<unsigned>(options.threads); }

  /// What can be wrong with it before anything is tried.
  void checkDatabase() {
    if (std::filesystem::exists(options.database)) {
      known.emplace(orFail(TuneDatabase::open(options.database, /*mustExist=*/true)));
      return;
    }
    const std::filesystem::path folder = std::filesystem::path(options.database).parent_path();
    if (!folder.empty() && !std::filesystem::is_directory(folder))
      throw Failed{"cannot write '" + options.database + "': there is no folder '" + folder.string() + "'"};
  }

  /// The kernels whose schedules are searched for.
  std::vector<ScheduledKernel> searchedKernels() {
    if (options.only == "plans" || (only && runsStreams(only->name())))
      return {};
    std::vector<ScheduledKernel> kernels = orFail(scheduledKernels(options.model, compile, threads()));
    const auto isNone = [&](const ScheduledKernel &kernel) {
      return kernel.near.empty() || (only && kernel.entry.section != section());
    };
    kernels.erase(std::remove_if(kernels.begin(), kernels.end(), isNone), kernels.end());
    return kernels;
  }

  /// Of schedules of the only target.
  std::string section() const { return only ? only->name() + ".schedule" : ""; }

  /// The search for plans; nothing where nothing runs in streams. It gets half of the time where schedules
  /// are searched for too.
  std::optional<Tuning> plans(bool isHalf) {
    CompileOptions withoutCode = compile;
    withoutCode.verify = withoutCode.code = false; // what is run without results needs no proof
    const auto &names = strategyNames();
    const auto strategy = std::find(names.begin(), names.end(), options.strategy) - names.begin();
    const TuneOptions how{static_cast<Strategy>(strategy), options.trials,
                          double(options.seconds) * (isHalf ? 0.5 : 1), options.seed};
    const std::unique_ptr<ModelKernels> model = orFail(ModelKernels::of(options.model, withoutCode));
    Progress progress(how.trials, "trials of plans");
    const TuneEvents events{[&](uint64_t trials) { progress.done(trials); },
                            [&](const Tuning &found) { return write(rowsOf(found)); }};
    Tuning tuning = orFail(tunePlans(*model, settings, machine, knownPlans(), how, events));
    return tuning.streams.empty() ? std::nullopt : std::optional(std::move(tuning));
  }

  /// Those of this machine, then those of others, the nearest first.
  accelerator::Tuned knownPlans() const {
    if (!known)
      return {};
    accelerator::Tuned starts = orFail(readPlans(*known, machine)),
                       near = orFail(readOtherPlans(*known, machine));
    starts.streams.insert(starts.streams.end(), near.streams.begin(), near.streams.end());
    return starts;
  }

  void searchKernels(const std::vector<ScheduledKernel> &kernels, Tuned &tuned) {
    ScheduleStarts starts;
    if (known)
      starts = {orFail(readSchedules(*known, kernels)), orFail(readOtherSchedules(*known, kernels))};
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - began;
    const double left = options.seconds ? std::max(double(options.seconds) - spent.count(), 0.001) : 0;
    Progress progress(options.trials, "trials of schedules");
    Result<Searched> searched = searchSchedules(options.model, compile, starts,
                                                {options.trials, left, options.seed, threads(), section()},
                                                {[&](uint64_t trials) { progress.done(trials); },
                                                 [&](const auto &found) { return write(rowsOf(found)); }});
    if (searched)
      tuned.schedules = std::move(*searched);
    else if (tuned.plans)
      tuned.unmeasured = searched.error();
    else
      throw Failed{searched.error()};
  }

  std::vector<TunedRow> rowsOf(const Tuning &plans) const {
    std::vector<TunedRow> rows;
    for (const TunedStream &stream : plans.streams)
      rows.push_back(rowOf(machine, stream, plans.planned, plans.tuned));
    return rows;
  }

  static std::vector<TunedRow> rowsOf(const std::vector<SearchedKernel> &kernels) {
    std::vector<TunedRow> rows;
    for (const SearchedKernel &kernel : kernels)
      rows.push_back(rowOf(kernel));
    return rows;
  }

  /// As soon as something is found, so that a search that is interrupted keeps it.
  Result<void> write(const std::vector<TunedRow> &rows) const {
    Result<TuneDatabase> database = TuneDatabase::open(options.database, /*mustExist=*/false);
    return database ? database->write(rows) : error(database.error());
  }

  void write(const Tuned &tuned) const {
    std::vector<TunedRow> rows;
    if (tuned.plans)
      rows = rowsOf(*tuned.plans);
    if (tuned.schedules)
      for (TunedRow &row : rowsOf(tuned.schedules->kernels))
        rows.push_back(std::move(row));
    orFail(write(rows));
  }

  /// The command that compiles with what was found.
  std::string use() const {
    std::string text = "daedalus compile " + options.model + " --tuned " + options.database;
    if (options.target != "auto")
      text += " --target " + options.target;
    for (const auto &[name, value] : options.texts)
      text += " --" + name + " " + value;
    return text + (options.threads > 1 ? " --threads " + std::to_string(options.threads) : "");
  }

  const Options &options;
  const TargetSettings settings;
  const isa::Machine machine;
  const Target *const only; ///< null: several
  const std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
  CompileOptions compile;
  std::optional<TuneDatabase> known; ///< what is there
};

} // namespace

void addTune(CLI::App &app) {
  auto options = std::make_shared<Options>();
  CLI::App *command =
      app.add_subcommand("tune", "Search for faster plans by exact cycles, and for faster schedules");
  command->add_option("model", options->model, "The ONNX model, or a tensor program")
      ->type_name("MODEL")
      ->required();
  command
      ->add_option("--db", options->database, "Database of what is found (SQLite); it is made, or added to")
      ->type_name("FILE")
      ->required();
  CLI::Option *trials =
      addNumberOption(*command, "--trials", options->trials, 1, 100'000'000,
                      "Trials of plans for the accelerator, and as many of schedules for other targets");
  trials->capture_default_str();
  addNumberOption(*command, "--seconds", options->seconds, 1, 10'000'000,
                  "Begin no trial after this many seconds; without --trials, make as many as fit")
      ->default_str("");
  CLI::Option *strategy =
      command
          ->add_option("--strategy", options->strategy,
                       "How trials of plans are chosen; learned: evolution behind a model of costs")
          ->check(oneOf(strategyNames()))
          ->capture_default_str();
  command->add_option("--only", options->only, "Search for plans alone, or for schedules alone")
      ->check(oneOf({"plans", "schedules"}));
  addNumberOption(*command, "--seed", options->seed, 0, 1'000'000'000, "Seed of the search")
      ->capture_default_str();
  addThreadsOption(*command, options->threads);
  addJsonOption(*command, options->json);
  addTargetOption(*command, options->target);
  addTargetOptions(*command, options->texts);
  addDriverOption(*command);
  addInputOptions(*command, options->inputs);
  command->footer("Examples:\n"
                  "  daedalus tune model.onnx --machine vta --db tuned.db\n"
                  "  daedalus tune model.onnx --db tuned.db --seconds 600\n"
                  "  daedalus tune model.onnx --target cpu --threads 4 --db tuned.db\n"
                  "  daedalus tune model.onnx --target cuda --cuda-arch sm_90a --db tuned.db\n"
                  "  daedalus compile model.onnx --machine vta --tuned tuned.db");
  command->callback([options, trials, strategy] {
    options->strategyGiven = strategy->count() > 0;
    if (options->seconds && !trials->count())
      options->trials = 0;
    noteInput(options->model);
    checkOutput(options->database);
    Tune(*options).run();
  });
}

} // namespace daedalus::cli
