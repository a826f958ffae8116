// daedalus compile: an ONNX model or a tensor program to a package, to any level on the way, or to its
// placement.
#include "daedalus/Pipelines/Compile.h"
#include "Commands.h"
#include "MlirOptions.h"
#include "PlanSearch/CompileTuned.h"
#include "Report/Certificate.h"
#include "Report/Graph/Dot.h"
#include "Report/Json.h"
#include "Report/Placement/Placement.h"
#include "Report/Placement/Summary.h"
#include "Report/Table.h"
#include "cli/Choices.h"
#include "cli/Explain.h"
#include "cli/Files.h"
#include "cli/Machine.h"
#include "cli/Plugins.h"
#include "cli/Progress.h"
#include "daedalus/Target/Target.h"
#include "daedalus/support/inputs.h"

#include <cstdio>
#include <filesystem>
#include <memory>

namespace daedalus::cli {
namespace {

struct Options {
  std::string model, output, target = "auto", policy = "accelerator-first", level, schedule, tuned;
  GivenInputs inputs;
  uint64_t threads = 1;
  TargetTexts texts;
  bool placement = false, phases = false, json = false, elide = false;
  std::vector<std::string> ofMlir; ///< options of MLIR's own
};

/// The compiler's levels, and what reports make of a package.
std::vector<std::string> levels() {
  std::vector<std::string> all = emitLevels();
  all.push_back("dot");
  return all;
}

Result<std::string> textOf(const Options &options, const CompileOptions &compileOptions) {
  if (options.level != "dot")
    return emitLevel(options.model, compileOptions, options.level);
  const Result<Compiled> compiled = compileModel(options.model, compileOptions);
  if (!compiled)
    return error(compiled.error());
  return placementDot(compiled->package, machineOf(compileOptions.settings));
}

void emit(const Options &options, const CompileOptions &compileOptions) {
  std::string text = orFail(
      showingPhases(compileOptions, [&](const CompileOptions &shown) { return textOf(options, shown); }));
  std::string output = options.output.empty() ? "-" : options.output;
  Span<const uint8_t> bytes(reinterpret_cast<const uint8_t *>(text.data()), text.size());
  options.level == "words" ? writeBinary(output, bytes, "the program") : write(output, bytes);
}

/// The seconds of each phase, and what the planner expects of the package.
std::string phasesText(const Compiled &compiled) {
  Table table({"phase", ">seconds"});
  Phase all{"all", 0};
  auto row = [&](const Phase &phase) {
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, "%.3f", phase.seconds);
    table.row({phase.name, seconds});
  };
  for (const Phase &phase : compiled.phases) {
    row(phase);
    all.seconds += phase.seconds;
  }
  row(all);
  const PlanEffort effort = compiled.states->effort();
  return table.text() + "planned: " + grouped(figuresOf(compiled).expectedCycles) +
         " cycles on the accelerator; " + grouped(effort.kernels) + " kernels, " +
         grouped(effort.enumerated) + " enumerated, " + grouped(effort.tried) + " plans tried, of " +
         grouped(effort.tiles) + " tiles\n";
}

Json phasesJson(const Compiled &compiled) {
  Json phases = Json::array();
  for (const Phase &phase : compiled.phases)
    phases.push_back({{"name", phase.name}, {"seconds", phase.seconds}});
  const PlanEffort effort = compiled.states->effort();
  return {{"phases", phases},          {"expected_cycles", figuresOf(compiled).expectedCycles},
          {"kernels", effort.kernels}, {"enumerated", effort.enumerated},
          {"tried", effort.tried},     {"tiles", effort.tiles}};
}

/// What --placement and --phases ask for, as one JSON object or as text.
void showFacts(const Options &options, const Compiled &compiled, const isa::Machine &machine,
               uint64_t clockMhz) {
  Json facts = Json::object();
  std::string text;
  if (options.placement) {
    const Costs costs = costsOf(compiled.package, machine, static_cast<unsigned>(options.threads));
    facts.update(placementJson(compiled, costs, clockMhz));
    text += placementText(compiled, costs, clockMhz) + "\n" +
            summaryText(compiled, machine, figuresOf(compiled).expectedCycles, costs.hostTimes());
  }
  if (options.phases) {
    facts.update(phasesJson(compiled));
    text += (text.empty() ? "" : "\n") + phasesText(compiled);
  }
  if (options.placement || options.phases)
    write("-", options.json ? dump(facts) : text);
}

/// Of what was compiled with --tuned.
Compiled betterOf(Compiled tuned, const Options &options, const CompileOptions &compileOptions,
                  const isa::Machine &machine) {
  if (plansearch::tunedKernels(tuned, compileOptions) > 0)
    return orFail(plansearch::notWorseThanPlanned(std::move(tuned), options.model, compileOptions, machine));
  const std::string why =
      orFail(plansearch::whyNothing(options.tuned, machine, static_cast<unsigned>(options.threads)));
  if (options.output != "-")
    write("-", why + "\n");
  return tuned;
}

void compile(const Options &options) {
  if (!options.level.empty() && (options.placement || options.phases))
    throw Usage{"--emit cannot be combined with --placement or --phases: give one of them"};
  if (!options.level.empty() && options.threads > 1 && options.tuned.empty())
    throw Usage{"--threads is for the measured times of layers on the CPU and for --tuned; --emit without "
                "--tuned needs neither"};
  if (options.json && !options.placement && !options.phases)
    throw Usage{"compile --json needs --placement or --phases"};
  if (!options.schedule.empty() && (options.level == "graph" || options.level == "linalg"))
    throw Usage{"--schedule does not change level " + options.level + "; expected a level after linalg"};
  CompileOptions compileOptions;
  compileOptions.schedule = options.schedule;
  compileOptions.inputs = options.inputs;
  compileOptions.target = options.target;
  compileOptions.policy = options.policy;
  compileOptions.prices = options.placement;
  compileOptions.settings = settingsOf(options.texts);
  compileOptions.elide = options.elide;
  const isa::Machine machine = machineOf(compileOptions.settings);
  if (!options.ofMlir.empty())
    compileOptions.configure = mlirOptions(options.ofMlir);
  noteInput(options.model);
  if (!options.schedule.empty())
    noteInput(options.schedule);
  if (!options.tuned.empty())
    noteInput(options.tuned);
  checkOutput(options.output);
  if (!options.tuned.empty())
    compileOptions = orFail(plansearch::withTuned(options.model, std::move(compileOptions), options.tuned,
                                                  machine, static_cast<unsigned>(options.threads)));
  if (!options.level.empty())
    return emit(options, compileOptions);

  Compiled compiled = orFail(showingPhases(
      compileOptions, [&](const CompileOptions &shown) { return compileModel(options.model, shown); }));
  if (!options.tuned.empty())
    compiled = betterOf(std::move(compiled), options, compileOptions, machine);
  showFacts(options, compiled, machine, clockOf(compileOptions.settings));
  std::string output = options.output;
  if (output.empty() && !options.placement)
    output = std::filesystem::path(options.model).stem().string() + ".dae";
  if (output.empty())
    return;
  orFail(certify(compiled.package, machine));
  writeBinary(output, package::writePackage(compiled.package), "the package");
  if (output != "-" && !options.placement && !options.phases)
    write("-", output + ": " +
                   summaryText(compiled, machine, figuresOf(compiled).expectedCycles,
                               hostMicroseconds(compiled.package, static_cast<unsigned>(options.threads))));
}

} // namespace

void addCompile(CLI::App &app) {
  auto options = std::make_shared<Options>();
  CLI::App *command =
      app.add_subcommand("compile", "Compile an ONNX model, or a tensor program, into a package");
  command->add_option("model", options->model, "The model, or a tensor program")
      ->required()
      ->type_name("M.onnx|M.mlir");
  addOutputOption(*command, options->output, "the package, or the level of --emit,",
                  "MODEL.dae; stdout with --emit; no file with --placement", "FILE");
  addTargetOption(*command, options->target);
  addPolicyOption(*command, options->policy);
  addTargetOptions(*command, options->texts);
  addDriverOption(*command);
  addInputOptions(*command, options->inputs);
  command->add_option("--emit", options->level, "Stop at a level and print it, or write it to -o")
      ->check(oneOf(levels()))
      ->type_name("LEVEL");
  command
      ->add_option("--schedule", options->schedule,
                   "Use a schedule printed by --emit schedule: the accelerator's plan, and the tiles of the "
                   "CPU and of GPUs. The compiler chooses whatever the schedule omits")
      ->type_name("FILE");
  command
      ->add_option("--tuned", options->tuned,
                   "Use what daedalus tune kept in this database: plans for the accelerator where they take "
                   "fewer cycles than the planner's, and schedules for this host's CPU with --threads, and "
                   "for GPUs")
      ->type_name("FILE");
  command->add_flag(
      "--elide", options->elide,
      "Omit large constants from the levels graph and linalg, for reading; such a file cannot be compiled");
  command->add_flag("--placement", options->placement, "Show where each node runs and why");
  command->add_flag("--phases", options->phases,
                    "Show the time of each phase and the cycles that the planner expects");
  addThreadsOption(*command, options->threads);
  command->add_flag("--json", options->json, "Print the output of --placement and --phases as JSON");
  command->allow_extras();
  command->footer("Options of MLIR's own, with = in front of their value: --mlir-print-ir-after=PASS,\n"
                  "--mlir-print-ir-after-all, --mlir-timing, --mlir-pass-statistics,\n"
                  "--mlir-pass-pipeline-crash-reproducer=FILE and others say what the passes do, on stderr;\n"
                  "docs/architecture.md names the passes.\n"
                  "\nExamples:\n"
                  "  daedalus compile model.onnx -o model.dae\n"
                  "  daedalus compile model.onnx --machine tiny --target accelerator -o model.dae\n"
                  "  daedalus compile model.onnx --placement\n"
                  "  daedalus compile model.onnx --placement-policy cheapest --clock-mhz 200 --placement\n"
                  "  daedalus compile model.onnx --shape image=1x3x224x224 --set rate=16000\n"
                  "  daedalus compile model.onnx --phases -o model.dae\n"
                  "  daedalus compile model.onnx --emit linalg --elide\n"
                  "  daedalus compile model.onnx --emit dot -o model.dot\n"
                  "  daedalus compile model.onnx --emit schedule -o model.schedule\n"
                  "  daedalus compile model.onnx --schedule model.schedule -o model.dae\n"
                  "  daedalus compile model.onnx --machine vta --tuned tuned.db -o model.dae\n"
                  "  daedalus compile model.onnx --target cpu --threads 4 --tuned tuned.db\n"
                  "  daedalus compile program.mlir -o program.dae\n"
                  "  daedalus compile model.onnx --emit words -o model.bin\n"
                  "  daedalus compile model.onnx --emit dae -o model.mlir\n"
                  "  daedalus compile model.mlir -o model.dae\n"
                  "  daedalus compile model.onnx --mlir-print-ir-after=form-streams -o model.dae");
  command->callback([options, command] {
    for (const std::string &extra : command->remaining())
      if (extra.rfind(mlirPrefix, 0) != 0)
        throw CLI::ExtrasError(command->remaining());
    options->ofMlir = command->remaining();
    options->output = outputOf(options->output);
    compile(*options);
  });
}

} // namespace daedalus::cli
