#include "cuda_gpu.h"

#include "daedalus/support/decimal.h"

#include <cstdlib>
#include <optional>

namespace daedalus::cuda {
namespace {

Result<int> ordinal(int count) {
  const char *asked = std::getenv("DAEDALUS_CUDA_DEVICE");
  if (!asked || !*asked)
    return 0;
  const std::optional<uint64_t> number = parseDecimal(asked);
  if (!number || *number >= uint64_t(count))
    return error("DAEDALUS_CUDA_DEVICE is '" + std::string(asked) + "'; expected a number below " +
                 std::to_string(count) + ", the number of GPUs");
  return static_cast<int>(*number);
}

Result<void> checkDriver(const DriverApi &api) {
  if (auto ok = api.check(api.init(0), "starting the CUDA driver"); !ok)
    return ok;
  int version = 0;
  if (auto ok = api.check(api.driverGetVersion(&version), "asking for the CUDA driver's version"); !ok)
    return ok;
  if (version < leastVersion)
    return error("the CUDA driver is for CUDA " + std::to_string(version / 1000) + "." +
                 std::to_string(version % 1000 / 10) + "; expected 12.0 or newer");
  return {};
}

} // namespace

Result<Gpu> findGpu(const DriverApi &api) {
  if (auto ok = checkDriver(api); !ok)
    return error(ok.error());
  int count = 0, major = 0, minor = 0;
  if (auto ok = api.check(api.deviceGetCount(&count), "counting the GPUs"); !ok)
    return error(ok.error());
  if (count < 1)
    return error("the CUDA driver finds no GPU on this host");
  const Result<int> which = ordinal(count);
  if (!which)
    return error(which.error());
  Gpu gpu;
  char name[256] = {};
  for (const Status status :
       {api.deviceGet(&gpu.number, *which), api.deviceGetName(name, sizeof name - 1, gpu.number),
        api.deviceGetAttribute(&major, attributeCapabilityMajor, gpu.number),
        api.deviceGetAttribute(&minor, attributeCapabilityMinor, gpu.number)})
    if (auto ok = api.check(status, "asking what GPU " + std::to_string(*which) + " is"); !ok)
      return error(ok.error());
  gpu.name = name;
  gpu.capability = static_cast<uint32_t>(10 * major + minor);
  return gpu;
}

} // namespace daedalus::cuda
