// Libraries of NVIDIA's that a package's code may call on the GPU: functions whose names begin with a
// library's, such as "cublas.matmul". What the functions compute is in cuda_call.h.
#pragma once

#include <string>
#include <vector>

namespace daedalus::cuda {

struct Library {
  std::string name;               ///< in --cuda-library and in front of its functions: "cublas"
  std::string title;              ///< in sentences: "cuBLAS"
  std::vector<std::string> files; ///< of its shared object, the first that the loader finds
  std::string variable;           ///< of the environment: another file in their place
  std::string origin;             ///< what is installed to have it: "NVIDIA's CUDA Toolkit"
  int leastVersion;
  std::vector<std::string> functions; ///< without its name: "matmul"
};

const std::vector<Library> &libraries();

/// Null where there is none of this name.
const Library *findLibrary(const std::string &name);

/// The library of a function such as "cublas.matmul"; null where no library has it.
const Library *libraryOf(const std::string &function);

} // namespace daedalus::cuda
