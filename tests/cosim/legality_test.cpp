// The RTL takes exactly the words that the decoder takes: random instructions with some bits changed, one at
// a time.
#include "daedalus/isa/encoding.h"
#include "daedalus/simulator/random_program.h"
#include "support/device_harness.h"

#include <random>

namespace daedalus::testing {
namespace {

void expectSameAnswer(DeviceHarness &device, const isa::InstructionWord &word) {
  namespace reg = isa::reg;
  device.write(DeviceHarness::Code, word);
  device->writeRegister(reg::Interrupt, 1);
  device->writeRegister(reg::ProgramLo, DeviceHarness::Code);
  device->writeRegister(reg::ProgramLength, 1);
  device->writeRegister(reg::ProgramLimit, isa::InstructionBytes);
  device->writeRegister(reg::Control, 1);
  device->advance(400); // a legal word may run for ever; what is illegal stops at once
  const auto decoded = isa::decode(word, device->machine());
  const bool illegal = device.cause() == isa::FaultCause::IllegalEncoding;
  EXPECT_EQ(illegal, !decoded) << (decoded ? "legal" : decoded.error());
  device->writeRegister(reg::Control, 2);
}

TEST(Legality, TheRtlTakesWhatTheDecoderTakes) {
  const isa::Machine machine = builtin("tiny");
  DeviceHarness device("rtl", machine);
  std::mt19937_64 random(1);
  for (unsigned seed = 0; seed < 60; ++seed)
    for (const isa::Instruction &instruction : cosim::randomProgram(machine, seed).program.instructions) {
      isa::InstructionWord word = isa::encode(instruction);
      for (unsigned changes = random() % 4; changes > 0; --changes) {
        const unsigned part = random() % 100; // the first fields, the last ones, any
        const unsigned bit = part < 60 ? random() % 160 : part < 75 ? 460 + random() % 52 : random() % 512;
        word[bit / 8] ^= static_cast<uint8_t>(1u << bit % 8);
      }
      expectSameAnswer(device, word);
      if (HasFailure())
        return;
    }
}

} // namespace
} // namespace daedalus::testing
