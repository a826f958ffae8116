#include "opened_library.h"

namespace daedalus::cuda {

Result<std::unique_ptr<OpenedLibrary>> openLibrary(const Library &library, Stream stream,
                                                   Workspace workspace) {
  return library.name == "cublas"     ? openCublas(library, stream, workspace)
         : library.name == "cublaslt" ? openCublasLt(library, stream, workspace)
                                      : openCudnn(library, stream, workspace);
}

} // namespace daedalus::cuda
