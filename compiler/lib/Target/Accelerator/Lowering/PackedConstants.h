// The constants that streams read, each at a multiple of 64 bytes.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_LOWERING_PACKEDCONSTANTS_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_LOWERING_PACKEDCONSTANTS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cassert>
#include <cstdint>
#include <utility>
#include <vector>

namespace daedalus::accelerator {

/// Their bytes, or only their places.
class PackedConstants {
public:
  static constexpr size_t Alignment = 64;

  explicit PackedConstants(bool hasBytes = true) : hasBytes(hasBytes) {}
  /// Behind what is there.
  explicit PackedConstants(std::vector<uint8_t> bytes) : hasBytes(true), bytes(std::move(bytes)) {
    end = this->bytes.size();
  }

  /// Room for so many bytes more: a vector that grows has all twice while it does.
  void reserve(size_t more) {
    if (hasBytes)
      bytes.reserve(end + more);
  }

  /// Adds `size` bytes, which `make` returns, and returns their offset.
  template <class T> int64_t append(size_t size, llvm::function_ref<std::vector<T>()> make) {
    const size_t offset = llvm::alignTo(end, Alignment);
    end = offset + size;
    if (hasBytes) {
      const std::vector<T> made = make();
      assert(made.size() == size && "as many as were announced");
      const auto *data = reinterpret_cast<const uint8_t *>(made.data());
      bytes.resize(offset, 0);
      bytes.insert(bytes.end(), data, data + size);
    }
    return static_cast<int64_t>(offset);
  }

  size_t size() const { return end; }
  /// All, which are gone then; none where there are only places.
  std::vector<uint8_t> take() {
    end = 0;
    return std::exchange(bytes, {});
  }

private:
  bool hasBytes;
  size_t end = 0;
  std::vector<uint8_t> bytes;
};

} // namespace daedalus::accelerator

#endif
