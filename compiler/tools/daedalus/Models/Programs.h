// Accelerator programs, wherever they come from: a program file, or the programs of a package.
#pragma once

#include "daedalus/isa/program.h"
#include "daedalus/package/package.h"
#include "daedalus/support/result.h"

#include <optional>
#include <string>
#include <vector>

namespace daedalus::cli {

struct NamedProgram {
  std::string name; // for messages: the file's, with the number of the program where a package has several
  isa::Program program;
};

/// Whether the bytes start as a package does (whatever follows).
bool isPackage(Span<const uint8_t> bytes);

/// A program file, or a package with what goes with its programs.
struct ProgramFile {
  std::vector<NamedProgram> programs; // a package need not have any
  std::optional<package::Package> package;
};

/// Of the file; "-" is stdin. Failed names the file.
ProgramFile readPrograms(const std::string &path);

/// The package of the file's bytes. Failed names the file.
package::Package readPackage(const std::string &path, Span<const uint8_t> bytes);

/// What of the package is trusted like an executable: "none (the accelerator alone)" or its kernels.
std::string nativeCodeText(const package::Package &package);

/// For --no-native: Failed, if the package carries native code.
void refuseNativeCode(const package::Package &package, const std::string &path);

} // namespace daedalus::cli
