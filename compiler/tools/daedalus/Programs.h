// Accelerator programs, wherever they come from: a program file, or the programs of a package.
#pragma once

#include "daedalus/isa/program.h"
#include "daedalus/support/result.h"

#include <string>
#include <vector>

namespace daedalus::cli {

struct NamedProgram {
  std::string name; // for messages: the file's, with the number of the program where a package has several
  isa::Program program;
};

/// Whether the bytes start as a package does (whatever follows).
bool isPackage(Span<const uint8_t> bytes);

/// The programs of the file; "-" is stdin. A package need not have any. Failed names the file.
std::vector<NamedProgram> readPrograms(const std::string &path);

} // namespace daedalus::cli
