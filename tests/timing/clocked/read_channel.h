// The read channel: arbiter (R11), address register, memory and data beats (R12).
#pragma once

#include "clocked/shared.h"

#include <array>

namespace daedalus::clocked {

/// A read burst that FETCH or LOAD asks for.
struct BurstRequest {
  uint64_t address;
  uint32_t bytes, beats;
  uint32_t index; ///< the instruction that a bus error is reported for
};

/// What the data bus carries in a cycle.
struct Beat {
  enum class For : uint8_t { Nobody, Fetch, Load } reader = For::Nobody;
  bool bad = false; ///< answered with an error
};

class ReadChannel {
public:
  explicit ReadChannel(Shared &shared) : shared(shared) {}

  /// The address on AR in this cycle, if there is one, is taken or stays.
  void address();
  /// The beat on the bus in this cycle; reports a bus error with a burst's first beat (R22).
  Beat beat();
  /// The reader that is granted in this cycle, from the requests of this cycle (R11).
  Beat::For arbitrate(const std::optional<BurstRequest> &fetch, const std::optional<BurstRequest> &load);
  /// A burst was granted before this cycle and its last beat was not before this cycle.
  bool isOutstanding() const { return !bursts.empty(); }
  /// Whether a handshake took place in this cycle.
  bool hasActed() const { return acted; }
  /// R29: what is reported for the oldest burst, and all of them are forgotten.
  Fault timeout() const;
  void giveUp() { bursts.clear(); }
  void commit();

private:
  struct Burst {
    Beat::For reader;
    uint32_t beatsLeft, index;
    bool bad, begun;
    std::optional<Cycle> ready; ///< the memory could answer from here on; none: its address is on AR
  };

  bool prefersFetch() const;

  Shared &shared;
  std::array<uint64_t, isa::CounterModuleCount> addressed{}; ///< bursts of each module
  std::deque<Burst> bursts;
  std::optional<Burst> granted;
  Beat::For last = Beat::For::Load; ///< R11
  bool stuck = false;               ///< AR is refused in this cycle
  bool acted = false;
};

} // namespace daedalus::clocked
