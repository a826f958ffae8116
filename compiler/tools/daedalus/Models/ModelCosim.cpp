#include "ModelCosim.h"
#include "Commands.h"
#include "Programs.h"
#include "cli/Files.h"
#include "cli/Machine.h"
#include "cli/Progress.h"
#include "daedalus/Pipelines/Compile.h"
#include "daedalus/isa/encoding.h"
#include "daedalus/package/package.h"

#include <algorithm>

namespace daedalus::cli {
namespace {

package::Package loadModel(const std::string &path, const std::string &machine, const GivenInputs &inputs) {
  const std::vector<uint8_t> bytes = read(path, input::Package);
  if (isPackage(bytes)) {
    refuseInputOptions(inputs, path);
    Result<package::Package> package = package::readPackage(bytes);
    if (!package)
      throw Failed{"'" + path + "': " + package.error()};
    return std::move(*package);
  }
  CompileOptions options;
  options.inputs = inputs;
  if (!machine.empty())
    orFail(options.settings.give("machine", machine));
  return orFail(
             showingPhases(options, [&](const CompileOptions &shown) { return compileModel(path, shown); }))
      .package;
}

/// Constants, then the arena with random bytes, then the program, each at a multiple of 4 KiB.
class Placement {
public:
  Placement(const package::Package &package, const package::AcceleratorProgram &program)
      : package(package), program(program), arena(pages(package.constants.size())),
        code(arena + pages(package.arenaBytes)) {}

  uint64_t dramBytes() const { return code + pages(program.words.size()); }

  void set(sim::Device &device) const {
    namespace reg = isa::reg;
    uint32_t state = 1;
    for (uint64_t i = 0; i < package.arenaBytes; ++i)
      device.dram()[arena + i] = static_cast<uint8_t>((state = state * 1664525 + 1013904223) >> 24);
    std::copy(package.constants.begin(), package.constants.end(), device.dram().begin());
    std::copy(program.words.begin(), program.words.end(), device.dram().begin() + code);
    setBase(device, 0, 0);
    setBase(device, 1, arena);
    device.writeRegister(reg::ProgramLo, static_cast<uint32_t>(code));
    device.writeRegister(reg::ProgramHi, static_cast<uint32_t>(code >> 32));
    device.writeRegister(reg::ProgramLength,
                         static_cast<uint32_t>(program.words.size() / isa::InstructionBytes));
    device.writeRegister(reg::ProgramLimit, static_cast<uint32_t>(program.words.size()));
  }

private:
  static uint64_t pages(uint64_t bytes) { return (bytes + 4095) / 4096 * 4096; }

  void setBase(sim::Device &device, unsigned base, uint64_t address) const {
    namespace reg = isa::reg;
    device.writeRegister(reg::BaseLo + base * reg::BaseLoStep, static_cast<uint32_t>(address));
    device.writeRegister(reg::BaseHi + base * reg::BaseHiStep, static_cast<uint32_t>(address >> 32));
    device.writeRegister(reg::Limit + base * reg::LimitStep, program.bases[base].limit);
  }

  const package::Package &package;
  const package::AcceleratorProgram &program;
  const uint64_t arena, code;
};

std::optional<cosim::Divergence> compareProgram(const package::Package &package,
                                                const package::AcceleratorProgram &program,
                                                const isa::Machine &machine, const cosim::Pair &pair,
                                                cosim::Totals &totals) {
  const Placement placement(package, program);
  sim::DeviceOptions options;
  options.dramBytes = placement.dramBytes();
  const std::unique_ptr<sim::Device> a = orFail(pair.makeA(machine, options)),
                                     b = orFail(pair.makeB(machine, options));
  placement.set(*a);
  placement.set(*b);
  isa::Program named;
  named.instructions = orFail(isa::decodeWords(program.words));
  const auto nodeOf = [&](uint32_t index) {
    const uint32_t layer =
        index < program.layerOfInstruction.size() ? program.layerOfInstruction[index] : ~0u;
    return layer < package.layers.size() ? package.layers[layer].node : std::string();
  };
  auto found = cosim::compareRuns(*a, pair.nameA, *b, pair.nameB, named, nodeOf,
                                  pair.nameA != "functional" && pair.nameB != "functional");
  totals.add(*a, *b);
  return found;
}

} // namespace

cosim::Campaign compareModel(const std::string &path, std::string &machineName, const GivenInputs &inputs,
                             const cosim::Pair &pair) {
  const package::Package package = loadModel(path, machineName, inputs);
  const isa::Machine machine = machineNamed(machineName.empty() ? package.machineName : machineName);
  if (package.machineHash != machine.hash())
    throw Failed{"'" + path + "' was compiled for another machine than '" + machine.name +
                 "': give its machine with --machine"};
  machineName = machine.name;
  cosim::Campaign campaign;
  for (const package::AcceleratorProgram &program : package.programs) {
    campaign.programs += 1;
    campaign.kinds["of the model"] += 1;
    auto found = compareProgram(package, program, machine, pair, campaign.totals);
    if (!found)
      continue;
    campaign.failure = cosim::Failure();
    campaign.failure->divergence = std::move(*found);
    break;
  }
  return campaign;
}

} // namespace daedalus::cli
