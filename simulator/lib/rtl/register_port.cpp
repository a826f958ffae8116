// Each channel has its own counters; an access is over when its response was taken.
#include "rtl/register_port.h"

#include "daedalus/isa/instructions.h"

namespace daedalus::sim::rtl {

namespace reg = isa::reg;

constexpr uint8_t Okay = 0, SlaveError = 2; ///< xRESP
constexpr uint8_t AllBytes = 0xf;
constexpr unsigned MostWaits = 4;   ///< cycles that a response waits; cosim fills DRAM before LOAD reads it
constexpr unsigned Patience = 1000; ///< cycles of an access

RegisterPort::RegisterPort(const isa::Machine &machine, uint64_t seed)
    : difficult(seed != 0), hash(machine.hash()), random(seed) {}

unsigned RegisterPort::delay() {
  return !difficult || chance(50) ? 0 : 1 + random() % MostWaits;
}

/// An offset without a register: behind the last, as another but for a high bit, between two, or inside of
/// one.
uint32_t RegisterPort::unmapped() {
  static const uint32_t offsets[] = {0x00c,
                                     0x048,
                                     0x04c,
                                     0x03c,
                                     0x410,
                                     0x424,
                                     0x508,
                                     0x7fc,
                                     0x810,
                                     0x928,
                                     0xd08,
                                     0xffc,
                                     reg::Control + 1,
                                     reg::ProgramLength + 2,
                                     reg::BaseLo + 2,
                                     reg::HashLo + 3,
                                     reg::BaseHi + 8};
  return offsets[random() % (sizeof offsets / sizeof *offsets)];
}

void RegisterPort::pushWrite(Write write) {
  write.addressIn = delay();
  write.dataIn = delay();
  write.waits = delay();
  writes.push_back(write);
}

void RegisterPort::pushRead(Read read) {
  read.addressIn = delay();
  read.waits = delay();
  reads.push_back(read);
}

/// Before the write of a register: writes to it that are not whole, and writes to nothing.
void RegisterPort::addIdleWrites(uint32_t offset) {
  const auto any = [&] { return static_cast<uint32_t>(random()); };
  if (chance(25)) // of the register that is written, or of the one before, which must stay as it is
    pushWrite({chance(50) ? offset : written, any(), static_cast<uint8_t>(1 + random() % (AllBytes - 1)),
               SlaveError});
  if (chance(5))
    pushWrite({offset, any(), 0, Okay});
  if (chance(10))
    pushWrite({unmapped(), any(), AllBytes, Okay});
}

/// A read whose value is known.
void RegisterPort::addIdleRead() {
  const Read known[] = {{reg::Version, isa::Version},
                        {reg::HashLo, static_cast<uint32_t>(hash)},
                        {reg::HashHi, static_cast<uint32_t>(hash >> 32)},
                        {reg::Control, 0},
                        {unmapped(), 0}};
  pushRead(known[random() % 5]);
}

/// One of them may come in the cycle behind START.
void RegisterPort::addStatusReads() {
  for (auto i = random() % 4; i > 0; --i)
    pushRead({reg::Status, std::nullopt, true});
}

void RegisterPort::write(uint32_t offset, uint32_t value, bool starts) {
  patience = Patience;
  if (difficult) {
    addIdleWrites(offset);
    while (chance(30))
      addIdleRead();
    if (starts)
      addStatusReads();
  }
  pushWrite({offset, value, AllBytes, Okay});
  written = offset;
}

void RegisterPort::read(uint32_t offset) {
  patience = Patience;
  while (difficult && chance(15))
    addIdleRead();
  if (difficult && chance(20)) { // to no register, or zero to INTERRUPT's bit
    const auto any = static_cast<uint32_t>(random());
    pushWrite(chance(50) ? Write{unmapped(), any, AllBytes, Okay}
                         : Write{reg::Interrupt, any & ~reg::InterruptPending, AllBytes, Okay});
  }
  pushRead({offset, std::nullopt});
}

unsigned RegisterPort::leaveUnfinished() {
  if (!difficult || chance(20))
    return 0;
  patience = Patience;
  const auto cycles = static_cast<unsigned>(2 + random() % 6);
  if (chance(50)) {
    writes.push_back({reg::Control, reg::ControlReset, AllBytes, Okay});
    return cycles;
  }
  Write half = {unmapped(), static_cast<uint32_t>(random()), AllBytes, Okay};
  (chance(50) ? half.addressIn : half.dataIn) = Patience;
  writes.push_back(half);
  return cycles;
}

void RegisterPort::reset() {
  writes.clear();
  reads.clear();
}

/// The first access whose address or data was not taken: the next may be offered while a response is to come.
template <class Access> Access *RegisterPort::first(std::deque<Access> &accesses, bool Access::*taken) {
  for (Access &access : accesses)
    if (!(access.*taken))
      return &access;
  return nullptr;
}

void RegisterPort::drive(DaedalusRtlInputs &inputs) {
  inputs.awvalid = inputs.wvalid = inputs.arvalid = 0;
  inputs.bready = inputs.rready = !difficult;
  if (const Write *write = first(writes, &Write::addressTaken)) {
    inputs.awvalid = write->addressIn == 0;
    inputs.awaddr = inputs.awvalid ? write->offset : ~write->offset & 0xfff;
  }
  if (const Write *write = first(writes, &Write::dataTaken)) {
    inputs.wvalid = write->dataIn == 0;
    inputs.wdata = inputs.wvalid ? write->value : ~write->value;
    inputs.wstrb = inputs.wvalid ? write->strobes : AllBytes;
  }
  if (!writes.empty())
    inputs.bready = writes.front().waits == 0;
  if (const Read *read = first(reads, &Read::addressTaken)) {
    inputs.arvalid = read->addressIn == 0;
    inputs.araddr = inputs.arvalid ? read->offset : ~read->offset & 0xfff;
  }
  if (!reads.empty())
    inputs.rready = reads.front().waits == 0;
}

void RegisterPort::take(const DaedalusRtlInputs &inputs, const DaedalusRtlOutputs &outputs) {
  if (!reads.empty())
    takeRead(inputs, outputs);
  if (!writes.empty())
    takeWrite(inputs, outputs);
  started = outputs.register_write && !writes.empty() && writes.front().offset == reg::Control &&
            writes.front().value & reg::ControlStart;
  if (isBusy() && --patience == 0) {
    wrong = "the RTL does not answer on its AXI4-Lite port";
    reset();
  }
}

void RegisterPort::takeWrite(const DaedalusRtlInputs &inputs, const DaedalusRtlOutputs &outputs) {
  if (Write *next = first(writes, &Write::addressTaken)) {
    next->addressTaken = inputs.awvalid && outputs.awready;
    next->addressIn -= next->addressIn > 0;
  }
  if (Write *next = first(writes, &Write::dataTaken)) {
    next->dataTaken = inputs.wvalid && outputs.wready;
    next->dataIn -= next->dataIn > 0;
  }
  Write &write = writes.front();
  if (outputs.bvalid && inputs.bready) {
    if (outputs.bresp != write.answer)
      complain("write", write.offset, std::to_string(outputs.bresp), std::to_string(write.answer));
    writes.pop_front();
  } else if (outputs.bvalid) {
    --write.waits;
  }
}

void RegisterPort::takeRead(const DaedalusRtlInputs &inputs, const DaedalusRtlOutputs &outputs) {
  if (Read *next = first(reads, &Read::addressTaken)) {
    next->addressTaken = inputs.arvalid && outputs.arready;
    next->addressIn -= next->addressIn > 0;
    if (next->addressTaken && next->behindStart && started)
      next->expected = static_cast<uint32_t>(isa::DeviceStatus::Running);
  }
  Read &read = reads.front();
  if (outputs.rvalid && inputs.rready) {
    answered = outputs.rdata;
    if (outputs.rresp != Okay)
      complain("read", read.offset, std::to_string(outputs.rresp), std::to_string(Okay));
    if (read.expected && *read.expected != answered)
      complain("read", read.offset, "the value " + std::to_string(answered), std::to_string(*read.expected));
    reads.pop_front();
  } else if (outputs.rvalid) {
    --read.waits;
  }
}

void RegisterPort::complain(const char *access, uint32_t offset, const std::string &found,
                            const std::string &expected) {
  if (wrong.empty())
    wrong = std::string("the register port answers a ") + access + " of offset " + std::to_string(offset) +
            " with " + found + "; expected " + expected;
}

} // namespace daedalus::sim::rtl
