// Reserves the image without rights, opens the pages of the segments, fills and relocates them, and sets
// their rights. What lies between segments stays without rights.

#include "loaded_code.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace daedalus::runtime::cpu {
namespace {

Error systemError(const char *what) {
  return error(std::string("cannot ") + what + " the package's CPU code: " + std::strerror(errno));
}

uint64_t pageBytes() {
  static const auto bytes = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

/// The mapping's name in /proc/PID/maps and debuggers; systems that know no such names go without.
void name(void *memory, uint64_t size) {
#ifdef PR_SET_VMA
  prctl(PR_SET_VMA, PR_SET_VMA_ANON_NAME, memory, size, "daedalus-kernels");
#endif
}

} // namespace

Result<std::unique_ptr<LoadedCode>> LoadedCode::load(Span<const uint8_t> bytes, const ElfImage &image) {
  void *memory = mmap(nullptr, image.bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return systemError("find memory for");
  std::unique_ptr<LoadedCode> code(new LoadedCode(static_cast<uint8_t *>(memory), image.bytes));
  if (auto ok = code->fill(bytes, image); !ok)
    return error(ok.error());
  if (auto ok = code->protect(image); !ok)
    return error(ok.error());
  name(memory, image.bytes);
  return Result<std::unique_ptr<LoadedCode>>(std::move(code));
}

LoadedCode::~LoadedCode() {
  munmap(memory, size);
}

Result<void> LoadedCode::fill(Span<const uint8_t> bytes, const ElfImage &image) {
  for (const ElfSegment &segment : image.segments) {
    const uint64_t before = segment.address % pageBytes();
    if (mprotect(memory + segment.address - before, before + segment.memoryBytes, PROT_READ | PROT_WRITE) !=
        0)
      return systemError("write");
    std::memcpy(memory + segment.address, bytes.data() + segment.offset, segment.fileBytes);
  }
  for (const ElfRelocation &relocation : image.relocations) {
    const uint64_t target = reinterpret_cast<uint64_t>(memory) + relocation.target;
    std::memcpy(memory + relocation.address, &target, sizeof target);
  }
  return {};
}

Result<void> LoadedCode::protect(const ElfImage &image) {
  for (const ElfSegment &segment : image.segments) {
    const uint64_t before = segment.address % pageBytes();
    uint8_t *const from = memory + segment.address - before;
    if (segment.executable)
      __builtin___clear_cache(reinterpret_cast<char *>(from),
                              reinterpret_cast<char *>(from + before + segment.memoryBytes));
    const int rights = PROT_READ | (segment.writable ? PROT_WRITE : 0) | (segment.executable ? PROT_EXEC : 0);
    if (mprotect(from, before + segment.memoryBytes, rights) != 0)
      return systemError("protect");
  }
  // Whole pages alone: what shares a page with other data stays writable.
  const uint64_t from = image.fixedFrom / pageBytes() * pageBytes(),
                 to = image.fixedTo / pageBytes() * pageBytes();
  if (from < to && mprotect(memory + from, to - from, PROT_READ) != 0)
    return systemError("protect");
  return {};
}

} // namespace daedalus::runtime::cpu
