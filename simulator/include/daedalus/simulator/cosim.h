// Cosimulation: one program on two engines in lockstep, compared by instruction: the order of retirement in
// each module, start and end cycles, every byte written to a scratchpad or to DRAM, counters, status and
// fault. And random cases for it: programs with everything around them, legal ones and ones with a single
// fault.
//
// What has no promise is not compared: the writes of an instruction that faults or never ends, and the order
// of one instruction's writes to different addresses.
//
//   Result<Campaign> campaign = runCampaign(engines("systemc", "rtl"), machine, 1000, seed);
#pragma once

#include "daedalus/isa/program.h"
#include "daedalus/simulator/device.h"

#include <functional>
#include <map>
#include <optional>

namespace daedalus::cosim {

/// How a program is ended in its middle. Behind `Control` and `Pin` the host sets everything up anew; with
/// the others the program starts again at once, whatever is still on the buses.
enum class ResetBy : uint8_t {
  Control,         ///< RESET
  ControlAndStart, ///< RESET and START in one write
  StartBehind,     ///< START is the next write behind RESET
  Pin,             ///< rst_ni
};

/// The host reads or writes a register at some cycle or a little later: the cycle that it takes on an engine
/// whose accesses take time is the cycle for all.
struct HostAccess {
  int64_t cycle = 0;
  uint32_t offset = 0, value = 0;
  bool write = false;
};

/// Everything that a run depends on but the machine's core. A case is reproducible from its file alone.
struct Case {
  isa::Program program;       ///< with the limits of the base registers
  std::string what = "legal"; ///< or the fault that was put in
  uint64_t seed = 0;          ///< of the data in DRAM
  uint64_t dramBytes = 0x20000;
  uint64_t programAddress = 0; ///< it and all other addresses: in the memory from `memory.origin` on
  uint32_t programLimit = 0;   ///< bytes that FETCH may read where not 0; else those of the program
  std::array<uint64_t, isa::BaseRegisters> bases{}; ///< addresses of the base registers
  uint64_t parameters = 0;  ///< DRAM address of ParameterBytes of sound and extreme rows of PARAM
  uint32_t readLatency = 0; ///< instead of the machine's where not 0
  uint32_t writeLatency = 0;
  sim::MemoryBehaviour memory;
  sim::HardwareBehaviour
      hardware; ///< with a stateSeed, scratchpads hold random values at first on every engine
  /// Words that stand instead of the instruction of that index, or behind the last.
  std::vector<std::pair<uint32_t, isa::InstructionWord>> words;
  std::optional<uint32_t> faulty; ///< the instruction that is wrong, where it is one
  bool timed = false;             ///< the outcome depends on cycles: an engine without them runs it not
  uint64_t resetAt = 0;           ///< cycle of a reset, behind which the program runs from the start; 0: none
  uint64_t resetsBefore = 0;      ///< it is also reset in each of so many cycles before, one run for each
  ResetBy resetBy = ResetBy::Control;
  std::vector<HostAccess> host; ///< in the order of their cycles, while the program runs
  /// The host does not clear INTERRUPT before START, which has to do it.
  bool keepsInterrupt = false;
  /// Their cycles count from the stop of the program, which then runs once without them.
  bool hostAtStop = false;
  /// The same devices then run the program again, with finish in place of this instruction; none: they do
  /// not.
  std::optional<uint32_t> againTo;
};

inline constexpr uint32_t ParameterBytes = 4096;

/// The first thing in which two runs differ.
struct Divergence {
  enum class Kind : uint8_t {
    Retirement, ///< the order in which a module's instructions end
    Start,      ///< the cycle of an instruction's start
    End,        ///< or of its end
    Class,      ///< what a module does in a cycle (R25), or for which instruction
    Write,      ///< what an instruction wrote to a scratchpad or to DRAM
    Stop,       ///< status, cause, module and index of the fault
    Cycles,     ///< the run's cycles
    Counter,
    Dram,       ///< its bytes behind the run
    Scratchpad, ///< the same
    Register,
  };
  Kind kind = Kind::Stop;
  uint64_t cycle = 0;
  std::optional<uint32_t> instruction; ///< its index
  isa::CounterModule module = isa::CounterModule::Fetch;
  std::string disassembly, node;       ///< of the instruction
  isa::Scope scope = isa::Scope::None; ///< None: DRAM
  uint64_t address = 0;                ///< in the scope or in DRAM, in bytes
  uint64_t row = 0;                    ///< of N bytes, in ACC of 4 N bytes
  unsigned lane = 0;
  std::string what; ///< what differs, as a clause
  std::array<std::string, 2> engines, values;
  std::array<std::vector<std::string>, 2> events; ///< the last ones up to the cycle
  std::string text;                               ///< all of this in lines for people
};

/// A name for an instruction of the program, for example the node of the model that it belongs to.
using NameOf = std::function<std::string(uint32_t index)>;

/// Compares two runs from START on: both devices, of one machine, are set up as a driver does it, for the
/// same program. Without `cycles` only what does not depend on time is compared. The devices have no observer
/// behind it.
std::optional<Divergence> compareRuns(sim::Device &a, const std::string &nameA, sim::Device &b,
                                      const std::string &nameB, const isa::Program &program,
                                      const NameOf &nameOf = {}, bool cycles = true);

/// Sets the case up on both devices, whose scratchpads must hold the same, and compares the runs.
std::optional<Divergence> compare(sim::Device &a, const std::string &nameA, sim::Device &b,
                                  const std::string &nameB, const Case &test, const NameOf &nameOf = {});

/// Makes the two devices of a case. A name that begins with "functional" means an engine without cycles.
using MakeDevice =
    std::function<Result<std::unique_ptr<sim::Device>>(const isa::Machine &, const sim::DeviceOptions &)>;
struct Pair {
  std::string nameA, nameB;
  MakeDevice makeA, makeB;
};
Pair engines(const std::string &a, const std::string &b);

/// What has been run, for the record; of cases with several runs the last one counts.
struct Totals {
  uint64_t runs = 0, cycles = 0, instructions = 0;
  /// The last run of two devices, of which one may count no cycles.
  void add(sim::Device &a, sim::Device &b, const Case &test = {});
};

/// The case on two new devices. An error is a device that cannot be made.
Result<std::optional<Divergence>> run(const Pair &pair, const isa::Machine &machine, const Case &test,
                                      Totals *totals = nullptr);

/// A random case, the same for the same seed on every host.
Case randomCase(const isa::Machine &machine, uint64_t seed);

/// Machines at the ends of what isa.yaml allows, a covering array: each key at its least and at its greatest,
/// each condition between keys without room to spare, and of these each pair that a machine can have is in
/// some machine. The same for the same seed on every host.
std::vector<isa::Machine> machineArray(uint64_t seed);

/// So many machines: the array of the seed, that of the next one, and so on.
std::vector<isa::Machine> machineArrays(uint64_t seed, size_t count);

/// Two such ends (or one, twice), whether a machine can have both, and if not, the conditions without any one
/// of which it could; none: the ranges of the keys forbid it.
struct MachinePair {
  std::string a, b;
  bool possible = true;
  std::vector<std::string> forbiddenBy;
  std::function<bool(const isa::Machine &)> has;
};
std::vector<MachinePair> machinePairs();

/// A smaller case for which `diverges` holds as well: fewer instructions, shorter loops, fields and
/// surroundings as they are by default.
Case shrink(const isa::Machine &machine, const Case &test, const std::function<bool(const Case &)> &diverges);

/// A case as a text file: an assembler program whose comments carry the rest. `comment` may have several
/// lines.
std::string writeCase(const Case &test, const std::string &comment);
Result<Case> readCase(const std::string &text, const std::string &sourceName);

struct Failure {
  uint64_t seed = 0; ///< for randomCase()
  Case test;
  Divergence divergence;
};

struct Campaign {
  uint64_t programs = 0;                 ///< that ran; the last one diverged if there is a failure
  std::map<std::string, uint64_t> kinds; ///< of them, by Case::what
  Totals totals;
  std::optional<Failure> failure;
};

/// Random cases until one diverges, at most `programs`. `progress` is told how many are done.
Result<Campaign> runCampaign(const Pair &pair, const isa::Machine &machine, uint64_t programs, uint64_t seed,
                             const std::function<void(uint64_t)> &progress = {});

} // namespace daedalus::cosim
