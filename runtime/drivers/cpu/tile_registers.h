// The tile registers of AMX: Linux gives them to processes that ask.
#pragma once

#include <cstdint>

namespace daedalus::runtime::cpu {

/// What a host says of tiles.
struct TileHost {
  uint32_t (*features)(); ///< CPUID leaf 7, EDX; 0 where there is no such leaf
  bool (*ask)();          ///< Linux for the registers, for all threads of the process; whether it gives them
};

enum class TileRegisters { Missing, Refused, Given };

/// Asks a host for the registers, where its processor has them.
TileRegisters askForTiles(const TileHost &host);

/// What this host answered: the process asks at most once, at the first call, whichever thread that is on.
TileRegisters tilesOfProcess();

} // namespace daedalus::runtime::cpu
