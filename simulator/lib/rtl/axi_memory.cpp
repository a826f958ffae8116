// One step a cycle on each channel. Addresses of beats are those of AXI (IHI 0022, A3.4.1).
#include "rtl/axi_memory.h"

#include <algorithm>

namespace daedalus::sim::rtl {

constexpr uint8_t Okay = 0, SlaveError = 2, DecodeError = 3; ///< xRESP
constexpr uint8_t Fixed = 0, Wrap = 2;                       ///< AxBURST

AxiMemory::AxiMemory(CoreState &core, const MemoryBehaviour &behaviour)
    : core(core), latency(core.machine, behaviour), throttlePercent(behaviour.throttlePercent),
      random(behaviour.seed), silence(behaviour.silence), lanes(core.machine.busBytes) {}

void AxiMemory::reset() {
  reads.clear();
  writes.clear();
  beats.clear();
  responses.clear();
  reached.clear();
  readBeat = writeBeat = 0;
  writeAnswer = Okay;
  readOffered = replyOffered = hostBeat = answered = false;
  offered.reset();
  hostResponse.reset();
}

void AxiMemory::setSilence(const std::optional<Silence> &from) {
  silence = from;
  handshakes = 0;
}

/// What is silent for ever stays so.
void AxiMemory::beginRun() {
  if (!silence || !silence->forever || handshakes < silence->after)
    handshakes = 0;
}

bool AxiMemory::isSilent(BusChannel channel) const {
  return silence && silence->channel == channel && handshakes >= silence->after &&
         (running || silence->forever);
}

void AxiMemory::countHandshakes(const DaedalusRtlInputs &inputs, const DaedalusRtlOutputs &outputs) {
  if (!silence || !running)
    return;
  const bool taken[] = {outputs.m_arvalid && inputs.m_arready, inputs.m_rvalid && outputs.m_rready,
                        outputs.m_awvalid && inputs.m_awready, outputs.m_wvalid && inputs.m_wready,
                        inputs.m_bvalid && outputs.m_bready};
  handshakes += taken[static_cast<unsigned>(silence->channel)];
}

bool AxiMemory::throttled() {
  return throttlePercent && random() % 100 < throttlePercent;
}

AxiMemory::Burst AxiMemory::burst(uint64_t address, uint8_t length, uint8_t size, uint8_t type) const {
  const unsigned count = length + 1u;
  const uint64_t bus = core.machine.busBytes;
  Burst burst = {address, count, size, type, false, 0};
  const uint64_t first = addressOf(burst, 0) / bus * bus, last = addressOf(burst, count - 1) / bus * bus;
  burst.outside =
      !core.dram.contains(std::min(first, last), std::max(first, last) - std::min(first, last) + bus);
  return burst;
}

uint64_t AxiMemory::addressOf(const Burst &burst, unsigned beat) const {
  const uint64_t bytes = uint64_t(1) << burst.sizeLog2, whole = bytes * burst.beats;
  if (burst.type == Fixed || beat == 0)
    return burst.address;
  const uint64_t next = burst.address / bytes * bytes + beat * bytes;
  const uint64_t border = burst.address / whole * whole + whole;
  return burst.type == Wrap && next >= border ? next - whole : next;
}

/// SLVERR or DECERR, as the address has it.
uint8_t AxiMemory::answer(const Burst &burst, uint64_t address) const {
  const uint64_t bus = core.machine.busBytes, beat = address / bus;
  if (!burst.outside && core.dram.holds(beat * bus, bus))
    return Okay;
  return beat & 1 ? DecodeError : SlaveError;
}

/// The beat as it is on the bus. Beside the bytes that were asked for stands what nobody may use.
const uint8_t *AxiMemory::read(const Burst &burst, uint64_t address) {
  const uint64_t bus = core.machine.busBytes, bytes = uint64_t(1) << burst.sizeLog2;
  const uint64_t word = address / bus * bus, first = address % bus / bytes * bytes;
  if (bytes == bus && !burst.outside)
    return core.dram.at(word);
  std::fill(lanes.begin(), lanes.end(), uint8_t(0));
  if (!burst.outside && bytes < bus)
    for (uint64_t i = 0; i < bus; ++i) {
      const uint8_t byte = *core.dram.at(word + i);
      lanes[i] = i >= first && i < first + bytes ? byte : uint8_t(~byte);
    }
  return lanes.data();
}

void AxiMemory::drive(uint64_t now, DaedalusRtlInputs &inputs) {
  inputs.m_arready = !throttled() && !isSilent(BusChannel::Ar);
  inputs.m_awready = !throttled() && !isSilent(BusChannel::Aw);
  inputs.m_wready = !throttled() && !isSilent(BusChannel::W);
  const bool isReady = !reads.empty() && now >= reads.front().ready && now >= readFree;
  hostBeat = isReady && reads.front().ofHost;
  inputs.m_rvalid = readOffered || (isReady && !hostBeat && !throttled() && !isSilent(BusChannel::R));
  inputs.m_rlast = 1; // where nothing is valid, what would do most harm
  inputs.m_rresp = inputs.m_bresp = DecodeError;
  if (inputs.m_rvalid) {
    const Burst &front = reads.front();
    const uint64_t address = addressOf(front, readBeat);
    inputs.m_rdata = read(front, address);
    inputs.m_rlast = readBeat + 1 == front.beats;
    inputs.m_rresp = answer(front, address);
  }
  inputs.m_bvalid = replyOffered || (!responses.empty() && now >= responses.front().ready && !throttled() &&
                                     !isSilent(BusChannel::B));
  if (inputs.m_bvalid)
    inputs.m_bresp = responses.front().answer;
}

void AxiMemory::take(uint64_t now, uint64_t runCycle, const DaedalusRtlInputs &inputs,
                     const DaedalusRtlOutputs &outputs, const DaedalusRtlDetails &details) {
  countHandshakes(inputs, outputs);
  takeReads(now, runCycle, inputs, outputs);
  takeHost(now, runCycle);
  replyOffered = inputs.m_bvalid && !outputs.m_bready;
  if (inputs.m_bvalid && outputs.m_bready)
    responses.pop_front();
  takeWrites(now, runCycle, inputs, outputs, details);
}

void AxiMemory::takeReads(uint64_t now, uint64_t runCycle, const DaedalusRtlInputs &inputs,
                          const DaedalusRtlOutputs &outputs) {
  readOffered = inputs.m_rvalid && !outputs.m_rready;
  if (inputs.m_rvalid && outputs.m_rready) {
    readFree = now + 1;
    if (inputs.m_rlast) {
      reads.pop_front();
      readBeat = 0;
    } else {
      ++readBeat;
    }
  }
  if (outputs.m_arvalid && inputs.m_arready) {
    reads.push_back(burst(outputs.m_araddr, outputs.m_arlen, outputs.m_arsize, outputs.m_arburst));
    reads.back().ready = now + latency.read(runCycle, outputs.m_araddr, reads.back().beats);
  }
}

/// Behind the accelerator's reads of the cycle and before its writes.
void AxiMemory::takeHost(uint64_t now, uint64_t runCycle) {
  answered = hostBeat || hostResponse == now;
  if (hostResponse == now)
    hostResponse.reset();
  if (hostBeat) {
    contended += now - reads.front().ready;
    readFree = now + 1;
    reads.pop_front();
  }
  if (!offered)
    return;
  const HostAccess access = *offered;
  offered.reset();
  const isa::Machine &machine = core.machine;
  if (access.writes) {
    hostResponse = now + (running ? latency.write(runCycle, access.address, 1) : machine.writeLatency);
    return;
  }
  reads.push_back({access.address, 1, 0, Fixed, false, 0, true});
  reads.back().ready = now + (running ? latency.read(runCycle, access.address, 1) : machine.readLatency);
}

void AxiMemory::takeWrites(uint64_t now, uint64_t runCycle, const DaedalusRtlInputs &inputs,
                           const DaedalusRtlOutputs &outputs, const DaedalusRtlDetails &details) {
  if (!reached.empty())
    reached.clear();
  if (outputs.m_awvalid && inputs.m_awready)
    writes.push_back(burst(outputs.m_awaddr, outputs.m_awlen, outputs.m_awsize, outputs.m_awburst));
  if (outputs.m_wvalid && inputs.m_wready)
    beats.push_back({0,
                     {details.m_wdata, details.m_wdata + core.machine.busBytes},
                     details.m_wstrb,
                     outputs.m_wlast != 0,
                     details.store_index});
  while (!writes.empty() && !beats.empty()) {
    write(beats.front());
    const bool last = beats.front().last;
    beats.pop_front();
    if (!last)
      continue;
    const uint64_t ready = now + latency.write(runCycle, writes.front().address, writes.front().beats);
    responses.push_back({ready, writeAnswer});
    writes.pop_front();
    writeBeat = 0;
    writeAnswer = Okay;
  }
}

/// A beat goes to the bytes of its own address, whatever its other strobes say.
void AxiMemory::write(Beat &beat) {
  const Burst &front = writes.front();
  const uint64_t bus = core.machine.busBytes, bytes = uint64_t(1) << front.sizeLog2;
  const uint64_t address = addressOf(front, writeBeat++), first = address % bus / bytes * bytes;
  const uint8_t answered = answer(front, address);
  if (answered != Okay) {
    writeAnswer = answered;
    return;
  }
  beat.address = address / bus * bus;
  if (bytes < bus)
    beat.strobes &= ((uint64_t(1) << bytes) - 1) << first;
  reached.push_back(beat);
  for (unsigned byte = 0; byte < beat.data.size(); ++byte)
    if (beat.strobes >> byte & 1)
      *core.dram.at(beat.address + byte) = beat.data[byte];
}

} // namespace daedalus::sim::rtl
