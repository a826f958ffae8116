// The processor's memory port: which region answers a request, in which cycle, and with what.
#pragma once

#include "soc/accelerator.h"
#include "soc/devices.h"
#include "soc/processor.h"

#include <memory>

namespace daedalus::sim::soc {

/// The requests of the processor, one at a time (S4).
class System {
public:
  System(Processor &processor, Accelerator &accelerator, Devices &devices, Dram &dram);

  /// ROM and SRAM from their first addresses on.
  Span<uint8_t> rom() { return {romBytes.data(), romBytes.size()}; }
  Span<uint8_t> sram() { return {sramBytes.data(), sramBytes.size()}; }

  /// Looks at what the processor's port shows in cycle `at`, before Accelerator::cycle().
  void request(Cycle at) {
    if (processor.outputs.valid && !isOpen)
      open(at);
  }
  /// Sets the processor's inputs of that cycle, behind Accelerator::cycle().
  void respond(Cycle at) {
    processor.inputs.ready = isOpen && isAnswered(at);
    if (processor.inputs.ready)
      close(at);
  }
  bool isIdle() const { return !isOpen; }

  uint64_t dramReads() const { return reads; }
  uint64_t dramWrites() const { return writes; }
  /// The cycle of the last write that cleared the accelerator's interrupt.
  std::optional<Cycle> acknowledged() const { return cleared; }

private:
  enum class Region : uint8_t { Memory, Device, Register, Dram, None };

  void open(Cycle at);
  void openRegister(Cycle at);
  void openDram(Cycle at);
  bool openMemory(std::vector<uint8_t> &bytes, uint32_t base, bool writable);
  bool isAnswered(Cycle at) { return answer != Never ? at == answer : accelerator.isAnswered(at); }
  void close(Cycle at);
  void closeDram();
  void fail();
  bool isWrite() const { return processor.outputs.wstrb != 0; }
  /// Of the word at `to`, the bytes that are written.
  void store(uint8_t *to) const;

  Processor &processor;
  Accelerator &accelerator;
  Devices &devices;
  Dram &dram;
  std::vector<uint8_t> romBytes, sramBytes;
  bool isOpen = false;
  Region region = Region::None; ///< of the open request
  Cycle answer = Never;         ///< of a request whose cycle is known; Never: the accelerator knows
  uint8_t *word = nullptr;      ///< of ROM or SRAM
  uint64_t reads = 0, writes = 0;
  std::optional<Cycle> cleared;
};

} // namespace daedalus::sim::soc
