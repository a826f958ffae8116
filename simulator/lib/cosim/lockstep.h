// Two devices side by side, from START to the stop.
#pragma once

#include "cosim/compare_writes.h"
#include "cosim/span_queue.h"
#include "daedalus/simulator/cosim.h"

namespace daedalus::cosim {

/// The divergence in lines for people.
std::string text(const Divergence &divergence);

class Lockstep {
public:
  struct Side {
    sim::Device &device;
    std::string name;
    Journal journal = {};
    SpanQueue spans = {};
    bool stopped = false;
  };
  /// What is compared, and how long at most.
  struct Options {
    bool cycles = true;      ///< both sides count cycles, and the same
    bool functional = false; ///< one side meets faults in program order
    bool writes = true;      ///< what instructions write has a promise: no fault but the kept one
    uint64_t mostCycles = ~uint64_t(0);
    uint64_t counted = 0; ///< what CYCLES shows beyond the run's cycles
    NameOf nameOf = {};
  };

  Lockstep(sim::Device &a, const std::string &nameA, sim::Device &b, const std::string &nameB,
           const isa::Program &program, Options options);
  ~Lockstep();
  Lockstep(const Lockstep &) = delete;

  /// START on both.
  void start();
  /// So many cycles on both, and the comparison of what has retired.
  void advance(uint64_t cycles);
  /// The same on one of them.
  void advanceSide(unsigned side, uint64_t cycles);
  /// To the stop of both. The first divergence.
  std::optional<Divergence> run();

private:
  /// Cycles that one may run on when the other has stopped, to be told apart.
  static constexpr uint64_t Patience = 4'096;

  bool areStopped() const { return sides[0].stopped && sides[1].stopped; }
  bool mayBeExcused() const;
  void compareRetired();
  void compareInstructions(const sim::InstructionEvent &x, const sim::InstructionEvent &y);
  void compareSpans();
  void compareSpans(const sim::CycleSpan &x, const sim::CycleSpan &y);
  void compareWritesOf(const sim::InstructionEvent &event);
  void compareStop();
  void compareInterrupts(uint64_t end);
  void compareSentences(uint64_t end);
  void compareCounters(uint64_t end);
  void compareDramActivity(uint64_t end);
  void reportLeftOver();
  void reportHang();
  std::string outcome(Side &side) const;

  bool isInteresting(uint64_t cycle) const;
  Divergence make(Divergence::Kind kind, uint64_t cycle, std::optional<uint32_t> instruction) const;
  Divergence make(Divergence::Kind kind, uint64_t cycle, const sim::InstructionEvent &event) const;
  void add(Divergence divergence);
  std::optional<Divergence> first();
  std::string valueText(const Writes &writes, const WriteDifference &difference, unsigned side) const;
  void setPlace(Divergence &divergence, const WriteDifference &difference) const;

  std::array<Side, 2> sides;
  const isa::Program &program;
  const Options options;
  uint64_t advanced = 0;
  std::vector<Divergence> found; ///< the earliest, by cycle
};

} // namespace daedalus::cosim
