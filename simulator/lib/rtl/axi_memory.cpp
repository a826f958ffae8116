// One step a cycle on each channel.
#include "rtl/axi_memory.h"

#include <algorithm>

namespace daedalus::sim::rtl {

constexpr uint8_t Okay = 0, SlaveError = 2;

AxiMemory::AxiMemory(CoreState &core, const MemoryBehaviour &behaviour)
    : core(core), latency(core.machine, behaviour), throttlePercent(behaviour.throttlePercent),
      random(behaviour.seed), beyond(core.machine.busBytes) {}

bool AxiMemory::throttled() {
  return throttlePercent && random() % 100 < throttlePercent;
}

AxiMemory::Burst AxiMemory::burst(uint64_t address, unsigned length) const {
  const unsigned count = length + 1;
  return {address, count, 0, !core.dram.holds(address, uint64_t(count) * core.machine.busBytes)};
}

void AxiMemory::drive(uint64_t now, DaedalusRtlInputs &inputs) {
  inputs.m_arready = !throttled();
  inputs.m_awready = !throttled();
  inputs.m_wready = !throttled();
  inputs.m_rvalid = !reads.empty() && now >= reads.front().ready && now >= readFree && !throttled();
  if (inputs.m_rvalid) {
    const Burst &front = reads.front();
    inputs.m_rdata = front.bad
                         ? beyond.data()
                         : core.dram.data() + front.address + uint64_t(readBeat) * core.machine.busBytes;
    inputs.m_rlast = readBeat + 1 == front.beats;
    inputs.m_rresp = front.bad ? SlaveError : Okay;
  }
  inputs.m_bvalid = !responses.empty() && now >= responses.front().ready && !throttled();
  inputs.m_bresp = inputs.m_bvalid && responses.front().bad ? SlaveError : Okay;
}

void AxiMemory::take(uint64_t now, uint64_t runCycle, const DaedalusRtlInputs &inputs,
                     const DaedalusRtlOutputs &outputs, const DaedalusRtlDetails &details) {
  if (inputs.m_rvalid) {
    readFree = now + 1;
    if (inputs.m_rlast) {
      reads.pop_front();
      readBeat = 0;
    } else {
      ++readBeat;
    }
  }
  if (outputs.m_arvalid && inputs.m_arready) {
    reads.push_back(burst(outputs.m_araddr, outputs.m_arlen));
    reads.back().ready = now + latency.read(runCycle, outputs.m_araddr);
  }
  if (inputs.m_bvalid)
    responses.pop_front();
  takeWrites(now, runCycle, inputs, outputs, details);
}

void AxiMemory::takeWrites(uint64_t now, uint64_t runCycle, const DaedalusRtlInputs &inputs,
                           const DaedalusRtlOutputs &outputs, const DaedalusRtlDetails &details) {
  if (!reached.empty())
    reached.clear();
  if (outputs.m_awvalid && inputs.m_awready)
    writes.push_back(burst(outputs.m_awaddr, outputs.m_awlen));
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
    const uint64_t ready = now + latency.write(runCycle, writes.front().address);
    responses.push_back({ready, writes.front().bad});
    writes.pop_front();
    writeBeat = 0;
  }
}

void AxiMemory::write(Beat &beat) {
  const Burst &front = writes.front();
  beat.address = front.address + uint64_t(writeBeat++) * core.machine.busBytes;
  if (front.bad)
    return;
  reached.push_back(beat);
  for (unsigned byte = 0; byte < beat.data.size(); ++byte)
    if (beat.strobes >> byte & 1)
      core.dram.data()[beat.address + byte] = beat.data[byte];
}

} // namespace daedalus::sim::rtl
