// daedalus-bench convs, bench networks: how near the machine's bound the models of tests/models come.
#include "BenchModel.h"
#include "Commands.h"
#include "Report/Figures.h"
#include "Report/Json.h"
#include "Report/Table.h"
#include "cli/Files.h"
#include "cli/Machine.h"
#include "cli/Progress.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>

namespace daedalus::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string suite, folder, machine = "default", engine = "systemc";
  std::vector<std::string> names;
  uint64_t threads = 1;
  bool json = false;
  MacCount count = MacCount::Exact;
};

/// C2 before C10.
bool shorterFirst(const fs::path &a, const fs::path &b) {
  const std::string x = a.stem().string(), y = b.stem().string();
  const bool numbered = x[0] == 'C' && y[0] == 'C';
  return numbered && x.size() != y.size() ? x.size() < y.size() : x < y;
}

std::vector<fs::path> modelsOf(const Options &options) {
  std::vector<fs::path> all, chosen;
  std::error_code none;
  for (const auto &entry : fs::directory_iterator(options.folder, none))
    if (entry.path().extension() == ".onnx")
      all.push_back(entry.path());
  if (all.empty())
    throw Failed{"'" + options.folder +
                 "' has no models; make them with /usr/bin/python3 tests/models/make_models.py build/models, "
                 "or name another folder with --models"};
  std::sort(all.begin(), all.end(), shorterFirst);
  for (const fs::path &path : all)
    if (options.names.empty() || std::count(options.names.begin(), options.names.end(), path.stem().string()))
      chosen.push_back(path);
  for (const std::string &name : options.names)
    if (std::none_of(all.begin(), all.end(), [&](const fs::path &path) { return path.stem() == name; }))
      throw Failed{"'" + options.folder + "' has no model '" + name +
                   "'; leave names out to run all of them"};
  return chosen;
}

std::vector<ModelRun> runAll(const Options &options, const isa::Machine &machine) {
  const std::vector<fs::path> paths = modelsOf(options);
  std::vector<ModelRun> runs;
  Progress progress(paths.size(), "models");
  for (const fs::path &path : paths) {
    runs.push_back(benchModel(path.string(), machine, options.engine, static_cast<unsigned>(options.threads),
                              options.count));
    progress.done(runs.size());
  }
  return runs;
}

double ratio(uint64_t part, uint64_t whole) {
  return whole ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

double geometricMean(const std::vector<ModelRun> &runs) {
  double logarithms = 0;
  for (const ModelRun &run : runs)
    logarithms += std::log(std::max(ratio(run.boundCycles, run.cycles), 1e-9));
  return std::exp(logarithms / static_cast<double>(runs.size()));
}

/// What others published (tests/models/published.json).
const Json &published() {
  static const Json all = Json::parse(
#include "published.json.inc"
  );
  return all;
}

/// The sum over the models, each as many times as `times` says; 0 where one of them is missing.
uint64_t sumOf(const Json &times, const std::vector<ModelRun> &runs) {
  uint64_t sum = 0;
  for (const auto &[name, count] : times.items()) {
    auto run =
        std::find_if(runs.begin(), runs.end(), [&, key = name](const ModelRun &r) { return r.name == key; });
    if (run == runs.end())
      return 0;
    sum += count.get<uint64_t>() * run->cycles;
  }
  return sum;
}

/// One line a published figure of this suite whose models all ran: ours, and theirs with its source.
std::string publishedText(const std::string &suite, const std::vector<ModelRun> &runs) {
  std::string text;
  for (const Json &entry : published())
    if (const uint64_t sum = entry["suite"] == suite ? sumOf(entry["models"], runs) : 0)
      text += entry["what"].get<std::string>() + ": " + grouped(sum) + " cycles; " +
              entry["project"].get<std::string>() + ": " + grouped(entry["cycles"].get<uint64_t>()) +
              entry["but"].get<std::string>() + " (" + entry["source"].get<std::string>() + ")\n";
  return text;
}

std::string runTable(const std::vector<ModelRun> &runs) {
  Table table({"model", ">MAC cycles", ">DRAM cycles", ">bound", ">planned", ">cycles", ">of bound",
               ">of MACs", ">DRAM bytes", ">of least", ">on CPU", "same bytes"});
  for (const ModelRun &run : runs)
    table.row({run.name, grouped(run.macCycles), grouped(run.dramCycles), grouped(run.boundCycles),
               grouped(run.planned), grouped(run.cycles),
               percent(double(run.boundCycles), double(run.cycles)),
               percent(double(run.macCycles), double(run.cycles)), grouped(run.dramBytes),
               decimal(ratio(run.dramBytes, run.leastBytes), "%.2f"), std::to_string(run.cpuLayers),
               run.verified ? "yes" : "NO"});
  return table.text();
}

std::string overheadTable(const std::vector<ModelRun> &runs) {
  Table table({"model", ">over MACs", ">prologue", ">bus", ">tokens", ">fill", ">padding", ">epilogue",
               ">compile s", ">run s", ">Mcycles/s", ">GMAC/s"});
  for (const ModelRun &run : runs) {
    const runtime::Overhead &r = run.overhead;
    table.row({run.name, grouped(run.cycles - std::min(run.cycles, run.macCycles)), grouped(r.prologue),
               grouped(r.bus), grouped(r.tokens), grouped(r.fill), grouped(r.padding), grouped(r.epilogue),
               decimal(run.compileSeconds, "%.2f"), decimal(run.runSeconds, "%.2f"),
               decimal(double(run.cycles) / run.runSeconds / 1e6, "%.1f"),
               decimal(double(run.macs) / run.runSeconds / 1e9, "%.2f")});
  }
  return table.text();
}

void printText(const Options &options, const std::vector<ModelRun> &runs) {
  std::cout << "machine " << options.machine << ", engine " << options.engine << "\n\n"
            << runTable(runs) << "\nwhere the cycles over the MACs went, by what GEMM did\n\n"
            << overheadTable(runs);
  std::cout << "\ngeometric mean of bound/cycles: " << decimal(geometricMean(runs) * 100, "%.1f%%") << "\n";
  std::cout << publishedText(options.suite, runs);
}

void printJson(const Options &options, const std::vector<ModelRun> &runs) {
  Json rows = Json::array();
  for (const ModelRun &run : runs) {
    const runtime::Overhead &r = run.overhead;
    rows.push_back({{"name", run.name},
                    {"machine", options.machine},
                    {"engine", options.engine},
                    {"mac_cycles", run.macCycles},
                    {"dram_cycles", run.dramCycles},
                    {"bound_cycles", run.boundCycles},
                    {"cycles", run.cycles},
                    {"planned_cycles", run.planned},
                    {"dram_bytes", run.dramBytes},
                    {"least_dram_bytes", run.leastBytes},
                    {"verified", run.verified},
                    {"cpu_layers", run.cpuLayers},
                    {"rest",
                     {{"prologue", r.prologue},
                      {"bus", r.bus},
                      {"tokens", r.tokens},
                      {"fill", r.fill},
                      {"padding", r.padding},
                      {"epilogue", r.epilogue}}},
                    {"compile_seconds", run.compileSeconds},
                    {"run_seconds", run.runSeconds}});
  }
  std::cout << dump(rows);
}

void bench(const Options &options) {
  const isa::Machine machine = machineNamed(options.machine);
  const std::vector<ModelRun> runs = runAll(options, machine);
  options.json ? printJson(options, runs) : printText(options, runs);
  if (std::any_of(runs.begin(), runs.end(), [](const ModelRun &run) { return !run.verified; }))
    throw Negative{};
}

/// Beside the tool, where the build writes them.
std::string builtModels(const char *kind) {
  std::error_code none;
  const fs::path tool = fs::read_symlink("/proc/self/exe", none);
  return (tool.parent_path().parent_path() / "models" / kind).lexically_normal().string();
}

} // namespace

void addBenchModels(CLI::App &app, const char *kind, const char *what) {
  auto options = std::make_shared<Options>();
  options->suite = kind;
  options->folder = builtModels(kind);
  options->count = std::string(kind) == "convs" ? MacCount::Tiles : MacCount::Exact;
  CLI::App *command = app.add_subcommand(kind, what);
  command->add_option("names", options->names, "Models to measure (default: all)")->type_name("NAME");
  addMachineOption(*command, options->machine);
  addCycleEngineOption(*command, options->engine);
  addThreadsOption(*command, options->threads);
  command
      ->add_option("--models", options->folder,
                   "Folder of the .onnx files (default: the one that the build writes)")
      ->type_name("DIR");
  command->add_flag("--json", options->json, "Print JSON instead of text, one object per model");
  command->footer(
      "The bound is the number of cycles that every schedule needs at least (docs/bounds.md): the cycles in "
      "which the busiest module works, and those before it starts and after it ends. The outputs are "
      "compared with those of the CPU target, byte by byte. If they differ, exits with status 1.\n\n"
      "Examples:\n  daedalus-bench " +
      std::string(kind) + "\n  daedalus-bench " + kind + " --machine vta --json");
  command->callback([options] { bench(*options); });
}

} // namespace daedalus::cli
