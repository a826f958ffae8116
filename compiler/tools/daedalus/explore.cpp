// daedalus explore: what networks cost on each machine of a space, in exact cycles.
#include "Commands.h"
#include "Explore/Build.h"
#include "Explore/Front.h"
#include "Explore/Job.h"
#include "Explore/Preferences.h"
#include "Explore/RankedWorkers.h"
#include "Explore/Report/Profiles.h"
#include "Explore/Report/SweepReport.h"
#include "Explore/SearchSweep.h"
#include "Explore/Sweep.h"
#include "Models/SweepText.h"
#include "Report/Hexadecimal.h"
#include "Report/Json.h"
#include "cli/Files.h"
#include "cli/Machine.h"
#include "cli/Progress.h"
#include "daedalus/isa/dram.h"
#include "daedalus/support/hash.h"
#include "daedalus/support/inputs.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <thread>

namespace daedalus::cli {
namespace {

using namespace explore;

struct Options {
  std::string space, database, csv, report, energyTable,
      target = "auto", objectives = "cycles,multipliers,scratchpad_bits", weights, reference;
  std::vector<std::string> models;
  GivenInputs inputs;
  TargetTexts texts;
  uint64_t workers = 0 /* as many as cores */, sample = 0, search = 0, seed = 1, top = 20;
  bool resume = false, json = false;
};

Space spaceOf(const Options &options) {
  const std::vector<uint8_t> bytes = read(options.space, input::SpaceFile);
  return orFail(readSpace({bytes.begin(), bytes.end()}, options.space));
}

report::EnergyTable energyOf(const Options &options) {
  return options.energyTable.empty() ? report::defaultEnergyTable()
                                     : orFail(report::readEnergyTable(options.energyTable));
}

Networks networksOf(const Options &options, const report::EnergyTable &energy) {
  CompileOptions compile;
  compile.target = options.target;
  compile.inputs = options.inputs;
  compile.settings = settingsOf(options.texts);
  if (machineAsked(compile.settings))
    throw Usage{"--machine names one machine; the machines of a sweep are those of '" + options.space + "'"};
  compile.verify = compile.code = false; // what is run without results needs no proof
  const auto settingsFor = [settings = compile.settings](const isa::Machine &machine) {
    TargetSettings changed = settings;
    setMachine(changed, machine);
    return changed;
  };
  Progress progress("importing");
  return orFail(Networks::open(options.models, compile, settingsFor, energy));
}

std::string digestOf(const std::string &path, const InputKind &kind) {
  return hexadecimal(fnv1a(read(path, kind)));
}

/// The options that change what a network is compiled to.
std::string compileOptionsText(const Options &options) {
  std::string text = "--target=" + options.target + "\n";
  for (const auto &[name, value] : options.texts)
    text += name + "=" + value + "\n";
  for (const auto &[name, sizes] : options.inputs.shapes) {
    text += "--shape " + name + "=";
    for (const int64_t size : sizes)
      text += std::to_string(size) + ",";
    text += "\n";
  }
  for (const auto &[name, value] : options.inputs.constants)
    text += "--set " + name + "=" + value + "\n";
  return text;
}

/// What may not differ when a sweep goes on.
Database::Description descriptionOf(const Options &options, const Space &space,
                                    const report::EnergyTable &energy) {
  Database::Description description = {{"version of daedalus", DAEDALUS_VERSION},
                                       {"build of daedalus", buildOfThis()},
                                       {"space", space.text()},
                                       {"target or option of the compiler", compileOptionsText(options)},
                                       {"energy table", energy.source}};
  if (!options.energyTable.empty())
    description["energy table"] += " " + digestOf(options.energyTable, input::MachineFile);
  for (const std::string &base : space.bases)
    description["base machine"] += isa::writeMachine(*isa::loadMachine(base));
  for (const std::string &model : options.models)
    description["list of models"] += model + " " + digestOf(model, input::Model) + "\n";
  return description;
}

/// What the user wants of the front.
struct Wishes {
  std::vector<Objective> objectives;
  std::vector<double> weights, reference;
};

/// That the machines have a clock where an objective is a time.
void checkClock(const Options &options, const Space &space, const std::vector<Objective> &objectives) {
  for (const Objective &objective : objectives)
    if (!isKnown(objective, space))
      throw Failed{"the objective '" + objective.name + "' needs the clock of each machine, which '" +
                   options.space + "' does not state; give it values of 'clock_mhz', or use cycles"};
}

Wishes wishesOf(const Options &options) {
  const auto orRefuse = [](const char *option, auto result) {
    if (!result)
      throw Usage{std::string(option) + ": " + result.error()};
    return std::move(*result);
  };
  Wishes wishes;
  wishes.weights = orRefuse("--weights", weightsOf(options.weights, options.models));
  wishes.objectives = orFail(objectivesOf(options.objectives, options.models, wishes.weights));
  wishes.reference = orRefuse("--reference", referenceOf(options.reference, wishes.objectives));
  return wishes;
}

void report(const Options &options, const Database &database, const Wishes &wishes) {
  const std::vector<PointResult> points = orFail(database.read(options.models.size()));
  std::vector<Ranked> all = ranked(points, wishes.objectives);
  leaveOutBeyond(wishes.reference, all);
  if (!options.csv.empty())
    write(options.csv, csvText(options.models, points));
  if (options.json)
    std::cout << dump(resultsJson(options.models, points, all));
  else
    std::cout << countsText(points, all.size())
              << (all.empty() ? noMachineText(points, options.models)
                              : frontText(all, wishes.objectives, options.top));
  if (all.empty())
    throw Negative();
}

/// A rank that another one leads: evaluates the points that it is given, and prints nothing.
void serve(const Options &options, Job &job) {
  try {
    const Space space = spaceOf(options);
    const report::EnergyTable energy = energyOf(options);
    Networks networks = networksOf(options, energy);
    serveRank(job.others(), descriptionOf(options, space, energy), static_cast<unsigned>(options.workers),
              pricing(space, networks));
  } catch (const Failed &failed) {
    failRank(job.others(), failed.message);
  } catch (const Usage &usage) {
    failRank(job.others(), usage.message);
  }
}

std::unique_ptr<Workers> workersOf(const Options &options, Job &job, const Database::Description &description,
                                   Work work) {
  const unsigned own = static_cast<unsigned>(options.workers);
  if (job.isAlone())
    return std::make_unique<ForkedWorkers>(own, std::move(work));
  return std::make_unique<RankedWorkers>(
      orFail(RankedWorkers::gather(job.others(), description, own, std::move(work))));
}

void sweepPoints(const Options &options, const Space &space, size_t networks, Database &database,
                 Workers &workers) {
  const std::vector<uint64_t> points = pointsOf(space, options.sample, options.seed);
  std::unique_ptr<Progress> progress;
  orFail(sweep(space, points, networks, database, workers, [&](uint64_t done, uint64_t of) {
    if (!progress) // behind the workers, which are forked without its thread
      progress = std::make_unique<Progress>(of, "machines");
    progress->done(done);
  }));
}

void searchPoints(const Options &options, const Space &space, const Wishes &wishes, size_t networks,
                  Database &database, Workers &workers) {
  const SearchLimits limits = {options.search, options.seed, wishes.reference};
  std::unique_ptr<Progress> progress;
  orFail(searchSweep(space, wishes.objectives, limits, networks, database, workers,
                     [&](uint64_t done, uint64_t of, uint64_t before) {
                       if (!progress)
                         progress = std::make_unique<Progress>(options.search, "machines");
                       progress->done(before + done);
                       if (done == of) // its thread ends before a lost worker is forked again
                         progress.reset();
                     }));
}

void writeReport(const Options &options, const Space &space, const Wishes &wishes, Networks &networks,
                 const Database &database) {
  const std::vector<PointResult> points = orFail(database.read(networks.size()));
  std::vector<Ranked> all = ranked(points, wishes.objectives);
  leaveOutBeyond(wishes.reference, all);
  std::unique_ptr<Progress> progress;
  const Json profiles = orFail(
      frontProfiles(all, networks, static_cast<unsigned>(options.workers), [&](uint64_t done, uint64_t of) {
        if (!progress) // behind the workers, as in sweepPoints()
          progress = std::make_unique<Progress>(of, "profiles");
        progress->done(done);
      }));
  progress.reset();
  write(options.report,
        sweepReport({options.space, space, options.models, points, wishes.objectives, wishes.weights}, all,
                    profiles));
}

void run(const Options &options, Job &job) {
  const Wishes wishes = wishesOf(options);
  const Space space = spaceOf(options);
  checkClock(options, space, wishes.objectives);
  for (const std::string &model : options.models)
    noteInput(model);
  noteInput(options.space);
  checkOutput(options.database);
  checkOutput(options.csv);
  checkOutput(options.report);
  const report::EnergyTable energy = energyOf(options);
  Networks networks = networksOf(options, energy);
  const Database::Description description = descriptionOf(options, space, energy);
  const std::unique_ptr<Workers> workers = workersOf(options, job, description, pricing(space, networks));
  Database database = orFail(Database::open(options.database, description, options.resume));
  if (options.search)
    searchPoints(options, space, wishes, networks.size(), database, *workers);
  else
    sweepPoints(options, space, networks.size(), database, *workers);
  if (!options.report.empty())
    writeReport(options, space, wishes, networks, database);
  report(options, database, wishes);
}

std::string objectivesText() {
  std::string text;
  for (const Objective &objective : objectives())
    text += "  " + std::string(objective.name) + ": " + objective.meaning + "\n";
  return text;
}

} // namespace

void addExplore(CLI::App &app) {
  auto options = std::make_shared<Options>();
  CLI::App *command =
      app.add_subcommand("explore", "Count the exact cycles of networks on every machine of a space");
  command
      ->add_option("space", options->space,
                   "File that describes the space: base machines, keys with their values, conditions")
      ->type_name("SPACE.yaml")
      ->required();
  command->add_option("models", options->models, "ONNX models or tensor programs")
      ->type_name("MODEL")
      ->required();
  command->add_option("--db", options->database, "Database of the results (SQLite)")
      ->type_name("FILE")
      ->required();
  command->add_flag("--resume", options->resume, "Continue the sweep that this database holds");
  addNumberOption(*command, "--workers", options->workers, 1, 1024,
                  "Worker processes, under mpirun of each rank (default: one per core)")
      ->default_str("");
  CLI::Option *sample = addNumberOption(*command, "--sample", options->sample, 1, mostPoints,
                                        "Evaluate this many machines of a Sobol sequence, instead of all")
                            ->default_str("");
  addNumberOption(*command, "--search", options->search, 1, mostPoints,
                  "Search the front of the objectives with at most this many machines")
      ->default_str("")
      ->excludes(sample);
  addNumberOption(*command, "--seed", options->seed, 0, 1'000'000'000, "Seed for --sample and --search")
      ->capture_default_str();
  command->add_option("--objectives", options->objectives, "Objectives to minimise, separated by commas")
      ->type_name("NAME,...")
      ->capture_default_str();
  command
      ->add_option("--reference", options->reference,
                   "Only machines below these numbers count, such as cycles=1e7,area=5")
      ->type_name("NAME=NUMBER,...");
  command
      ->add_option("--weights", options->weights,
                   "Weights of models in means over them, such as a.onnx=2 (default: 1 each)")
      ->type_name("MODEL=NUMBER,...");
  addNumberOption(*command, "--top", options->top, 1, 1'000'000,
                  "Print at most this many machines of the Pareto front")
      ->capture_default_str();
  command->add_option("--csv", options->csv, "Also write all results to this file, as CSV")
      ->type_name("FILE");
  command
      ->add_option(
          "--report", options->report,
          "Also write a page of the sweep to this file, as HTML: the front, all machines, keys, layers")
      ->type_name("FILE");
  addJsonOption(*command, options->json);
  command
      ->add_option("--energy-table", options->energyTable,
                   "Energies of operations, instead of the built-in ones")
      ->type_name("FILE");
  addTargetOption(*command, options->target);
  addTargetOptions(*command, options->texts);
  addInputOptions(*command, options->inputs);
  command->footer(
      "--machine takes a machine as explore prints it:\n"
      "  daedalus profile model.onnx --machine default,n=32,bus_bytes=16\n\nObjectives:\n" +
      objectivesText() +
      "\nExamples:\n"
      "  daedalus explore space.yaml model.onnx --db sweep.db\n"
      "  daedalus explore space.yaml a.onnx b.onnx --db sweep.db --sample 200 --csv sweep.csv\n"
      "  daedalus explore space.yaml model.onnx --db sweep.db --search 200 --objectives cycles,area\n"
      "  daedalus explore space.yaml model.onnx --db sweep.db --resume\n"
      "  mpirun -n 4 daedalus explore space.yaml model.onnx --db sweep.db");
  command->callback([options] {
    Job job = orFail(Job::join(launchOf(std::getenv)));
    if (options->workers == 0)
      options->workers = std::max(1u, std::thread::hardware_concurrency() / job.here());
    job.isLed() ? serve(*options, job) : run(*options, job);
  });
}

} // namespace daedalus::cli
