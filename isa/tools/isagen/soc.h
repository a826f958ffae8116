// soc.yaml in memory, checked, and what is made of it.
#pragma once

#include "spec.h"

namespace isagen {

struct SocRegion {
  std::string name, access, doc;
  uint32_t base = 0, bytes = 0;
  std::optional<unsigned> wait; ///< cycles; none: it has rules of its own
};

struct SocInterrupt {
  std::string name, doc;
  unsigned line = 0;
};

struct SocDevice {
  std::string name; ///< of its region
  std::vector<Register> registers;
};

struct Soc {
  std::string processor;
  uint32_t interruptEntry = 0;
  std::vector<SocRegion> regions;
  std::vector<SocInterrupt> interrupts;
  std::vector<SocDevice> devices;
  std::vector<EnumValue> exitCodes;
};

/// Reads and checks soc.yaml.
daedalus::Result<Soc> loadSoc(const std::string &path);

std::string emitSocHeader(const Soc &soc); // daedalus_soc.h: macros for C, C++, assembler and linker script
std::string emitSocManual(const Soc &soc); // docs/soc_map.md

} // namespace isagen
