// The loop over the cycles of the system. While the processor stands in `waitirq` and no line is up, nothing
// of it changes but its counter of cycles: the loop goes on with the next cycle in which one can rise.
#include "daedalus/simulator/soc.h"

#include "rtl/places.h"
#include "soc/accelerator.h"
#include "soc/elf.h"
#include "soc/system.h"

#include <algorithm>
#include <array>

namespace daedalus::sim {

using soc::Cycle;
using soc::Never;

namespace {

/// Cycles of `waitirq` behind which all registers of the processor stand still but the counter.
constexpr unsigned SettlingCycles = 8;

Result<DeviceOptions> deviceOptions(const SocOptions &options) {
  if (options.dramBytes > DAEDALUS_SOC_DRAM_BYTES || options.dramBytes % isa::InstructionBytes)
    return error("a DRAM of " + std::to_string(options.dramBytes) +
                 " bytes: expected a multiple of 64, at most " +
                 std::to_string(uint64_t(DAEDALUS_SOC_DRAM_BYTES)));
  DeviceOptions device;
  device.dramBytes = options.dramBytes;
  device.memory = options.memory;
  device.memory.origin = DAEDALUS_SOC_DRAM;
  return device;
}

} // namespace

struct Soc::State {
  State(const isa::Machine &machine, const SocOptions &options, std::unique_ptr<soc::Processor> processor,
        std::unique_ptr<soc::Accelerator> accelerator)
      : machine(machine), options(options), processor(std::move(processor)),
        accelerator(std::move(accelerator)), devices(options.print, options.marked),
        system(*this->processor, *this->accelerator, devices, this->accelerator->dram()) {}

  void step(Cycle at);
  Cycle wake(Cycle at);
  void note(Cycle at);
  bool hasEnded(Cycle at);
  void finish(SocEnd end, Cycle cycles);
  uint32_t lines(Cycle at);
  Span<uint8_t> memoryAt(uint32_t address, uint64_t bytes);

  const isa::Machine machine;
  const SocOptions options;
  const std::unique_ptr<soc::Processor> processor;
  const std::unique_ptr<soc::Accelerator> accelerator;
  soc::Devices devices;
  soc::System system;
  unsigned waited = 0; ///< cycles in a row, up to SettlingCycles
  bool ended = false;
  SocRun result;
};

uint32_t Soc::State::lines(Cycle at) {
  const bool isUp = accelerator->interrupt(at) && !options.cutsInterrupt;
  return devices.lines(at) | uint32_t(isUp) << DAEDALUS_SOC_LINE_ACCELERATOR;
}

void Soc::State::step(Cycle at) {
  system.request(at);
  accelerator->cycle(at);
  system.respond(at);
  processor->inputs.irq = lines(at);
  note(at);
  processor->cycle();
}

/// The first cycle from `at` on that has to be stepped through; Never: the processor waits for ever.
Cycle Soc::State::wake(Cycle at) {
  if (waited < SettlingCycles || !options.skipsSleep || options.cutsInterrupt || processor->outputs.valid)
    return at;
  const Cycle to = devices.nextLine(at);
  const Cycle from = to > at ? accelerator->sleep(at, to) : at;
  if (from == Never || from == at)
    return from;
  const Cycle skipped = std::min(from, options.mostCycles) - at;
  processor->skip(skipped);
  result.sleptCycles += skipped;
  return from;
}

/// What reports want to know of the cycle.
void Soc::State::note(Cycle at) {
  const bool waits = processor->outputs.waiting;
  waited = waits ? std::min(waited + 1, SettlingCycles) : 0;
  result.sleptCycles += waits;
  const auto start = accelerator->started();
  if (!start)
    return;
  auto &runs = result.acceleratorRuns;
  if (runs.empty() || runs.back().start != *start)
    runs.push_back({*start, 0, 0, 0});
  SocAcceleratorRun &run = runs.back();
  if (!run.stop)
    run.stop = accelerator->stopped().value_or(0);
  if (run.stop && !run.resumed && at > run.stop && !waits)
    run.resumed = at;
  if (run.stop && !run.acknowledged && system.acknowledged().value_or(0) > run.stop)
    run.acknowledged = *system.acknowledged();
}

/// Behind cycle `at`.
bool Soc::State::hasEnded(Cycle at) {
  if (devices.exitCode())
    finish(SocEnd::Exit, at + 1);
  else if (processor->outputs.trap)
    finish(SocEnd::Trap, at + 1);
  return ended;
}

void Soc::State::finish(SocEnd end, Cycle cycles) {
  ended = true;
  result.end = end;
  result.exitCode = devices.exitCode().value_or(0);
  result.cycles = cycles;
  result.instructions = processor->instructions();
  result.pc = processor->pc();
  result.marks = devices.marks();
  result.dramReads = system.dramReads();
  result.dramWrites = system.dramWrites();
  result.contendedCycles = accelerator->contendedCycles();
  result.busErrors = devices.errors();
  result.printed = devices.printed();
}

/// ROM, SRAM or DRAM, where all of it lies in one of them; else empty.
Span<uint8_t> Soc::State::memoryAt(uint32_t address, uint64_t bytes) {
  const std::array<std::pair<uint32_t, Span<uint8_t>>, 3> memories = {
      {{DAEDALUS_SOC_ROM, system.rom()},
       {DAEDALUS_SOC_SRAM, system.sram()},
       {DAEDALUS_SOC_DRAM, accelerator->dram().span()}}};
  for (const auto &[base, memory] : memories)
    if (uint64_t offset = uint64_t(address) - base;
        address >= base && offset <= memory.size() && bytes <= memory.size() - offset)
      return memory.subspan(offset, bytes);
  return {};
}

Soc::Soc(std::unique_ptr<State> state) : state(std::move(state)) {}
Soc::~Soc() = default;

Span<uint8_t> Soc::dram() {
  return state->accelerator->dram().span();
}
const isa::Machine &Soc::machine() const {
  return state->machine;
}

Result<std::unique_ptr<Soc>> Soc::create(const std::string &engine, const isa::Machine &machine,
                                         const SocOptions &options) {
  const std::vector<std::string> names = socEngineNames();
  if (std::find(names.begin(), names.end(), engine) == names.end())
    return error("unknown engine '" + engine + "': expected soc or soc-rtl");
  const auto device = deviceOptions(options);
  if (!device)
    return error(device.error());
  auto processor = soc::Processor::create();
  if (!processor)
    return error(processor.error());
  auto accelerator = engine == "soc" ? soc::createEventAccelerator(machine, *device)
                                     : soc::createClockedAccelerator(machine, *device);
  if (!accelerator)
    return error(accelerator.error());
  if ((*accelerator)->dram().size() != options.dramBytes)
    return error("no memory for a DRAM of " + std::to_string(options.dramBytes) +
                 " bytes: choose a smaller one");
  return std::unique_ptr<Soc>(
      new Soc(std::make_unique<State>(machine, options, std::move(*processor), std::move(*accelerator))));
}

Result<void> Soc::load(Span<const uint8_t> elf) {
  const auto segments = soc::segmentsOf(elf);
  if (!segments)
    return error(segments.error());
  for (const soc::Segment &segment : *segments) {
    const Span<uint8_t> memory = state->memoryAt(segment.address, segment.bytes);
    if (memory.empty())
      return error("its segment of " + std::to_string(segment.bytes) + " bytes at address " +
                   std::to_string(segment.address) + " is not in ROM, SRAM or the DRAM of " +
                   std::to_string(dram().size()) + " bytes (docs/soc_map.md)");
    std::copy(segment.data.begin(), segment.data.end(), memory.begin());
    std::fill(memory.begin() + segment.data.size(), memory.end(), uint8_t(0));
  }
  return {};
}

Result<SocRun> Soc::run() {
  State &soc = *state;
  if (soc.ended)
    return error("the system has run already: make a new one");
  soc.processor->reset();
  for (Cycle at = 0; !soc.ended; ++at) {
    at = soc.wake(at);
    if (at == Never) {
      soc.finish(SocEnd::Deadlock, soc.processor->cycles());
      break;
    }
    if (at >= soc.options.mostCycles) {
      soc.finish(SocEnd::CycleLimit, soc.options.mostCycles);
      break;
    }
    soc.step(at);
    soc.hasEnded(at);
    if (const std::string &broken = soc.accelerator->failure(); !broken.empty())
      return error(broken);
  }
  return soc.result;
}

std::vector<std::string> socEngineNames() {
  return {"soc", "soc-rtl"};
}

uint64_t mostSocDramBytes() {
  return DAEDALUS_SOC_DRAM_BYTES;
}

std::string socRunnerFirmware() {
  return rtl::systemFile("runner.elf").string();
}

std::string socExitName(uint32_t code) {
  static const char *const names[] = {DAEDALUS_SOC_EXIT_NAMES};
  return code < DAEDALUS_SOC_EXIT_COUNT ? names[code] : "code " + std::to_string(code);
}

} // namespace daedalus::sim
