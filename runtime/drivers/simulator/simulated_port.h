// The simulators as ports.
#pragma once

#include "daedalus/runtime/accelerator_port.h"

namespace daedalus::runtime {

/// One of sim::engineNames().
Result<std::unique_ptr<AcceleratorPort>> openSimulated(const std::string &engine,
                                                       const AcceleratorRequest &request);

} // namespace daedalus::runtime
