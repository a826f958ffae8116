// The machine for the RTL.
#pragma once

#include "daedalus/isa/machine.h"

namespace daedalus::isa {

/// The text of `package daedalus_machine_pkg`: every core key as a parameter in CamelCase (n is N, bus_bytes
/// BusBytes, ...), and the hash of the core.
std::string systemVerilogPackage(const Machine &machine);

} // namespace daedalus::isa
