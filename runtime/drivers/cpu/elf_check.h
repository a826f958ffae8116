// Validation of a kernel object before anything of it is mapped.
#pragma once

#include "daedalus/support/result.h"
#include "daedalus/support/span.h"

#include <cstdint>

namespace daedalus::runtime::cpu {

/// Accepts a freestanding ELF64 little-endian shared object for x86-64 or AArch64: segments inside the file,
/// none both writable and executable, no interpreter, thread-local storage, constructors, destructors,
/// needed libraries or indirect functions, and no relocation against a symbol that the object does not
/// define. The error is a clause: "has a segment that is writable and executable".
Result<void> checkElf(Span<const uint8_t> bytes);

} // namespace daedalus::runtime::cpu
