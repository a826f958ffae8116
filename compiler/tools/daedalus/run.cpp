// daedalus run: a package or a model on an engine; one run, or one a sample.
#include "Commands.h"
#include "Models/ModelOptions.h"
#include "Models/Programs.h"
#include "Models/Samples.h"
#include "Models/SystemRun.h"
#include "Report/RunReport.h"
#include "Report/Table.h"
#include "Tuning/Inputs.h"
#include "cli/Files.h"
#include "cli/Progress.h"
#include "cli/Window.h"
#include "daedalus/runtime/drivers.h"
#include "daedalus/runtime/npy.h"
#include "daedalus/support/file.h"
#include "daedalus/support/inputs.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <tuple>

namespace daedalus::cli {
namespace {

namespace fs = std::filesystem;

struct Options : ModelOptions {
  std::string output, engine = "systemc", labels, logits, waves, window;
  std::vector<std::string> inputs;
  uint64_t threads = 1, inferences = 1;
  bool timingOnly = false, samples = false, json = false, noNative = false;
};

void checkWaves(const Options &options) {
  if (!options.waves.empty() && options.engine != "rtl")
    throw Usage{"--waves shows the signals of the RTL: it needs --engine rtl, not " + options.engine};
  if (!options.window.empty() && options.waves.empty())
    throw Usage{"--window needs --waves"};
}

void checkHardware(const Options &options) {
  if (options.timingOnly && options.engine == runtime::hardwareEngine)
    throw Usage{"--timing-only needs a simulator: the engine " + options.engine + " computes results"};
}

/// A whole system computes results, of one set of inputs.
void checkSystem(const Options &options) {
  if (!isSystemEngine(options.engine) && options.inferences != 1)
    throw Usage{"--inferences needs --engine soc or soc-rtl, not " + options.engine};
  if (isSystemEngine(options.engine) && (options.samples || options.timingOnly))
    throw Usage{"the engine " + options.engine + " takes neither --samples nor --timing-only"};
}

void checkOptions(const Options &options) {
  checkWaves(options);
  checkHardware(options);
  checkSystem(options);
  if (!options.samples && !(options.labels.empty() && options.logits.empty()))
    throw Usage{"--labels and --logits need --samples"};
  if (options.timingOnly && !(options.output.empty() && options.labels.empty() && options.logits.empty()))
    throw Usage{"--timing-only computes no results, so there is nothing for --output, --labels or --logits"};
}

/// The files behind --input and --labels, before the first output is opened.
void noteInputFiles(const Options &options) {
  noteInput(options.labels);
  for (const std::string &input : options.inputs)
    noteInput(input.substr(input.find('=') + 1)); // all of it where there is none
}

std::unique_ptr<runtime::Session> createSession(package::Package package, const Options &options) {
  noteInputFiles(options);
  checkOutput(options.waves);
  runtime::SessionOptions sessionOptions;
  sessionOptions.engine = options.engine;
  sessionOptions.timingOnly = options.timingOnly;
  sessionOptions.nativeCode = !options.noNative;
  sessionOptions.threads = static_cast<unsigned>(options.threads);
  sessionOptions.waves = options.waves;
  if (!options.window.empty())
    std::tie(sessionOptions.wavesFrom, sessionOptions.wavesTo) = cyclesOf(options.window);
  sessionOptions.machine = machineOf(options);
  Progress progress("preparing engine " + options.engine);
  Result<std::unique_ptr<runtime::Session>> session =
      runtime::Session::create(std::move(package), sessionOptions);
  if (!session)
    throw Failed{"'" + options.model + "': " + session.error()};
  return std::move(*session);
}

std::string heading(const RunContext &context) {
  if (!context.machine)
    return "on the host's CPU";
  return "on " + context.engine + ", machine " + context.machine->name;
}

std::string cyclesText(uint64_t cycles, const RunContext &context) {
  if (cycles == 0 || !context.machine)
    return "no cycles counted";
  return grouped(cycles) + " cycles" + timeText(cycles, *context.machine);
}

/// What the package says about them.
std::string certifiedText(const runtime::RunResult &result) {
  if (result.cycles == 0 || result.certifiedCycles == 0)
    return "";
  return result.cycles == result.certifiedCycles
             ? ", as the package certifies"
             : ", but the package certifies " + grouped(result.certifiedCycles);
}

/// The time of layers on the CPU, which no cycle counts.
std::string hostText(const runtime::RunResult &result) {
  uint64_t layers = 0, nanoseconds = 0;
  for (const runtime::LayerCycles &layer : result.layers) {
    layers += layer.hostNanoseconds != 0;
    nanoseconds += layer.hostNanoseconds;
  }
  char text[96];
  std::snprintf(text, sizeof text, "; besides %llu %s on this host's CPU: %.1f us",
                static_cast<unsigned long long>(layers), layers == 1 ? "layer" : "layers",
                static_cast<double>(nanoseconds) / 1000);
  return layers ? text : "";
}

// Names of tensors are free text: what cannot be in a file's name becomes '_'.
std::string fileName(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return c == '/' || c < ' ' || c == 0x7f; }, '_');
  return name + ".npy";
}

/// Each output goes to a file of its own that is no input.
void checkOutputs(const package::Function &function, const std::string &folder) {
  std::map<std::string, std::string> outputs; // by paths
  for (const package::Value &output : function.outputs) {
    const std::string path = (fs::path(folder) / fileName(output.name)).string();
    const auto [same, isNew] = outputs.emplace(path, output.name);
    if (!isNew)
      throw Failed{"the outputs '" + same->second + "' and '" + output.name + "' would both be written to '" +
                   path + "': rename one of them in the model"};
    checkOutput(path);
  }
}

void writeOutputs(const std::vector<runtime::Tensor> &outputs, const std::string &folder) {
  std::vector<FileOfFolder> files;
  for (const runtime::Tensor &output : outputs)
    files.push_back({fileName(output.name), runtime::formatNpy(output)});
  orFail(writeFolder(folder, files));
}

void runOnce(runtime::Session &session, const package::Function &function, const RunContext &context,
             const Options &options, InputFiles &files) {
  bool zeros = options.timingOnly && options.inputs.empty();
  auto inputs = zeros ? zeroInputs(function) : readInputs(options.inputs, files, function, false);
  if (!options.output.empty())
    checkOutputs(function, options.output);
  auto progress = std::make_unique<Progress>("running on engine " + options.engine);
  runtime::RunResult result = orFail(session.run(function.name, inputs));
  progress.reset();
  orFail(session.closeWaves());
  if (!options.output.empty())
    writeOutputs(result.outputs, options.output);
  if (options.json) {
    std::cout << dump(reportJson(result, context));
    return;
  }
  std::cout << "ran " << options.model << " " << heading(context) << ": "
            << cyclesText(result.cycles, context) << certifiedText(result) << hostText(result) << "\n";
  if (!options.timingOnly)
    std::cout << outputsText(result);
  std::cout << "\n" << layersText(result, context);
}

void runSystem(const package::Package &package, const Options &options, InputFiles &files) {
  noteInputFiles(options);
  const package::Function &function = package.functions.front();
  const auto inputs = readInputs(options.inputs, files, function, false);
  if (!options.output.empty())
    checkOutputs(function, options.output);
  const auto outputs = runOnSystem(
      package, inputs, {options.engine, options.model, machineOf(options), options.inferences, options.json});
  if (!options.output.empty())
    writeOutputs(outputs, options.output);
}

void runMany(runtime::Session &session, const package::Function &function, const RunContext &context,
             const Options &options, InputFiles &files) {
  const std::vector<runtime::Tensor> inputs = readInputs(options.inputs, files, function, true);
  checkOutput(options.logits);
  if (!options.output.empty())
    checkOutputs(function, options.output);
  SampleRun run = runSamples(session, function, inputs, !options.output.empty());
  orFail(session.closeWaves());
  double right = options.labels.empty() ? 0 : accuracy(run.stacked[0], options.labels);
  if (!options.logits.empty())
    orFail(runtime::writeNpy(options.logits, run.stacked[0]));
  if (!options.output.empty())
    writeOutputs(run.stacked, options.output);
  uint64_t cycles = (run.totalCycles + run.samples / 2) / run.samples;
  if (options.json) {
    Json report = reportJson(run.first, context);
    report["samples"] = run.samples;
    report["cycles_per_sample"] = cycles;
    if (!options.labels.empty())
      report["accuracy"] = right;
    std::cout << dump(report);
    return;
  }
  std::cout << "ran " << options.model << " " << heading(context) << ", " << run.samples
            << " samples, each: " << cyclesText(cycles, context) << "\n\n"
            << layersText(run.first, context) << "\n";
  if (options.labels.empty())
    std::printf("samples %llu", static_cast<unsigned long long>(run.samples));
  else
    std::printf("accuracy %.4f", right);
  std::printf(" cycles %llu\n", static_cast<unsigned long long>(cycles));
}

/// Firmware brings its own network, inputs and outputs.
void runElf(Span<const uint8_t> elf, const Options &options) {
  if (!options.inputs.empty() || !options.output.empty() || options.inferences != 1)
    throw Usage{
        "'" + options.model +
        "' is firmware, which brings its inputs: it takes neither --input, --output nor --inferences"};
  runFirmware(elf, {options.engine, options.model, machineOf(options), 1, options.json});
}

/// Whether the model is firmware, which was then run. A pipe is none: it can be read once.
bool ranFirmware(const Options &options) {
  std::error_code none;
  if (!isSystemEngine(options.engine) || !fs::is_regular_file(options.model, none))
    return false;
  const std::vector<uint8_t> bytes = read(options.model, input::Package);
  if (isFirmware(bytes))
    runElf(bytes, options);
  return isFirmware(bytes);
}

void run(const Options &options) {
  checkOptions(options);
  if (ranFirmware(options))
    return;
  InputFiles files(options.inputs, options.samples);
  package::Package package = loadPackage(options, &files);
  if (options.noNative)
    refuseNativeCode(package, options.model);
  if (isSystemEngine(options.engine))
    return runSystem(package, options, files);
  std::unique_ptr<runtime::Session> session = createSession(std::move(package), options);
  const package::Function &function = *orFail(session->function(0));
  RunContext context{options.engine, session->machine(), options.timingOnly};
  options.samples ? runMany(*session, function, context, options, files)
                  : runOnce(*session, function, context, options, files);
}

} // namespace

void addRun(CLI::App &app) {
  auto options = std::make_shared<Options>();
  CLI::App *command = app.add_subcommand("run", "Run a package or a model");
  addModelArgument(*command, *options);
  command
      ->add_option("--input", options->inputs,
                   "Data for an input; repeat it for each input (a single input needs no NAME=). The data "
                   "also sets dynamic dimensions that --shape does not set")
      ->type_name("NAME=F.npy")
      ->allow_extra_args(false);
  addFolderOption(
      *command, options->output,
      "each output as NAME.npy, with --samples those of all samples stacked along the first dimension,",
      "none is written");
  addRunEngineOption(*command, options->engine)->capture_default_str();
  addModelOptions(*command, *options);
  command
      ->add_option("--waves", options->waves,
                   "Write the hardware's signals as FST, for GTKWave; needs --engine rtl")
      ->type_name("F.fst");
  command->add_option("--window", options->window, "Cycles to include in the waves")->type_name("A:B");
  command->add_flag("--timing-only", options->timingOnly,
                    "Count cycles without computing results; inputs are optional");
  command->add_flag(
      "--samples", options->samples,
      "Run once for each entry of the inputs' first dimension; the last line is `accuracy A cycles C`");
  command->add_option("--labels", options->labels, "Correct class of each sample; needs --samples")
      ->type_name("L.npy");
  command
      ->add_option("--logits", options->logits,
                   "Write the first output of all samples to this file; needs --samples")
      ->type_name("F.npy");
  addNumberOption(*command, "--inferences", options->inferences, 1, 1000,
                  "Times that a whole system runs the network behind one boot; needs --engine soc or soc-rtl")
      ->capture_default_str()
      ->type_name("N");
  addThreadsOption(*command, options->threads);
  addNoNativeOption(*command, options->noNative);
  addJsonOption(*command, options->json);
  command->footer(
      "Prints the outputs, the layers (ONNX node, target, cycles on the critical path, utilisation of the "
      "array, microseconds on this host's CPU) and what each module of the accelerator did. `daedalus "
      "profile` explains the cycles (docs/profile.md).\n\nExamples:\n  daedalus run model.dae --input "
      "image=image.npy --output results\n  daedalus run model.onnx --input image=image.npy --engine "
      "functional\n  daedalus run model.onnx --machine large --timing-only --json\n  daedalus run model.onnx "
      "--target cpu --threads 4 --input image=image.npy\n  daedalus run model.onnx --shape image=1x3x224x224 "
      "--input image=image.npy\n  daedalus run model.dae --input image=image.npy --engine rtl --waves "
      "model.fst --window 0:5000\n  DAEDALUS_UIO=/dev/uio0 daedalus run model.dae --input image=image.npy "
      "--engine uio\n  daedalus run model.dae --input image=image.npy --engine soc\n  daedalus "
      "run firmware.elf --engine soc\n  daedalus run model.onnx --input image=images.npy --samples --labels "
      "labels.npy");
  command->callback([options] { run(*options); });
}

} // namespace daedalus::cli
