// daedalus certify: that a package takes the same cycles whatever its inputs hold.
#include "Commands.h"
#include "Models/ModelOptions.h"
#include "Models/Programs.h"
#include "Report/Table.h"
#include "Tuning/Inputs.h"
#include "cli/Files.h"
#include "cli/Progress.h"
#include "daedalus/runtime/session.h"

#include <algorithm>
#include <iostream>

namespace daedalus::cli {
namespace {

struct Options : ModelOptions {
  uint64_t runs = 5, seed = 1, rtlCycles = 100'000;
  bool noNative = false;
};

std::unique_ptr<runtime::Session> createSession(const package::Package &package, const Options &options,
                                                const std::string &engine, bool timingOnly) {
  runtime::SessionOptions session;
  session.engine = engine;
  session.timingOnly = timingOnly;
  session.nativeCode = !options.noNative;
  session.machine = machineOf(options);
  auto created = runtime::Session::create(package, session);
  if (!created)
    throw Failed{"'" + options.model + "': " + created.error()};
  return std::move(*created);
}

/// The inputs of run `index`: zeros, the least numbers, the largest ones, then random ones.
std::vector<runtime::Tensor> inputsOf(const package::Function &function, uint64_t index, uint64_t seed) {
  if (index == 0)
    return zeroInputs(function);
  if (index <= 2)
    return extremeInputs(function, index == 2);
  return randomInputs(function, static_cast<uint32_t>(seed + index));
}

std::string nameOf(uint64_t index, uint64_t seed) {
  constexpr const char *names[] = {"zeros", "the least numbers", "the largest numbers"};
  return index < 3 ? names[index] : "random numbers of seed " + std::to_string(seed + index);
}

/// Runs of one engine, each of which has to take as many cycles, in the same classes, as the certified run.
class Runs {
public:
  Runs(const Options &options, const runtime::RunResult &certified)
      : options(options), certified(certified) {}

  /// Negative, with a sentence on stdout, at the first run that differs.
  void on(const std::string &engine, const package::Package &package) {
    const auto session = createSession(package, options, engine, false);
    const package::Function &function = *orFail(session->function(0));
    Progress progress(options.runs, "runs on " + engine);
    for (uint64_t i = 0; i < options.runs; ++i) {
      const runtime::RunResult result =
          orFail(session->run(function.name, inputsOf(function, i, options.seed)));
      if (result.cycles != certified.cycles || result.counters != certified.counters)
        differs(engine, i, result);
      progress.done(i + 1);
    }
    text += (text.empty() ? "" : ", ") + std::to_string(options.runs) + " on " + engine;
  }

  const std::string &done() const { return text; }

private:
  [[noreturn]] void differs(const std::string &engine, uint64_t index, const runtime::RunResult &result) {
    const bool sameTotal = result.cycles == certified.cycles;
    std::cout << options.model << " takes " << grouped(result.cycles) << " cycles on " << engine << " with "
              << nameOf(index, options.seed) << ", certified were " << grouped(certified.cycles)
              << (sameTotal ? "; what the modules did in them differs" : "") << "\n";
    throw Negative{};
  }

  const Options &options;
  const runtime::RunResult &certified;
  std::string text;
};

void certify(const Options &options) {
  const package::Package package = loadPackage(options);
  if (options.noNative)
    refuseNativeCode(package, options.model);
  if (package.programs.empty())
    throw Failed{
        "'" + options.model +
        "' has no accelerator program: what the CPU takes depends on the host, and nobody certifies it"};
  const auto timing = createSession(package, options, "systemc", true);
  const package::Function &function = *orFail(timing->function(0));
  const runtime::RunResult certified = orFail(timing->run(function.name, zeroInputs(function)));
  Runs runs(options, certified);
  runs.on("systemc", package);
  const bool fitsRtl = certified.cycles <= options.rtlCycles;
  if (fitsRtl)
    runs.on("rtl", package);
  const isa::Machine &machine = *timing->machine();
  std::cout << options.model << ": " << grouped(certified.cycles) << " cycles on machine " << machine.name
            << ", a memory that answers reads after " << machine.readLatency << " and writes after "
            << machine.writeLatency << " cycles\nthe same in every run: " << runs.done()
            << "\nthe same for all other data: in the hardware none reach what decides about time, which "
               "hw/lint/data_independence.py proves of its netlist\n";
  if (!fitsRtl)
    std::cout << "not run on rtl: more than " << grouped(options.rtlCycles) << " cycles (--rtl-cycles)\n";
  const size_t layers = static_cast<size_t>(
      std::count_if(certified.layers.begin(), certified.layers.end(),
                    [](const runtime::LayerCycles &layer) { return layer.hostNanoseconds != 0; }));
  if (layers)
    std::cout << "without " << layers << (layers == 1 ? " layer" : " layers")
              << " on the host's CPU, whose time is not certified\n";
}

} // namespace

void addCertify(CLI::App &app) {
  auto options = std::make_shared<Options>();
  CLI::App *command =
      app.add_subcommand("certify", "Check that a package takes the same cycles whatever its inputs hold");
  addModelArgument(*command, *options);
  addModelOptions(*command, *options);
  addNumberOption(*command, "--runs", options->runs, 1, 1'000'000,
                  "Runs on each engine: zeros, the least numbers, the largest ones, then random ones")
      ->capture_default_str();
  addNumberOption(*command, "--seed", options->seed, 0, 1'000'000'000, "Of the random ones")
      ->capture_default_str();
  addNumberOption(*command, "--rtl-cycles", options->rtlCycles, 0, uint64_t(1) << 40,
                  "Also on the RTL, where it takes at most so many cycles")
      ->capture_default_str();
  addNoNativeOption(*command, options->noNative);
  command->footer(
      "Counts the cycles of the accelerator without computing anything, then runs with results, on systemc\n"
      "and on the RTL: every run has to take exactly as many cycles, and each module as many of every\n"
      "class. Exit status 1, and the run that differs, where one does not.\n\n"
      "Runs alone would miss a stall at one value in 2^24. That there is none for any value is proved of\n"
      "the hardware's netlist, once for all packages: hw/lint/data_independence.py, which the test\n"
      "hw_data_independence runs.\n\n"
      "Examples:\n"
      "  daedalus certify model.dae\n"
      "  daedalus certify model.onnx --machine tiny --runs 20 --rtl-cycles 1000000");
  command->callback([options] { certify(*options); });
}

} // namespace daedalus::cli
