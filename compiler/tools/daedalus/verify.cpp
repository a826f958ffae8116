// daedalus verify: the proofs that a program must pass before it may run.
#include "Commands.h"
#include "Models/Programs.h"
#include "Report/Json.h"
#include "cli/Files.h"
#include "cli/Machine.h"
#include "cli/Progress.h"
#include "daedalus/package/prove.h"

#include <iostream>
#include <memory>

namespace daedalus::cli {
namespace {

struct Options {
  std::string input, machine;
  bool noNative = false, json = false;
};

// The message names the instruction and shows its text.
void print(const NamedProgram &program, const std::vector<isa::Finding> &findings) {
  for (const isa::Finding &finding : findings)
    std::cout << program.name << ": " << finding.cause << ": " << finding.message << "\n";
}

void print(const std::string &name, const std::vector<package::StepFinding> &findings) {
  for (const package::StepFinding &finding : findings)
    std::cout << name << ": " << finding.cause << ": " << finding.message << "\n";
}

Json json(const std::vector<package::StepFinding> &findings) {
  Json list = Json::array();
  for (const package::StepFinding &finding : findings) {
    bool end = finding.step == package::StepFinding::End;
    list.push_back({{"function", finding.function},
                    {"step", end ? Json() : Json(finding.step)},
                    {"cause", finding.cause},
                    {"message", finding.message}});
  }
  return list;
}

Json json(const NamedProgram &program, const std::vector<isa::Finding> &findings) {
  Json list = Json::array();
  for (const isa::Finding &finding : findings) {
    bool whole = finding.instruction == isa::Finding::WholeProgram;
    list.push_back({{"instruction", whole ? Json() : Json(finding.instruction)},
                    {"cause", finding.cause},
                    {"message", finding.message}});
  }
  return {
      {"program", program.name}, {"instructions", program.program.instructions.size()}, {"findings", list}};
}

/// That of --machine, or the one that the program was written for.
isa::Machine machineOf(const NamedProgram &program, const Options &options) {
  if (!options.machine.empty())
    return machineNamed(options.machine);
  const std::string &name = program.program.machineName;
  Result<isa::Machine> machine = isa::loadMachine(name);
  if (!machine)
    throw Failed{"'" + program.name + "' is for the machine '" + name +
                 "', which is not built in: give its file with --machine"};
  return std::move(*machine);
}

void verify(const Options &options) {
  const ProgramFile file = readPrograms(options.input);
  if (options.noNative && file.package)
    refuseNativeCode(*file.package, options.input);
  Json results = Json::array();
  bool clean = true;
  auto proved = [](const isa::Program &program, const isa::Machine &machine) {
    const Progress progress("proving");
    return isa::prove(program, machine);
  };
  std::vector<isa::MemoryEffects> effects; // of each program on the arena
  for (const NamedProgram &program : file.programs) {
    isa::Proof proof = proved(program.program, machineOf(program, options));
    clean &= proof.findings.empty();
    effects.push_back(std::move(proof.effects[package::arenaBase]));
    if (options.json)
      results.push_back(json(program, proof.findings));
    else
      print(program, proof.findings);
  }
  std::vector<package::StepFinding> steps; // means something where the programs are proved
  if (file.package && clean)
    steps = package::proveSteps(*file.package, effects);
  clean &= steps.empty();
  if (!options.json)
    print(options.input, steps);
  if (options.json)
    std::cout << dump({{"ok", clean},
                       {"programs", results},
                       {"functions", json(steps)},
                       {"native_code", file.package ? Json(hasNativeCode(*file.package)) : Json()}});
  else if (clean)
    std::cout << "ok\n";
  if (!options.json && file.package)
    std::cout << "native code: " << nativeCodeText(*file.package) << "\n";
  if (!clean)
    throw Negative{};
}

} // namespace

void addVerify(CLI::App &app) {
  auto options = std::make_shared<Options>();
  CLI::App *command = app.add_subcommand("verify", "Prove that a program can neither race nor hang");
  command->add_option("program", options->input, "A program file or a package; - is stdin")
      ->required()
      ->type_name("P.bin|M.dae");
  addMachineOption(*command, options->machine);
  addNoNativeOption(*command, options->noNative);
  addJsonOption(*command, options->json);
  command->footer(
      "Prints `ok`, or each finding with its instruction and cause, and then exits with status 1. For "
      "a package, also proves the steps of its functions: no step reads what an earlier call left in "
      "memory, and no step touches the memory of a program that still runs. For a package, also prints "
      "which native code it carries; nothing is proved about native code.\n\n"
      "Examples:\n"
      "  daedalus verify program.bin\n"
      "  daedalus verify model.dae --json\n"
      "  daedalus asm program.s -o - | daedalus verify -");
  command->callback([options] { verify(*options); });
}

} // namespace daedalus::cli
