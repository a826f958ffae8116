// The clock: evaluate everything, then commit everything. The arbiter alone sees decisions of its own cycle.
#include "clocked/core.h"

namespace daedalus::clocked {
namespace {

Shared makeShared(const HostSetup &setup) {
  Shared shared;
  shared.machine = setup.machine;
  shared.bases = setup.bases;
  shared.dramBytes = setup.dramBytes;
  shared.silence = setup.silence;
  shared.latency = setup.latency;
  shared.arbiter = setup.arbiter;
  return shared;
}

Decoded decodeProgram(const HostSetup &setup) {
  Decoded decoded;
  for (const isa::InstructionWord &word : setup.program) {
    const Result<isa::Instruction> instruction = isa::decode(word, setup.machine);
    decoded.push_back(instruction ? std::optional(*instruction) : std::nullopt);
  }
  return decoded;
}

constexpr unsigned at(isa::Module module) {
  return code(module);
}

} // namespace

Core::Core(const HostSetup &setup)
    : shared(makeShared(setup)), program(decodeProgram(setup)), channel(shared),
      fetch(shared, program, setup.programAddress, setup.programLimit),
      load(shared, tokens, queues[at(isa::Module::Load)]),
      gemm(shared, tokens, queues[at(isa::Module::Gemm)], isa::Module::Gemm),
      vector(shared, tokens, queues[at(isa::Module::Vector)], isa::Module::Vector),
      store(shared, tokens, queues[at(isa::Module::Store)]) {}

/// A module works, a segment or response is open, or a read burst is outstanding (R8, R23, R24).
bool Core::anythingMoves() const {
  return gemm.isWorking() || vector.isWorking() || load.isGenerating() || load.hasOpen() ||
         store.isGenerating() || store.hasOpen() || channel.isOutstanding();
}

/// R8 and R23: FINISH ends, or the core stops for a fault, in this cycle.
bool Core::stops() {
  if (anythingMoves())
    return false;
  if (shared.faults.isSet())
    return true;
  for (const Queue &queue : queues)
    if (queue.count())
      return false;
  if (!fetch.holdsFinish())
    return false;
  shared.events.push_back({fetch.finishIndex(), CounterModule::Fetch, fetch.finishStart(), shared.now});
  return true;
}

/// R22: of the heads that wait for a token, the first in program order.
Fault Core::noProgress() const {
  Fault fault{FaultCause::NoProgress, CounterModule::Fetch, ~0u};
  for (unsigned m = 0; m < isa::ModuleCount; ++m) {
    const isa::Module module = static_cast<isa::Module>(m);
    const Item *head = queues[m].head();
    if (head && head->index < fault.index && tokens.firstMissing(module, isa::waitMask(*head->instruction)))
      fault = {FaultCause::NoProgress, counterOf(module), head->index};
  }
  return fault;
}

/// R24.
void Core::watch() {
  still = anythingMoves() || shared.faults.isSet() ? 0 : still + 1;
  if (still == shared.machine.watchdogCycles)
    shared.faults.report(noProgress());
}

/// R29: whether the memory was silent for too long.
bool Core::watchMemory() {
  const uint32_t patience = shared.machine.memoryTimeoutCycles;
  if (reads.isOver(patience))
    shared.faults.report(channel.timeout());
  if (writes.isOver(patience))
    shared.faults.report(store.timeout());
  return reads.isOver(patience) || writes.isOver(patience);
}

void Core::giveUpMemory() {
  channel.giveUp();
  load.giveUp();
  store.giveUp();
}

void Core::tick() {
  watch();
  const bool isOver = watchMemory();
  const bool owesReads = channel.isOutstanding(), owesWrites = store.isOutstanding();
  channel.address();
  const Beat beat = channel.beat();
  const Beat::For granted = channel.arbitrate(fetch.asks(), load.asks());
  fetch.evaluate(granted == Beat::For::Fetch, beat.reader == Beat::For::Fetch && !beat.bad, queues);
  load.evaluate(granted == Beat::For::Load, beat.reader == Beat::For::Load);
  gemm.evaluate();
  vector.evaluate();
  store.evaluate();
  reads.step(owesReads, channel.hasActed(), shared.machine.memoryTimeoutCycles);
  writes.step(owesWrites, store.hasActed(), shared.machine.memoryTimeoutCycles);
  commit();
  if (isOver)
    giveUpMemory();
}

void Core::commit() {
  tokens.commit(shared.faults);
  shared.faults.commit();
  for (Queue &queue : queues)
    queue.commit();
  channel.commit();
  fetch.commit();
  load.commit();
  gemm.commit();
  vector.commit();
  store.commit();
  ++shared.now;
}

Outcome Core::run(Cycle patience) {
  Outcome outcome;
  while (!(outcome.stopped = stops()) && shared.now < patience)
    tick();
  outcome.cycles = shared.now;
  outcome.fault = shared.faults.fault();
  outcome.events = shared.events;
  outcome.counters = shared.counters;
  return outcome;
}

} // namespace daedalus::clocked
