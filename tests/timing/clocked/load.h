// LOAD: an address generator that shows one segment at a time (R14), and a writer behind it that takes the
// open segments in order (R15 to R17).
#pragma once

#include "clocked/read_channel.h"
#include "clocked/segments.h"
#include "clocked/tokens.h"

namespace daedalus::clocked {

class Load {
public:
  Load(Shared &shared, Tokens &tokens, Queue &queue) : shared(shared), tokens(tokens), queue(queue) {}

  /// What the shown segment asks the arbiter for in this cycle (R14).
  std::optional<BurstRequest> asks() const;
  void evaluate(bool granted, bool beat);
  void commit();
  bool isGenerating() const { return generating.has_value(); }
  bool hasOpen() const { return !open.empty(); }
  /// R29: whatever is open is dropped.
  void giveUp();

private:
  /// The instruction in the address generator.
  struct Generating {
    Item item;
    Cycle start;
    std::optional<LoadCursor> cursor; ///< none: MARK and NOP, one empty segment
    Cycle shownFrom;                  ///< of the segment that comes next or is shown
  };
  /// A segment between the address generator and its last write.
  struct Open {
    Item item;
    Cycle start;
    Segment segment;
    Cycle writtenFrom; ///< of a burst its beats decide
  };
  /// Where the writer is in the front segment.
  struct Writer {
    uint32_t bytes = 0; ///< of the segment that are written
    uint32_t beats = 0; ///< taken out of the receive buffer
  };

  Segment shown() const;
  FaultCause shownFault() const;
  bool isShown() const { return generating && shared.now >= generating->shownFrom; }
  bool hasRoom(const Segment &segment) const;
  void generate(bool granted);
  bool start();
  void commitGenerator();
  bool write();
  uint32_t writeStep(const Open &front);
  uint32_t burstStep(const Segment &segment, bool diagonal);
  CounterClass classify(bool wrote, bool starts, bool asked, bool granted) const;

  Shared &shared;
  Tokens &tokens;
  Queue &queue;
  std::optional<Generating> generating;
  std::optional<Generating> started;  ///< in this cycle
  bool leaves = false, drops = false; ///< what happens to the shown segment in this cycle
  std::deque<Open> open;
  bool closed = false;        ///< the front segment's last write is in this cycle
  uint32_t room = 0;          ///< beats promised to open bursts (R15)
  std::deque<Cycle> received; ///< beats in the receive buffer: the first cycle in which each may be written
  Writer writer;
};

} // namespace daedalus::clocked
