// See standin.h. Names and parameters are those of the "CUDA Driver API Reference Manual".
#include "standin.h"

#include <cstdlib>
#include <cstring>
#include <map>

using daedalus::test::LaunchSizes;
using daedalus::test::Standin;
using daedalus::test::StandinKernel;

namespace {

constexpr int outOfMemory = 2, invalidHandle = 400, notFound = 500, unknown = 999;

Standin state;
std::map<std::string, StandinKernel> kernels;

/// What the call gives: an error where it is the one that fails.
int called(const char *name) {
  state.calls.push_back(name);
  return state.calls.size() == state.failing ? unknown : 0;
}

template <class T> int make(const char *name, T *handle) {
  *handle = reinterpret_cast<T>(1); // nothing, of a call that fails
  if (const int status = called(name))
    return status;
  *handle = reinterpret_cast<T>(std::malloc(1));
  ++state.alive;
  return 0;
}

template <class T> int destroy(const char *name, T handle) {
  if (const int status = called(name); status || !handle)
    return status ? status : invalidHandle;
  std::free(reinterpret_cast<void *>(handle));
  --state.alive;
  return 0;
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

Standin *standinState() {
  return &state;
}
void standinDefine(const char *name, StandinKernel kernel) {
  kernels[name] = kernel;
}

int cuGetErrorName(int status, const char **text) {
  *text = status == unknown ? "CUDA_ERROR_UNKNOWN" : status == notFound ? "CUDA_ERROR_NOT_FOUND" : nullptr;
  return 0;
}
int cuGetErrorString(int status, const char **text) {
  *text = status == unknown ? "unknown error" : status == notFound ? "named symbol not found" : nullptr;
  return 0;
}
int cuInit(unsigned) {
  return called("cuInit");
}
int cuDriverGetVersion(int *version) {
  *version = state.version;
  return called("cuDriverGetVersion");
}
int cuDeviceGetCount(int *count) {
  *count = state.gpus;
  return called("cuDeviceGetCount");
}
int cuDeviceGet(int *device, int ordinal) {
  *device = ordinal;
  return called("cuDeviceGet");
}
int cuDeviceGetName(char *name, int size, int) {
  std::strncpy(name, "Stand-in", static_cast<size_t>(size));
  return called("cuDeviceGetName");
}
int cuDeviceGetAttribute(int *value, int attribute, int) {
  *value = attribute == 75 ? state.capability / 10 : attribute == 76 ? state.capability % 10 : -1;
  return called("cuDeviceGetAttribute");
}
int cuDevicePrimaryCtxRetain(void **context, int) {
  *context = &state; // one of the process, whose users are counted
  const int status = called("cuDevicePrimaryCtxRetain");
  state.alive += status == 0;
  return status;
}
int cuDevicePrimaryCtxRelease_v2(int) {
  --state.alive;
  return called("cuDevicePrimaryCtxRelease");
}
int cuCtxSetCurrent(void *) {
  return called("cuCtxSetCurrent");
}
int cuMemGetInfo_v2(size_t *free, size_t *total) {
  *free = state.freeBytes, *total = 2 * state.freeBytes;
  return called("cuMemGetInfo");
}
int cuMemAlloc_v2(unsigned long long *address, size_t bytes) {
  if (const int status = called("cuMemAlloc"))
    return status;
  if (bytes > state.freeBytes)
    return outOfMemory;
  *address = reinterpret_cast<unsigned long long>(std::malloc(bytes));
  ++state.alive;
  return 0;
}
int cuMemFree_v2(unsigned long long address) {
  return destroy("cuMemFree", address);
}
int cuMemcpyHtoDAsync_v2(unsigned long long to, const void *from, size_t bytes, void *) {
  if (const int status = called("cuMemcpyHtoDAsync"))
    return status;
  std::memcpy(reinterpret_cast<void *>(to), from, bytes);
  return 0;
}
int cuMemcpyDtoHAsync_v2(void *to, unsigned long long from, size_t bytes, void *) {
  if (const int status = called("cuMemcpyDtoHAsync"))
    return status;
  std::memcpy(to, reinterpret_cast<void *>(from), bytes);
  return 0;
}
int cuModuleLoadDataEx(void **module, const void *image, unsigned options, int *names, void **values) {
  state.image = static_cast<const char *>(image);
  for (unsigned i = 0; i < options; ++i)
    if (names[i] == 5 && state.calls.size() + 1 == state.failing)
      std::strcpy(static_cast<char *>(values[i]), "ptxas: line 1");
  return make("cuModuleLoadDataEx", module);
}
int cuModuleUnload(void *module) {
  return destroy("cuModuleUnload", module);
}
int cuModuleGetFunction(void **function, void *, const char *name) {
  if (const int status = called("cuModuleGetFunction"))
    return status;
  const auto found = kernels.find(name);
  *function = found == kernels.end() ? nullptr : reinterpret_cast<void *>(found->second);
  return *function ? 0 : notFound;
}
int cuFuncSetAttribute(void *, int, int) {
  return called("cuFuncSetAttribute");
}
int cuStreamCreate(void **stream, unsigned) {
  return make("cuStreamCreate", stream);
}
int cuStreamSynchronize(void *) {
  return called("cuStreamSynchronize");
}
int cuStreamDestroy_v2(void *stream) {
  return destroy("cuStreamDestroy", stream);
}
int cuEventCreate(void **event, unsigned) {
  return make("cuEventCreate", event);
}
int cuEventRecord(void *, void *) {
  return called("cuEventRecord");
}
int cuEventSynchronize(void *) {
  return called("cuEventSynchronize");
}
int cuEventElapsedTime(float *milliseconds, void *, void *) {
  *milliseconds = 0.25F;
  return called("cuEventElapsedTime");
}
int cuEventDestroy_v2(void *event) {
  return destroy("cuEventDestroy", event);
}
int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                   unsigned bz, unsigned sharedBytes, void *, void **parameters, void **) {
  if (const int status = called("cuLaunchKernel"))
    return status;
  std::vector<uint8_t *> addresses;
  for (int i = 0; i < 3; ++i)
    addresses.push_back(*static_cast<uint8_t **>(parameters[i]));
  reinterpret_cast<StandinKernel>(function)({{gx, gy, gz}, {bx, by, bz}, sharedBytes}, addresses);
  return 0;
}

} // extern "C"
#pragma GCC visibility pop
