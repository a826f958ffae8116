// What the model shows beyond time: writes, waves, faults as sentences, scratchpads.
#include "rtl/engine.h"

#include "common/wait_graph.h"
#include "functional/fault_sentence.h"

#include <cstring>

namespace daedalus::sim::rtl {

using isa::Scope;
namespace reg = isa::reg;

void Engine::observeWrites() {
  const DaedalusRtlOutputs &out = model->outputs;
  const DaedalusRtlDetails &details = model->details;
  const size_t n = core.machine.n;
  Observer &observer = *core.log.observer;
  const auto runs = [&](WriteEvent event, const uint8_t *bytes, uint64_t enable, size_t count) {
    for (size_t first = 0; first < count;) {
      size_t last = first;
      while (last < count && enable >> last & 1)
        ++last;
      event.data = {bytes + first, last - first};
      WriteEvent part = event;
      part.address += first;
      if (last > first)
        observer.wrote(part);
      first = last > first ? last : first + 1;
    }
  };
  using M = isa::CounterModule;
  const auto index = [&](isa::Module module) { return workingIndex[static_cast<unsigned>(module)]; };
  if (out.load_write)
    runs({out.cycle,
          details.load_index,
          M::Load,
          static_cast<Scope>(details.load_scope),
          details.load_row * n,
          {}},
         details.load_data, details.load_enable, n);
  if (out.gemm_write)
    observer.wrote({out.cycle,
                    index(isa::Module::Gemm),
                    M::Gemm,
                    Scope::Acc,
                    details.gemm_row * 4 * n,
                    {details.gemm_data, 4 * n}});
  if (out.vector_write & 1)
    observer.wrote({out.cycle,
                    index(isa::Module::Vector),
                    M::Vector,
                    Scope::Acc,
                    details.vector_row * 4 * n,
                    {details.vector_data, 4 * n}});
  if (out.vector_write & 6)
    observer.wrote({out.cycle,
                    index(isa::Module::Vector),
                    M::Vector,
                    out.vector_write & 2 ? Scope::Inp : Scope::Out,
                    details.vector_row * n,
                    {details.vector_bytes, n}});
  for (const auto &beat : memory.written())
    runs({out.cycle, beat.index, M::Store, Scope::None, beat.address, {}}, beat.data.data(), beat.strobes,
         beat.data.size());
}

/// The class of each module in this cycle, and the instruction that it is for.
void Engine::traceCycle() {
  const DaedalusRtlOutputs &out = model->outputs;
  for (unsigned m = 0; m < isa::CounterModuleCount; ++m) {
    const auto module = static_cast<isa::CounterModule>(m);
    const auto what =
        out.cycle == 0 ? isa::CounterClass::Idle : static_cast<isa::CounterClass>(out.classes >> 4 * m & 15);
    spanWriters[m].add(what, out.cycle == 0 ? NoInstruction : instructionOf(module, what), out.cycle + 1);
  }
}

uint32_t Engine::instructionOf(isa::CounterModule module, isa::CounterClass what) {
  using C = isa::CounterClass;
  const DaedalusRtlOutputs &out = model->outputs;
  const bool waitsForData = what == C::Memory || what == C::Bus;
  if (module == isa::CounterModule::Fetch)
    return waitsForData ? out.fetch_index + 1
                        : out.fetch_index; // the next one, or the one in the head register
  if (what == C::Idle)
    return NoInstruction;
  const unsigned unit = static_cast<unsigned>(module) - 1;
  if (module == isa::CounterModule::Load && (waitsForData || what == C::Busy))
    return out.load_work;
  return what == C::Busy ? workingIndex[unit] : model->look().head_index[unit];
}

void Engine::dumpWaves(unsigned half) {
  const uint64_t cycle = model->outputs.cycle;
  if (model->outputs.counting && cycle >= options.wavesFrom && cycle <= options.wavesTo)
    model->dumpWaves(2 * now + half);
}

/// What stands in the registers, as a sentence.
void Engine::describeFault() {
  if (!failure.empty()) {
    record.fault.detail = failure;
    return;
  }
  record.fault.cause = static_cast<isa::FaultCause>(readRegister(reg::FaultCause));
  record.fault.index = readRegister(reg::FaultIndex);
  record.fault.module = static_cast<isa::CounterModule>(readRegister(reg::FaultModule));
  if (record.fault.cause == isa::FaultCause::None)
    return;
  record.fault.detail =
      record.fault.cause == isa::FaultCause::NoProgress ? waitSentence() : registerSentence();
}

std::string Engine::waitSentence() {
  const DaedalusRtlDetails &details = model->look();
  std::vector<Waiting> waits;
  for (unsigned m = 0; m < isa::ModuleCount; ++m)
    if (const unsigned missing = details.missing >> 4 * m & 15)
      waits.push_back({static_cast<isa::Module>(m), details.head_index[m],
                       static_cast<isa::Module>(__builtin_ctz(missing))});
  std::optional<isa::Module> blocked;
  if (details.blocked)
    blocked = static_cast<isa::Module>(__builtin_ctz(details.blocked));
  return noProgress(waits, blocked, core.machine.watchdogCycles).detail;
}

std::string Engine::registerSentence() {
  for (unsigned base = 0; base < isa::BaseRegisters; ++base)
    core.bases[base] = {readPair(reg::BaseLo + base * reg::BaseLoStep, reg::BaseHi + base * reg::BaseHiStep),
                        readRegister(reg::Limit + base * reg::LimitStep)};
  const ProgramRegisters program = {readPair(reg::ProgramLo, reg::ProgramHi),
                                    readRegister(reg::ProgramLength), readRegister(reg::ProgramLimit)};
  return functional::faultSentence(core, program, record.fault);
}

uint64_t Engine::readPair(uint32_t low, uint32_t high) {
  return uint64_t(readRegister(high)) << 32 | readRegister(low);
}

CoreState &Engine::state() {
  if (!scratchpadsChanged) // else what was changed before is still to be copied
    copyScratchpads(false);
  scratchpadsChanged = true;
  return core;
}

void Engine::copyScratchpads(bool toModel) {
  for (const Ram &ram : rams) {
    const Span<uint8_t> memory = model->variable(ram.module, "mem");
    if (memory.empty())
      continue; // of another hardware's folder
    std::vector<uint8_t> &scratchpad = core.scratchpad(ram.scope);
    if (toModel)
      ram.write(memory, scratchpad);
    else if (!ram.isCopy)
      ram.read(memory, scratchpad);
  }
  scratchpadsChanged = false;
}

} // namespace daedalus::sim::rtl
