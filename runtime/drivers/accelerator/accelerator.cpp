// The layout of the memory: constants, arena, then the programs, each at the next multiple of 4096.

#include "accelerator.h"

#include "ports.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

namespace daedalus::runtime {
namespace {

constexpr uint64_t alignment = 4096;

uint32_t readRegister(void *port, uint32_t offset) {
  return static_cast<AcceleratorPort *>(port)->readRegister(offset);
}

void writeRegister(void *port, uint32_t offset, uint32_t value) {
  static_cast<AcceleratorPort *>(port)->writeRegister(offset, value);
}

std::string hexadecimal(uint64_t hash) {
  char text[24];
  std::snprintf(text, sizeof text, "%016" PRIx64, hash);
  return text;
}

std::string describe(const std::string &machine, uint64_t hash) {
  return "'" + machine + "' (hash " + hexadecimal(hash) + ")";
}

/// What a device is, by its hash: a built-in machine, or another one.
std::string describeDevice(uint64_t hash) {
  for (const std::string &name : isa::builtinMachines())
    if (const auto machine = isa::loadMachine(name); machine && machine->hash() == hash)
      return describe(name, hash);
  return "another one (hash " + hexadecimal(hash) + ")";
}

/// The offset of the next `bytes`.
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
  machineName = machine.name;
  AcceleratorRequest request{machine,        0, options.timingOnly, options.waves, options.wavesFrom,
                             options.wavesTo};
  constantsAt = allocate(request.memoryBytes, package.constants.size());
  arenaAt = allocate(request.memoryBytes, package.arenaBytes);
  for (const package::AcceleratorProgram &program : package.programs)
    programsAt.push_back(allocate(request.memoryBytes, program.words.size()));
  auto opened = openPort(options.engine, request);
  if (!opened)
    return error(opened.error());
  port = std::move(*opened);
  if (port->memory().size() < request.memoryBytes)
    return error("the package needs " + std::to_string(request.memoryBytes) +
                 " bytes of device memory, which the system does not have");
  io = {readRegister, writeRegister, port.get()};
  if (auto fits = probe(); !fits)
    return fits;
  place();
  return {};
}

Result<void> Accelerator::probe() {
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
                 describeDevice(identity.machine_hash));
  }
}

void Accelerator::place() {
  uint8_t *memory = port->memory().data();
  std::copy(package.constants.begin(), package.constants.end(), memory + constantsAt);
  for (size_t i = 0; i < programsAt.size(); ++i) {
    const std::vector<uint8_t> &words = package.programs[i].words;
    std::copy(words.begin(), words.end(), memory + programsAt[i]);
  }
}

dae_job Accelerator::job(uint32_t program) const {
  const package::AcceleratorProgram &source = package.programs[program];
  dae_job job{};
  const uint64_t addresses[] = {port->origin() + constantsAt, port->origin() + arenaAt};
  for (uint32_t b = 0; b < 2; ++b)
    job.bases[b] = {addresses[b], source.bases[b].limit, source.bases[b].readOnly};
  job.program = port->origin() + programsAt[program];
  job.instructions = static_cast<uint32_t>(source.words.size() / DAEDALUS_INSTRUCTION_BYTES);
  return job;
}

Result<void> Accelerator::write(uint64_t offset, Span<const uint8_t> bytes) {
  std::copy(bytes.begin(), bytes.end(), port->memory().data() + offset);
  return {};
}

Result<void> Accelerator::read(uint64_t offset, Span<uint8_t> bytes) {
  const uint8_t *from = port->memory().data() + offset;
  std::copy(from, from + bytes.size(), bytes.data());
  return {};
}

Result<uint64_t> Accelerator::submit(size_t program, Span<const uint64_t>) {
  const dae_job description = job(static_cast<uint32_t>(program));
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
  port->begin();
  dae_start(&io);
  return program;
}

Result<uint64_t> Accelerator::wait(uint64_t event) {
  const auto program = static_cast<uint32_t>(event);
  if (auto stopped = port->waitForInterrupt(); !stopped)
    return error("accelerator program " + std::to_string(program) + " did not stop: " + stopped.error());
  switch (dae_finish(&io)) {
  case DAE_OK:
    break;
  case DAE_STOPPED_WITH_FAULT:
    return fault(program);
  default:
    return error("accelerator program " + std::to_string(program) + " did not stop");
  }
  run = {};
  run.cycles = dae_cycles(&io);
  for (uint32_t module = 0; module < run.counters.size(); ++module)
    for (uint32_t c = 0; c < run.counters[module].size(); ++c)
      run.counters[module][c] = dae_read_counter(&io, module, c);
  run.events = port->events();
  run.profile = port->profile(package.programs[program].words, run.cycles);
  return run.cycles;
}

Error Accelerator::fault(uint32_t program) const {
  const dae_fault found = dae_read_fault(&io);
  const std::vector<uint32_t> &layers = package.programs[program].layerOfInstruction;
  std::string node;
  if (found.instruction < layers.size() && layers[found.instruction] != package::noLayer)
    node = " of node '" + package.layers[layers[found.instruction]].node + "'";
  const std::string detail = port->faultDetail();
  return error("accelerator program " + std::to_string(program) + " stopped at instruction " +
               std::to_string(found.instruction) + node + " with the fault " +
               isa::name(static_cast<isa::FaultCause>(found.cause)) + (detail.empty() ? "" : ": " + detail));
}

} // namespace daedalus::runtime
