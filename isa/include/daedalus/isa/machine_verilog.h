// The machine and the instruction set for the RTL.
#pragma once

#include "daedalus/isa/machine.h"

namespace daedalus::isa {

/// The text of `package daedalus_machine_pkg`: every core key as a parameter in CamelCase (n is N, bus_bytes
/// BusBytes, ...), and the hash of the core.
std::string systemVerilogPackage(const Machine &machine);

/// The text of `package daedalus_isa_pkg`, which isagen makes of isa.yaml.
const char *systemVerilogIsaPackage();

} // namespace daedalus::isa
