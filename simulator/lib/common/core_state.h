// The state that instructions act on: scratchpads, DRAM and base registers. Engines own one each; the
// readable semantics (lib/functional) and the fast kernels (lib/kernels) work on the same structure.
#pragma once

#include "daedalus/isa/instructions.h"
#include "daedalus/isa/machine.h"
#include "daedalus/simulator/device.h"
#include "daedalus/support/span.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

namespace daedalus::sim {

struct BaseRegister {
  uint64_t address = 0; ///< in DRAM
  uint32_t limit = 0;   ///< bytes from `address` on that may be accessed
};

/// Where the program lies.
struct ProgramRegisters {
  uint64_t address = 0; ///< in DRAM, a multiple of 64: its low bits are not registers
  uint32_t length = 0;  ///< instructions
  uint32_t limit = 0;   ///< bytes from `address` on that FETCH may read
};

/// Zeroed memory whose pages cost nothing until they are touched; its first byte lies at a multiple of 4096
/// for the device and for the host, so that what is aligned on the device is aligned for kernels on the CPU.
class Dram {
public:
  /// `given`: somebody else's memory, in the place of its own.
  Dram(uint64_t bytes, uint64_t origin, uint8_t *given = nullptr)
      : memory(given ? nullptr : static_cast<uint8_t *>(std::calloc(bytes + alignment, 1)), &std::free),
        bytes(memory || given ? bytes : 0), origin(origin) {
    uint8_t *const begin = given ? given : memory.get();
    first = begin + (alignment - reinterpret_cast<uintptr_t>(begin) % alignment) % alignment;
  }

  Span<uint8_t> span() const { return {first, static_cast<size_t>(bytes)}; }
  /// The byte of that address, which is memory.
  uint8_t *at(uint64_t address) const { return first + (address - origin); }
  uint64_t firstAddress() const { return origin; }
  uint64_t size() const { return bytes; }
  /// Whether [address, address + count) is memory.
  bool contains(uint64_t address, uint64_t count) const {
    return count <= bytes && address - origin <= bytes - count;
  }
  /// Whether it is memory that the device can access: no part of it answers with an error.
  bool holds(uint64_t address, uint64_t count) const {
    return contains(address, count) && (address >= errorEnd || address + count <= errorBegin);
  }
  /// The device's accesses of [begin, end), whole beats of the bus, are answered with errors.
  void answerWithErrors(uint64_t begin, uint64_t end) {
    errorBegin = begin;
    errorEnd = end;
  }
  /// The same of another memory.
  void answerAs(const Dram &other) { answerWithErrors(other.errorBegin, other.errorEnd); }
  /// The first address from `address` on, in accessed bytes that are not all held, that is answered with an
  /// error; where they are not all memory, everything is.
  uint64_t firstError(uint64_t address, uint64_t count) const {
    return contains(address, count) ? std::max(address, errorBegin) : address;
  }

private:
  static constexpr uint64_t alignment = 4096;
  std::unique_ptr<uint8_t, decltype(&std::free)> memory;
  uint8_t *first;
  uint64_t bytes, origin;
  uint64_t errorBegin = 0, errorEnd = 0;
};

/// Tells an observer what instructions write; the engine says which instruction it is.
struct WriteLog {
  Observer *observer = nullptr;
  uint32_t index = 0;
  isa::CounterModule module = isa::CounterModule::Fetch;
  uint64_t cycle = 0;
};

struct CoreState {
  CoreState(const isa::Machine &machine, uint64_t dramBytes, uint64_t dramOrigin = 0,
            uint8_t *dramGiven = nullptr)
      : machine(machine), dram(dramBytes, dramOrigin, dramGiven) {
    for (unsigned scope = 0; scope < isa::ScopeCount; ++scope)
      scratchpads[scope].resize(machine.bytes(static_cast<isa::Scope>(scope)));
  }

  /// To be called behind every write by what the instructions are made of.
  void wrote(isa::Scope scope, uint64_t address, const uint8_t *bytes, size_t count) const {
    if (log.observer)
      log.observer->wrote({log.cycle, log.index, log.module, scope, address, {bytes, count}});
  }

  std::vector<uint8_t> &scratchpad(isa::Scope scope) { return scratchpads[static_cast<unsigned>(scope)]; }

  isa::Machine machine;
  WriteLog log;
  Dram dram;
  std::array<BaseRegister, isa::BaseRegisters> bases{};
  std::array<std::vector<uint8_t>, isa::ScopeCount> scratchpads; ///< bytes; empty for none and imm
};

} // namespace daedalus::sim
