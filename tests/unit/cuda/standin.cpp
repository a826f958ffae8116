// See standin.h. Names and parameters are those of the "CUDA Driver API Reference Manual".
#include "standin_state.h"

#include <cstring>

using namespace daedalus::test;

namespace {

/// On a stream, once it does its work.
int begin(const char *name, void *stream, Piece piece) {
  if (const int status = calledInContext(name))
    return status;
  Thing *thing = find(name, Kind::Stream, stream);
  if (!thing)
    return invalidHandle;
  give(*thing, std::move(piece));
  return 0;
}

int copy(const char *name, void *to, const void *from, const void *device, size_t bytes, void *stream) {
  if (!isWithinMemory(device, bytes))
    mistake(std::string(name) + " beyond the memory", invalidValue);
  forbidCapturing(name);
  return begin(name, stream, {[=] { std::memcpy(to, from, bytes); }});
}

void reach(void *event) {
  if (const auto found = parts().things.find(event); found != parts().things.end())
    found->second.isReached = true;
}

bool isLegal(const Function &function, const LaunchSizes &sizes) {
  const auto &[x, y, z] = sizes.block;
  bool isLegal = x * y * z >= 1 && x * y * z <= 1024 && sizes.sharedBytes <= function.mostShared;
  for (unsigned size : sizes.grid)
    isLegal &= size >= 1;
  return isLegal;
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

Standin *standinState() {
  return &parts().state;
}
void standinDefine(const char *name, StandinKernel kernel) {
  parts().functions[name] = {kernel};
}

int cuGetErrorName(int status, const char **text) {
  *text = status == unknown        ? "CUDA_ERROR_UNKNOWN"
          : status == notFound     ? "CUDA_ERROR_NOT_FOUND"
          : status == launchFailed ? "CUDA_ERROR_LAUNCH_FAILED"
                                   : nullptr;
  return 0;
}
int cuGetErrorString(int status, const char **text) {
  *text = status == unknown        ? "unknown error"
          : status == notFound     ? "named symbol not found"
          : status == launchFailed ? "unspecified launch failure"
                                   : nullptr;
  return 0;
}
int cuInit(unsigned) {
  return called("cuInit");
}
int cuDriverGetVersion(int *version) {
  *version = parts().state.version;
  return called("cuDriverGetVersion");
}
int cuDeviceGetCount(int *count) {
  *count = parts().state.gpus;
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
  const int capability = parts().state.capability;
  *value = attribute == 75 ? capability / 10 : attribute == 76 ? capability % 10 : -1;
  return called("cuDeviceGetAttribute");
}
int cuDevicePrimaryCtxRetain(void **context, int) {
  *context = &parts(); // one of the process, whose users are counted
  const int status = called("cuDevicePrimaryCtxRetain");
  parts().state.alive += status == 0;
  parts().contexts += status == 0;
  return status;
}
int cuDevicePrimaryCtxRelease_v2(int) {
  --parts().state.alive;
  if (--parts().contexts == 0 && !parts().things.empty())
    mistake("the context is released before what is in it", 0);
  return called("cuDevicePrimaryCtxRelease");
}
int cuCtxSetCurrent(void *context) {
  hasContext() = context != nullptr;
  return called("cuCtxSetCurrent");
}
int cuMemGetInfo_v2(size_t *free, size_t *total) {
  *free = parts().state.freeBytes, *total = 2 * *free;
  return calledInContext("cuMemGetInfo");
}
int cuMemAlloc_v2(void **address, size_t bytes) {
  return bytes > parts().state.freeBytes ? outOfMemory : make("cuMemAlloc", Kind::Memory, bytes, address);
}
int cuMemFree_v2(void *address) {
  return destroy("cuMemFree", Kind::Memory, address);
}
int cuMemcpyHtoDAsync_v2(void *to, const void *from, size_t bytes, void *stream) {
  return copy("cuMemcpyHtoDAsync", to, from, to, bytes, stream);
}
int cuMemcpyDtoHAsync_v2(void *to, void *from, size_t bytes, void *stream) {
  return copy("cuMemcpyDtoHAsync", to, from, from, bytes, stream);
}
int cuModuleLoadDataEx(void **module, const void *image, unsigned options, int *names, void **values) {
  Standin &state = parts().state;
  state.image = static_cast<const char *>(image);
  for (unsigned i = 0; i < options; ++i)
    if (names[i] == 5 && state.calls.size() + 1 == state.failing)
      std::strcpy(static_cast<char *>(values[i]), "ptxas: line 1");
  return make("cuModuleLoadDataEx", Kind::Module, 1, module);
}
int cuModuleUnload(void *module) {
  return destroy("cuModuleUnload", Kind::Module, module);
}
int cuModuleGetFunction(void **function, void *module, const char *name) {
  if (const int status = calledInContext("cuModuleGetFunction"))
    return status;
  const auto found = parts().functions.find(name);
  *function = found == parts().functions.end() ? nullptr : &found->second;
  if (*function)
    found->second.module = module;
  return !find("cuModuleGetFunction", Kind::Module, module) ? invalidHandle : *function ? 0 : notFound;
}
int cuFuncSetAttribute(void *function, int attribute, int value) {
  if (attribute == 8)
    static_cast<Function *>(function)->mostShared = static_cast<unsigned>(value);
  return calledInContext("cuFuncSetAttribute");
}
int cuStreamCreate(void **stream, unsigned) {
  return make("cuStreamCreate", Kind::Stream, 1, stream);
}
int cuStreamSynchronize(void *stream) {
  forbidCapturing("cuStreamSynchronize");
  const int status = calledInContext("cuStreamSynchronize");
  Thing *thing = find("cuStreamSynchronize", Kind::Stream, stream);
  const int failure = thing ? work(*thing) : invalidHandle;
  return status ? status : failure;
}
int cuStreamDestroy_v2(void *stream) {
  return destroy("cuStreamDestroy", Kind::Stream, stream);
}
int cuEventCreate(void **event, unsigned) {
  return make("cuEventCreate", Kind::Event, 1, event);
}
int cuEventRecord(void *event, void *stream) {
  if (Thing *thing = find("cuEventRecord", Kind::Event, event))
    thing->stream = stream, thing->isReached = false, thing->isOfCapture = isCapturing(stream);
  return begin("cuEventRecord", stream, {[event] { reach(event); }, {event}});
}
int cuEventRecordWithFlags(void *event, void *stream, unsigned flags) {
  constexpr const char *name = "cuEventRecordWithFlags";
  if (flags != 1 || !isCapturing(stream))
    mistake(std::string(name) + " other than for a graph's launches", invalidValue);
  find(name, Kind::Event, event);
  return begin(name, stream, {[event] { reach(event); }, {event}, event});
}
int cuEventSynchronize(void *event) {
  forbidCapturing("cuEventSynchronize");
  if (const int status = calledInContext("cuEventSynchronize"))
    return status;
  const Thing *thing = find("cuEventSynchronize", Kind::Event, event);
  if (thing && thing->isOfCapture)
    return mistake("cuEventSynchronize of an event that was captured", invalidValue);
  Thing *stream = thing ? find("cuEventSynchronize", Kind::Stream, thing->stream) : nullptr;
  return stream ? work(*stream) : invalidHandle;
}
int cuEventElapsedTime(float *milliseconds, void *first, void *last) {
  forbidCapturing("cuEventElapsedTime");
  for (void *event : {first, last})
    if (const Thing *thing = find("cuEventElapsedTime", Kind::Event, event);
        !thing || !thing->isReached || thing->isOfCapture)
      mistake("cuEventElapsedTime of an event that nobody waited for", notReady);
  *milliseconds = 0.25F;
  return calledInContext("cuEventElapsedTime");
}
int cuEventDestroy_v2(void *event) {
  return destroy("cuEventDestroy", Kind::Event, event);
}
int cuLaunchKernel(Function *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                   unsigned bz, unsigned sharedBytes, void *stream, void **parameters, void **) {
  const LaunchSizes sizes{{gx, gy, gz}, {bx, by, bz}, sharedBytes};
  if (!isLegal(*function, sizes))
    mistake("cuLaunchKernel beyond limits", invalidValue);
  std::vector<uint8_t *> addresses;
  for (int i = 0; i < 3; ++i)
    addresses.push_back(*static_cast<uint8_t **>(parameters[i]));
  std::vector<const void *> uses(addresses.begin(), addresses.end());
  uses.push_back(function->module);
  return begin("cuLaunchKernel", stream,
               {[kernel = function->kernel, sizes, addresses] {
                  parts().failure = parts().state.launchFailure;
                  if (parts().failure == 0)
                    kernel(sizes, addresses);
                },
                uses});
}

} // extern "C"
#pragma GCC visibility pop
