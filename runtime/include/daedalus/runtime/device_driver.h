// A device with a memory of its own, as the runtime drives it.
//
//   SessionOptions options;
//   options.drivers["npu"] = [](const package::Device &device) { return NpuDriver::open(device); };
//
// The executor copies tensors where the package says so, and calls kernels on what lies in the memory.
#pragma once

#include "daedalus/package/package.h"
#include "daedalus/support/result.h"
#include "daedalus/support/span.h"

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace daedalus::runtime {

/// One device of one session, used by one thread. Ranges and operands were validated: they lie within the
/// memory, and operands are what the kernel's signature says. Errors become part of a sentence.
class DeviceDriver {
public:
  virtual ~DeviceDriver() = default;

  /// From the host to the memory, from `offset` on, and back.
  virtual Result<void> write(uint64_t offset, Span<const uint8_t> bytes) = 0;
  virtual Result<void> read(uint64_t offset, Span<uint8_t> bytes) = 0;

  /// Runs a kernel of the device by its number, to its end: `operands` are the offsets of its inputs, then of
  /// its outputs.
  virtual Result<void> run(size_t kernel, Span<const uint64_t> operands) = 0;
};

/// Opens a device: allocates its memory and loads its code, which may come from anyone. `device` outlives it.
using DeviceDriverFactory =
    std::function<Result<std::unique_ptr<DeviceDriver>>(const package::Device &device)>;

/// By the names of devices.
using DeviceDrivers = std::map<std::string, DeviceDriverFactory>;

} // namespace daedalus::runtime
