// A request is decoded once, in its first cycle.
#include "soc/system.h"

#include <cstring>

namespace daedalus::sim::soc {
namespace {

constexpr uint8_t WholeWord = 0xf;

constexpr bool isIn(uint32_t address, uint32_t base, uint32_t bytes) {
  return address - base < bytes;
}

/// The region of a device, or none: all of them are as large.
std::optional<uint32_t> deviceOf(uint32_t address) {
  for (uint32_t base : {DAEDALUS_SOC_UART, DAEDALUS_SOC_TIMER, DAEDALUS_SOC_SYSTEM})
    if (isIn(address, base, DAEDALUS_SOC_UART_BYTES))
      return base;
  return std::nullopt;
}

static_assert(DAEDALUS_SOC_UART_BYTES == DAEDALUS_SOC_TIMER_BYTES &&
              DAEDALUS_SOC_UART_BYTES == DAEDALUS_SOC_SYSTEM_BYTES);
static_assert(DAEDALUS_SOC_UART_WAIT == 0 && DAEDALUS_SOC_TIMER_WAIT == 0 && DAEDALUS_SOC_SYSTEM_WAIT == 0,
              "devices answer in the cycle of the request");
static_assert(DAEDALUS_SOC_ROM_WAIT == 0 && DAEDALUS_SOC_SRAM_WAIT == 0, "and so do ROM and SRAM");

} // namespace

System::System(Processor &processor, Accelerator &accelerator, Devices &devices, Dram &dram)
    : processor(processor), accelerator(accelerator), devices(devices), dram(dram),
      romBytes(DAEDALUS_SOC_ROM_BYTES), sramBytes(DAEDALUS_SOC_SRAM_BYTES) {}

void System::store(uint8_t *to) const {
  for (unsigned byte = 0; byte < 4; ++byte)
    if (processor.outputs.wstrb >> byte & 1)
      to[byte] = static_cast<uint8_t>(processor.outputs.wdata >> 8 * byte);
}

void System::open(Cycle at) {
  isOpen = true;
  answer = at;
  const uint32_t address = processor.outputs.addr;
  if (openMemory(sramBytes, DAEDALUS_SOC_SRAM, true) || openMemory(romBytes, DAEDALUS_SOC_ROM, false))
    return;
  const bool isPartial = isWrite() && processor.outputs.wstrb != WholeWord;
  if (isIn(address, DAEDALUS_SOC_DRAM, DAEDALUS_SOC_DRAM_BYTES))
    return openDram(at);
  if (isIn(address, DAEDALUS_SOC_ACCELERATOR, DAEDALUS_SOC_ACCELERATOR_BYTES) && !isPartial)
    return openRegister(at);
  region = deviceOf(address) && !isPartial ? Region::Device : Region::None;
}

/// Whether the request is for that memory.
bool System::openMemory(std::vector<uint8_t> &bytes, uint32_t base, bool writable) {
  const uint32_t offset = processor.outputs.addr - base;
  if (offset >= bytes.size() || (isWrite() && !writable))
    return false;
  region = Region::Memory;
  word = &bytes[offset];
  return true;
}

void System::openRegister(Cycle at) {
  const uint32_t offset = processor.outputs.addr - DAEDALUS_SOC_ACCELERATOR;
  region = Region::Register;
  answer = Never;
  if (!isWrite())
    return accelerator.readRegister(at, offset);
  accelerator.writeRegister(at, offset, processor.outputs.wdata);
  if (offset == isa::reg::Interrupt && processor.outputs.wdata & isa::reg::InterruptPending)
    cleared = at;
}

/// What is not memory, or answers with errors, is asked like the rest.
void System::openDram(Cycle at) {
  region = Region::Dram;
  answer = Never;
  isWrite() ? accelerator.writeDram(at, processor.outputs.addr)
            : accelerator.readDram(at, processor.outputs.addr);
  ++(isWrite() ? writes : reads);
}

void System::close(Cycle at) {
  isOpen = false;
  switch (region) {
  case Region::Memory:
    if (isWrite())
      store(word);
    std::memcpy(&processor.inputs.rdata, word, 4);
    return;
  case Region::Device: {
    const uint32_t address = processor.outputs.addr, base = *deviceOf(address);
    if (isWrite())
      devices.write(base, address - base, processor.outputs.wdata, at);
    else
      processor.inputs.rdata = devices.read(base, address - base, at);
    return;
  }
  case Region::Register:
    processor.inputs.rdata = accelerator.value();
    return;
  case Region::Dram:
    return closeDram();
  case Region::None:
    return fail();
  }
}

void System::closeDram() {
  const uint64_t address = processor.outputs.addr;
  if (!dram.holds(address, 4)) {
    processor.inputs.rdata = 0;
    return devices.noteError(processor.outputs.addr);
  }
  if (isWrite())
    store(dram.at(address));
  std::memcpy(&processor.inputs.rdata, dram.at(address), 4);
}

void System::fail() {
  processor.inputs.rdata = 0;
  devices.noteError(processor.outputs.addr);
}

} // namespace daedalus::sim::soc
