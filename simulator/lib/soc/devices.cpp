// What reads and writes of registers do.
#include "soc/devices.h"

#include <algorithm>

namespace daedalus::sim::soc {

uint32_t Devices::read(uint32_t region, uint32_t offset, Cycle at) {
  switch (region) {
  case DAEDALUS_SOC_TIMER:
    return readTimer(offset, at);
  case DAEDALUS_SOC_SYSTEM:
    return readSystem(offset);
  default:
    return 0;
  }
}

uint32_t Devices::readTimer(uint32_t offset, Cycle at) {
  switch (offset) {
  case DAEDALUS_SOC_TIMER_CYCLES_LO:
    heldHigh = static_cast<uint32_t>(at >> 32);
    return static_cast<uint32_t>(at);
  case DAEDALUS_SOC_TIMER_CYCLES_HI:
    return heldHigh;
  case DAEDALUS_SOC_TIMER_ALARM:
    return alarm;
  default:
    return 0;
  }
}

uint32_t Devices::readSystem(uint32_t offset) const {
  switch (offset) {
  case DAEDALUS_SOC_SYSTEM_ERROR:
    return errorAddress.has_value();
  case DAEDALUS_SOC_SYSTEM_ERROR_ADDRESS:
    return errorAddress.value_or(0);
  default:
    return 0;
  }
}

void Devices::write(uint32_t region, uint32_t offset, uint32_t value, Cycle at) {
  if (region == DAEDALUS_SOC_UART && offset == DAEDALUS_SOC_UART_DATA) {
    text += static_cast<char>(value);
    if (print)
      print(static_cast<char>(value));
  } else if (region == DAEDALUS_SOC_TIMER && offset == DAEDALUS_SOC_TIMER_ALARM) {
    alarm = value;
    alarmAt = value ? std::optional<Cycle>(at + value) : std::nullopt;
  } else if (region == DAEDALUS_SOC_SYSTEM) {
    writeSystem(offset, value, at);
  }
}

void Devices::writeSystem(uint32_t offset, uint32_t value, Cycle at) {
  switch (offset) {
  case DAEDALUS_SOC_SYSTEM_EXIT:
    exit = value;
    break;
  case DAEDALUS_SOC_SYSTEM_MARK:
    marked.push_back({value, at});
    if (hear)
      hear(value);
    break;
  case DAEDALUS_SOC_SYSTEM_ERROR:
    if (value & 1)
      errorAddress.reset();
    break;
  }
}

void Devices::noteError(uint32_t address) {
  ++errorCount;
  if (!errorAddress)
    errorAddress = address;
}

Cycle Devices::nextLine(Cycle at) const {
  if (lines(at))
    return at;
  return alarmAt.value_or(~Cycle(0));
}

} // namespace daedalus::sim::soc
