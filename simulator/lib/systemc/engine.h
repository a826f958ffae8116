// The cycle-level engine: a device whose programs run on the process's SystemC platform, one at a time.
// Devices in other threads wait for their turn.
#pragma once

#include "common/decoded_words.h"
#include "common/modelled_device.h"
#include "systemc/memory_timing.h"
#include "systemc/read_burst.h"

namespace daedalus::sim::systemc {

struct Job;

class Engine : public ModelledDevice {
public:
  using ModelledDevice::ModelledDevice;

  /// How the memory answers in the runs from now on. What `bound` points to has to outlive them.
  void setTiming(MemoryTiming given) { timing = std::move(given); }

  /// Between two calls of advance() of a run: as of Platform.
  Cycle nextEvent() const;
  HostRead readAsHost(Cycle at, uint64_t address);
  Cycle writeAsHost(Cycle at, uint64_t address);

private:
  bool execute(uint64_t cycles, bool begins) override;
  Job job();
  bool lost();

  MemoryTiming timing;
  DecodedWords decoded;
};

} // namespace daedalus::sim::systemc
