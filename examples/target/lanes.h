// The code of the lanes machine, which the target writes and the driver reads: for each kernel three numbers
// of 64 bits, little endian: the operation, the elements, the lanes.
//
// The machine is made up: a row of lanes, each of which takes a byte of two tensors and gives one of a third
// in a cycle. Its memory is its own.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

namespace lanes {

constexpr const char *name = "lanes";

enum class Operation : uint64_t { SaturatingSum, Maximum, Minimum };

struct Kernel {
  Operation operation;
  uint64_t elements, lanes;
};

constexpr uint64_t kernelBytes = 24;

inline void append(std::vector<uint8_t> &code, const Kernel &kernel) {
  const uint64_t numbers[] = {static_cast<uint64_t>(kernel.operation), kernel.elements, kernel.lanes};
  code.resize(code.size() + kernelBytes);
  std::memcpy(&code[code.size() - kernelBytes], numbers, kernelBytes);
}

inline uint64_t cyclesOf(const Kernel &kernel) {
  return (kernel.elements + kernel.lanes - 1) / kernel.lanes;
}

} // namespace lanes
