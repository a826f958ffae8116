// What a package's code for GPUs calls.
#include "daedalus/runtime/libraries.h"

#include "cuda_code.h"
#include "cuda_libraries.h"

#include <algorithm>

namespace daedalus::runtime {
namespace {

bool calls(const cuda::Image &image, const cuda::Library &library) {
  return std::any_of(image.kernels.begin(), image.kernels.end(), [&](const cuda::Kernel &kernel) {
    return std::any_of(kernel.launches.begin(), kernel.launches.end(), [&](const cuda::Launch &launch) {
      return launch.call && cuda::libraryOf(launch.function) == &library;
    });
  });
}

} // namespace

std::vector<DeviceLibrary> librariesOf(const package::Device &device) {
  const Result<cuda::Code> code =
      device.name == cuda::deviceName ? cuda::readCode(device) : Result<cuda::Code>(cuda::Code());
  std::vector<DeviceLibrary> found;
  for (const cuda::Library &library : cuda::libraries())
    if (code && std::any_of(code->images.begin(), code->images.end(),
                            [&](const cuda::Image &image) { return calls(image, library); }))
      found.push_back({library.name, library.title, library.files, library.variable});
  return found;
}

} // namespace daedalus::runtime
