#include "device.h"

#include "cuda_gpu.h"

#include <algorithm>
#include <dlfcn.h>

namespace daedalus::test {
namespace {

using cuda::Address;
using cuda::DriverApi;

/// The one of the GPU, which the thread has then, and which stays open.
Result<cuda::Context> openContext(const DriverApi &api) {
  const Result<cuda::Gpu> gpu = cuda::findGpu(api);
  if (!gpu)
    return error(gpu.error());
  cuda::Context context = nullptr;
  if (auto ok = api.check(api.primaryContextRetain(&context, gpu->number), "opening the GPU"); !ok)
    return error(ok.error());
  if (auto ok = api.check(api.contextSetCurrent(context), "selecting the GPU"); !ok)
    return error(ok.error());
  return context;
}

} // namespace

uint64_t turnsOf(uint64_t bytes) {
  constexpr uint64_t beyondCaches = uint64_t(160) << 20, least = 3, most = 32;
  return std::clamp((beyondCaches + bytes - 1) / bytes, least, most);
}

Result<std::unique_ptr<Device>> Device::open() {
  const Result<DriverApi> api = cuda::loadDriverApi();
  if (!api)
    return error(api.error());
  const Result<cuda::Context> context = openContext(*api);
  if (!context)
    return error(context.error());
  std::unique_ptr<Device> device(new Device(*api, *context));
  if (auto ok = device->api.check(api->streamCreate(&device->theStream, cuda::streamNonBlocking),
                                  "making a stream");
      !ok)
    return error(ok.error());
  return device;
}

Device::~Device() {
  release();
  for (cuda::Event event : events)
    api.eventDestroy(event);
  if (theStream)
    api.streamDestroy(theStream);
}

Result<Address> Device::allocate(size_t bytes, const void *contents) {
  Address address = 0;
  if (auto ok = api.check(api.contextSetCurrent(context), "selecting the GPU"); !ok)
    return error(ok.error());
  if (auto ok = api.check(api.memoryAllocate(&address, bytes), "allocating memory of the GPU"); !ok)
    return error(ok.error());
  memory.push_back(address);
  if (contents)
    if (auto ok = api.check(api.copyToDevice(address, contents, bytes, theStream), "copying to the GPU"); !ok)
      return error(ok.error());
  return address;
}

void Device::release() {
  api.contextSetCurrent(context);
  for (Address address : memory)
    api.memoryFree(address);
  memory.clear();
}

Result<void> Device::reserveEvents(size_t count) {
  while (events.size() < count) {
    events.push_back(nullptr);
    if (auto ok = api.check(api.eventCreate(&events.back(), 0), "making an event"); !ok) {
      events.pop_back();
      return ok;
    }
  }
  return {};
}

Result<std::vector<double>> Device::timesOf(size_t count, const std::function<Result<void>(size_t)> &work) {
  if (auto ok = reserveEvents(count + 1); !ok)
    return error(ok.error());
  for (size_t i = 0; i <= count; ++i) {
    if (auto ok = api.check(api.eventRecord(events[i], theStream), "recording an event"); !ok)
      return error(ok.error());
    if (auto ok = i < count ? work(i) : Result<void>(); !ok)
      return error(ok.error());
  }
  if (auto ok = api.check(api.streamSynchronize(theStream), "waiting for the GPU"); !ok)
    return error(ok.error());
  std::vector<double> times;
  for (size_t i = 0; i < count; ++i) {
    float milliseconds = 0;
    if (auto ok = api.check(api.eventElapsedTime(&milliseconds, events[i], events[i + 1]),
                            "reading the GPU's clock");
        !ok)
      return error(ok.error());
    times.push_back(double(milliseconds));
  }
  return times;
}

Result<double> Device::median(size_t count, size_t rounds, const std::function<Result<void>(size_t)> &work) {
  if (auto ok = api.check(api.contextSetCurrent(context), "selecting the GPU"); !ok)
    return error(ok.error());
  std::vector<double> all;
  for (size_t round = 0; round <= rounds; ++round) {
    const Result<std::vector<double>> times = timesOf(count, work);
    if (!times)
      return error(times.error());
    if (round > 0) // the first one warms up
      all.insert(all.end(), times->begin(), times->end());
  }
  std::sort(all.begin(), all.end());
  return all[all.size() / 2];
}

Result<double> Device::copyRate(size_t bytes) {
  using Copy = cuda::Status (*)(Address, Address, size_t, cuda::Stream);
  const auto copy = reinterpret_cast<Copy>(dlsym(dlopen("libcuda.so.1", RTLD_NOW), "cuMemcpyDtoDAsync_v2"));
  if (!copy)
    return error("the driver copies nothing within the GPU");
  constexpr size_t turns = 3, rounds = 7;
  std::vector<Address> from, to;
  for (size_t i = 0; i < turns; ++i)
    for (std::vector<Address> *side : {&from, &to}) {
      const Result<Address> address = allocate(bytes);
      if (!address)
        return release(), error(address.error());
      side->push_back(*address);
    }
  const Result<double> time = median(turns, rounds, [&](size_t i) {
    return api.check(copy(to[i], from[i], bytes, theStream), "copying within the GPU");
  });
  release();
  return time ? Result<double>(2 * double(bytes) / *time * 1000) : time;
}

} // namespace daedalus::test
