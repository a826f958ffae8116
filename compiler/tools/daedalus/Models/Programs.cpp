#include "Programs.h"
#include "cli/Files.h"

#include <cstring>

namespace daedalus::cli {

bool isPackage(Span<const uint8_t> bytes) {
  // The first eight bytes of every package are the same (docs/package.md).
  static const std::vector<uint8_t> empty = package::writePackage({});
  return bytes.size() >= 8 && std::memcmp(bytes.data(), empty.data(), 8) == 0;
}

static std::vector<NamedProgram> programsOf(const package::Package &package, const std::string &name) {
  std::vector<NamedProgram> programs;
  for (const package::AcceleratorProgram &entry : package.programs) {
    NamedProgram named{name, {}};
    if (package.programs.size() > 1)
      named.name += ": program " + std::to_string(programs.size());
    Result<std::vector<isa::Instruction>> instructions = isa::decodeWords(entry.words);
    if (!instructions)
      throw Failed{named.name + ": " + instructions.error()};
    named.program.machineName = package.machineName;
    named.program.machineHash = package.machineHash;
    named.program.bases = entry.bases;
    named.program.instructions = std::move(*instructions);
    programs.push_back(std::move(named));
  }
  return programs;
}

package::Package readPackage(const std::string &path, Span<const uint8_t> bytes) {
  Result<package::Package> package = package::readPackage(bytes);
  if (!package)
    throw Failed{"'" + path + "': " + package.error()};
  return std::move(*package);
}

ProgramFile readPrograms(const std::string &path) {
  std::string name = path == "-" ? "stdin" : path;
  std::vector<uint8_t> bytes = read(path, input::Package);
  if (isPackage(bytes)) {
    package::Package package = readPackage(name, bytes);
    return {programsOf(package, name), std::move(package)};
  }
  Result<isa::Program> program = isa::readProgram(bytes);
  if (!program)
    throw Failed{"'" + name + "': " + program.error()};
  return {{{name, std::move(*program)}}, std::nullopt};
}

std::string nativeCodeText(const package::Package &package) {
  if (hasNativeCode(package))
    return describeNativeCode(package);
  return package.externals.empty() ? "none (the accelerator alone)"
                                   : "none of its own (it calls functions of the host)";
}

void refuseNativeCode(const package::Package &package, const std::string &path) {
  if (hasNativeCode(package))
    throw Failed{
        "'" + path + "' carries native code (" + describeNativeCode(package) +
        "), which --no-native refuses; leave out --no-native if you trust the package like a program"};
}

} // namespace daedalus::cli
