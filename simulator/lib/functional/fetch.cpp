// FETCH in program order: reads an instruction from DRAM and decodes it.
//
// The hardware reads in bursts (docs/timing.md R4), and an error of the memory concerns a whole burst, so
// the burst that holds an instruction decides here too.
#include "daedalus/isa/encoding.h"
#include "functional/instructions.h"

#include <algorithm>

namespace daedalus::sim::functional {

std::optional<Fault> fetch(const CoreState &core, uint64_t programAddress, uint32_t programLength,
                           uint32_t index, isa::Instruction &instruction) {
  Fault fault;
  fault.module = isa::CounterModule::Fetch;
  fault.index = index;
  if (index == programLength) {
    fault.cause = isa::FaultCause::MissingFinish;
    fault.index = index ? index - 1 : 0;
    fault.detail = "the program's " + std::to_string(programLength) + " instructions have no finish";
    return fault;
  }
  const uint32_t burst = core.machine.fetchBurst;
  const uint64_t position = programAddress / isa::InstructionBytes + index;
  const uint32_t first = index - std::min<uint32_t>(index, uint32_t(position % burst));
  const uint64_t end = std::min<uint64_t>(index + burst - position % burst, programLength);
  const uint64_t address = programAddress + uint64_t(first) * isa::InstructionBytes;
  if (!core.dram.holds(address, (end - first) * isa::InstructionBytes)) {
    fault.cause = isa::FaultCause::BusError;
    fault.index = first;
    const bool isMemory = core.dram.contains(address, (end - first) * isa::InstructionBytes);
    fault.detail = "instructions " + std::to_string(first) + " to " + std::to_string(end - 1) +
                   " at address " + std::to_string(address) +
                   (isMemory ? ": the memory answers with an error"
                             : " are outside the memory of " + std::to_string(core.dram.size()) + " bytes");
    return fault;
  }
  const uint8_t *word = core.dram.data() + programAddress + uint64_t(index) * isa::InstructionBytes;
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
