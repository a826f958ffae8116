// What tests of libraries' calls share.
#pragma once

#include "cuda_kernel.h"
#include "onnx_builder.h"

#include "daedalus/support/float16.h"

#include <gtest/gtest.h>

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

/// What a model gives on an emulated GPU with each of these libraries; fails the test, and gives fewer, where
/// it does not run.
inline std::vector<EmulatedRun> runsWith(const std::vector<std::string> &libraries, const std::string &model,
                                         const std::vector<std::vector<uint8_t>> &inputs) {
  std::vector<EmulatedRun> runs;
  for (const std::string &named : libraries) {
    Result<EmulatedKernel> kernel = EmulatedKernel::ofModel(model, "", {"sm_80", named});
    Result<EmulatedRun> run = kernel ? kernel->run(inputs) : error(kernel.error());
    EXPECT_TRUE(run) << named << ": " << run.error();
    if (!run)
      return runs;
    runs.push_back(std::move(*run));
  }
  return runs;
}

} // namespace daedalus::test
