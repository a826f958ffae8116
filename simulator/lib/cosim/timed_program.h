// What programs with a timed outcome are made of: a trigger that waits until everything behind it is in its
// queue, and tokens that it gives.
#pragma once

#include "cosim/faulty_instruction.h"

namespace daedalus::cosim::timed {

class TimedProgram {
public:
  TimedProgram(Case &test, const Machine &machine, Random &random)
      : test(test), machine(machine), random(random), list(test.program.instructions) {}

protected:
  Module anyModule() { return static_cast<Module>(random.between(0, 3)); }
  static Module after(Module module, int64_t steps = 1) {
    return static_cast<Module>((static_cast<int64_t>(module) + steps) % 4);
  }

  void give(Module producer, Module consumer, size_t count) {
    list.insert(list.end(), count, Nop{0, bit(consumer), producer, 0});
  }
  void fillCounter(Module producer) { give(producer, after(producer), TokenCounterMax); }

  /// Work that keeps the trigger waiting until everything behind it is in its queue, where more
  /// `instructions` come than FETCH and the queues hold.
  void hold(Module trigger, size_t instructions = 0) {
    Gemm work;
    const uint64_t fetched = instructions * InstructionBytes / machine.busBytes;
    setIterations(work.loops, fetched + 300 + 3 * test.readLatency);
    if (trigger != Module::Gemm)
      work.signal = bit(trigger);
    list.push_back(work);
  }
  static uint8_t heldBy(Module trigger) { return trigger == Module::Gemm ? 0 : bit(Module::Gemm); }

  /// The trigger lets the modules go in one cycle.
  void release(Module trigger, uint8_t modules) {
    hold(trigger);
    list.push_back(Nop{heldBy(trigger), modules, trigger, 0});
  }

  Case &test;
  const Machine &machine;
  Random &random;
  std::vector<Instruction> &list;
};

} // namespace daedalus::cosim::timed
