// The memory behind the RTL's AXI4 master: DRAM with the latencies of R12 and R19, in order, one beat a
// cycle. A burst that is not wholly in DRAM is answered with errors. With throttling, handshakes are refused
// and beats come late, at random but by the seed.
//
// In each cycle: drive() gives what the memory puts on the bus, take() looks at what the core put there.
#pragma once

#include "common/core_state.h"
#include "common/memory_model.h"
#include "rtl/model_abi.h"

#include <deque>
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
    uint64_t ready; ///< read: the first cycle in which the first beat may come
    bool bad;
  };
  bool throttled();
  Burst burst(uint64_t address, unsigned length) const;
  void takeWrites(uint64_t now, uint64_t runCycle, const DaedalusRtlInputs &inputs,
                  const DaedalusRtlOutputs &outputs, const DaedalusRtlDetails &details);
  void write(Beat &beat);

  CoreState &core;
  const MemoryLatency latency;
  const uint32_t throttlePercent;
  std::mt19937_64 random;
  std::deque<Burst> reads;
  unsigned readBeat = 0;       ///< beats of the front read burst that were taken
  uint64_t readFree = 0;       ///< first cycle after the last beat so far
  std::vector<uint8_t> beyond; ///< what is read where nothing is
  std::deque<Burst> writes;    ///< whose beats are not all there
  std::deque<Beat> beats;      ///< that came before their address
  unsigned writeBeat = 0;
  std::vector<Beat> reached;
  struct Response {
    uint64_t ready;
    bool bad;
  };
  std::deque<Response> responses;
};

} // namespace daedalus::sim::rtl
