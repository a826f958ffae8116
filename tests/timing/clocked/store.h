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
    Cycle answerFrom; ///< the first cycle in which B may be on the bus
  };

  Segment shown() const;
  void generate();
  bool start();
  void read();
  void answer();
  void complete();
  void commitGenerator();
  CounterClass classify(bool starts) const;

  Shared &shared;
  Tokens &tokens;
  Queue &queue;
  std::optional<Generating> generating, started;
  bool leaves = false, drops = false;
  std::deque<Open> open;     ///< in order, up to and including their completion
  std::deque<Burst> reading; ///< left, not completely read
  std::deque<Burst> waiting; ///< read, not answered
  bool answers = false, completes = false;
};

} // namespace daedalus::clocked
