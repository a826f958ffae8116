// daedalus bench: one model on every target, side by side.
#include "Commands.h"
#include "Report/Figures.h"
#include "Report/Targets/TargetRow.h"
#include "Tuning/Costs.h"
#include "Tuning/DeviceRun.h"
#include "Tuning/Inputs.h"
#include "Tuning/ModelTiming.h"
#include "cli/Files.h"
#include "cli/Machine.h"
#include "cli/Plugins.h"
#include "cli/Progress.h"
#include "daedalus/Pipelines/Compile.h"
#include "daedalus/Target/Target.h"

#include <algorithm>
#include <iostream>
#include <memory>

namespace daedalus::cli {
namespace {

struct Options {
  std::string model, target = "auto", policy = "accelerator-first";
  GivenInputs inputs;
  TargetTexts texts;
  uint64_t repeat = 5, threads = 1;
  bool json = false;
};

constexpr const char *engine = "systemc";

using Session = std::unique_ptr<runtime::Session>;

package::Package compiled(const Options &options, const TargetSettings &settings, const std::string &target) {
  CompileOptions compileOptions;
  compileOptions.target = target;
  if (target == options.target)
    compileOptions.policy = options.policy;
  compileOptions.settings = settings;
  compileOptions.inputs = options.inputs;
  return orFail(
             showingPhases(compileOptions,
                           [&](const CompileOptions &shown) { return compileModel(options.model, shown); }))
      .package;
}

Result<Session> sessionOf(package::Package package, const Options &options, const isa::Machine &machine) {
  runtime::SessionOptions sessionOptions;
  sessionOptions.engine = engine;
  if (!package.programs.empty())
    sessionOptions.machine = machine;
  sessionOptions.threads = static_cast<unsigned>(options.threads);
  sessionOptions.verify = false; // the compiler has just proved it
  return runtime::Session::create(std::move(package), sessionOptions);
}

/// Its cycles, which are the same in every run, of one with results.
PlacedSide runPlaced(const package::Package &package, const Options &options, const isa::Machine &machine) {
  const Session session = orFail(sessionOf(package, options, machine));
  const runtime::RunResult run = orFail(session->run(size_t(0), randomInputs(*orFail(session->function(0)))));
  return {run.layers, usesOf(run, session->machine()), {}, "", run.cycles};
}

/// The host's part of the placed package, if it has one; what keeps it from running is a note of the table.
Session leftSession(const package::Package &package, const Options &options, const isa::Machine &machine,
                    PlacedSide &placed) {
  package::Package part = hostPart(package);
  if ((package.programs.empty() && package.devices.empty()) || part.kernels.empty())
    return nullptr;
  auto session = sessionOf(std::move(part), options, machine);
  auto ran = session ? (*session)->run(size_t(0), randomInputs(**(*session)->function(0)))
                     : Result<runtime::RunResult>(error(session.error()));
  if (ran)
    return std::move(*session);
  placed.unmeasured = ran.error();
  return nullptr;
}

/// The model on a target that placement leaves out, if its device is there.
DeviceSide measureDevice(const Target &target, const Options &options, const TargetSettings &settings,
                         const isa::Machine &machine) {
  DeviceSide side;
  side.target = target.name();
  if (const Result<void> possible = canRunOn(side.target, settings); !possible)
    return side.unmeasured = possible.error(), side;
  const Session session = orFail(sessionOf(compiled(options, settings, side.target), options, machine));
  auto layers = layersOfRuns(*session, randomInputs(*orFail(session->function(0))), options.repeat);
  if (layers)
    side.layers = std::move(*layers);
  else
    side.unmeasured = layers.error();
  return side;
}

struct Measured {
  PlacedSide placed;
  CpuSide cpu;
  std::vector<DeviceSide> devices;
  std::string level; ///< of the CPU's code
};

/// The model for the CPU and what is left to the CPU, in turns.
void measureCpu(runtime::Session &whole, runtime::Session *left, const Options &options, Measured &measured) {
  const std::vector<runtime::Tensor> inputs = randomInputs(*orFail(whole.function(0)));
  measured.level = whole.code() ? levelOf(*whole.code()) : "";
  measured.cpu.layers = orFail(whole.run(size_t(0), inputs)).layers;
  TimedModel onCpu(whole, inputs);
  std::optional<TimedModel> part;
  std::vector<Timed *> sides = {&onCpu};
  if (left)
    sides.push_back(&part.emplace(*left, inputs));
  TimingOptions timing;
  timing.repeats = options.repeat;
  const Progress progress("measuring");
  const std::vector<Timing> timings = orFail(timeInTurns(sides, timing));
  measured.cpu.whole = timings[0];
  measured.cpu.timings = onCpu.layers(timings[0]);
  if (part)
    measured.placed.left = part->layers(timings[1]);
}

Measured measure(const Options &options, const TargetSettings &settings, const isa::Machine &machine) {
  const package::Package placed = compiled(options, settings, options.target);
  const Session onCpu =
      orFail(sessionOf(compiled(options, settings, fallbackTarget().name()), options, machine));
  Measured measured;
  measured.placed = runPlaced(placed, options, machine);
  const Session left = leftSession(placed, options, machine, measured.placed);
  measureCpu(*onCpu, left.get(), options, measured);
  for (const auto &target : targets())
    if (target->isAskedByName())
      measured.devices.push_back(measureDevice(*target, options, settings, machine));
  return measured;
}

void benchTargets(const Options &options) {
  const TargetSettings settings = settingsOf(options.texts);
  const isa::Machine machine = machineOf(settings);
  const Measured measured = measure(options, settings, machine);
  const std::vector<TargetRow> rows = rowsOf(measured.placed, measured.cpu, measured.devices);
  TargetHeader header;
  header.processor = processorName();
  header.level = measured.level;
  for (const auto &target : targets())
    header.targets.push_back(target->name());
  header.threads = options.threads;
  header.repeats = options.repeat;
  if (measured.placed.cycles)
    header.machine = machine.name;
  header.engine = engine;
  header.clockMhz = clockOf(settings);
  header.statesClock = header.clockMhz == machine.clockMhz;
  header.array = uint64_t(machine.n) * machine.n;
  header.cycles = measured.placed.cycles;
  header.whole = measured.cpu.whole;
  header.unmeasured = measured.placed.unmeasured;
  for (const DeviceSide &side : measured.devices)
    header.devices.push_back({side.target, side.unmeasured});
  std::cout << (options.json ? dump(jsonOf(header, rows)) : textOf(header, rows));
}

} // namespace

void addBench(CLI::App &app) {
  auto options = std::make_shared<Options>();
  CLI::App *bench =
      app.add_subcommand("bench", "Measure a model on every target, or calibrate placement for this host");
  bench->require_subcommand(0, 1);
  bench->footer("Examples:\n"
                "  daedalus bench targets model.onnx\n"
                "  daedalus bench --calibrate --threads 4");
  CLI::App *targets =
      bench->add_subcommand("targets", "Compare each layer on its target with the same layer on the CPU");
  targets->add_option("model", options->model, "ONNX model or tensor program")
      ->required()
      ->type_name("M.onnx|M.mlir:FILE");
  addTargetOption(*targets, options->target)->capture_default_str();
  addPolicyOption(*targets, options->policy);
  addTargetOptions(*targets, options->texts);
  addDriverOption(*targets);
  addInputOptions(*targets, options->inputs);
  addNumberOption(*targets, "--repeat", options->repeat, 1, 1000,
                  "Batches of at least 20 ms each; the median counts")
      ->type_name("N");
  addThreadsOption(*targets, options->threads);
  addJsonOption(*targets, options->json);
  targets->footer(
      "The accelerator's cycles are simulated and are the same in every run. They become microseconds "
      "at the clock that the machine states, or that --clock-mhz gives. The CPU's times are "
      "measured on this host: for each layer, the time of its kernels by the runtime's clock; for the "
      "whole run, the wall-clock time, which includes copies of inputs and outputs and the runtime's "
      "own work. Layers that run on the CPU are not part of the cycles; they are measured separately. "
      "Utilisation is the share of multiply-accumulates that the array does, of those it could do in "
      "these cycles. Inputs are random floats and bytes, and zeros of other types.\n\n"
      "Examples:\n"
      "  daedalus bench targets model.onnx\n"
      "  daedalus bench targets model.onnx --machine large --clock-mhz 800 --json\n"
      "  daedalus bench targets model.onnx --threads 4 --cpu x86-64-v3");
  targets->callback([options] { benchTargets(*options); });
  addCalibrate(*bench);
}

} // namespace daedalus::cli
