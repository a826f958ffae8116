// The cycle-level engine: a device whose programs run on the process's SystemC platform, one at a time.
// Devices in other threads wait for their turn.
#pragma once

#include "common/modelled_device.h"

namespace daedalus::sim::systemc {

struct Run;

class Engine : public ModelledDevice {
public:
  using ModelledDevice::ModelledDevice;

private:
  bool execute(uint64_t cycles, bool begins) override;
  Run job();
  bool lost();
};

} // namespace daedalus::sim::systemc
