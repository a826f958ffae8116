// Output files: a file is written completely or not at all, and never over an input (input_file.h).
#pragma once

#include "daedalus/support/result.h"
#include "daedalus/support/span.h"

#include <cstdint>
#include <string>

namespace daedalus {

/// Writes to a temporary file in the same folder and renames it, so that `path` holds the old content or
/// the new one and never a part. A symbolic link stays one: what it names is written, whether that exists or
/// not. Where `path` is a device or a pipe (/dev/stdout), writes to it directly.
Result<void> writeFileAtomically(const std::string &path, Span<const uint8_t> bytes);

} // namespace daedalus
