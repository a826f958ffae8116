// Wiring, the run from START to the stop, and what is read off it.
#include "systemc/platform.h"

#include "common/wait_graph.h"

#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <numeric>

/// libsystemc brings a main() that calls this; a program of ours has its own main(), so nobody does.
extern "C" int sc_main(int, char **) {
  std::fprintf(stderr, "daedalus: linked against the main() of libsystemc; link the program's own first\n");
  return 1;
}

namespace daedalus::sim::systemc {

Platform::Turn::Turn() : lock(mutex()), platform(instance()) {}

std::mutex &Platform::mutex() {
  static std::mutex one;
  return one;
}

Platform &Platform::instance() {
  // Never destroyed: SystemC's own globals may be gone by then.
  static Platform *platform = [] {
    setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", 0);
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);
    return new Platform;
  }();
  return *platform;
}

Platform::Platform()
    : quantum("quantum", run.clock), core("core", run), tokens("tokens", run, core), memory("dram", run),
      bus("bus", run, core, memory), fetch("fetch", run, core, bus, memory),
      load("load", run, core, tokens, bus, memory), gemm("gemm", run, core, tokens),
      vector("vector", run, core, tokens),
      store("store", run, core, tokens, bus, memory), units{&load, &gemm, &vector, &store} {
  core.connect([this] { return load.isGenerating() || store.isUndecided(); },
               [this] { return describeWaits(); });
  bus.connect([this](Cycle now) { giveUpMemory(now); });
  fetch.connect(units);
  for (Unit *unit : units)
    unit->connect(fetch);
}

void Platform::start(const Job &job) {
  static_cast<Job &>(run) = job;
  reset();
}

bool Platform::advance(Cycle cycles) {
  quantum.advance(cycles);
  if (!core.isStopped())
    return false;
  collectCounters();
  run.record->dram = memory.dramActivity();
  const auto isBefore = [](const InstructionEvent &x, const InstructionEvent &y) {
    return x.end != y.end ? x.end < y.end : x.module < y.module;
  };
  auto &events = run.record->events;
  if (!std::is_sorted(events.begin(), events.end(), isBefore)) // they are, by the order of processes
    std::stable_sort(events.begin(), events.end(), isBefore);
  return true;
}

/// R1: START clears everything and its cycle is 0.
void Platform::reset() {
  quantum.start();
  core.reset();
  tokens.reset();
  bus.reset();
  fetch.reset();
  for (Unit *unit : units)
    unit->reset();
}

void Platform::giveUpMemory(Cycle now) {
  core.giveUpTransfers(now);
  fetch.giveUp(now);
  load.giveUp(now);
  store.giveUp(now);
}

/// Every module is in exactly one class in each cycle (R25).
void Platform::collectCounters() {
  const Cycle cycles = run.record->cycles;
  for (unsigned module = 0; module < isa::CounterModuleCount; ++module) {
    const Ledger::Counts &counts = module ? units[module - 1]->counts(cycles) : fetch.counts(cycles);
    assert(std::accumulate(counts.begin(), counts.end(), uint64_t(0)) == cycles &&
           "a module's classes add up to the total");
    run.record->counters[module] = counts;
  }
}

Fault Platform::describeWaits() const {
  const Cycle now = run.clock.now();
  std::vector<Waiting> waits;
  for (const Unit *unit : units)
    if (const auto waiting = unit->waiting(now))
      waits.push_back({unit->which(), waiting->index, waiting->missing});
  return noProgress(waits, fetch.blockedBy(now), run.machine->watchdogCycles);
}

} // namespace daedalus::sim::systemc
