// A kernel object in memory: the project's own loader, driven by the value that readElf checked
// (docs/decisions/0009-own-loader.md).
#pragma once

#include "elf_image.h"

#include <memory>

namespace daedalus::runtime::cpu {

/// Pages are writable while they are filled and never again where they are executable. Nothing runs on
/// loading.
class LoadedCode {
public:
  /// `image` is that of `bytes`. The error is the system's, where it gives no memory.
  static Result<std::unique_ptr<LoadedCode>> load(Span<const uint8_t> bytes, const ElfImage &image);
  ~LoadedCode();
  LoadedCode(const LoadedCode &) = delete;
  LoadedCode &operator=(const LoadedCode &) = delete;

  /// Where an address of the image lies.
  void *at(uint64_t address) const { return memory + address; }

private:
  LoadedCode(uint8_t *memory, uint64_t size) : memory(memory), size(size) {}
  Result<void> fill(Span<const uint8_t> bytes, const ElfImage &image);
  Result<void> protect(const ElfImage &image);

  uint8_t *const memory;
  const uint64_t size;
};

} // namespace daedalus::runtime::cpu
