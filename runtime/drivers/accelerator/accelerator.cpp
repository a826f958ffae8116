// DRAM layout: constants, arena, then the programs, each at the next multiple of 4096.

#include "accelerator.h"

#include "daedalus/isa/encoding.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

namespace daedalus::runtime {
namespace {

constexpr uint64_t alignment = 4096;

uint32_t readRegister(void *device, uint32_t offset) {
  return static_cast<sim::Device *>(device)->readRegister(offset);
}

void writeRegister(void *device, uint32_t offset, uint32_t value) {
  static_cast<sim::Device *>(device)->writeRegister(offset, value);
}

std::string describe(const std::string &machine, uint64_t hash) {
  char text[24];
  std::snprintf(text, sizeof text, "%016" PRIx64, hash);
  return "'" + machine + "' (hash " + text + ")";
}

/// The address of the next `bytes` in DRAM.
uint64_t allocate(uint64_t &end, uint64_t bytes) {
  const uint64_t address = end;
  end = (address + bytes + alignment - 1) / alignment * alignment;
  return address;
}

std::string regionName(uint32_t culprit) {
  return culprit < DAEDALUS_BASE_REGISTERS ? "base register " + std::to_string(culprit) : "the program";
}

} // namespace

Result<std::unique_ptr<Accelerator>> Accelerator::create(const package::Package &package,
                                                         const isa::Machine &machine,
                                                         const SessionOptions &options) {
  if (machine.hash() != package.machineHash)
    return error("the package was made for the machine " +
                 describe(package.machineName, package.machineHash) + ", this is " +
                 describe(machine.name, machine.hash()) + "; compile the model for this machine");
  std::unique_ptr<Accelerator> accelerator(new Accelerator(package));
  if (auto ok = accelerator->open(machine, options); !ok)
    return error(ok.error());
  return Result<std::unique_ptr<Accelerator>>(std::move(accelerator));
}

Result<void> Accelerator::open(const isa::Machine &machine, const SessionOptions &options) {
  constantsAddress = allocate(dramBytes, package.constants.size());
  arenaAddress = allocate(dramBytes, package.arenaBytes);
  for (const package::AcceleratorProgram &program : package.programs)
    programAddresses.push_back(allocate(dramBytes, program.words.size()));
  sim::DeviceOptions deviceOptions;
  deviceOptions.dramBytes = dramBytes;
  deviceOptions.timingOnly = options.timingOnly;
  deviceOptions.waves = options.waves;
  deviceOptions.wavesFrom = options.wavesFrom;
  deviceOptions.wavesTo = options.wavesTo;
  auto created = sim::createDevice(options.engine, machine, deviceOptions);
  if (!created)
    return error(created.error());
  device = std::move(*created);
  if (device->dram().size() < dramBytes)
    return error("the package needs " + std::to_string(dramBytes) +
                 " bytes of device memory, which the system does not have");
  if (options.engine != "functional") {
    profiler = std::make_unique<sim::Profiler>();
    device->trace(profiler.get());
  }
  io = {readRegister, writeRegister, device.get()};
  place();
  return probe(machine);
}

Result<void> Accelerator::probe(const isa::Machine &machine) {
  dae_identity identity{};
  switch (dae_probe(&io, package.machineHash, &identity)) {
  case DAE_OK:
    dae_enable_interrupt(&io, 1);
    return {};
  case DAE_WRONG_VERSION:
    return error("the device has version " + std::to_string(identity.version) +
                 " of the instruction set, expected " + std::to_string(DAEDALUS_ISA_VERSION));
  default:
    return error("the package was made for the machine " +
                 describe(package.machineName, package.machineHash) + ", the device is " +
                 describe(machine.name, identity.machine_hash));
  }
}

void Accelerator::place() {
  uint8_t *dram = device->dram().data();
  std::copy(package.constants.begin(), package.constants.end(), dram + constantsAddress);
  for (size_t i = 0; i < programAddresses.size(); ++i) {
    const std::vector<uint8_t> &words = package.programs[i].words;
    std::copy(words.begin(), words.end(), dram + programAddresses[i]);
  }
}

dae_job Accelerator::job(uint32_t program) const {
  const package::AcceleratorProgram &source = package.programs[program];
  dae_job job{};
  const uint64_t addresses[] = {constantsAddress, arenaAddress};
  for (uint32_t b = 0; b < 2; ++b)
    job.bases[b] = {addresses[b], source.bases[b].limit, source.bases[b].readOnly};
  job.program = programAddresses[program];
  job.instructions = static_cast<uint32_t>(source.words.size() / DAEDALUS_INSTRUCTION_BYTES);
  return job;
}

Result<void> Accelerator::start(uint32_t program) {
  const dae_job description = job(program);
  const std::string name = "accelerator program " + std::to_string(program);
  uint32_t culprit = 0;
  switch (dae_configure(&io, &description, &culprit)) {
  case DAE_OK:
    break;
  case DAE_RANGES_OVERLAP:
    return error(name + " cannot start: the memory of " + regionName(culprit) +
                 " overlaps another one and may be written");
  case DAE_BAD_ADDRESS:
    return error(name + " cannot start: the address of " + regionName(culprit) + " is not valid");
  default:
    return error(name + " cannot start: the device is running");
  }
  if (profiler)
    profiler->clear();
  dae_start(&io);
  return {};
}

Result<ProgramRun> Accelerator::wait(uint32_t program) {
  device->waitForInterrupt();
  switch (dae_finish(&io)) {
  case DAE_OK:
    break;
  case DAE_STOPPED_WITH_FAULT:
    return fault(program);
  default:
    return error("accelerator program " + std::to_string(program) + " did not stop");
  }
  ProgramRun run;
  run.cycles = dae_cycles(&io);
  for (uint32_t module = 0; module < run.counters.size(); ++module)
    for (uint32_t c = 0; c < run.counters[module].size(); ++c)
      run.counters[module][c] = dae_read_counter(&io, module, c);
  run.events = device->events();
  if (profiler)
    run.profile = profileOf(program, run);
  return run;
}

std::shared_ptr<const sim::Profile> Accelerator::profileOf(uint32_t program, const ProgramRun &run) {
  const auto instructions = isa::decodeWords(package.programs[program].words);
  return std::make_shared<const sim::Profile>(profiler->finish(*instructions, run.events, run.cycles));
}

Error Accelerator::fault(uint32_t program) const {
  const dae_fault found = dae_read_fault(&io);
  const std::vector<uint32_t> &layers = package.programs[program].layerOfInstruction;
  std::string node;
  if (found.instruction < layers.size() && layers[found.instruction] != package::noLayer)
    node = " of node '" + package.layers[layers[found.instruction]].node + "'";
  const std::string detail = device->faultDetail();
  return error("accelerator program " + std::to_string(program) + " stopped at instruction " +
               std::to_string(found.instruction) + node + " with the fault " +
               isa::name(static_cast<isa::FaultCause>(found.cause)) + (detail.empty() ? "" : ": " + detail));
}

} // namespace daedalus::runtime
