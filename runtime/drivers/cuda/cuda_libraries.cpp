#include "cuda_libraries.h"

#include <algorithm>

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
  for (const Library &library : libraries())
    if (library.name == name)
      return &library;
  return nullptr;
}

const Library *libraryOf(const std::string &function) {
  const size_t dot = function.find('.');
  const Library *library = dot == std::string::npos ? nullptr : findLibrary(function.substr(0, dot));
  const bool isThere = library && std::find(library->functions.begin(), library->functions.end(),
                                            function.substr(dot + 1)) != library->functions.end();
  return isThere ? library : nullptr;
}

} // namespace daedalus::cuda
