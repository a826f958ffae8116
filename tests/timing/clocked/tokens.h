// The twelve token counters (R9, R10): one for each ordered pair of modules.
#pragma once

#include "clocked/shared.h"

namespace daedalus::clocked {

class Tokens {
public:
  /// The first of LOAD, GEMM, VECTOR, STORE in `wait` from which `consumer` has no token; none: it may start.
  std::optional<isa::Module> firstMissing(isa::Module consumer, uint8_t wait) const;
  /// `consumer` starts in this cycle and takes one token of each (R9).
  void take(isa::Module consumer, uint8_t wait);
  /// `producer` ends the instruction `index` in this cycle (R10).
  void give(isa::Module producer, uint8_t signal, uint32_t index);
  /// R10: increments and decrements of one cycle cancel; what then passes the maximum is a fault.
  void commit(FaultRegister &faults);

private:
  static constexpr unsigned Modules = isa::ModuleCount;
  int counter[Modules][Modules] = {}; ///< [producer][consumer]
  int change[Modules][Modules] = {};
  uint32_t endedIndex[Modules] = {};
};

} // namespace daedalus::clocked
