// Runs a test program on an engine and shows the run in the form of the clocked model.
#pragma once

#include "random_program.h"

#include "support/device_harness.h"

namespace daedalus::timing {

/// What the device's registers and events say after the run.
clocked::Outcome runOnDevice(testing::DeviceHarness &device, const TestProgram &program);

/// The first difference between the two, empty without one: stop, fault, events by index, counters.
std::string difference(const clocked::Outcome &expected, const clocked::Outcome &found);

/// The program and its set-up, to repeat a failure by hand.
std::string describe(const TestProgram &program);

} // namespace daedalus::timing
