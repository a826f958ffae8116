// A library that computes products of matrices on a stream of the GPU's. The context that it is opened, used
// and closed in is current.
#pragma once

#include "cuda_api.h"
#include "cuda_gemm.h"
#include "cuda_libraries.h"

#include <memory>

namespace daedalus::cuda {

/// Memory of the GPU's that a library computes in.
struct Workspace {
  Address address = 0;
  size_t bytes = 0;
};

/// The most that cuBLAS asks for by itself ("cuBLAS Library", chapter 2.1.14, of GPUs of 9.0).
constexpr size_t workspaceBytes = 32 << 20;

/// A product that a library is ready to compute.
class ReadyGemm {
public:
  virtual ~ReadyGemm() = default;
  /// x times y to out, on the stream.
  virtual Result<void> run(Address x, Address y, Address out) = 0;
};

class GemmLibrary {
public:
  virtual ~GemmLibrary() = default;
  /// The library outlives it. The error says why the library cannot compute it.
  virtual Result<std::unique_ptr<ReadyGemm>> prepare(const Gemm &gemm) = 0;
};

/// Opens a library of libraries(). All that it computes is done on the stream, in the workspace, which both
/// outlive it.
Result<std::unique_ptr<GemmLibrary>> openLibrary(const Library &library, Stream stream, Workspace workspace);

Result<std::unique_ptr<GemmLibrary>> openCublas(const Library &library, Stream stream, Workspace workspace);
Result<std::unique_ptr<GemmLibrary>> openCublasLt(const Library &library, Stream stream, Workspace workspace);

} // namespace daedalus::cuda
