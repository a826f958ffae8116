// A warp: the registers of its lanes, where each of them is, and what they wait for.
#pragma once

#include "Launch.h"
#include "Warpgroups.h"

namespace daedalus::cuda {

/// The barrier that a warp waits at.
struct Barrier {
  uint32_t id = 0;
  uint32_t threads = 0; ///< that it waits for
  const Instruction *instruction = nullptr;
};

/// A copy that was issued, and is done when it is waited for.
struct PendingCopy {
  uint64_t target = 0, source = 0;
  uint32_t bytes = 0, zeros = 0; ///< to copy, and to fill up behind them
};

class Warp {
public:
  Warp(RunningLaunch &launch, unsigned index, uint32_t lanes);

  /// Begins the kernel; for each block anew.
  void start();
  /// Until every lane ended or waits at one barrier of the block, or there is a fault.
  void run();
  bool hasEnded() const { return ended == all; }
  const Barrier *barrier() const { return atBarrier.instruction ? &atBarrier : nullptr; }
  void passBarrier();

  unsigned number() const { return index; }
  uint32_t activeLanes() const { return active; }
  uint32_t allThreads() const { return all; } ///< as lanes

  uint64_t *slot(uint32_t number) { return registers.data() + size_t(number) * warpSize; }

  /// For each lane that is active.
  template <class Function> void lanes(Function function) const {
    if (active == allLanes)
      for (unsigned lane = 0; lane < warpSize; ++lane)
        function(lane);
    else
      for (uint32_t rest = active; rest; rest &= rest - 1)
        function(static_cast<unsigned>(__builtin_ctz(rest)));
  }

  /// The first fault is the launch's.
  void fail(unsigned lane, const Instruction &instruction, const std::string &what);
  std::string threadName(unsigned lane) const { return launch.threadName(index * warpSize + lane); }

  /// The active lanes' way from here, where all of them go to one edge, or each to its own.
  void jump(uint32_t edge);
  void jumpEach(const std::array<uint32_t, warpSize> &edges);
  void endLanes();

  /// Operations that lanes do together: true when all of the required ones are here, which are then active.
  /// Else those that are here wait.
  bool gather(const Instruction &instruction, uint32_t required);
  /// Lanes execute the instruction later that is executed now.
  void postpone(uint32_t lanes);
  void waitAt(const Barrier &barrier);

  std::array<std::vector<std::vector<PendingCopy>>, warpSize>
      copies; ///< of each lane the groups, the open one last
  WarpgroupState products;
  std::array<std::vector<UnfencedBytes>, warpSize> unfenced; ///< that each lane wrote

  RunningLaunch &launch;

private:
  bool chooseLanes();
  void takeEdge(uint32_t edge, uint32_t lanes);
  void checkLimit(unsigned lane);
  void failStuck();
  void failMissing(unsigned lane, const Instruction &instruction, uint32_t missing);

  unsigned index;
  uint32_t all, active = 0, ended = 0, waiting = 0;
  uint32_t at = 0;                              ///< the instruction behind the one that is executed
  bool leaves = false;                          ///< lanes have to be chosen anew
  std::array<uint32_t, warpSize> places = {};   ///< of lanes that are not active
  std::array<uint32_t, warpSize> waitsFor = {}; ///< of lanes that wait, which others
  Barrier atBarrier;
  std::vector<uint64_t> registers;
};

} // namespace daedalus::cuda
