// What --cuda-library says.

#ifndef DAEDALUS_LIB_TARGET_CUDA_LIBRARYCHOICE_H
#define DAEDALUS_LIB_TARGET_CUDA_LIBRARYCHOICE_H

#include "daedalus/support/result.h"

#include <string>
#include <vector>

namespace daedalus::cuda {

/// A library with the patterns that it is given, such as "matmul".
struct LibraryChoice {
  std::string name;
  std::vector<std::string> patterns;

  bool has(const std::string &pattern) const;
};

/// Of a list such as "cublas:matmul": libraries of NVIDIA's (cuda_libraries.h), all of whose functions are
/// used or those behind the colon, with '+' between them; commas stand between several. The error says what
/// is not known.
Result<std::vector<LibraryChoice>> parseLibraries(const std::string &list);

} // namespace daedalus::cuda

#endif
