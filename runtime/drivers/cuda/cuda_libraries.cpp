#include "cuda_libraries.h"

#include "daedalus/package/library_names.h"

namespace daedalus::cuda {

const std::vector<Library> &libraries() {
  static const std::vector<Library> all = {{"cublas",
                                            "cuBLAS",
                                            {"libcublas.so.12", "libcublas.so.13"},
                                            "DAEDALUS_CUBLAS",
                                            "NVIDIA's CUDA Toolkit",
                                            12,
                                            {"matmul", "matmul_i8"}},
                                           {"cublaslt",
                                            "cuBLASLt",
                                            {"libcublasLt.so.12", "libcublasLt.so.13"},
                                            "DAEDALUS_CUBLASLT",
                                            "NVIDIA's CUDA Toolkit",
                                            12,
                                            {"matmul", "matmul_i8"}},
                                           {"cudnn",
                                            "cuDNN",
                                            {"libcudnn.so.9", "libcudnn.so.8"},
                                            "DAEDALUS_CUDNN",
                                            "NVIDIA's cuDNN",
                                            8,
                                            {"conv"}}};
  return all;
}

const Library *findLibrary(const std::string &name) {
  return package::findNamed(libraries(), name);
}

const Library *libraryOf(const std::string &function) {
  return package::findWithFunction(libraries(), function);
}

} // namespace daedalus::cuda
