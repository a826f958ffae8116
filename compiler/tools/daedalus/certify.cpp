// daedalus certify: that a package takes the same cycles whatever its inputs hold, and between which numbers
// of cycles it takes where the memory's latencies vary.
#include "Commands.h"
#include "Models/ModelOptions.h"
#include "Models/Programs.h"
#include "Report/Certificate.h"
#include "Report/Table.h"
#include "Tuning/Inputs.h"
#include "cli/Files.h"
#include "cli/Progress.h"
#include "daedalus/runtime/session.h"
#include "daedalus/support/decimal.h"

#include <algorithm>
#include <iostream>

namespace daedalus::cli {
namespace {

struct Options : ModelOptions {
  uint64_t runs = 5, seed = 1, rtlCycles = 100'000;
  std::string readLatency, writeLatency;
  uint64_t deadline = 0; ///< none
  bool noNative = false, json = false;
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

/// The range that is written so, or the machine's one number without it.
sim::LatencyRange rangeOf(const std::string &option, const std::string &text, uint32_t ofMachine) {
  if (text.empty())
    return {ofMachine, ofMachine};
  const size_t colon = text.find(':');
  const auto least = parseDecimal(text.substr(0, colon));
  const auto greatest = colon == std::string::npos ? least : parseDecimal(text.substr(colon + 1));
  if (!least || !greatest || std::max(*least, *greatest) > UINT32_MAX)
    throw Usage{option + " is '" + text +
                "'; expected the minimum and maximum number of cycles, such as 64:96"};
  return {static_cast<uint32_t>(*least), static_cast<uint32_t>(*greatest)};
}

sim::MemoryLatencies latenciesOf(const Options &options, const isa::Machine &machine) {
  return {rangeOf("--read-latency", options.readLatency, machine.readLatency),
          rangeOf("--write-latency", options.writeLatency, machine.writeLatency)};
}

/// Runs of one engine, each of which has to take as many cycles, in the same classes, as the certified run.
class Runs {
public:
  Runs(const Options &options, const runtime::RunResult &certified)
      : options(options), certified(certified) {}

  /// Negative, with a sentence on stdout, at the first run that differs.
  Certificate::Runs on(const std::string &engine, const package::Package &package) {
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
    return {engine, options.runs};
  }

private:
  [[noreturn]] void differs(const std::string &engine, uint64_t index, const runtime::RunResult &result) {
    const bool sameTotal = result.cycles == certified.cycles;
    const std::string sentence = options.model + " takes " + grouped(result.cycles) + " cycles on " + engine +
                                 " with " + nameOf(index, options.seed) + ", certified were " +
                                 grouped(certified.cycles) +
                                 (sameTotal ? "; what the modules did in them differs" : "");
    std::cout << (options.json ? dump({{"differs", sentence}}) : sentence + "\n");
    throw Negative{};
  }

  const Options &options;
  const runtime::RunResult &certified;
};

package::Package packageOf(const Options &options) {
  package::Package package = loadPackage(options);
  if (options.noNative)
    refuseNativeCode(package, options.model);
  if (package.programs.empty())
    throw Failed{"'" + options.model +
                 "' has no accelerator program; expected one, because the CPU's time depends on the host and "
                 "is not certified"};
  return package;
}

/// Before the runs, which take longer.
void addInterval(Certificate &certificate, const Options &options, const runtime::Session &session) {
  if (options.readLatency.empty() && options.writeLatency.empty())
    return;
  if (certificate.machine.memoryModel && (options.readLatency.empty() || options.writeLatency.empty()))
    throw Usage{"machine " + certificate.machine.name +
                " has a DRAM, so its latencies vary: give both --read-latency and "
                "--write-latency"};
  certificate.latencies = latenciesOf(options, certificate.machine);
  const auto interval =
      intervalOf(session.package(), *orFail(session.function(0)), certificate.machine, certificate.latencies);
  if (!interval)
    throw Failed{"'" + options.model + "': " + interval.error()};
  certificate.interval = *interval;
}

/// What the package says is what a run takes.
void checkCertified(const Options &options, const runtime::RunResult &certified) {
  if (certified.certifiedCycles && certified.certifiedCycles != certified.cycles)
    throw Failed{"'" + options.model + "' promises " + grouped(certified.certifiedCycles) +
                 " cycles, and takes " + grouped(certified.cycles) + "; compile the model again"};
}

size_t hostLayersOf(const runtime::RunResult &result) {
  return static_cast<size_t>(
      std::count_if(result.layers.begin(), result.layers.end(),
                    [](const runtime::LayerCycles &layer) { return layer.hostNanoseconds != 0; }));
}

void addRuns(Certificate &certificate, const Options &options, const package::Package &package,
             const runtime::RunResult &certified) {
  Runs runs(options, certified);
  certificate.runs.push_back(runs.on("systemc", package));
  if (certified.cycles <= options.rtlCycles)
    certificate.runs.push_back(runs.on("rtl", package));
  else
    certificate.rtlCycles = options.rtlCycles;
}

void certify(const Options &options) {
  latenciesOf(options, {}); // what is wrong with them is said before the work
  const package::Package package = packageOf(options);
  const auto timing = createSession(package, options, "systemc", true);
  const runtime::RunResult certified =
      orFail(timing->run(size_t(0), zeroInputs(*orFail(timing->function(0)))));
  checkCertified(options, certified);
  Certificate certificate;
  certificate.model = options.model;
  certificate.machine = *timing->machine();
  certificate.cycles = certified.cycles;
  certificate.hostLayers = hostLayersOf(certified);
  if (options.deadline)
    certificate.deadline = options.deadline;
  addInterval(certificate, options, *timing);
  addRuns(certificate, options, package, certified);
  std::cout << (options.json ? dump(certificateJson(certificate, DAEDALUS_VERSION))
                             : certificateText(certificate));
  if (!certificate.meetsDeadline())
    throw Negative{};
}

void addLatencyOptions(CLI::App &command, Options &options) {
  command
      .add_option("--read-latency", options.readLatency,
                  "Minimum and maximum cycles from a read address to its first beat. Also prints the "
                  "interval of cycles that contains every run, whatever the latency of each burst")
      ->type_name("LEAST:GREATEST");
  command
      .add_option("--write-latency", options.writeLatency,
                  "Minimum and maximum cycles from the last write beat to its response. Whichever of the two "
                  "options is missing keeps the machine's latency")
      ->type_name("LEAST:GREATEST");
  addNumberOption(command, "--deadline", options.deadline, 1, uint64_t(1) << 40,
                  "Exit with status 1 if a run may take more cycles than this")
      ->type_name("CYCLES")
      ->default_str("");
}

} // namespace

void addCertify(CLI::App &app) {
  auto options = std::make_shared<Options>();
  CLI::App *command =
      app.add_subcommand("certify", "Check that the cycles of a package do not depend on its inputs");
  addModelArgument(*command, *options);
  addModelOptions(*command, *options);
  addNumberOption(*command, "--runs", options->runs, 1, 1'000'000,
                  "Runs on each engine: zeros, minimum values, maximum values, then random values")
      ->capture_default_str();
  addNumberOption(*command, "--seed", options->seed, 0, 1'000'000'000, "Seed of the random values")
      ->capture_default_str();
  addNumberOption(*command, "--rtl-cycles", options->rtlCycles, 0, uint64_t(1) << 40,
                  "Also run on the RTL if a run takes at most this many cycles")
      ->capture_default_str();
  addLatencyOptions(*command, *options);
  addJsonOption(*command, options->json);
  addNoNativeOption(*command, options->noNative);
  command->footer(
      "First counts the cycles of the accelerator without computing results. Then runs with results, "
      "on systemc and on the RTL, and compares: every run must take the same number of cycles, and "
      "every module the same number of cycles in each class. If a run differs, prints it and exits "
      "with status 1.\n\n"
      "Runs alone could miss a stall that one value in 2^24 causes. A proof over the hardware's "
      "netlist, valid for all values and all packages, shows that there is no such stall: "
      "hw/lint/data_independence.py, which the test hw_data_independence runs.\n\n"
      "With ranges of latencies, also prints an interval. Every run takes a number of cycles in this "
      "interval, whatever latency in the ranges each burst has (docs/intervals.md).\n\n"
      "Examples:\n"
      "  daedalus certify model.dae\n"
      "  daedalus certify model.onnx --machine tiny --runs 20 --rtl-cycles 1000000\n"
      "  daedalus certify model.dae --read-latency 40:120 --write-latency 40:80 --deadline 2000000 "
      "--json");
  command->callback([options] { certify(*options); });
}

} // namespace daedalus::cli
