// daedalus cosim: random programs, or those of a model, on two engines in lockstep.
#include "daedalus/simulator/cosim.h"

#include "Commands.h"
#include "Models/ModelCosim.h"
#include "Report/Json.h"
#include "cli/Choices.h"
#include "cli/Files.h"
#include "cli/Machine.h"
#include "cli/Progress.h"

#include <cstdio>
#include <iostream>
#include <memory>

namespace daedalus::cli {
namespace {

struct Options {
  std::vector<std::string> engines = {"systemc", "rtl"};
  std::string model, machine, output = ".", replay;
  GivenInputs inputs;
  uint64_t programs = 100, seed = 1;
  bool json = false;
};

Json json(const cosim::Divergence &divergence) {
  Json value = {{"cycle", divergence.cycle}, {"what", divergence.what}, {"values", divergence.values}};
  if (divergence.instruction)
    value.update({{"instruction", *divergence.instruction}, {"assembly", divergence.disassembly}});
  if (!divergence.node.empty())
    value["node"] = divergence.node;
  if (divergence.kind == cosim::Divergence::Kind::Write && divergence.scope == isa::Scope::None)
    value["address"] = divergence.address;
  if (divergence.scope != isa::Scope::None)
    value.update(
        {{"scope", isa::name(divergence.scope)}, {"row", divergence.row}, {"lane", divergence.lane}});
  value.update({{"events", divergence.events}, {"text", divergence.text}});
  return value;
}

/// The command that runs the case of a file again: a machine outside of the tree is not known by its name.
std::string replayCommand(const Options &options, const std::string &file) {
  return "daedalus cosim --replay " + file + (options.machine.empty() ? "" : " --machine " + options.machine);
}

/// What ran, and the divergence with the file that holds its case.
void report(const Options &options, const std::string &machine, const cosim::Campaign &campaign,
            const std::string &file) {
  if (options.json) {
    Json value = {{"machine", machine},
                  {"engines", options.engines},
                  {"seed", options.seed},
                  {"programs", campaign.programs},
                  {"instructions", campaign.totals.instructions},
                  {"cycles", campaign.totals.cycles},
                  {"kinds", campaign.kinds},
                  {"divergences", campaign.failure ? 1 : 0}};
    if (campaign.failure)
      value.update({{"divergence", json(campaign.failure->divergence)}, {"file", file}});
    std::cout << dump(value);
    return;
  }
  if (campaign.failure)
    std::cout << campaign.failure->divergence.text;
  if (campaign.failure && !file.empty())
    std::cout << "the program is in '" << file << "'; again: " << replayCommand(options, file) << "\n";
  std::cout << options.engines[0] << " and " << options.engines[1] << " on " << machine << ": "
            << campaign.programs << " programs, " << campaign.totals.instructions << " instructions, "
            << campaign.totals.cycles << " cycles, "
            << (campaign.failure ? "1 divergence\n" : "0 divergences\n");
  for (const auto &[kind, count] : campaign.kinds)
    std::printf("%8llu %s\n", static_cast<unsigned long long>(count), kind.c_str());
}

/// Shrinks the case that diverged and writes it to a file, whose name it gives.
std::string keep(const Options &options, const cosim::Pair &pair, const isa::Machine &machine,
                 cosim::Failure &failure) {
  const auto divergenceOf = [&](const cosim::Case &test) {
    auto found = cosim::run(pair, machine, test);
    return found ? *found : std::nullopt;
  };
  const cosim::Case small = cosim::shrink(machine, failure.test, [&](const cosim::Case &candidate) {
    return divergenceOf(candidate).has_value();
  });
  if (auto again = divergenceOf(small))
    failure.divergence = std::move(*again);
  const std::string file =
      options.output + "/cosim-" + machine.name + "-" + std::to_string(failure.seed) + ".s";
  write(file, cosim::writeCase(small, replayCommand(options, file) + "\n" + failure.divergence.text));
  return file;
}

cosim::Campaign runRandom(const Options &options, const cosim::Pair &pair, const isa::Machine &machine) {
  Progress progress(options.programs, "programs");
  return orFail(cosim::runCampaign(pair, machine, options.programs, options.seed,
                                   [&](uint64_t done) { progress.done(done); }));
}

cosim::Case readCase(const std::string &path) {
  const std::vector<uint8_t> bytes = read(path, input::ProgramText);
  return orFail(cosim::readCase({bytes.begin(), bytes.end()}, path));
}

cosim::Campaign replay(const Options &options, std::string &name, const cosim::Pair &pair) {
  const cosim::Case test = readCase(options.replay);
  name = name.empty() ? test.program.machineName : name;
  const isa::Machine machine = machineNamed(name);
  if (test.program.machineHash != machine.hash())
    throw Failed{"'" + options.replay + "' is for another machine than '" + name +
                 "': give its file with --machine"};
  name = machine.name;
  cosim::Campaign campaign;
  campaign.programs = 1;
  campaign.kinds[test.what] = 1;
  if (auto found = orFail(cosim::run(pair, machine, test, &campaign.totals)))
    campaign.failure = cosim::Failure{0, test, std::move(*found)};
  return campaign;
}

void run(const Options &options) {
  if (options.engines.size() != 2 || options.engines[0] == options.engines[1])
    throw Usage{"--engines takes two different engines, for example --engines functional,rtl"};
  if (!options.model.empty() && !options.replay.empty())
    throw Usage{"a model and --replay cannot be combined: give one of them"};
  if (options.model.empty() && !options.inputs.empty())
    throw Usage{"--shape and --set need a model: name one"};
  const cosim::Pair pair = cosim::engines(options.engines[0], options.engines[1]);
  cosim::Campaign campaign;
  std::string name = options.machine, file = options.replay;
  if (!options.model.empty()) {
    campaign = compareModel(options.model, name, options.inputs, pair);
  } else if (!options.replay.empty()) {
    campaign = replay(options, name, pair);
  } else {
    const isa::Machine machine = machineNamed(name);
    name = machine.name;
    campaign = runRandom(options, pair, machine);
    if (campaign.failure)
      file = keep(options, pair, machine, *campaign.failure);
  }
  report(options, name, campaign, file);
  if (campaign.failure)
    throw Negative{};
}

} // namespace

void addCosim(CLI::App &app) {
  auto options = std::make_shared<Options>();
  CLI::App *command =
      app.add_subcommand("cosim", "Run programs on two engines and compare every cycle and byte");
  command->add_option("model", options->model, "A model or package; its programs run instead of random ones")
      ->check(CLI::Validator(CLI::ExistingFile).description(""))
      ->type_name("M.onnx|M.mlir|M.dae");
  command->add_option("--engines", options->engines, "Engines to compare")
      ->delimiter(',')
      ->expected(1, 2)
      ->check(oneOf(sim::engineNames()))
      ->type_name("A,B")
      ->default_str("systemc,rtl");
  addNumberOption(*command, "--programs", options->programs, 1, 1'000'000'000, "Number of random programs")
      ->type_name("N");
  addNumberOption(*command, "--seed", options->seed, 0, UINT64_MAX, "Seed of the random programs")
      ->type_name("S");
  addMachineOption(*command, options->machine);
  addInputOptions(*command, options->inputs);
  addFolderOption(*command, options->output, "the program of a divergence", "the current one")
      ->check(CLI::Validator(CLI::ExistingDirectory).description(""));
  command->add_option("--replay", options->replay, "Run a program that diverged, instead of random programs")
      ->check(CLI::Validator(CLI::ExistingFile).description(""))
      ->type_name("FILE");
  addJsonOption(*command, options->json);
  command->footer(
      "Compares the order in which instructions retire, the cycles in which each instruction starts "
      "and ends, every byte written, counters, status and faults. With `functional`, which counts no "
      "cycles, compares only results and faults. If the engines diverge, shrinks the program to a "
      "small one that still diverges, prints the first divergence, writes the program to a file, and "
      "exits with status 1.\n\n"
      "Examples:\n"
      "  daedalus cosim --programs 5000 --seed 1 --machine tiny\n"
      "  daedalus cosim model.onnx --machine large\n"
      "  daedalus cosim --engines functional,rtl --machine my-machine.yaml\n"
      "  daedalus cosim --replay cosim-tiny-1000017.s\n"
      "  daedalus cosim --replay cosim-my-machine-1000017.s --machine my-machine.yaml");
  command->callback([options] { run(*options); });
}

} // namespace daedalus::cli
