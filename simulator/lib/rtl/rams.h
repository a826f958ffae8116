// The memories that a scratchpad of the hardware consists of, by their modules below the core
// (hw/rtl/core.sv).
#pragma once

#include "daedalus/isa/machine.h"
#include "daedalus/support/span.h"

#include <string>
#include <vector>

namespace daedalus::sim::rtl {

/// One memory: row r holds, one behind the other, `groups` groups of `groupBytes` bytes, of which the first
/// lies at byte first + r * rowStep of the scratchpad and each next one groupStep bytes behind it.
struct Ram {
  std::string module;
  isa::Scope scope;
  bool isCopy; ///< other memories hold all its bytes too
  size_t rows, first, rowStep;
  size_t groups, groupBytes, groupStep;

  /// Copies between the memory and the scratchpad.
  void read(Span<const uint8_t> memory, Span<uint8_t> scratchpad) const;
  void write(Span<uint8_t> memory, Span<const uint8_t> scratchpad) const;
};

std::vector<Ram> ramsOf(const isa::Machine &machine);

} // namespace daedalus::sim::rtl
