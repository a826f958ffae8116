// daedalus bench: one model on every target, side by side.
#include "Commands.h"
#include "Files.h"
#include "Json.h"
#include "Samples.h"
#include "Table.h"
#include "daedalus/Pipelines/Compile.h"
#include "daedalus/Target/Target.h"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>

namespace daedalus::cli {
namespace {

struct Options {
  std::string model, machine = "default", intrinsics;
  GivenInputs inputs;
  uint64_t repeat = 5, threads = 1;
  bool json = false;
};

/// One layer, in microseconds; negative: not there.
struct Row {
  std::string node, target;
  uint64_t macs = 0, cycles = 0;
  double accelerator = -1, cpu = -1;
};

using Layers = std::vector<runtime::LayerCycles>;

/// Runs of the model compiled for a target, on the cycle-level engine without results.
std::vector<Layers> runTarget(const Options &options, const isa::Machine &machine, const std::string &target,
                              uint64_t runs) {
  CompileOptions compileOptions;
  compileOptions.target = target;
  compileOptions.intrinsics = options.intrinsics;
  compileOptions.inputs = options.inputs;
  compileOptions.machine = machine;
  runtime::SessionOptions sessionOptions;
  sessionOptions.engine = "systemc";
  sessionOptions.machine = machine;
  sessionOptions.threads = static_cast<unsigned>(options.threads);
  sessionOptions.timingOnly = target != fallbackTarget().name();
  auto session = orFail(
      runtime::Session::create(orFail(compileModel(options.model, compileOptions)).package, sessionOptions));
  const package::Function &function = *orFail(session->function(0));
  const std::vector<runtime::Tensor> inputs = zeroInputs(function);
  std::vector<Layers> results;
  for (uint64_t run = 0; run < runs; ++run)
    results.push_back(orFail(session->run(function.name, inputs)).layers);
  return results;
}

double medianMicroseconds(const std::vector<Layers> &runs, size_t layer) {
  std::vector<uint64_t> times;
  for (const Layers &run : runs)
    times.push_back(run[layer].hostNanoseconds);
  std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
  return static_cast<double>(times[times.size() / 2]) / 1000;
}

std::vector<Row> measure(const Options &options, const isa::Machine &machine) {
  const std::vector<Layers> placed = runTarget(options, machine, "auto", options.repeat);
  const std::vector<Layers> onCpu = runTarget(options, machine, fallbackTarget().name(), options.repeat + 1);
  const std::vector<Layers> warm(onCpu.begin() + 1, onCpu.end());
  std::vector<Row> rows;
  for (size_t i = 0; i < warm[0].size(); ++i) { // the same kernels, in the same order, on both targets
    const runtime::LayerCycles &layer = placed[0][i];
    Row row{layer.node, layer.target, layer.macs, layer.cycles};
    row.cpu = medianMicroseconds(warm, i);
    row.accelerator = runsStreams(layer.target) ? static_cast<double>(layer.cycles) / machine.clockMhz : -1;
    rows.push_back(row);
  }
  return rows;
}

/// The network: what the accelerator does not take counts with the CPU's time in its column.
Row total(const std::vector<Row> &rows) {
  Row all{"network", "", 0, 0, 0, 0};
  for (const Row &row : rows) {
    all.macs += row.macs;
    all.cycles += row.cycles;
    all.accelerator += row.accelerator < 0 ? row.cpu : row.accelerator;
    all.cpu += row.cpu;
  }
  return all;
}

std::string microseconds(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  return value < 0 ? "on the CPU" : text;
}

void printText(const Options &options, const std::vector<Row> &rows, const isa::Machine &machine) {
  const std::string threads =
      options.threads == 1 ? "one thread" : std::to_string(options.threads) + " threads";
  Table table({"ONNX node", ">MACs", ">cycles", ">accelerator us", ">CPU us", ">CUDA us"});
  for (const Row &row : rows)
    table.row({row.node, grouped(row.macs), row.cycles ? grouped(row.cycles) : "-",
               microseconds(row.accelerator), microseconds(row.cpu), "absent"});
  std::cout << table.text() << "accelerator: machine " << machine.name << " at " << machine.clockMhz
            << " MHz, simulated; network: with the CPU's time for the layers it leaves to the CPU\n"
            << "CPU: this host, " << threads << ", median\nCUDA: absent, this build has no CUDA target\n";
}

void printJson(const Options &options, const std::vector<Row> &rows, const isa::Machine &machine) {
  Json layers = Json::array();
  for (const Row &row : rows) {
    Json entry = {{"node", row.node}, {"target", row.target}, {"macs", row.macs}, {"cycles", row.cycles}};
    entry["accelerator_us"] = row.accelerator < 0 ? Json() : Json(row.accelerator);
    entry["cpu_us"] = row.cpu;
    entry["cuda_us"] = Json();
    layers.push_back(entry);
  }
  std::cout << dump({{"machine", machine.name},
                     {"clock_mhz", machine.clockMhz},
                     {"threads", options.threads},
                     {"rows", layers}});
}

void benchTargets(const Options &options) {
  const isa::Machine machine = orFail(isa::loadMachine(options.machine));
  std::vector<Row> rows = measure(options, machine);
  rows.push_back(total(rows));
  options.json ? printJson(options, rows, machine) : printText(options, rows, machine);
}

} // namespace

void addBench(CLI::App &app) {
  auto options = std::make_shared<Options>();
  CLI::App *bench = app.add_subcommand("bench", "Measure");
  bench->require_subcommand(1);
  CLI::App *targets =
      bench->add_subcommand("targets", "A model's layers on accelerator, CPU and CUDA, side by side");
  targets->add_option("model", options->model, "The model")->required()->type_name("M.onnx|M.mlir:FILE");
  addMachineOption(*targets, options->machine);
  addIntrinsicsOption(*targets, options->intrinsics);
  addInputOptions(*targets, options->inputs);
  addNumberOption(*targets, "--repeat", options->repeat, 1, 1000, "Runs, of which the median counts")
      ->type_name("N");
  addThreadsOption(*targets, options->threads);
  targets->add_flag("--json", options->json, "As JSON");
  targets->footer(
      "The accelerator's time is its simulated cycles at the machine's clock; the CPU's is measured here.\n"
      "\nExamples:\n"
      "  daedalus bench targets model.onnx\n"
      "  daedalus bench targets model.onnx --machine large --json\n"
      "  daedalus bench targets model.onnx --threads 4\n");
  targets->callback([options] { benchTargets(*options); });
  addBenchModels(*bench, "convs",
                 "The twelve convolutions of ResNet-18, each alone, against the machine's bound");
  addBenchModels(*bench, "networks", "Whole networks against the machine's bound");
  addBenchCpu(*bench);
}

} // namespace daedalus::cli
