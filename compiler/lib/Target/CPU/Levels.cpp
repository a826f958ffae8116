// See Levels.h.

#include "daedalus/Target/CPU/Levels.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

#if defined(__linux__) && defined(__x86_64__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace daedalus::cpu {
namespace {

/// Whether Linux gives processes the registers of tiles: it says so without giving them.
bool linuxHasTiles() {
#if defined(__linux__) && defined(__x86_64__)
  constexpr int getSupported = 0x1021; // ARCH_GET_XCOMP_SUPP
  constexpr uint64_t tileData = uint64_t(1) << 18;
  uint64_t supported = 0;
  return syscall(SYS_arch_prctl, getSupported, &supported) == 0 && (supported & tileData);
#else
  return false;
#endif
}

/// What a level has that the one before has not, of which LLVM knows whether the host has it.
std::vector<const char *> featuresOf(llvm::StringRef level) {
  if (level == "x86-64-v3")
    return {"avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe"};
  if (level == "x86-64-v4")
    return {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"};
  if (level == "x86-64-v4-vnni")
    return {"avx512vnni"};
  if (level == "x86-64-v4-amx")
    return {"amx-tile", "amx-int8"};
  return {};
}

std::vector<Level> levelsOfHost() {
  if (llvm::Triple(llvm::sys::getDefaultTargetTriple()).getArch() != llvm::Triple::x86_64)
    return {{"generic", "generic", {}}};
  return {{"x86-64-v2", "x86-64-v2", {}},
          {"x86-64-v3", "x86-64-v3", {}},
          {"x86-64-v4", "x86-64-v4", {}},
          {"x86-64-v4-vnni", "x86-64-v4", {"avx512vnni"}},
          {"x86-64-v4-amx", "x86-64-v4", {"avx512vnni", "amx-tile", "amx-int8"}}};
}

} // namespace

const std::vector<Level> &levels() {
  static const std::vector<Level> all = levelsOfHost();
  return all;
}

const Level *findLevel(const std::string &name) {
  static const Level emulated = {"x86-64-v2-emulated-amx", "x86-64-v2", {}, true};
  const auto found = llvm::find_if(levels(), [&](const Level &level) { return level.name == name; });
  if (found != levels().end())
    return &*found;
  return levels().size() > 1 && emulated.name == name ? &emulated : nullptr;
}

const std::vector<Level> &firmwareLevels() {
  static const std::vector<Level> all = {
      {"rv32imc", "generic-rv32", {"m", "c"}, false, "riscv32-unknown-none-elf", "ilp32"},
      {"rv32imac", "generic-rv32", {"m", "a", "c"}, false, "riscv32-unknown-none-elf", "ilp32"},
      {"rv64gc", "generic-rv64", {"m", "a", "f", "d", "c"}, false, "riscv64-unknown-none-elf", "lp64d"},
      {"cortex-m4", "cortex-m4", {}, false, "thumbv7em-unknown-none-eabihf", ""},
      {"cortex-m55", "cortex-m55", {}, false, "thumbv8.1m.main-unknown-none-eabihf", ""},
      {"aarch64", "generic", {}, false, "aarch64-unknown-none-elf", ""},
      {"x86-64-v2", "x86-64-v2", {}, false, "x86_64-unknown-linux-gnu", ""}};
  return all;
}

const Level *findFirmwareLevel(const std::string &name) {
  const auto found = llvm::find_if(firmwareLevels(), [&](const Level &level) { return level.name == name; });
  return found == firmwareLevels().end() ? nullptr : &*found;
}

std::string firmwareSymbol(const std::string &prefix, size_t index) {
  return prefix + "_kernel_" + std::to_string(index);
}

const Level &nativeLevel() {
  const llvm::StringMap<bool> host = llvm::sys::getHostCPUFeatures();
  const Level *highest = &levels().front();
  for (const Level &level : levels()) {
    if (!llvm::all_of(featuresOf(level.name), [&](const char *feature) { return host.lookup(feature); }) ||
        (llvm::is_contained(level.features, "amx-tile") && !linuxHasTiles()))
      break;
    highest = &level;
  }
  return *highest;
}

Result<std::vector<Level>> parseLevels(const std::string &list) {
  std::vector<Level> asked;
  for (llvm::StringRef name : llvm::split(list, ',')) {
    const Level *const level = name == "native" ? &nativeLevel() : findLevel(name.str());
    if (!level) {
      std::string names;
      for (const Level &known : levels())
        names += ", " + known.name;
      return error("--cpu: '" + name.str() + "' is not a level of this host's architecture; expected native" +
                   names + ", or several with commas between them");
    }
    if (!llvm::is_contained(asked, *level))
      asked.push_back(*level);
  }
  const auto height = [](const Level &level) {
    return llvm::find(levels(), level) - levels().begin(); // the one for tests is above all
  };
  llvm::sort(asked, [&](const Level &a, const Level &b) { return height(a) > height(b); });
  return asked;
}

} // namespace daedalus::cpu
