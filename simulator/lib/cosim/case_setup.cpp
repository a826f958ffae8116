#include "cosim/case_setup.h"

#include "cosim/random_data.h"

#include <algorithm>
#include <cstring>

namespace daedalus::cosim {
namespace {

void copy(Span<uint8_t> dram, uint64_t address, Span<const uint8_t> bytes) {
  if (address < dram.size())
    std::copy_n(bytes.begin(), std::min<uint64_t>(bytes.size(), dram.size() - address),
                dram.begin() + address);
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
  fillRandomly(dram, test.seed);
  if (test.parameters < dram.size())
    fillParameters(dram.subspan(test.parameters, ParameterBytes), test.seed);
  copy(dram, test.programAddress, isa::encodeWords(instructions));
  if (!withWords)
    return;
  for (const auto &[index, word] : test.words)
    copy(dram, test.programAddress + uint64_t(index) * isa::InstructionBytes, word);
}

} // namespace daedalus::cosim
