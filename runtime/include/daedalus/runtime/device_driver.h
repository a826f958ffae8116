// A device with a memory of its own, as the runtime drives it: memory, kernels, and the time that they took
// by the device's own clock. Drivers are found by the names of devices (drivers.h).
#pragma once

#include "daedalus/package/package.h"
#include "daedalus/support/result.h"
#include "daedalus/support/span.h"

#include <functional>
#include <map>
#include <memory>
#include <string>

#pragma GCC visibility push(default) // what the library exports

namespace daedalus::runtime {

struct DeviceProperties {
  std::string title; ///< for people, such as "vector machine of 4 lanes"
  /// Of its clock; 0: ticks are cycles of no clock, as a simulator counts them.
  double ticksPerMicrosecond = 0;
};

/// One device of one session, used by one thread. Ranges and operands were validated: they lie within the
/// memory, and operands are what the kernel's signature says. Errors become part of a sentence.
class DeviceDriver {
public:
  virtual ~DeviceDriver() = default;

  virtual DeviceProperties properties() const = 0;

  /// Its memory where the host reaches all of it, as simulators and mapped hardware have it; else empty.
  virtual Span<uint8_t> map() { return {}; }
  /// From the host to the memory, from `offset` on, and back. Nothing that was submitted runs meanwhile.
  virtual Result<void> write(uint64_t offset, Span<const uint8_t> bytes) = 0;
  virtual Result<void> read(uint64_t offset, Span<uint8_t> bytes) = 0;

  /// Begins a kernel of the device by its number, and gives the number of an event; it need not wait for the
  /// end. `operands` are the offsets of its inputs, then of its outputs. Kernels run one behind the other, as
  /// they were submitted.
  virtual Result<uint64_t> submit(size_t kernel, Span<const uint64_t> operands) = 0;
  /// Waits for the end of the kernel of an event, which is asked for once; the ticks that it took.
  virtual Result<uint64_t> wait(uint64_t event) = 0;
};

/// Opens a device: allocates its memory and loads its code, which may come from anyone. `device` outlives it.
using DeviceDriverFactory =
    std::function<Result<std::unique_ptr<DeviceDriver>>(const package::Device &device)>;

/// By the names of devices.
using DeviceDrivers = std::map<std::string, DeviceDriverFactory>;

} // namespace daedalus::runtime
#pragma GCC visibility pop
