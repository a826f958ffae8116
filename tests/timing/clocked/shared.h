// What the modules of the clocked model share: cycles, events, the fault register (R21), the performance
// counters (R25) and the queues (R6, R7).
//
// The model follows docs/timing.md, rules R1 to R25, the way registers would: in each cycle every module
// decides from what was registered before (R2), and commit() makes the decisions visible to the next cycle.
// It moves no data and shares nothing with the simulator, so that the two can be compared.
#pragma once

#include "daedalus/isa/encoding.h"
#include "daedalus/isa/instructions.h"
#include "daedalus/isa/machine.h"

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

namespace daedalus::clocked {

using Cycle = uint64_t; ///< counted from the write to START (R1)
using isa::CounterClass;
using isa::CounterModule;
using isa::FaultCause;

constexpr unsigned code(isa::Module module) {
  return static_cast<unsigned>(module);
}
constexpr CounterModule counterOf(isa::Module module) {
  return static_cast<CounterModule>(code(module) + 1);
}

/// An instruction that ended, with its first and last cycle.
struct Event {
  uint32_t index;
  CounterModule module;
  Cycle start, end;
};

struct Fault {
  FaultCause cause = FaultCause::None;
  CounterModule module = CounterModule::Fetch;
  uint32_t index = 0;
};

/// R21: keeps the first fault; reported in t, set from t + 1.
class FaultRegister {
public:
  bool isSet() const { return kept.cause != FaultCause::None; }
  const Fault &fault() const { return kept; }
  void report(const Fault &fault);
  void commit() { kept = isSet() ? kept : reported; }

private:
  Fault kept, reported;
};

/// An instruction on its way: its index in the program and its fields.
struct Item {
  uint32_t index = 0;
  const isa::Instruction *instruction = nullptr;
};

/// The queue of one module. A push or a pop in t is seen in t + 1 (R6, R7).
class Queue {
public:
  size_t count() const { return items.size(); }
  const Item *head() const { return items.empty() ? nullptr : &items.front(); }
  void push(const Item &item) { pushed = item; }
  void pop() { popped = true; }
  void commit();

private:
  std::deque<Item> items;
  std::optional<Item> pushed;
  bool popped = false;
};

using Counters = std::array<std::array<uint64_t, isa::CounterClassCount>, isa::CounterModuleCount>;

/// A base register with its limit, in bytes.
struct Base {
  uint64_t address = 0;
  uint32_t limit = 0;
};

enum class Channel : uint8_t { None, Ar, R, Aw, W, B };

/// Behind so many handshakes of the channel the memory gives no more.
struct Silence {
  Channel channel = Channel::None;
  uint64_t after = 0;
};

/// The latency of that module's `number`-th burst, from 0 on; empty: the machine's.
using BurstLatency = std::function<Cycle(CounterModule module, uint64_t number)>;

/// Who is granted: by R11, or by a rule that tests plant in its place.
enum class Arbiter : uint8_t { RoundRobin, FetchFirst, LoadFirst, ForgetsUncontested };

/// Of one side of the bus, the silent cycles in succession before this one (R29).
class Patience {
public:
  bool isOver(uint32_t patience) const { return silent == patience; }
  void step(bool owes, bool acts, uint32_t patience) {
    silent = owes && !acts && !isOver(patience) ? silent + 1 : 0;
  }

private:
  uint32_t silent = 0;
};

/// The surroundings of a module.
struct Shared {
  isa::Machine machine;
  std::array<Base, isa::BaseRegisters> bases{};
  uint64_t dramBytes = 0; ///< what lies past it is answered with an error
  Cycle now = 0;
  FaultRegister faults;
  Counters counters{};
  std::vector<Event> events;
  Silence silence;
  uint64_t handshakes = 0; ///< on the channel that falls silent
  BurstLatency latency;
  Arbiter arbiter = Arbiter::RoundRobin;

  /// Whether the memory agrees to a handshake that is offered in this cycle, which then takes place.
  bool takes(Channel channel) {
    if (channel != silence.channel)
      return true;
    const bool taken = handshakes < silence.after;
    handshakes += taken;
    return taken;
  }
  Cycle latencyOf(CounterModule module, uint64_t number) const {
    if (latency)
      return latency(module, number);
    return module == CounterModule::Store ? machine.writeLatency : machine.readLatency;
  }
  void count(CounterModule module, CounterClass what) {
    ++counters[static_cast<unsigned>(module)][static_cast<unsigned>(what)];
  }
  bool isBusError(uint64_t address, uint32_t bytes) const {
    return address >= dramBytes || dramBytes - address < bytes;
  }
};

} // namespace daedalus::clocked
