// Levels of x86-64: what code may use. Those up to x86-64-v4 are the psABI's; v4-vnni has AVX512_VNNI
// besides, v4-amx that and the tiles of bytes of AMX. And the processors that firmware is compiled for.

#ifndef DAEDALUS_TARGET_CPU_LEVELS_H
#define DAEDALUS_TARGET_CPU_LEVELS_H

#include "daedalus/support/result.h"

#include <string>
#include <vector>

namespace daedalus::cpu {

struct Level {
  std::string name;                  ///< as users call it, such as "x86-64-v4-vnni"
  std::string cpu;                   ///< of LLVM and of the package, such as "x86-64-v4"
  std::vector<std::string> features; ///< besides, by LLVM's names
  bool emulatesAmx = false; ///< for tests: the code of v4-amx for its sums, without such instructions
  std::string triple{};     ///< of LLVM; empty: the host's
  std::string abi{};        ///< of LLVM, such as "ilp32"; empty: the triple's own

  bool operator==(const Level &other) const { return name == other.name; }
};

/// All of them, the lowest first. Of a host that is no x86-64: "generic" alone.
const std::vector<Level> &levels();

/// One of them, or the one for tests on hosts without AMX, "x86-64-v2-emulated-amx"; null if there is none.
const Level *findLevel(const std::string &name);

/// The processors of firmware, such as "rv32imac". Code for them is an object that firmware links; one thread
/// runs it.
const std::vector<Level> &firmwareLevels();
/// One of them; null if there is none of this name.
const Level *findFirmwareLevel(const std::string &name);
/// The function of kernel `index` in an object for firmware.
std::string firmwareSymbol(const std::string &prefix, size_t index);

/// The highest one that this host has.
const Level &nativeLevel();

/// Those of a list such as "x86-64-v3,native", each once, the highest first. The error says what there is.
Result<std::vector<Level>> parseLevels(const std::string &list);

} // namespace daedalus::cpu

#endif
