// Numbers and texts as C writes them.

#ifndef DAEDALUS_LIB_EXPORT_FILES_TEXT_H
#define DAEDALUS_LIB_EXPORT_FILES_TEXT_H

#include "daedalus/support/span.h"

#include <cstdint>
#include <string>

namespace daedalus::firmware {

/// "64u".
std::string number(uint64_t value);
/// "0x00ff".
std::string hexadecimal(uint64_t value, int digits);
/// A float constant that is read back as the same: "0.5f".
std::string floatText(float value);
/// A name for a comment: one line, without what ends one.
std::string inComment(const std::string &text);
/// A string literal.
std::string literal(const std::string &text);
/// What the firmware computes of the blob (dae_checksum).
uint32_t checksumOf(Span<const uint8_t> blob);

} // namespace daedalus::firmware

#endif
