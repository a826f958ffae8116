// A simulated system on a chip: a RISC-V processor, the accelerator, and around them what isa/spec/soc.yaml
// describes. The processor is PicoRV32, Verilated; the accelerator is that of `systemc` (engine `soc`) or of
// `rtl` (engine `soc-rtl`). Firmware boots from the first byte of the ROM. Both engines count the same cycles
// by the rules of docs/timing.md, "System on a chip".
#pragma once

#include "daedalus/isa/machine.h"
#include "daedalus/simulator/device.h"
#include "daedalus/support/result.h"
#include "daedalus/support/span.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace daedalus::sim {

struct SocOptions {
  uint64_t dramBytes = 64ull << 20;        ///< a multiple of 64; at most the region of soc.yaml
  MemoryBehaviour memory = {};             ///< its origin is the region's
  bool skipsSleep = true;                  ///< false: each cycle of a waitirq is stepped through
  bool cutsInterrupt = false;              ///< the accelerator's wire does not reach the processor
  uint64_t mostCycles = uint64_t(1) << 40; ///< after which a run ends without an exit
  std::function<void(char)> print;         ///< who gets what the UART prints, as it comes; may be empty
  std::function<void(uint32_t)> marked;    ///< who hears of each mark, in its cycle, and may change DRAM then
};

/// A number that firmware wrote to MARK, and when.
struct SocMark {
  uint32_t value = 0;
  uint64_t cycle = 0;
};

/// One run of an accelerator program, in cycles of the system.
struct SocAcceleratorRun {
  uint64_t start = 0;        ///< the run's cycle 0
  uint64_t stop = 0;         ///< the interrupt is pending from the next cycle on
  uint64_t resumed = 0;      ///< the first cycle behind the stop in which the processor does not wait
  uint64_t acknowledged = 0; ///< the write that cleared the interrupt; 0: none did
};

/// How a run of the system ended.
enum class SocEnd : uint8_t {
  Exit,      ///< firmware wrote to EXIT
  Trap,      ///< the processor met an illegal instruction or a misaligned access while its line was masked
  Deadlock,  ///< the processor waits for an interrupt that nothing will raise
  CycleLimit ///< SocOptions::mostCycles
};

struct SocRun {
  SocEnd end = SocEnd::Exit;
  uint32_t exitCode = 0;
  uint64_t cycles = 0;       ///< from the reset to the end; an exit ends with its write
  uint64_t instructions = 0; ///< of the processor
  uint64_t sleptCycles = 0;  ///< in waitirq
  uint32_t pc = 0;           ///< of the instruction that the processor works on
  std::vector<SocMark> marks;
  std::vector<SocAcceleratorRun> acceleratorRuns;
  uint64_t dramReads = 0, dramWrites = 0; ///< of the processor, in words
  /// Cycles in which the processor's reads waited for beats of the accelerator (S9).
  uint64_t contendedCycles = 0;
  uint64_t busErrors = 0;
  std::string printed; ///< by the UART
};

class Soc {
public:
  /// `engine`: soc or soc-rtl. Errors: an unknown engine; no Verilated processor; as of createDevice().
  static Result<std::unique_ptr<Soc>> create(const std::string &engine, const isa::Machine &machine,
                                             const SocOptions &options);
  ~Soc();

  /// Puts the segments of a RISC-V ELF file of 32 bits into ROM, SRAM and DRAM. The error names what does not
  /// fit.
  Result<void> load(Span<const uint8_t> elf);
  /// The memory that processor and accelerator share, from its first address on.
  Span<uint8_t> dram();
  const isa::Machine &machine() const;

  /// From the reset to the end. An error: the hardware broke a rule of its own.
  Result<SocRun> run();

private:
  struct State;
  explicit Soc(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

/// The names that Soc::create() takes.
std::vector<std::string> socEngineNames();
/// The largest SocOptions::dramBytes.
uint64_t mostSocDramBytes();
/// Whether there is a Verilated processor; the error says how to get it.
Result<void> checkSocProcessor();
/// Where the firmware is that runs a job (runtime/baremetal/soc_job.h); it was made with the project, where
/// there was a compiler for the processor.
std::string socRunnerFirmware();
/// The name of an exit code of soc.yaml; "code N" of others.
std::string socExitName(uint32_t code);

} // namespace daedalus::sim
