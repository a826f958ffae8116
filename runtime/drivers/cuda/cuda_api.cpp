#include "cuda_api.h"

#include <cstdlib>
#include <dlfcn.h>

namespace daedalus::cuda {
namespace {

class Library {
public:
  explicit Library(void *handle) : handle(handle) {}

  template <class F> void find(F &function, const char *name) {
    function = reinterpret_cast<F>(dlsym(handle, name));
    if (!function && missing.empty())
      missing = name;
  }

  std::string missing; ///< the first that there is not

private:
  void *const handle;
};

void findAll(Library &library, DriverApi &api) {
  library.find(api.init, "cuInit");
  library.find(api.driverGetVersion, "cuDriverGetVersion");
  library.find(api.getErrorName, "cuGetErrorName");
  library.find(api.getErrorString, "cuGetErrorString");
  library.find(api.deviceGetCount, "cuDeviceGetCount");
  library.find(api.deviceGet, "cuDeviceGet");
  library.find(api.deviceGetName, "cuDeviceGetName");
  library.find(api.deviceGetAttribute, "cuDeviceGetAttribute");
  library.find(api.primaryContextRetain, "cuDevicePrimaryCtxRetain");
  library.find(api.primaryContextRelease, "cuDevicePrimaryCtxRelease_v2");
  library.find(api.contextSetCurrent, "cuCtxSetCurrent");
  library.find(api.memoryGetInfo, "cuMemGetInfo_v2");
  library.find(api.memoryAllocate, "cuMemAlloc_v2");
  library.find(api.memoryFree, "cuMemFree_v2");
  library.find(api.copyToDevice, "cuMemcpyHtoDAsync_v2");
  library.find(api.copyToHost, "cuMemcpyDtoHAsync_v2");
  library.find(api.moduleLoad, "cuModuleLoadDataEx");
  library.find(api.moduleUnload, "cuModuleUnload");
  library.find(api.moduleGetFunction, "cuModuleGetFunction");
  library.find(api.functionSetAttribute, "cuFuncSetAttribute");
  library.find(api.streamCreate, "cuStreamCreate");
  library.find(api.streamSynchronize, "cuStreamSynchronize");
  library.find(api.streamDestroy, "cuStreamDestroy_v2");
  library.find(api.streamBeginCapture, "cuStreamBeginCapture_v2");
  library.find(api.streamEndCapture, "cuStreamEndCapture");
  library.find(api.eventCreate, "cuEventCreate");
  library.find(api.eventRecord, "cuEventRecord");
  library.find(api.eventRecordWithFlags, "cuEventRecordWithFlags");
  library.find(api.eventSynchronize, "cuEventSynchronize");
  library.find(api.eventElapsedTime, "cuEventElapsedTime");
  library.find(api.eventDestroy, "cuEventDestroy_v2");
  library.find(api.graphInstantiate, "cuGraphInstantiateWithFlags");
  library.find(api.graphDestroy, "cuGraphDestroy");
  library.find(api.graphLaunch, "cuGraphLaunch");
  library.find(api.graphExecDestroy, "cuGraphExecDestroy");
  library.find(api.launch, "cuLaunchKernel");
}

} // namespace

Result<void> DriverApi::check(Status status, const std::string &what) const {
  if (status == 0)
    return {};
  const char *name = nullptr, *text = nullptr;
  getErrorName(status, &name);
  getErrorString(status, &text);
  return error(what + " failed: " + (text ? text : "an error that the driver does not name") + " (" +
               (name ? name : "CUDA error " + std::to_string(status)) + ")");
}

Result<DriverApi> loadDriverApi() {
  const char *named = std::getenv("DAEDALUS_CUDA_DRIVER");
  const std::string file = named && *named ? named : "libcuda.so.1";
  void *handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return error("this host has no CUDA driver: " + std::string(dlerror()) +
                 "; install NVIDIA's driver, or compile for another target");
  DriverApi api{};
  Library library(handle);
  findAll(library, api);
  if (!library.missing.empty())
    return error("the CUDA driver '" + file + "' has no function " + library.missing +
                 "; expected one of CUDA 12.0 or newer");
  return api;
}

} // namespace daedalus::cuda
