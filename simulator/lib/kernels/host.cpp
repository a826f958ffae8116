// What the host's CPU has.
#include "kernels/host.h"

namespace daedalus::sim::kernels {

Level hostLevel() {
#if defined(__x86_64__) && defined(__GNUC__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return __builtin_cpu_supports("avx512vnni") ? Level::Vnni : Level::Avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return Level::Avx2;
#endif
  return Level::Base;
}

static Level &chosenLevel() {
  static Level level = hostLevel();
  return level;
}

Level levelInUse() {
  return chosenLevel();
}
void useLevel(Level level) {
  chosenLevel() = level;
}

} // namespace daedalus::sim::kernels
