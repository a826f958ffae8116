// STORE: an address generator, a reader of OUT, the write data bus and the responses (R18 to R20).
#pragma once

#include "clocked/segments.h"
#include "clocked/tokens.h"

namespace daedalus::clocked {

class Store {
public:
  Store(Shared &shared, Tokens &tokens, Queue &queue) : shared(shared), tokens(tokens), queue(queue) {}

  void evaluate();
  void commit();
  bool isGenerating() const { return generating.has_value(); }
  bool hasOpen() const { return !open.empty(); }
  /// A burst has left and was not answered before this cycle.
  bool isOutstanding() const { return !unanswered.empty(); }
  bool hasActed() const { return acted; }
  /// R29: what is reported for the oldest burst, and whatever is open is dropped.
  Fault timeout() const { return {FaultCause::MemoryTimeout, CounterModule::Store, unanswered.front()}; }
  void giveUp();

private:
  struct Generating {
    Item item;
    Cycle start;
    std::optional<StoreCursor> cursor; ///< none: MARK and NOP, one empty segment
    Cycle shownFrom;
  };
  struct Open {
    Item item;
    Cycle start;
    Segment segment;
    bool answered; ///< needs no response, or it came
  };
  /// A burst whose rows are to be read, or whose response is to come.
  struct Burst {
    uint32_t index, beatsLeft;
    bool bad;
    uint64_t number;  ///< of the bursts so far
    Cycle answerFrom; ///< the first cycle in which B may be on the bus
  };
  /// A beat on its way to W.
  struct WireBeat {
    Cycle from;                 ///< it is on W
    std::optional<Burst> ended; ///< the burst whose last it is
  };

  Segment shown() const;
  void generate();
  bool start();
  void address();
  void read();
  void send();
  void answer();
  void complete();
  void commitGenerator();
  CounterClass classify(bool starts) const;

  Shared &shared;
  Tokens &tokens;
  Queue &queue;
  std::optional<Generating> generating, started;
  bool leaves = false, drops = false;
  std::deque<Open> open;            ///< in order, up to and including their completion
  std::deque<Burst> reading;        ///< left, not completely read
  std::deque<Burst> waiting;        ///< sent, not answered
  std::deque<WireBeat> wire;        ///< read, not sent
  std::deque<uint32_t> unanswered;  ///< instructions of the bursts that left, in order
  uint64_t left = 0, addressed = 0; ///< bursts; those whose address was taken
  uint64_t addressable = 0;         ///< bursts up to this number may be read in this cycle
  bool acted = false;
  bool answers = false, completes = false;
};

} // namespace daedalus::clocked
