// The master of the RTL's register port, AXI4-Lite: one register access at a time. A quick one offers address
// and data together and always takes the response. A difficult one, by a seed, lets address and data come in
// any order and apart, lets responses wait, reads while it writes, and slips in accesses that must do
// nothing: strobes that are not whole and offsets without a register. It checks the answers to those.
//
// In each cycle of an access: drive() gives what the master puts on the port, take() looks at what comes
// back.
#pragma once

#include "daedalus/isa/machine.h"
#include "rtl/model_abi.h"

#include <deque>
#include <optional>
#include <random>
#include <string>

namespace daedalus::sim::rtl {

class RegisterPort {
public:
  RegisterPort(const isa::Machine &machine, uint64_t seed);

  /// `starts`: START, where nothing runs.
  void write(uint32_t offset, uint32_t value, bool starts = false);
  void read(uint32_t offset);
  /// Whether the access goes on.
  bool isBusy() const { return !writes.empty() || !reads.empty(); }
  /// What the last read gave.
  uint32_t value() const { return answered; }
  /// Before a reset: a difficult host writes RESET, or offers only half of a write; returns for how many
  /// cycles.
  unsigned leaveUnfinished();
  /// Behind a reset of the port: forgets the access.
  void reset();

  bool isDifficult() const { return difficult; }
  void drive(DaedalusRtlInputs &inputs);
  void take(const DaedalusRtlInputs &inputs, const DaedalusRtlOutputs &outputs);
  /// What was wrong with an answer; empty: nothing.
  const std::string &failure() const { return wrong; }

private:
  struct Write {
    uint32_t offset, value;
    uint8_t strobes, answer;                       ///< as on BRESP
    unsigned addressIn = 0, dataIn = 0, waits = 0; ///< cycles until they are offered, and until BREADY
    bool addressTaken = false, dataTaken = false;
  };
  struct Read {
    uint32_t offset;
    std::optional<uint32_t> expected; ///< none: whatever comes is the value of the access
    bool behindStart = false;         ///< of STATUS: running, if it is read in the cycle behind START's
    unsigned addressIn = 0, waits = 0;
    bool addressTaken = false;
  };

  bool chance(unsigned percent) { return random() % 100 < percent; }
  unsigned delay();
  uint32_t unmapped();
  void pushWrite(Write write);
  void pushRead(Read read);
  void addIdleWrites(uint32_t offset);
  void addIdleRead();
  void addStatusReads();
  template <class Access> static Access *first(std::deque<Access> &accesses, bool Access::*taken);
  void takeWrite(const DaedalusRtlInputs &inputs, const DaedalusRtlOutputs &outputs);
  void takeRead(const DaedalusRtlInputs &inputs, const DaedalusRtlOutputs &outputs);
  void complain(const char *access, uint32_t offset, const std::string &found, const std::string &expected);

  const bool difficult;
  const uint64_t hash; ///< the machine's
  std::mt19937_64 random;
  std::deque<Write> writes;
  std::deque<Read> reads;
  uint32_t answered = 0, written = 0; ///< what the last read gave; the offset of the last write
  unsigned patience = 0;
  bool started = false; ///< START took place in the cycle before
  std::string wrong;
};

} // namespace daedalus::sim::rtl
