// Compiles a model or a tensor program for emulated GPUs, and runs it launch by launch, with the counts of
// each.
//
//   Result<EmulatedKernel> kernel = EmulatedKernel::ofText("func.func @main(...) ...");
//   Result<EmulatedRun> run = kernel->run({bytes of each input});
//   EXPECT_EQ(run->total().globalBytesLoaded, ...);
#pragma once

#include "Emulation/EmulatedCode.h"

#include "daedalus/package/package.h"

#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace daedalus::test {

struct EmulatedCounts {
  cuda::Launch launch;
  cuda::EmulationCounts counts;
};

struct EmulatedRun {
  std::vector<std::vector<uint8_t>> outputs; ///< bytes, in the order of the function's
  std::vector<EmulatedCounts> launches;      ///< in the order in which they ran

  cuda::EmulationCounts total() const; ///< of all launches
};

struct EmulatedOptions {
  std::string gpu = "sm_80";  ///< whose code it is: sm_80 or sm_90a
  std::string libraries = ""; ///< as --cuda-library takes them
};

/// The first function of a package whose steps are all on the GPU.
struct EmulatedKernel {
  /// Of an ONNX model, or of a file *.mlir. `schedule`: the text of a file (docs/schedules.md); empty: none.
  static Result<EmulatedKernel> ofFile(const std::string &path, const std::string &schedule = "",
                                       const EmulatedOptions &options = {});
  /// Of a tensor program's text (docs/tensor_programs.md).
  static Result<EmulatedKernel> ofText(const std::string &text, const std::string &libraries = "");
  /// Of an ONNX model's bytes.
  static Result<EmulatedKernel> ofModel(const std::string &bytes, const std::string &schedule = "",
                                        const EmulatedOptions &options = {});

  /// With the bytes of each input. The error is the emulator's: a fault of a thread, and where.
  Result<EmulatedRun> run(const std::vector<std::vector<uint8_t>> &inputs);

  package::Package package;
  cuda::Code code;
  std::string ptx; ///< of the same kernels, for the GPU
  std::unique_ptr<cuda::Emulator> emulator;
};

template <class T> std::vector<uint8_t> bytesOfNumbers(const std::vector<T> &numbers) {
  const auto *begin = reinterpret_cast<const uint8_t *>(numbers.data());
  return {begin, begin + numbers.size() * sizeof(T)};
}
template <class T> std::vector<T> numbersOfBytes(const std::vector<uint8_t> &bytes) {
  std::vector<T> numbers(bytes.size() / sizeof(T));
  std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(T));
  return numbers;
}

} // namespace daedalus::test
