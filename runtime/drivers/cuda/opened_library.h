// A library that computes on a stream of the GPU's. The context that it is opened, used and closed in is
// current.
#pragma once

#include "cuda_api.h"
#include "cuda_call.h"
#include "cuda_libraries.h"

#include "daedalus/support/result.h"

#include <memory>

namespace daedalus::cuda {

/// Memory of the GPU's that a library computes in.
struct Workspace {
  Address address = 0;
  size_t bytes = 0;
};

/// The most that cuBLAS asks for by itself ("cuBLAS Library", chapter 2.1.14, of GPUs of 9.0).
constexpr size_t workspaceBytes = 32 << 20;

/// A call that a library is ready for.
class ReadyCall {
public:
  virtual ~ReadyCall() = default;
  /// Of x and y to out, on the stream.
  virtual Result<void> run(Address x, Address y, Address out) = 0;
};

class OpenedLibrary {
public:
  virtual ~OpenedLibrary() = default;
  /// Of a call of one of its functions (computes). The library outlives it. The error says why the library
  /// cannot compute it.
  virtual Result<std::unique_ptr<ReadyCall>> prepare(const Call &call) = 0;
};

/// Opens a library of libraries(). All that it computes is done on the stream, in the workspace, which both
/// outlive it.
Result<std::unique_ptr<OpenedLibrary>> openLibrary(const Library &library, Stream stream,
                                                   Workspace workspace);

Result<std::unique_ptr<OpenedLibrary>> openCublas(const Library &library, Stream stream, Workspace workspace);
Result<std::unique_ptr<OpenedLibrary>> openCublasLt(const Library &library, Stream stream,
                                                    Workspace workspace);
Result<std::unique_ptr<OpenedLibrary>> openCudnn(const Library &library, Stream stream, Workspace workspace);

} // namespace daedalus::cuda
