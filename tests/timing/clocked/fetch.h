// FETCH (R4 to R8): asks for bursts of instructions, holds them in its buffer, and dispatches from the head
// register to the queues.
#pragma once

#include "clocked/read_channel.h"

namespace daedalus::clocked {

/// The program as FETCH decodes it: no value where the encoding is illegal.
using Decoded = std::vector<std::optional<isa::Instruction>>;

class Fetch {
public:
  Fetch(Shared &shared, const Decoded &program, uint64_t address, uint32_t limit)
      : shared(shared), program(program), address(address), limit(limit) {}

  /// What it asks the arbiter for in this cycle (R4).
  std::optional<BurstRequest> asks() const;
  /// `beat`: one is on the bus for FETCH; those of a burst that ends in a bus error are dropped.
  void evaluate(bool granted, bool beat, std::array<Queue, isa::ModuleCount> &queues);
  void commit() { now = next; }

  bool holdsFinish() const;
  Cycle finishStart() const { return now.headFrom; }
  uint32_t finishIndex() const { return now.loaded - 1; }

private:
  struct Registers {
    uint32_t granted = 0;  ///< instructions asked for and granted
    uint32_t reserved = 0; ///< places of the buffer that are taken or promised
    uint32_t beats = 0;    ///< of the instruction that is arriving
    uint32_t arrived = 0;  ///< instructions received
    uint32_t checked = 0;  ///< of those, that have left the buffer's output register
    uint32_t loaded = 0;   ///< of those, moved to the head register
    bool headValid = false;
    Cycle headFrom = 0;         ///< the head's first cycle in the head register
    bool missingFinish = false; ///< the last instruction was dispatched in the cycle before
  };

  uint32_t burstLength() const;
  bool wants() const;
  bool isBeyondLimit() const;
  const std::optional<isa::Instruction> &head() const { return program[now.loaded - 1]; }
  bool dispatch(std::array<Queue, isa::ModuleCount> &queues);
  void receive(bool beat);
  void loadHead();
  CounterClass classify(bool dispatched, bool granted) const;

  Shared &shared;
  const Decoded &program;
  const uint64_t address;
  const uint32_t limit; ///< bytes
  Registers now, next;
};

} // namespace daedalus::clocked
