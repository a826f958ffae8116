// An access takes cycles on the RTL and none on a model. So the RTL goes first and says in which cycle its
// access took place, and the model does it behind the cycle before.
#include "cosim/host_accesses.h"

#include "common/device_base.h"

#include <algorithm>

namespace daedalus::cosim {
namespace {

constexpr uint64_t MostBehind = 100'000; ///< cycles to the stop, where the other side has stopped

class Accesses {
public:
  Accesses(Lockstep &lockstep, const std::array<sim::Device *, 2> &devices)
      : lockstep(lockstep), devices(devices) {
    for (unsigned side = 0; side < 2; ++side) {
      auto *base = dynamic_cast<sim::DeviceBase *>(devices[side]);
      if (base && base->accessCycle())
        slow = side;
    }
  }

  void advanceTo(uint64_t cycle) {
    if (cycle <= position)
      return;
    lockstep.advance(cycle - position);
    position = cycle;
  }

  /// What the two sides read; zeros of a write.
  std::array<uint32_t, 2> perform(const HostAccess &access) {
    std::array<uint32_t, 2> values{};
    values[slow] = performOn(slow, access);
    if (auto *base = dynamic_cast<sim::DeviceBase *>(devices[slow]))
      catchUp(base->accessCycle().value_or(position));
    values[1 - slow] = performOn(1 - slow, access);
    return values;
  }

private:
  uint32_t performOn(unsigned side, const HostAccess &access) {
    if (!access.write)
      return devices[side]->readRegister(access.offset);
    devices[side]->writeRegister(access.offset, access.value);
    return 0;
  }

  /// The other side behind the cycle before `cycle`; the slow one is there already.
  void catchUp(uint64_t cycle) {
    if (cycle == sim::DeviceBase::BehindTheStop)
      lockstep.advanceSide(1 - slow, MostBehind);
    else if (cycle > position + 1)
      advanceTo(cycle - 1);
  }

  Lockstep &lockstep;
  const std::array<sim::Device *, 2> devices;
  unsigned slow = 1;     ///< the side whose accesses take time
  uint64_t position = 0; ///< the last cycle that both have passed
};

} // namespace

std::optional<Divergence> performAccesses(Lockstep &lockstep, const std::array<sim::Device *, 2> &devices,
                                          const Case &test, uint64_t stop) {
  std::optional<Divergence> found;
  Accesses accesses(lockstep, devices);
  for (const HostAccess &access : test.host) {
    const int64_t cycle = access.cycle + static_cast<int64_t>(stop);
    accesses.advanceTo(static_cast<uint64_t>(std::max<int64_t>(cycle, 1)));
    const auto values = accesses.perform(access);
    if (values[0] == values[1] || found)
      continue;
    found.emplace();
    found->kind = Divergence::Kind::Register;
    found->cycle = static_cast<uint64_t>(std::max<int64_t>(cycle, 0));
    found->what = "the register at offset " + std::to_string(access.offset) + " reads differently in the run";
    found->values = {std::to_string(values[0]), std::to_string(values[1])};
  }
  return found;
}

} // namespace daedalus::cosim
