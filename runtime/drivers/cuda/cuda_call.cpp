#include "cuda_call.h"

#include "cuda_libraries.h"

namespace daedalus::cuda {
namespace {

/// The functions that compute it, without a library's name.
std::string patternOf(const Call &call) {
  const auto *gemm = std::get_if<Gemm>(&call);
  return !gemm ? "conv" : gemm->type == package::DType::I8 ? "matmul_i8" : "matmul";
}

} // namespace

bool isLegal(const Call &call) {
  return std::visit([](const auto &known) { return isLegal(known); }, call);
}

bool computes(const std::string &function, const Call &call) {
  const Library *library = libraryOf(function);
  return library && function == library->name + "." + patternOf(call);
}

std::array<uint64_t, 3> bytesOf(const Call &call) {
  if (const auto *gemm = std::get_if<Gemm>(&call))
    return {gemm->bytesOfX(), gemm->bytesOfY(), gemm->bytesOfOut()};
  const Conv &conv = std::get<Conv>(call);
  return {conv.bytesOfX(), conv.bytesOfW(), conv.bytesOfOut()};
}

} // namespace daedalus::cuda
