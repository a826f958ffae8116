// The boundary of the hardware: registers, DRAM and an interrupt. Every engine implements it, so the
// driver of a bare-metal target drives them all.
//
// Engines: `functional` executes in program order and counts no cycles; it is the specification of
// results and faults, written to be read. `systemc` gives the same bytes and the cycle of everything,
// by the rules of docs/timing.md. `rtl` is the hardware itself: the SystemVerilog of hw/rtl, Verilated.
#pragma once

#include "daedalus/isa/instructions.h"
#include "daedalus/isa/machine.h"
#include "daedalus/simulator/dram_activity.h"
#include "daedalus/simulator/spans.h"
#include "daedalus/support/result.h"
#include "daedalus/support/span.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace daedalus::sim {

/// One retired instruction: its index in the program, the module that executed it, and the cycles
/// (counted from START, docs/timing.md R1) in which it started and ended. The functional engine has none.
struct InstructionEvent {
  uint32_t index = 0;
  isa::CounterModule module = isa::CounterModule::Fetch;
  uint64_t start = 0, end = 0;
};

/// Bytes that an instruction wrote to a scratchpad or to DRAM, in the order in which it wrote them.
struct WriteEvent {
  uint64_t cycle = 0; ///< where the engine knows it: the cycle of the write
  uint32_t index = 0; ///< of the instruction
  isa::CounterModule module = isa::CounterModule::Fetch;
  isa::Scope scope = isa::Scope::None; ///< None: DRAM
  uint64_t address = 0;                ///< byte address in the scope, or in DRAM
  Span<const uint8_t> data;
};

/// Sees a run while it happens. Cycles count from START; those of the functional engine are all zero.
class Observer {
public:
  virtual ~Observer();
  virtual void started(uint32_t index, isa::CounterModule module, uint64_t cycle) {}
  virtual void wrote(const WriteEvent &event) {}
  virtual void retired(const InstructionEvent &event) {}
};

class Device {
public:
  virtual ~Device();

  /// Registers of isa.yaml at their byte offsets. Unknown offsets read as zero and ignore writes; while
  /// the core runs only `control`, `interrupt` and `interrupt_enable` take writes.
  virtual uint32_t readRegister(uint32_t offset) = 0;
  /// START runs when waitForInterrupt() is called.
  virtual void writeRegister(uint32_t offset, uint32_t value) = 0;
  /// Runs to the stop, done or fault, whether the interrupt is enabled or not. Returns at once if an
  /// interrupt is pending or nothing runs.
  virtual void waitForInterrupt() = 0;
  /// The wire of the interrupt: it is pending and enabled.
  virtual bool interruptLine() const = 0;
  /// Runs so many cycles further, or to the stop; the functional engine always to the stop. Whether nothing
  /// runs any more. RESET between two calls ends a run in its middle.
  virtual bool advance(uint64_t cycles) = 0;
  /// Who sees the runs from now on, or nullptr. Not while a program runs. `systemc` then computes results by
  /// the readable semantics of `functional`, slower.
  virtual void observe(Observer *observer) = 0;
  /// Who gets the spans of the runs from now on, or nullptr. Not while a program runs. Results come as fast
  /// as without; the functional engine has none.
  virtual void trace(SpanSink *sink) = 0;
  /// The host's view of the memory; its first byte has the address MemoryBehaviour::origin.
  virtual Span<uint8_t> dram() = 0;
  virtual const isa::Machine &machine() const = 0;
  /// Of the last run, in order of retirement.
  virtual Span<const InstructionEvent> events() const = 0;
  /// What the DRAM of a machine with one did in the last run on an engine that counts cycles; else nothing.
  virtual const DramActivity &dramActivity() const = 0;
  /// The last run's fault as a sentence, empty without one. Where nothing moves: who waits for whom.
  virtual std::string faultDetail() const = 0;
  /// No waves are written from now on: the file is there, or the error says why not. Without this call it
  /// is there when the device is gone.
  virtual Result<void> closeWaves() { return {}; }
};

/// The channels of the bus to memory.
enum class BusChannel : uint8_t { Ar, R, Aw, W, B };

/// A memory that stops answering: behind so many handshakes of the channel in a run there are no more until
/// the program stops or is reset (R29). Then it goes on with what it owes, or never does.
struct Silence {
  BusChannel channel = BusChannel::R;
  uint64_t after = 0;
  bool forever = false; ///< `rtl` alone: the models have no bus behind a stop
};

/// How the memory behaves beyond the machine file's latencies.
struct MemoryBehaviour {
  uint64_t seed = 0;
  /// Each burst takes up to so many cycles longer, by a function of the seed, its address and its cycle
  /// (R12).
  uint32_t latencySpread = 0;
  /// Of 100 cycles, in so many a handshake is refused or a beat is late. `rtl` alone; cycles then differ.
  uint32_t throttlePercent = 0;
  /// So many bytes from this address on, whole beats of the bus, are answered with errors; 0: none.
  uint64_t errorAddress = 0, errorBytes = 0;
  /// The address of the memory's first byte, a multiple of 4096; there is none before it.
  uint64_t origin = 0;
  /// `functional` has no bus and ignores it.
  std::optional<Silence> silence;
};

/// What surrounds the hardware and must not matter. `rtl` alone, but for `counted`.
struct HardwareBehaviour {
  /// The host is a difficult master of the register port, at random by this seed: address and data come in
  /// any order and apart, responses wait, reads and writes meet, and accesses that must do nothing come
  /// between. 0: a quick one.
  uint64_t hostSeed = 0;
  /// Registers and memories hold random values by this seed before the reset; 0: zeros.
  uint32_t stateSeed = 0;
  /// CYCLES begins each run with so much more, and each counter with its low 39 bits: values that no run
  /// reaches.
  uint64_t counted = 0;
};

struct DeviceOptions {
  uint64_t dramBytes = 64ull << 20; ///< A multiple of 64. Accesses past it are bus errors.
  /// Null, or the caller's memory of so many bytes at a multiple of 4096, which takes the place of the
  /// device's own and outlives it: it keeps what it holds, and others may see and change it.
  uint8_t *dram = nullptr;
  bool timingOnly = false; ///< Cycles without results (systemc; the others ignore it).
  MemoryBehaviour memory = {};
  HardwareBehaviour hardware = {};
  std::string waves;                              ///< FST file for the waves of the runs (rtl); empty: none
  uint64_t wavesFrom = 0, wavesTo = ~uint64_t(0); ///< cycles of a run that are in it, both included
};

/// A device of that engine, its own DRAM zeroed. An unknown engine is an error that names the known ones.
/// `rtl` needs the Verilated core of the machine: those of the built-in machines are there, another machine's
/// is made at its first use, which takes a minute and needs verilator and a C++ compiler.
/// A device belongs to one thread at a time; devices may coexist and have different machines. Those of
/// `systemc` take turns, whole calls of advance() at a time; a run that another device's START interrupts
/// between two calls ends with a fault.
Result<std::unique_ptr<Device>> createDevice(const std::string &engine, const isa::Machine &,
                                             const DeviceOptions &);

/// The names createDevice() takes.
std::vector<std::string> engineNames();

} // namespace daedalus::sim
