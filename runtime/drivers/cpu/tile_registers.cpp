// The numbers are those of Linux (asm/prctl.h, since 5.16) and of Intel's manual of CPUID.

#include "tile_registers.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace daedalus::runtime::cpu {
namespace {

constexpr uint32_t tilesOfBytes = (1u << 24) | (1u << 25); // amx-tile, amx-int8

#if defined(__x86_64__)
uint32_t featuresOfHost() {
  uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) ? edx : 0;
}

bool askLinux() {
  constexpr int requestPermission = 0x1023; // ARCH_REQ_XCOMP_PERM
  constexpr unsigned long tileData = 18;    // XFEATURE_XTILEDATA
  return syscall(SYS_arch_prctl, requestPermission, tileData) == 0;
}
#else
uint32_t featuresOfHost() {
  return 0;
}

bool askLinux() {
  return false;
}
#endif

} // namespace

TileRegisters askForTiles(const TileHost &host) {
  if ((host.features() & tilesOfBytes) != tilesOfBytes)
    return TileRegisters::Missing;
  return host.ask() ? TileRegisters::Given : TileRegisters::Refused;
}

TileRegisters tilesOfProcess() {
  static const TileRegisters answer = askForTiles({featuresOfHost, askLinux});
  return answer;
}

} // namespace daedalus::runtime::cpu
