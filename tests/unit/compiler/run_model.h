// Compiles a model, for the CPU where nothing else is said, and runs it.
#pragma once

#include "onnx_builder.h"

#include "daedalus/Pipelines/Compile.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace daedalus::test {

using Bytes = std::vector<int8_t>;

int64_t count(const OnnxBuilder::Shape &shape);
Bytes randomBytes(std::mt19937 &random, int64_t size);
/// `libraries` as --cpu-library takes them; where there are none, those of DAEDALUS_CPU_LIBRARIES.
Result<Compiled> compileBytes(const std::string &bytes, const std::string &target = "cpu",
                              const GivenInputs &given = {}, const std::string &libraries = "");
using Outputs = std::vector<std::vector<uint8_t>>;
/// The outputs' bytes of a model, of the bytes of its inputs.
Result<Outputs> tryModel(const OnnxBuilder &model, const std::vector<Bytes> &inputs,
                         const std::string &target = "cpu", const GivenInputs &given = {});
/// The same; a failure of the test where it cannot be compiled or run.
Outputs runModel(const OnnxBuilder &model, const std::vector<Bytes> &inputs,
                 const std::string &target = "cpu", const GivenInputs &given = {});

/// The bytes of numbers, and the numbers of bytes.
template <class T> Bytes bytesOf(const std::vector<T> &numbers) {
  const auto *begin = reinterpret_cast<const int8_t *>(numbers.data());
  return Bytes(begin, begin + numbers.size() * sizeof(T));
}
template <class T> std::vector<T> numbersOf(const std::vector<uint8_t> &bytes) {
  const auto *begin = reinterpret_cast<const T *>(bytes.data());
  return std::vector<T>(begin, begin + bytes.size() / sizeof(T));
}

} // namespace daedalus::test
