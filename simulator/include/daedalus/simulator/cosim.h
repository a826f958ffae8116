// Cosimulation: one program on two engines in lockstep, compared by instruction: the order of retirement, start and
// end cycles, every byte written to a scratchpad or to DRAM, counters, status and fault. And random cases for it.
//
// What has no promise is not compared: the writes of an instruction that faults or never ends, and the order of
// one instruction's writes to different addresses.
#pragma once

#include "daedalus/isa/program.h"
#include "daedalus/simulator/device.h"

#include <functional>
#include <optional>

namespace daedalus::cosim {

/// Everything that a run depends on but the machine. Base register 0 is read, 1 is read and written.
struct Case {
  isa::Program program;
  uint64_t seed = 0;                ///< of the data in DRAM
  uint32_t readLatency = 0;         ///< instead of the machine's where not 0
  uint32_t writeLatency = 0;
  sim::MemoryBehaviour memory;
  uint64_t dramBytes = 0x30000;
  uint64_t programAddress = 0x20000;
  uint64_t base0 = 0x1000, base1 = 0x10000;
  uint32_t limit1 = 0;              ///< of base register 1 in hardware; 0: what the program says
  /// Words that are no instructions, by their index.
  std::vector<std::pair<uint32_t, isa::InstructionWord>> words;
  uint64_t resetAt = 0;             ///< cycle of a RESET, behind which the program runs again; 0: none
  std::string what;                 ///< "legal", or the fault that was put in
};

/// The first thing in which two runs differ.
struct Divergence {
  uint64_t cycle = 0;
  std::optional<uint32_t> instruction; ///< its index
  std::string text;                    ///< several lines for people
};

/// A name for an instruction of the program, for example the node of the model that it belongs to.
using NameOf = std::function<std::string(uint32_t index)>;

/// Runs the case on both devices, which belong to the same machine. An error is a case that cannot be run.
std::optional<Divergence> compare(sim::Device &a, const std::string &nameA, sim::Device &b, const std::string &nameB,
                                  const Case &test, const NameOf &nameOf = {});

/// The same after START: what a driver has set up runs on, on both.
std::optional<Divergence> compareRuns(sim::Device &a, const std::string &nameA, sim::Device &b,
                                      const std::string &nameB, const isa::Program &program, const NameOf &nameOf,
                                      bool cycles = true);

/// A random case: legal programs, some with a throttling memory, some with one fault.
Case randomCase(const isa::Machine &machine, uint64_t seed);

/// A smaller case that `diverges` as well.
Case shrink(const isa::Machine &machine, Case test, const std::function<bool(const Case &)> &diverges);

/// A case as a text file: an assembler program whose comments carry the rest.
std::string writeCase(const Case &test, const std::string &comment);
Result<Case> readCase(const std::string &text, const std::string &sourceName);

/// Makes the two devices of a case.
using MakeDevice = std::function<Result<std::unique_ptr<sim::Device>>(const isa::Machine &, const sim::DeviceOptions &)>;
struct Pair {
  std::string nameA, nameB;
  MakeDevice makeA, makeB;
};
Pair engines(const std::string &a, const std::string &b);
Result<std::optional<Divergence>> run(const Pair &pair, const isa::Machine &machine, const Case &test);

} // namespace daedalus::cosim
