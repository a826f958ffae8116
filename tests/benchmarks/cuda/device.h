// The GPU itself, for what is timed beside packages: memory, a stream, and its clock.
#pragma once

#include "cuda_api.h"

#include <functional>
#include <memory>
#include <vector>

namespace daedalus::test {

/// How many sets of operands of so many bytes each take turns: 3 to 32, with more bytes together than the L2
/// of a GPU holds where 32 are enough for that.
uint64_t turnsOf(uint64_t bytes);

class Device {
public:
  /// Of DAEDALUS_CUDA_DEVICE, else the first one, whose context stays open until the process ends, so that
  /// sessions need not make it anew. The error says what is missing.
  static Result<std::unique_ptr<Device>> open();
  ~Device();

  cuda::Stream stream() const { return theStream; }
  /// Memory until `release`; with these bytes where they are given.
  Result<cuda::Address> allocate(size_t bytes, const void *contents = nullptr);
  void release();

  /// Milliseconds, the median of what `count` pieces of work take when each waits behind the one before: they
  /// are queued, `rounds` times behind a first one.
  Result<double> median(size_t count, size_t rounds, const std::function<Result<void>(size_t)> &work);
  /// Bytes a second, read and written, of a copy of so many bytes within the GPU's memory.
  Result<double> copyRate(size_t bytes);

private:
  Device(const cuda::DriverApi &api, cuda::Context context) : api(api), context(context) {}
  Result<std::vector<double>> timesOf(size_t count, const std::function<Result<void>(size_t)> &work);
  Result<void> reserveEvents(size_t count);

  const cuda::DriverApi api;
  const cuda::Context context;
  cuda::Stream theStream = nullptr;
  std::vector<cuda::Event> events;
  std::vector<cuda::Address> memory;
};

} // namespace daedalus::test
