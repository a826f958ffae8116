// What the processor that this runs on can execute.
#pragma once

#include "tile_registers.h"

#include "daedalus/package/package.h"
#include "daedalus/support/result.h"

#include <string>

namespace daedalus::runtime::cpu {

/// The host as users read it, such as "x86_64 linux at level x86-64-v3".
std::string hostName();

/// Whether this host can execute the object: triple, CPU level and features. The error says which of them
/// it lacks, as a clause: "needs x86-64-v4". Of an object with tiles alone, and of which the host has all
/// else, `tiles` is asked.
Result<void> checkHost(const package::ElfObject &object, TileRegisters (*tiles)() = tilesOfProcess);

} // namespace daedalus::runtime::cpu
