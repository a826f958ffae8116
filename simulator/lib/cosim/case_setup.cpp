#include "cosim/case_setup.h"

#include "cosim/random_data.h"

#include <algorithm>
#include <cstring>

namespace daedalus::cosim {
namespace {

void copy(Span<uint8_t> dram, uint64_t at, Span<const uint8_t> bytes) {
  if (at < dram.size())
    std::copy_n(bytes.begin(), std::min<uint64_t>(bytes.size(), dram.size() - at), dram.begin() + at);
}

} // namespace

uint32_t lengthOf(const Case &test) {
  size_t length = test.program.instructions.size();
  for (const auto &[index, word] : test.words)
    length = std::max<size_t>(length, index + 1);
  return static_cast<uint32_t>(length);
}

void writeRegisters(sim::Device &device, const Case &test, uint32_t length) {
  for (unsigned b = 0; b < isa::BaseRegisters; ++b) {
    device.writeRegister(isa::reg::BaseLo + b * isa::reg::BaseLoStep, static_cast<uint32_t>(test.bases[b]));
    device.writeRegister(isa::reg::BaseHi + b * isa::reg::BaseHiStep,
                         static_cast<uint32_t>(test.bases[b] >> 32));
    device.writeRegister(isa::reg::Limit + b * isa::reg::LimitStep, test.program.bases[b].limit);
  }
  if (!test.keepsInterrupt)
    device.writeRegister(isa::reg::Interrupt, isa::reg::InterruptPending);
  device.writeRegister(isa::reg::InterruptEnable, test.seed & isa::reg::InterruptEnableStop);
  device.writeRegister(isa::reg::ProgramLo, static_cast<uint32_t>(test.programAddress));
  device.writeRegister(isa::reg::ProgramHi, static_cast<uint32_t>(test.programAddress >> 32));
  device.writeRegister(isa::reg::ProgramLength, length);
  device.writeRegister(isa::reg::ProgramLimit,
                       test.programLimit ? test.programLimit : length * isa::InstructionBytes);
}

void fillDram(sim::Device &device, const Case &test, const std::vector<isa::Instruction> &instructions,
              bool withWords) {
  const Span<uint8_t> dram = device.dram();
  const uint64_t parameters = test.parameters - test.memory.origin,
                 program = test.programAddress - test.memory.origin;
  fillRandomly(dram, test.seed);
  if (parameters < dram.size())
    fillParameters(dram.subspan(parameters, ParameterBytes), test.seed);
  copy(dram, program, isa::encodeWords(instructions));
  if (!withWords)
    return;
  for (const auto &[index, word] : test.words)
    copy(dram, program + uint64_t(index) * isa::InstructionBytes, word);
}

} // namespace daedalus::cosim
