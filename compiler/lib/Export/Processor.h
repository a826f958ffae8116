// The processors of firmware, as C compilers know them.

#ifndef DAEDALUS_LIB_EXPORT_PROCESSOR_H
#define DAEDALUS_LIB_EXPORT_PROCESSOR_H

#include <string>
#include <vector>

namespace daedalus::firmware {

struct Processor {
  std::string name;        ///< as cpu::firmwareLevels() has it
  std::string prefix;      ///< of Debian's cross compiler: "riscv64-unknown-elf-"
  std::string flags;       ///< of gcc and clang
  std::string clang;       ///< clang's name of it
  std::string floats;      ///< how floats are computed, as a sentence
  bool hasLinux = false;   ///< it runs Linux
  std::string linuxPrefix; ///< then: as `prefix`, for programs of Linux
};

const std::vector<Processor> &processors();
/// How its folder's library for Linux is built: "make libdae_linux.a CROSS=riscv64-linux-gnu-".
std::string linuxCommand(const Processor &processor);
/// One of them; it is there.
const Processor &processorOf(const std::string &name);

} // namespace daedalus::firmware

#endif
