// How the machine code of CPU kernels and the runtime call each other. Compiled kernels read the context by
// offset, in bytes on a host with 64-bit pointers: what an offset means stays as it is.
#pragma once

#include <cstddef>
#include <cstdint>

namespace daedalus::package {

/// One task of a kernel. `closure` is what the kernel passed; `scratch` is the memory of the worker that runs
/// the task: at a multiple of 64, with what an earlier task left in it, null where KernelContext::workerBytes
/// is 0. No two bodies that run at once share it.
using KernelBody = void(void *closure, int64_t task, void *scratch);

/// What a kernel may ask of the runtime, for the time of one call.
struct KernelContext {
  /// Offset 0. Calls body(closure, task, scratch) once for each task of [0, tasks), on up to the runtime's
  /// threads and in any order, and returns when all are done: what the bodies wrote is then visible. Not to
  /// be called from a body.
  void (*parallelFor)(const KernelContext *context, KernelBody *body, void *closure, int64_t tasks);
  /// Offset 8. Bytes of every scratch: the largest Kernel::workerBytes of the package, rounded up to a
  /// multiple of 64. A kernel that finds less than it was compiled for returns kernelLacksScratch.
  uint64_t workerBytes;
  /// Offset 16. The runtime's own.
  void *runtime;
};
static_assert(offsetof(KernelContext, parallelFor) == 0 && offsetof(KernelContext, workerBytes) == 8 &&
                  offsetof(KernelContext, runtime) == 16,
              "compiled kernels read the context by these offsets");

/// A kernel: `args` are pointers to its inputs, then to its outputs. It returns 0 or bits of the statuses
/// below.
using KernelEntry = int32_t(void *const *args, const KernelContext *context);

/// An input (a shape, limits, pads) says another output shape than the compiled one.
constexpr int32_t kernelHasOtherShape = 1;
/// An index or label is outside of its dimension.
constexpr int32_t kernelHasOtherIndex = 2;
/// Its workers have less memory than it needs: the package's table was changed.
constexpr int32_t kernelLacksScratch = 4;

} // namespace daedalus::package
