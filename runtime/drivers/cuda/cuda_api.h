// What is used of NVIDIA's CUDA driver API, version 12 ("CUDA Driver API Reference Manual"): types and
// functions as the library has them, so that neither building nor starting needs a CUDA Toolkit.
#pragma once

#include "daedalus/support/result.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace daedalus::cuda {

using Status = int; ///< CUresult; 0 is success
using DeviceNumber = int;
using Address = unsigned long long; ///< CUdeviceptr
using Context = struct ContextHandle *;
using Module = struct ModuleHandle *;
using Function = struct FunctionHandle *;
using Stream = struct StreamHandle *;
using Event = struct EventHandle *;
using GraphTemplate = struct GraphHandle *; ///< CUgraph
using Graph = struct GraphExecHandle *;     ///< CUgraphExec

/// An address, or a number, as those functions take it whose parameter is a pointer.
inline void *asPointer(Address value) {
  return reinterpret_cast<void *>(value); // NOLINT: the driver API's addresses are numbers
}

// Of the enumerations of cuda.h.
constexpr int attributeCapabilityMajor = 75, attributeCapabilityMinor = 76; ///< CUdevice_attribute
constexpr int functionDynamicSharedBytes = 8;                               ///< CUfunction_attribute
constexpr int jitErrorLog = 5, jitErrorLogBytes = 6;                        ///< CUjit_option
constexpr unsigned streamNonBlocking = 1;
constexpr int captureThreadLocal = 1;       ///< CUstreamCaptureMode
constexpr unsigned eventRecordExternal = 1; ///< while capturing: whoever launches the graph may wait for it

/// The functions, each by the name that the library exports.
struct DriverApi {
  Status (*init)(unsigned flags);
  Status (*driverGetVersion)(int *version);
  Status (*getErrorName)(Status, const char **text);
  Status (*getErrorString)(Status, const char **text);
  Status (*deviceGetCount)(int *count);
  Status (*deviceGet)(DeviceNumber *, int ordinal);
  Status (*deviceGetName)(char *name, int size, DeviceNumber);
  Status (*deviceGetAttribute)(int *value, int attribute, DeviceNumber);
  Status (*primaryContextRetain)(Context *, DeviceNumber);
  Status (*primaryContextRelease)(DeviceNumber);
  Status (*contextSetCurrent)(Context);
  Status (*memoryGetInfo)(size_t *free, size_t *total);
  Status (*memoryAllocate)(Address *, size_t bytes);
  Status (*memoryFree)(Address);
  Status (*copyToDevice)(Address, const void *, size_t bytes, Stream);
  Status (*copyToHost)(void *, Address, size_t bytes, Stream);
  Status (*moduleLoad)(Module *, const void *image, unsigned options, int *names, void **values);
  Status (*moduleUnload)(Module);
  Status (*moduleGetFunction)(Function *, Module, const char *name);
  Status (*functionSetAttribute)(Function, int attribute, int value);
  Status (*streamCreate)(Stream *, unsigned flags);
  Status (*streamSynchronize)(Stream);
  Status (*streamDestroy)(Stream);
  Status (*streamBeginCapture)(Stream, int mode);
  Status (*streamEndCapture)(Stream, GraphTemplate *);
  Status (*eventCreate)(Event *, unsigned flags);
  Status (*eventRecord)(Event, Stream);
  Status (*eventRecordWithFlags)(Event, Stream, unsigned flags);
  Status (*eventSynchronize)(Event);
  Status (*eventElapsedTime)(float *milliseconds, Event begin, Event end);
  Status (*eventDestroy)(Event);
  Status (*graphInstantiate)(Graph *, GraphTemplate, unsigned long long flags);
  Status (*graphDestroy)(GraphTemplate);
  Status (*graphLaunch)(Graph, Stream);
  Status (*graphExecDestroy)(Graph);
  Status (*launch)(Function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY,
                   unsigned blockZ, unsigned sharedBytes, Stream, void **parameters, void **extra);

  /// Nothing where the call succeeded; else what it was for, and what the library says of the status.
  Result<void> check(Status status, const std::string &what) const;
};

/// The oldest driver that takes the PTX of packages: 12.0, as the library counts.
constexpr int leastVersion = 12000;

/// Of the library that the environment's DAEDALUS_CUDA_DRIVER names, else libcuda.so.1, which stays loaded.
/// The error says what the loader says, or which function it lacks.
Result<DriverApi> loadDriverApi();

} // namespace daedalus::cuda
