// UART, timer and system device (isa/spec/soc.yaml): registers that answer within a cycle.
#pragma once

#include "daedalus/simulator/soc.h"

#include "daedalus_soc.h"

#include <optional>

namespace daedalus::sim::soc {

using Cycle = uint64_t;

class Devices {
public:
  Devices(std::function<void(char)> print, std::function<void(uint32_t)> hear)
      : print(std::move(print)), hear(std::move(hear)) {}

  /// The value of a register of that region in cycle `at`; 0 where there is none.
  uint32_t read(uint32_t region, uint32_t offset, Cycle at);
  void write(uint32_t region, uint32_t offset, uint32_t value, Cycle at);
  /// An access was answered with an error.
  void noteError(uint32_t address);

  /// The lines of their interrupts in cycle `at`.
  uint32_t lines(Cycle at) const {
    return uint32_t(alarmAt && at >= *alarmAt) << DAEDALUS_SOC_LINE_TIMER |
           uint32_t(errorAddress.has_value()) << DAEDALUS_SOC_LINE_BUS_ERROR;
  }
  /// The first cycle in which one is up, from `at` on, if the processor does nothing.
  Cycle nextLine(Cycle at) const;
  /// The code that was written to EXIT.
  std::optional<uint32_t> exitCode() const { return exit; }

  const std::vector<SocMark> &marks() const { return marked; }
  const std::string &printed() const { return text; }
  uint64_t errors() const { return errorCount; }

private:
  uint32_t readTimer(uint32_t offset, Cycle at);
  uint32_t readSystem(uint32_t offset) const;
  void writeSystem(uint32_t offset, uint32_t value, Cycle at);

  std::function<void(char)> print;
  std::function<void(uint32_t)> hear;
  uint32_t heldHigh = 0, alarm = 0;
  std::optional<Cycle> alarmAt;
  std::optional<uint32_t> exit, errorAddress;
  std::vector<SocMark> marked;
  std::string text;
  uint64_t errorCount = 0;
};

} // namespace daedalus::sim::soc
