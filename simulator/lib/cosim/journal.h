// What one device did: the writes of each instruction until it is compared, and the last events for the
// report.
#pragma once

#include "daedalus/simulator/device.h"

#include <array>
#include <deque>
#include <string>
#include <vector>

namespace daedalus::cosim {

/// The writes of one instruction in their order. Writes that continue the one before are joined, so that it
/// does not matter in which portions an engine tells them.
class Writes {
public:
  /// Bytes at consecutive addresses.
  struct Run {
    isa::Scope scope; ///< None: DRAM
    uint64_t address;
    size_t first, count; ///< in `bytes`
  };

  void add(const sim::WriteEvent &event);
  void clear();
  /// The cycle in which bytes[at] was written.
  uint64_t cycleOf(size_t at) const;

  std::vector<Run> runs;
  std::vector<uint8_t> bytes;

private:
  std::vector<std::pair<size_t, uint64_t>> cycles; ///< from this byte on they were written in this cycle
};

class Journal : public sim::Observer {
public:
  void started(uint32_t index, isa::CounterModule module, uint64_t cycle) override;
  void wrote(const sim::WriteEvent &event) override;
  void retired(const sim::InstructionEvent &event) override;

  /// The retired instructions of a module that are still to be compared, in order.
  std::deque<sim::InstructionEvent> &retirements(isa::CounterModule module) {
    return ends[static_cast<unsigned>(module)];
  }
  /// The cycle in which an instruction started last.
  uint64_t lastStart() const { return latestStart; }
  /// What the instruction has written so far.
  const Writes &writesOf(uint32_t index) const;
  /// Drops the first retired instruction of the module with its writes.
  void forget(isa::CounterModule module);
  /// The last events up to a cycle, one a line; of all that are remembered where cycles mean nothing.
  std::vector<std::string> recent(uint64_t cycle) const;

private:
  struct Event {
    sim::InstructionEvent instruction;
    bool ends;
    uint64_t cycle() const { return ends ? instruction.end : instruction.start; }
  };
  void remember(const Event &event);

  std::array<std::deque<sim::InstructionEvent>, isa::CounterModuleCount> ends;
  std::vector<std::pair<uint32_t, Writes>> open; ///< by instruction; few at a time
  std::vector<Writes> spare;                     ///< whose memory is used again
  std::deque<Event> events;
  uint64_t latestStart = 0;
};

} // namespace daedalus::cosim
