// FETCH in program order: reads an instruction from DRAM and decodes it.
//
// The hardware reads in bursts (docs/timing.md R4); the limit and an error of the memory concern a whole
// burst, so the burst that holds an instruction decides here too.
#include "daedalus/isa/encoding.h"
#include "functional/instructions.h"

#include <algorithm>

namespace daedalus::sim::functional {
namespace {

/// Instructions `first` to `end` - 1: what one burst brings.
struct Burst {
  uint32_t first;
  uint64_t end;
  uint64_t bytes() const { return (end - first) * isa::InstructionBytes; }
};

Burst burstOf(const ProgramRegisters &program, uint32_t index, uint32_t length) {
  const uint64_t position = program.address / isa::InstructionBytes + index;
  return {index - std::min<uint32_t>(index, uint32_t(position % length)),
          std::min<uint64_t>(index + length - position % length, program.length)};
}

std::optional<Fault> faultOf(const Burst &burst, const ProgramRegisters &program, const Dram &dram) {
  const uint64_t address = program.address + uint64_t(burst.first) * isa::InstructionBytes;
  const bool inLimit = burst.end * isa::InstructionBytes <= program.limit;
  if (inLimit && dram.holds(address, burst.bytes()))
    return std::nullopt;
  const std::string instructions =
      "instructions " + std::to_string(burst.first) + " to " + std::to_string(burst.end - 1);
  Fault fault;
  fault.index = burst.first;
  fault.cause = inLimit ? isa::FaultCause::BusError : isa::FaultCause::AddressLimit;
  if (!inLimit)
    fault.detail = instructions + ", which end " + std::to_string(burst.end * isa::InstructionBytes) +
                   " bytes behind the program's address; its limit is " + std::to_string(program.limit) +
                   " bytes";
  else
    fault.detail = instructions + " at address " + std::to_string(address) +
                   (dram.contains(address, burst.bytes())
                        ? ": the memory answers with an error"
                        : " are outside the memory of " + std::to_string(dram.size()) + " bytes");
  return fault;
}

} // namespace

std::optional<Fault> fetch(const CoreState &core, const ProgramRegisters &program, uint32_t index,
                           isa::Instruction &instruction) {
  Fault fault;
  fault.index = index;
  if (index == program.length) {
    fault.cause = isa::FaultCause::MissingFinish;
    fault.index = index ? index - 1 : 0;
    fault.detail = "the program's " + std::to_string(program.length) + " instructions have no finish";
    return fault;
  }
  if (auto wrong = faultOf(burstOf(program, index, core.machine.fetchBurst), program, core.dram))
    return wrong;
  const uint8_t *word = core.dram.at(program.address + uint64_t(index) * isa::InstructionBytes);
  auto decoded = isa::decode(Span<const uint8_t>(word, isa::InstructionBytes), core.machine);
  if (!decoded) {
    fault.cause = isa::FaultCause::IllegalEncoding;
    fault.detail = decoded.error();
    return fault;
  }
  instruction = *decoded;
  return std::nullopt;
}

} // namespace daedalus::sim::functional
