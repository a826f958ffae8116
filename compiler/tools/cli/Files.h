// Files as the command line takes them: "-" is stdin or stdout. An output file appears whole or not at all,
// and never in the place of an input.
#pragma once

#include "cli/CommandLine.h"
#include "daedalus/support/input_file.h"
#include "daedalus/support/result.h"
#include "daedalus/support/span.h"

#include <cstdint>
#include <string>
#include <vector>

namespace daedalus::cli {

/// The bytes of the file, or of stdin for "-". Failed names the file and what is wrong with it.
std::vector<uint8_t> read(const std::string &path, const InputKind &kind);

/// Failed where the file is an input of this command (daedalus/support/inputs.h). Writing checks that too;
/// this is for before the work.
void checkOutput(const std::string &path);

/// Failed where the folder is there and is a file, or holds something already.
void checkNewFolder(const std::string &folder);

/// Writes to the file, or to stdout for "-", whose errors main reports at the end.
void write(const std::string &path, Span<const uint8_t> bytes);
void write(const std::string &path, const std::string &text);

/// As write, but refuses to send binary data to a terminal. `what` names the data in the message.
void writeBinary(const std::string &path, Span<const uint8_t> bytes, const std::string &what);

/// "-" for each name of stdout.
std::string outputOf(const std::string &path);

/// The value, or Failed with the error's message.
template <class T> T orFail(Result<T> result) {
  if (!result)
    throw Failed{result.error()};
  return std::move(*result);
}

inline void orFail(Result<void> result) {
  if (!result)
    throw Failed{result.error()};
}

} // namespace daedalus::cli
