// The loadable segments of an ELF file for the processor.
#pragma once

#include "daedalus/support/result.h"
#include "daedalus/support/span.h"

#include <cstdint>
#include <vector>

namespace daedalus::sim::soc {

/// Bytes of the file, and zeros behind them.
struct Segment {
  uint32_t address = 0; ///< where it lies before the reset (p_paddr)
  uint32_t bytes = 0;   ///< at least data.size()
  Span<const uint8_t> data;
};

/// The error says why the file is no executable for a RISC-V processor of 32 bits.
Result<std::vector<Segment>> segmentsOf(Span<const uint8_t> file);

} // namespace daedalus::sim::soc
