// See Levels.h.

#include "daedalus/Target/CPU/Levels.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

namespace daedalus::cpu {
namespace {

/// What a level has that the one before has not, of which LLVM knows whether the host has it.
std::vector<const char *> featuresOf(llvm::StringRef level) {
  if (level == "x86-64-v3")
    return {"avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe"};
  if (level == "x86-64-v4")
    return {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"};
  if (level == "x86-64-v4-vnni")
    return {"avx512vnni"};
  return {};
}

std::vector<Level> levelsOfHost() {
  if (llvm::Triple(llvm::sys::getDefaultTargetTriple()).getArch() != llvm::Triple::x86_64)
    return {{"generic", "generic", {}}};
  return {{"x86-64-v2", "x86-64-v2", {}},
          {"x86-64-v3", "x86-64-v3", {}},
          {"x86-64-v4", "x86-64-v4", {}},
          {"x86-64-v4-vnni", "x86-64-v4", {"avx512vnni"}}};
}

} // namespace

const std::vector<Level> &levels() {
  static const std::vector<Level> all = levelsOfHost();
  return all;
}

const Level &nativeLevel() {
  const llvm::StringMap<bool> host = llvm::sys::getHostCPUFeatures();
  const Level *highest = &levels().front();
  for (const Level &level : levels()) {
    if (!llvm::all_of(featuresOf(level.name), [&](const char *feature) { return host.lookup(feature); }))
      break;
    highest = &level;
  }
  return *highest;
}

Result<std::vector<Level>> parseLevels(const std::string &list) {
  std::vector<bool> isAsked(levels().size(), false);
  for (llvm::StringRef name : llvm::split(list, ',')) {
    const Level *const native = name == "native" ? &nativeLevel() : nullptr;
    const auto found = llvm::find_if(
        levels(), [&](const Level &level) { return native ? &level == native : level.name == name; });
    if (found == levels().end()) {
      std::string names;
      for (const Level &level : levels())
        names += ", " + level.name;
      return error("--cpu: '" + name.str() + "' is no level of this host's architecture; expected native" +
                   names + ", or several with commas between them");
    }
    isAsked[found - levels().begin()] = true;
  }
  std::vector<Level> asked;
  for (size_t i = levels().size(); i-- > 0;)
    if (isAsked[i])
      asked.push_back(levels()[i]);
  return asked;
}

} // namespace daedalus::cpu
