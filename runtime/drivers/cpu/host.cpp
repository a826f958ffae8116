// Triple, CPU level and features of the host. The levels are those of the x86-64 psABI; each includes the
// ones before. Asked of the compiler's run-time library, which reads CPUID and what the system enables.

#include "host.h"

#include <algorithm>
#include <iterator>

namespace daedalus::runtime::cpu {
namespace {

#if defined(__x86_64__)
constexpr const char *architecture = "x86_64";
constexpr const char *levels[] = {"x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"};

/// Index into `levels`.
size_t hostLevel() {
  if (__builtin_cpu_supports("x86-64-v4"))
    return 3;
  if (__builtin_cpu_supports("x86-64-v3"))
    return 2;
  return __builtin_cpu_supports("x86-64-v2") ? 1 : 0;
}

bool hasFeature(const std::string &feature) {
#define DAEDALUS_FEATURE(name)                                                                               \
  if (feature == (name))                                                                                     \
    return __builtin_cpu_supports(name) != 0;
  DAEDALUS_FEATURE("avx2")
  DAEDALUS_FEATURE("fma")
  DAEDALUS_FEATURE("avx512f")
  DAEDALUS_FEATURE("avx512bw")
  DAEDALUS_FEATURE("avx512dq")
  DAEDALUS_FEATURE("avx512vl")
  DAEDALUS_FEATURE("avx512vnni")
  DAEDALUS_FEATURE("avx512bf16")
#undef DAEDALUS_FEATURE
  return false;
}
#else
#if defined(__aarch64__)
constexpr const char *architecture = "aarch64";
#else
constexpr const char *architecture = "unknown";
#endif
constexpr const char *levels[] = {"generic"};
size_t hostLevel() {
  return 0;
}
bool hasFeature(const std::string &) {
  return false;
}
#endif

bool isOfTiles(const std::string &feature) {
  return feature == "amx-tile" || feature == "amx-int8";
}

} // namespace

std::string hostName() {
  return std::string(architecture) + " linux at level " + levels[hostLevel()];
}

Result<void> checkHost(const package::ElfObject &object, TileRegisters (*tiles)()) {
  const std::string &triple = object.triple;
  if (triple.substr(0, triple.find('-')) != architecture || triple.find("linux") == std::string::npos)
    return error("is for " + triple);
  const auto *level = std::find(std::begin(levels), std::end(levels), object.cpu);
  if (level == std::end(levels) || static_cast<size_t>(level - levels) > hostLevel())
    return error("needs " + object.cpu);
  for (const std::string &feature : object.features)
    if (!isOfTiles(feature) && !hasFeature(feature))
      return error("needs the feature " + feature);
  for (const std::string &feature : object.features) {
    const TileRegisters answer = isOfTiles(feature) ? tiles() : TileRegisters::Given;
    if (answer == TileRegisters::Missing)
      return error("needs the feature " + feature);
    if (answer == TileRegisters::Refused)
      return error("needs the feature " + feature + ", whose registers Linux refuses to this process");
  }
  return {};
}

} // namespace daedalus::runtime::cpu
