// A reduction over windows as a launch: each block of threads fetches the part of the image that its windows
// lie in, then reads it from shared memory.

#ifndef DAEDALUS_LIB_TARGET_CUDA_LAUNCHWINDOW_H
#define DAEDALUS_LIB_TARGET_CUDA_LAUNCHWINDOW_H

#include "Window.h"

#include "Transforms/Transforms.h"

namespace daedalus::cuda {

/// Adds the function to `device`, and launches it where `builder` stands.
void launchWindow(const Group &group, const Window &window, const WindowTile &tile,
                  mlir::gpu::GPUModuleOp device, llvm::StringRef name, mlir::OpBuilder &builder);

} // namespace daedalus::cuda

#endif
