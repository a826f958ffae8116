// The twelve token counters (R9, R10): one for each ordered pair of modules.
//
// A token given in cycle t is seen in t + 1. Whoever waits for it is woken then.
#pragma once

#include "systemc/run.h"

#include <array>
#include <optional>
#include <systemc>

namespace daedalus::sim::systemc {

class Core;
class Unit;

class Tokens : public sc_core::sc_module {
public:
  Tokens(sc_core::sc_module_name name, Run &run, Core &core);

  void connect(isa::Module consumer, Unit &unit) { units[index(consumer)] = &unit; }
  void reset();

  /// The first module of `mask` without a token for `consumer`, as cycle `now` sees it.
  std::optional<isa::Module> missing(isa::Module consumer, unsigned mask, Cycle now) const {
    for (; mask; mask &= mask - 1)
      if (const unsigned producer = __builtin_ctz(mask); !counters[producer][index(consumer)].seen(now))
        return static_cast<isa::Module>(producer);
    return std::nullopt;
  }
  /// Takes one token from each module of the mask; they must be there.
  void take(isa::Module consumer, unsigned mask, Cycle now);
  /// The instruction `instruction` of `producer` ends now and gives a token to each module of the mask.
  void give(isa::Module producer, unsigned mask, uint32_t instruction, Cycle now);

private:
  struct Counter {
    unsigned value = 0;  ///< with every increment and decrement so far
    Cycle given = Never; ///< cycle of the last increment; at most one a cycle
    uint32_t giver = 0;  ///< its instruction
    unsigned seen(Cycle now) const { return value - (given == now); }
  };

  static constexpr unsigned index(isa::Module module) { return static_cast<unsigned>(module); }
  void checkOverflow();

  Run &run;
  Core &core;
  std::array<Unit *, isa::ModuleCount> units{};
  std::array<std::array<Counter, isa::ModuleCount>, isa::ModuleCount> counters; ///< [producer][consumer]
  LateEvent overflow;
};

} // namespace daedalus::sim::systemc
