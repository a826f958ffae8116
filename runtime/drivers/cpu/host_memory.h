// Memory of the host that comes from the system in whole pages.
#pragma once

#include <cstdint>
#include <sys/mman.h>

namespace daedalus::runtime::cpu {

/// Zeroed pages, as many as hold `bytes`, of which there is at least one. Null data where the system has none
/// left.
class HostMemory {
public:
  explicit HostMemory(uint64_t bytes) : bytes(bytes) {
    pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  }
  HostMemory(const HostMemory &) = delete;
  HostMemory &operator=(const HostMemory &) = delete;
  ~HostMemory() {
    if (pages != MAP_FAILED)
      munmap(pages, bytes);
  }
  uint8_t *data() const { return pages == MAP_FAILED ? nullptr : static_cast<uint8_t *>(pages); }

private:
  uint64_t bytes;
  void *pages;
};

} // namespace daedalus::runtime::cpu
