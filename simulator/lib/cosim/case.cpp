// Places a case in DRAM and registers, and runs it.
#include "daedalus/simulator/cosim.h"

#include "daedalus/simulator/random_program.h"

#include <algorithm>
#include <cstring>

namespace daedalus::cosim {
namespace {

namespace reg = isa::reg;

void set(sim::Device &device, const Case &test) {
  const auto base = [&](unsigned b, uint64_t address, uint32_t limit) {
    device.writeRegister(reg::BaseLo + b * reg::BaseLoStep, static_cast<uint32_t>(address));
    device.writeRegister(reg::BaseHi + b * reg::BaseHiStep, static_cast<uint32_t>(address >> 32));
    device.writeRegister(reg::Limit + b * reg::LimitStep, limit);
  };
  base(0, test.base0, test.program.bases[0].limit);
  base(1, test.base1, test.limit1 ? test.limit1 : test.program.bases[1].limit);
  device.writeRegister(reg::Interrupt, 1);
  device.writeRegister(reg::ProgramLo, static_cast<uint32_t>(test.programAddress));
  device.writeRegister(reg::ProgramHi, 0);
  device.writeRegister(reg::ProgramLength, static_cast<uint32_t>(test.program.instructions.size()));
}

void place(sim::Device &device, const Case &test, const RandomData &data) {
  const Span<uint8_t> dram = device.dram();
  std::fill(dram.begin(), dram.end(), 0);
  const auto copy = [&](uint64_t address, const std::vector<uint8_t> &bytes) {
    for (size_t i = 0; i < bytes.size() && address + i < dram.size(); ++i)
      dram.data()[address + i] = bytes[i];
  };
  copy(test.base0, data.constants);
  copy(test.base1, data.arena);
  copy(test.programAddress, isa::encodeWords(test.program.instructions));
  for (const auto &[index, word] : test.words)
    copy(test.programAddress + uint64_t(index) * isa::InstructionBytes, {word.begin(), word.end()});
}

std::optional<Divergence> compareDram(sim::Device &a, const std::string &nameA, sim::Device &b,
                                      const std::string &nameB) {
  const Span<uint8_t> x = a.dram(), y = b.dram();
  const auto at = std::mismatch(x.begin(), x.end(), y.begin());
  if (at.first == x.end())
    return std::nullopt;
  return Divergence{0, std::nullopt,
                    "DRAM differs at address " + std::to_string(at.first - x.begin()) + ": " +
                        std::to_string(*at.first) + " in " + nameA + ", " + std::to_string(*at.second) + " in " +
                        nameB + "\n"};
}

void resetInMidProgram(sim::Device &device, uint64_t cycle) {
  device.writeRegister(reg::Control, 1);
  device.advance(cycle);
  device.writeRegister(reg::Control, 2);
}

bool isTimed(const std::string &name) {
  return name.rfind("functional", 0) != 0;
}

} // namespace

std::optional<Divergence> compare(sim::Device &a, const std::string &nameA, sim::Device &b, const std::string &nameB,
                                  const Case &test, const NameOf &nameOf) {
  const RandomData data = randomData(test.program.bases[0].limit, test.seed);
  for (sim::Device *device : {&a, &b}) {
    set(*device, test);
    place(*device, test, data);
    if (test.resetAt) {
      resetInMidProgram(*device, test.resetAt);
      if (device->readRegister(reg::Status) != static_cast<uint32_t>(isa::DeviceStatus::Idle))
        return Divergence{test.resetAt, std::nullopt, "RESET in mid-program does not leave the device idle\n"};
      place(*device, test, data);
    }
  }
  const bool cycles = isTimed(nameA) && isTimed(nameB) && test.memory.throttlePercent == 0;
  if (auto found = compareRuns(a, nameA, b, nameB, test.program, nameOf, cycles))
    return found;
  if (a.readRegister(reg::Status) == static_cast<uint32_t>(isa::DeviceStatus::Done))
    return compareDram(a, nameA, b, nameB);
  return std::nullopt;
}

Pair engines(const std::string &a, const std::string &b) {
  const auto maker = [](const std::string &name) {
    return [name](const isa::Machine &machine, const sim::DeviceOptions &options) {
      return sim::createDevice(name, machine, options);
    };
  };
  return {a, b, maker(a), maker(b)};
}

Result<std::optional<Divergence>> run(const Pair &pair, const isa::Machine &machine, const Case &test) {
  isa::Machine varied = machine;
  varied.readLatency = test.readLatency ? test.readLatency : machine.readLatency;
  varied.writeLatency = test.writeLatency ? test.writeLatency : machine.writeLatency;
  sim::DeviceOptions options;
  options.dramBytes = test.dramBytes;
  options.memory = test.memory;
  auto a = pair.makeA(varied, options);
  if (!a)
    return error(a.error());
  auto b = pair.makeB(varied, options);
  if (!b)
    return error(b.error());
  return compare(**a, pair.nameA, **b, pair.nameB, test);
}

} // namespace daedalus::cosim
