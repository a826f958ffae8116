// The whole accelerator, clocked: FETCH, four modules, tokens, read channel, watchdog, and the stop.
//
//   Outcome outcome = Core(setup).run();
#pragma once

#include "clocked/compute.h"
#include "clocked/fetch.h"
#include "clocked/load.h"
#include "clocked/store.h"

namespace daedalus::clocked {

/// What the host sets up before START.
struct HostSetup {
  isa::Machine machine;
  std::vector<isa::InstructionWord> program;
  uint64_t programAddress = 0; ///< a multiple of 64
  uint32_t programLimit = ~0u; ///< bytes from there on that FETCH may read
  std::array<Base, isa::BaseRegisters> bases{};
  uint64_t dramBytes = 0;
  Silence silence;
  BurstLatency latency;
  Arbiter arbiter = Arbiter::RoundRobin;
};

struct Outcome {
  Cycle cycles = 0;     ///< the cycle of the stop
  bool stopped = false; ///< false: it still ran when the patience ended
  Fault fault;          ///< cause None: FINISH ended
  std::vector<Event> events;
  Counters counters{};
};

class Core {
public:
  explicit Core(const HostSetup &setup);
  /// Runs to the stop, `patience` cycles at most.
  Outcome run(Cycle patience = 5'000'000);

private:
  bool anythingMoves() const;
  bool stops();
  void tick();
  void watch();
  bool watchMemory();
  void giveUpMemory();
  Fault noProgress() const;
  void commit();

  Shared shared;
  Decoded program;
  Tokens tokens;
  std::array<Queue, isa::ModuleCount> queues;
  ReadChannel channel;
  Fetch fetch;
  Load load;
  Compute gemm, vector;
  Store store;
  Cycle still = 0; ///< consecutive cycles in which nothing moved (R24)
  Patience reads, writes;
};

} // namespace daedalus::clocked
