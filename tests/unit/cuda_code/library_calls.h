// What tests of libraries' calls share.
#pragma once

#include "cuda_kernel.h"
#include "onnx_builder.h"

#include "daedalus/support/float16.h"

#include <algorithm>
#include <random>
#include <vector>

namespace daedalus::test {

constexpr int32_t f32 = onnx::TensorProto::FLOAT, f16 = onnx::TensorProto::FLOAT16,
                  bf16 = onnx::TensorProto::BFLOAT16, i8 = onnx::TensorProto::INT8,
                  i32 = onnx::TensorProto::INT32;

/// From -3 to 3, as a tensor of a shape stores them.
inline std::vector<uint8_t> wholeNumbers(const std::vector<int64_t> &shape, int32_t type,
                                         std::mt19937 &random) {
  std::vector<uint8_t> bytes;
  const auto append = [&](auto number) {
    const auto *begin = reinterpret_cast<const uint8_t *>(&number);
    bytes.insert(bytes.end(), begin, begin + sizeof number);
  };
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  for (int64_t i = 0; i < count; ++i) {
    const int value = int(random() % 7) - 3;
    if (type == f32)
      append(float(value));
    else if (type == f16)
      append(static_cast<uint16_t>(float16Of(float(value))));
    else if (type == bf16)
      append(static_cast<uint16_t>(bfloat16Of(float(value))));
    else
      append(int8_t(value));
  }
  return bytes;
}

inline size_t callsOf(const EmulatedRun &run) {
  return size_t(std::count_if(run.launches.begin(), run.launches.end(),
                              [](const EmulatedCounts &counts) { return counts.launch.call.has_value(); }));
}

} // namespace daedalus::test
