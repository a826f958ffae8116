// An emulator of a module that is written down in a test, and its memory by values.
#pragma once

#include "Emulation/Emulator.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

namespace daedalus::cuda {

class Emulated {
public:
  /// The operations of a gpu.module.
  explicit Emulated(const std::string &body);

  bool isKnown() const { return emulator != nullptr; }
  const std::string &refusal() const { return why; }

  uint64_t allocate(uint64_t bytes) { return emulator ? emulator->allocate(bytes) : 0; }
  template <class T> uint64_t allocate(const std::vector<T> &values) {
    const uint64_t address = allocate(values.size() * sizeof(T));
    const auto *bytes = reinterpret_cast<const uint8_t *>(values.data());
    EXPECT_TRUE(emulator && emulator->write(address, Span<const uint8_t>(bytes, values.size() * sizeof(T))));
    return address;
  }
  template <class T> std::vector<T> values(uint64_t address, size_t count) {
    std::vector<T> found(count);
    if (!emulator)
      return found;
    const Result<void> ok =
        emulator->read(address, Span<uint8_t>(reinterpret_cast<uint8_t *>(found.data()), count * sizeof(T)));
    EXPECT_TRUE(ok) << ok.error();
    return found;
  }

  /// The counts of a launch that has no fault.
  EmulationCounts run(const EmulatedLaunch &launch);
  /// The fault of one that has.
  std::string fault(const EmulatedLaunch &launch);
  Emulator &operator*() { return *emulator; }

private:
  std::unique_ptr<Emulator> emulator;
  std::string why;
};

inline uint64_t bitsOfFloat(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// 0, 1, 2, ...
template <class T> std::vector<T> counted(size_t count) {
  std::vector<T> values(count);
  std::iota(values.begin(), values.end(), T(0));
  return values;
}

} // namespace daedalus::cuda
