// The cycle-level engine: a device whose programs run on the process's SystemC platform, one at a time.
#pragma once

#include "common/modelled_device.h"

namespace daedalus::sim::systemc {

class Engine : public ModelledDevice {
public:
  using ModelledDevice::ModelledDevice;

private:
  bool execute(uint64_t cycles, bool begins) override;
};

} // namespace daedalus::sim::systemc
