#include "gemm_library.h"

namespace daedalus::cuda {

Result<std::unique_ptr<GemmLibrary>> openLibrary(const Library &library, Stream stream, Workspace workspace) {
  return library.name == "cublas" ? openCublas(library, stream, workspace)
                                  : openCublasLt(library, stream, workspace);
}

} // namespace daedalus::cuda
