// The Verilated processor (hw/soc), from its shared object.
#pragma once

#include "daedalus/support/result.h"

#include "../../../hw/soc/model.h"

#include <memory>

namespace daedalus::sim::soc {

class Processor {
public:
  /// Held in reset. The error says that the object is not there, and how to get it.
  static Result<std::unique_ptr<Processor>> create();
  ~Processor() { functions.destroy(instance); }
  Processor(const Processor &) = delete;
  Processor &operator=(const Processor &) = delete;

  /// Its first cycle out of reset is the next one.
  void reset();
  void cycle() { functions.cycle(instance, &inputs, &outputs); }
  /// Counts cycles that it would have spent in `waitirq`.
  void skip(uint64_t cycles) { functions.skip(instance, cycles); }
  uint64_t cycles() const { return functions.cycles(instance); }
  uint64_t instructions() const { return functions.instructions(instance); }
  uint32_t pc() const { return functions.pc(instance); }

  DaedalusProcessorInputs inputs{};
  DaedalusProcessorOutputs outputs{}; ///< of the next cycle

private:
  explicit Processor(const DaedalusProcessorModel &functions)
      : functions(functions), instance(functions.create()) {}

  const DaedalusProcessorModel &functions;
  void *instance;
};

} // namespace daedalus::sim::soc
