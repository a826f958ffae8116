// A device whose registers and interrupt are modelled in C++. An engine implements execute().
#pragma once

#include "common/device_base.h"

namespace daedalus::sim {

class ModelledDevice : public DeviceBase {
public:
  using DeviceBase::DeviceBase;

  uint32_t readRegister(uint32_t offset) override;
  void writeRegister(uint32_t offset, uint32_t value) override;
  bool advance(uint64_t cycles) override;
  bool interruptLine() const override { return interrupt && interruptEnabled; }
  void resetHardware() override;

protected:
  /// Runs the program so many cycles further or to its stop and fills `record`, which is empty but for its
  /// status when the run begins. Whether it stopped.
  virtual bool execute(uint64_t cycles, bool begins) = 0;

  ProgramRegisters program;

private:
  void writeControl(uint32_t value);
  void writeArray(uint32_t offset, uint32_t value);
  uint32_t readArray(uint32_t offset) const;
  uint64_t counted(uint64_t inRun, uint64_t mask) const;

  bool interrupt = false, interruptEnabled = false, begun = false;
};

} // namespace daedalus::sim
