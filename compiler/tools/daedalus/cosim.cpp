// daedalus cosim: random programs on two engines in lockstep.
#include "daedalus/simulator/cosim.h"

#include "Commands.h"
#include "Files.h"
#include "Json.h"
#include "Progress.h"
#include "Programs.h"
#include "daedalus/Pipelines/Compile.h"
#include "daedalus/isa/encoding.h"
#include "daedalus/package/package.h"

#include <iostream>
#include <map>
#include <memory>

namespace daedalus::cli {
namespace {

package::Package loadModel(const std::string &path, const isa::Machine &machine) {
  const std::vector<uint8_t> bytes = read(path);
  if (isPackage(bytes)) {
    Result<package::Package> package = package::readPackage(bytes);
    if (!package)
      throw Failed{"'" + path + "': " + package.error()};
    return std::move(*package);
  }
  CompileOptions compileOptions;
  compileOptions.machine = machine;
  return orFail(compileOnnx(path, compileOptions)).package;
}

/// Constants, then the arena with random bytes, then the program, each at a multiple of 4 KiB.
Result<std::optional<cosim::Divergence>> comparePackage(const package::Package &package,
                                                        const package::AcceleratorProgram &program,
                                                        const isa::Machine &machine,
                                                        const std::vector<std::string> &engines) {
  const auto pages = [](uint64_t bytes) { return (bytes + 4095) / 4096 * 4096; };
  const uint64_t arena = pages(package.constants.size()), code = arena + pages(package.arenaBytes);
  sim::DeviceOptions deviceOptions;
  deviceOptions.dramBytes = code + pages(program.words.size());
  Result<std::vector<isa::Instruction>> instructions = isa::decodeWords(program.words);
  if (!instructions)
    return error(instructions.error());
  std::vector<std::unique_ptr<sim::Device>> devices;
  for (const std::string &engine : engines) {
    devices.push_back(orFail(sim::createDevice(engine, machine, deviceOptions)));
    sim::Device &device = *devices.back();
    uint32_t state = 1;
    for (uint64_t i = 0; i < package.arenaBytes; ++i)
      device.dram()[arena + i] = static_cast<uint8_t>((state = state * 1664525 + 1013904223) >> 24);
    std::copy(package.constants.begin(), package.constants.end(), device.dram().begin());
    std::copy(program.words.begin(), program.words.end(), device.dram().begin() + code);
    namespace reg = isa::reg;
    const uint64_t addresses[] = {0, arena};
    for (unsigned base = 0; base < 2; ++base) {
      device.writeRegister(reg::BaseLo + base * reg::BaseLoStep, static_cast<uint32_t>(addresses[base]));
      device.writeRegister(reg::BaseHi + base * reg::BaseHiStep, static_cast<uint32_t>(addresses[base] >> 32));
      device.writeRegister(reg::Limit + base * reg::LimitStep, program.bases[base].limit);
    }
    device.writeRegister(reg::ProgramLo, static_cast<uint32_t>(code));
    device.writeRegister(reg::ProgramHi, static_cast<uint32_t>(code >> 32));
    device.writeRegister(reg::ProgramLength, static_cast<uint32_t>(instructions->size()));
  }
  isa::Program named;
  named.instructions = *instructions;
  const auto nodeOf = [&](uint32_t index) {
    const uint32_t layer = index < program.layerOfInstruction.size() ? program.layerOfInstruction[index] : ~0u;
    return layer < package.layers.size() ? package.layers[layer].node : std::string();
  };
  const bool timed = engines[0] != "functional" && engines[1] != "functional";
  return cosim::compareRuns(*devices[0], engines[0], *devices[1], engines[1], named, nodeOf, timed);
}

struct Options {
  std::vector<std::string> engines = {"systemc", "rtl"};
  std::string model, machine, output = ".", replay;
  uint64_t programs = 100, seed = 1;
  bool json = false;
};

struct Outcome {
  uint64_t programs = 0;
  std::map<std::string, uint64_t> kinds; ///< of cases
  std::optional<cosim::Divergence> divergence;
  std::string file; ///< of the case that diverged
};

void report(const Options &options, const Outcome &result) {
  const std::string pair = options.engines[0] + " and " + options.engines[1];
  if (options.json) {
    Json json = {{"machine", options.machine},
                 {"engines", options.engines},
                 {"seed", options.seed},
                 {"programs", result.programs},
                 {"divergences", result.divergence ? 1 : 0},
                 {"kinds", result.kinds}};
    if (result.divergence)
      json.update({{"cycle", result.divergence->cycle}, {"text", result.divergence->text}, {"file", result.file}});
    std::cout << dump(json);
    return;
  }
  if (result.divergence)
    std::cout << result.divergence->text << "the program is in " << result.file << "; again: daedalus cosim --replay "
              << result.file << " --machine " << options.machine << "\n";
  std::cout << pair << " on " << (options.machine.empty() ? options.model : options.machine) << ": " << result.programs << " programs, "
            << (result.divergence ? 1 : 0) << " divergences";
  const char *separator = " (";
  for (const auto &[kind, count] : result.kinds) {
    std::cout << separator << count << " " << kind;
    separator = ", ";
  }
  std::cout << (result.kinds.empty() ? "\n" : ")\n");
}

/// Writes the smallest case that still diverges.
void keep(const Options &options, const cosim::Pair &pair, const isa::Machine &machine, const cosim::Case &test,
          uint64_t seed, Outcome &result) {
  const cosim::Case small = cosim::shrink(machine, test, [&](const cosim::Case &candidate) {
    const auto found = cosim::run(pair, machine, candidate);
    return found && found->has_value();
  });
  if (const auto again = cosim::run(pair, machine, small); again && *again)
    result.divergence = **again;
  result.file = options.output + "/cosim-" + machine.name + "-" + std::to_string(seed) + ".s";
  write(result.file, cosim::writeCase(small, result.divergence->text));
}

/// The accelerator programs of a model or package, with random inputs, in lockstep.
void runModel(const Options &options) {
  const isa::Machine given = orFail(isa::loadMachine(options.machine.empty() ? "default" : options.machine));
  const package::Package package = loadModel(options.model, given);
  const isa::Machine machine =
      options.machine.empty() ? orFail(isa::loadMachine(package.machineName)) : given;
  if (package.machineHash != machine.hash())
    throw Failed{"'" + options.model + "' was compiled for another machine than '" + machine.name +
                 "': give its machine with --machine"};
  Outcome outcome;
  for (const package::AcceleratorProgram &program : package.programs) {
    if (outcome.divergence)
      break;
    outcome.programs += 1;
    outcome.divergence = orFail(comparePackage(package, program, machine, options.engines));
  }
  outcome.file = options.model;
  report(options, outcome);
  if (outcome.divergence)
    throw Negative{};
}

void run(Options options) {
  if (options.engines.size() != 2 || options.engines[0] == options.engines[1])
    throw Usage{"--engines takes two different engines, for example --engines functional,rtl"};
  if (!options.model.empty())
    return runModel(options);
  if (options.machine.empty())
    options.machine = "default";
  const isa::Machine machine = orFail(isa::loadMachine(options.machine));
  const cosim::Pair pair = cosim::engines(options.engines[0], options.engines[1]);
  Outcome result;
  if (!options.replay.empty()) {
    const std::vector<uint8_t> bytes = read(options.replay);
    const cosim::Case test = orFail(cosim::readCase({bytes.begin(), bytes.end()}, options.replay));
    result.programs = 1;
    result.divergence = orFail(cosim::run(pair, machine, test));
    result.file = options.replay;
    report(options, result);
    return result.divergence ? throw Negative{} : void();
  }
  {
    Progress progress(options.programs, "programs");
    for (uint64_t i = 0; i < options.programs && !result.divergence; ++i) {
      const uint64_t seed = options.seed * 1'000'003 + i;
      const cosim::Case test = cosim::randomCase(machine, seed);
      result.divergence = orFail(cosim::run(pair, machine, test));
      result.programs += 1;
      result.kinds[test.what] += 1;
      if (result.divergence)
        keep(options, pair, machine, test, seed, result);
      progress.done(i + 1);
    }
  }
  report(options, result);
  if (result.divergence)
    throw Negative{};
}

} // namespace

void addCosim(CLI::App &app) {
  auto options = std::make_shared<Options>();
  CLI::App *command = app.add_subcommand("cosim", "Run random programs on two engines and compare everything");
  command->add_option("model", options->model, "A model or package whose programs run instead of random ones")
      ->check(CLI::ExistingFile)
      ->type_name("M.onnx|M.dae");
  command->add_option("--engines", options->engines, "The two engines")
      ->delimiter(',')
      ->expected(1, 2)
      ->check(CLI::IsMember(sim::engineNames()))
      ->type_name("A,B")
      ->default_str("systemc,rtl");
  command->add_option("--programs", options->programs, "How many")->capture_default_str()->type_name("N");
  command->add_option("--seed", options->seed, "Of the random programs")->capture_default_str()->type_name("S");
  addMachineOption(*command, options->machine);
  command->add_option("--output", options->output, "Folder for the program of a divergence")
      ->capture_default_str()
      ->type_name("DIR");
  command->add_option("--replay", options->replay, "A program that diverged, instead of random ones")
      ->check(CLI::ExistingFile)
      ->type_name("FILE");
  command->add_flag("--json", options->json, "As JSON");
  command->footer(
      "Compared are the order of retirement, the cycles in which every instruction starts and ends, every byte\n"
      "written, counters, status and faults. The first divergence is printed, shrunk to a small program, and\n"
      "written to a file; the exit status is then 1.\n\n"
      "Examples:\n"
      "  daedalus cosim --programs 5000 --seed 1 --machine tiny\n"
      "  daedalus cosim model.onnx --machine large\n"
      "  daedalus cosim --engines functional,rtl --machine my-machine.yaml\n"
      "  daedalus cosim --replay cosim-tiny-1000017.s --machine tiny");
  command->callback([options] { run(*options); });
}

} // namespace daedalus::cli
