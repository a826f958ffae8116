// The memory behind the RTL's AXI4 master: DRAM with the latencies of R12 and R19, in order, one beat a
// cycle. It does what is asked for, in the sizes and burst types that are asked for, and waits where it is
// refused. A burst that is not wholly in DRAM is answered with errors, and so is a beat of an address that
// answers with one. With throttling, handshakes are refused and beats come late, at random but by the seed.
//
// In each cycle: drive() gives what the memory puts on the bus, take() looks at what the core put there.
#pragma once

#include "common/core_state.h"
#include "common/memory_model.h"
#include "rtl/model_abi.h"

#include <deque>
#include <optional>
#include <random>

namespace daedalus::sim::rtl {

class AxiMemory {
public:
  AxiMemory(CoreState &core, const MemoryBehaviour &behaviour);

  /// The bus in the cycle `now`, which counts on across runs; latencies vary by `runCycle`.
  void drive(uint64_t now, DaedalusRtlInputs &inputs);
  /// Behind settle(): handshakes and the data of a write beat.
  void take(uint64_t now, uint64_t runCycle, const DaedalusRtlInputs &inputs,
            const DaedalusRtlOutputs &outputs, const DaedalusRtlDetails &details);
  /// Handshakes of a silence are counted from here on.
  void beginRun();
  /// Cycle 0 of a run (R1).
  void start() { latency.reset(); }
  DramActivity dramActivity() const { return latency.dramActivity(); }
  /// Whether a program runs in the next cycle: outside of that the memory is not silent, unless for ever.
  void setRunning(bool runs) { running = runs; }
  void setSilence(const std::optional<Silence> &from);
  /// The reset of the bus: whatever was asked for is forgotten, DRAM stays.
  void reset();

  /// An access of one beat by another master (S9, S10), whose address is on its bus in the cycle of the next
  /// take(): a read shares the channel R. One at a time.
  void offerRead(uint64_t address) { offered = HostAccess{address, false}; }
  void offerWrite(uint64_t address) { offered = HostAccess{address, true}; }
  /// Whether it was answered in the cycle of the last take().
  bool isAnswered() const { return answered; }
  /// Whether it owes nothing and nothing is asked for.
  bool isIdle() const {
    return reads.empty() && writes.empty() && beats.empty() && responses.empty() && !offered && !hostResponse;
  }
  /// Cycles that reads came later for beats before them.
  uint64_t contendedCycles() const { return contended; }

  /// A beat of a write burst, with the instruction that it belongs to.
  struct Beat {
    uint64_t address;
    std::vector<uint8_t> data;
    uint64_t strobes;
    bool last;
    uint32_t index;
  };
  /// The beats that reached DRAM in the cycle of the last take().
  const std::vector<Beat> &written() const { return reached; }

private:
  struct Burst {
    uint64_t address;
    unsigned beats;
    uint8_t sizeLog2, type; ///< as on AxSIZE and AxBURST
    bool outside;           ///< not wholly in DRAM
    uint64_t ready;         ///< read: the first cycle in which the first beat may come
    bool ofHost = false;    ///< one beat of another master
  };
  struct HostAccess {
    uint64_t address;
    bool writes;
  };
  bool throttled();
  bool isSilent(BusChannel channel) const;
  void countHandshakes(const DaedalusRtlInputs &inputs, const DaedalusRtlOutputs &outputs);
  Burst burst(uint64_t address, uint8_t length, uint8_t size, uint8_t type) const;
  uint64_t addressOf(const Burst &burst, unsigned beat) const;
  uint8_t answer(const Burst &burst, uint64_t address) const;
  const uint8_t *read(const Burst &burst, uint64_t address);
  void takeReads(uint64_t now, uint64_t runCycle, const DaedalusRtlInputs &inputs,
                 const DaedalusRtlOutputs &outputs);
  void takeWrites(uint64_t now, uint64_t runCycle, const DaedalusRtlInputs &inputs,
                  const DaedalusRtlOutputs &outputs, const DaedalusRtlDetails &details);
  void write(Beat &beat);
  void takeHost(uint64_t now, uint64_t runCycle);

  CoreState &core;
  MemoryLatency latency;
  const uint32_t throttlePercent;
  std::mt19937_64 random;
  std::optional<Silence> silence;
  uint64_t handshakes = 0; ///< of the run, on the channel that falls silent
  bool running = false;
  std::deque<Burst> reads;
  unsigned readBeat = 0;      ///< beats of the front read burst that were taken
  uint64_t readFree = 0;      ///< first cycle after the last beat so far
  bool readOffered = false;   ///< a beat is on R and was not taken
  bool replyOffered = false;  ///< a response is on B and was not taken
  std::vector<uint8_t> lanes; ///< a beat that is not as it lies in DRAM
  std::deque<Burst> writes;   ///< whose beats are not all there
  std::deque<Beat> beats;     ///< that came before their address
  unsigned writeBeat = 0;
  uint8_t writeAnswer = 0; ///< of the front write burst, so far
  std::vector<Beat> reached;
  struct Response {
    uint64_t ready;
    uint8_t answer;
  };
  std::deque<Response> responses;
  std::optional<HostAccess> offered;       ///< by the other master
  std::optional<uint64_t> hostResponse;    ///< the cycle in which its write is answered
  bool hostBeat = false, answered = false; ///< its beat is on the bus; its access was answered
  uint64_t contended = 0;
};

} // namespace daedalus::sim::rtl
