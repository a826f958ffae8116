// The cycle-level engine: a device whose programs run on the process's SystemC platform, one at a time.
#pragma once

#include "common/device_base.h"

namespace daedalus::sim::systemc {

class Engine : public DeviceBase {
public:
  using DeviceBase::DeviceBase;

private:
  bool execute(uint64_t cycles, bool begins) override;
};

} // namespace daedalus::sim::systemc
