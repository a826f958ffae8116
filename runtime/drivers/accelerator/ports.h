// Ports by the names of engines.
#pragma once

#include "daedalus/runtime/accelerator_port.h"

namespace daedalus::runtime {

/// The port that was registered for the name, or else a simulator's. The error lists the names.
Result<std::unique_ptr<AcceleratorPort>> openPort(const std::string &engine,
                                                  const AcceleratorRequest &request);

} // namespace daedalus::runtime
