// Kernels that memory bounds: that they give the right values, and load and store no more than they need.
#include "cuda_kernel.h"
#include "onnx_builder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace daedalus::test {
namespace {

std::vector<float> randomFloats(int64_t count, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> distribution(-2, 2);
  std::vector<float> values(count);
  for (float &value : values)
    value = distribution(random);
  return values;
}

/// The model's outputs and counts; a failure of the test where it cannot be compiled or run.
EmulatedRun runOnGpu(const OnnxBuilder &model, const std::vector<std::vector<uint8_t>> &inputs) {
  Result<EmulatedKernel> kernel = EmulatedKernel::ofModel(model.bytes());
  if (!kernel) {
    ADD_FAILURE() << kernel.error();
    return {{{}}, {}};
  }
  Result<EmulatedRun> run = kernel->run(inputs);
  EXPECT_TRUE(run) << run.error();
  return run ? std::move(*run) : EmulatedRun{{{}}, {}};
}

constexpr int32_t f32 = onnx::TensorProto::FLOAT;

TEST(CudaRows, Relu) {
  OnnxBuilder model;
  model.output(model.node("Relu", {model.input("x", f32, {64, 1024})}), f32, {64, 1024});
  const std::vector<float> x = randomFloats(64 * 1024);
  const EmulatedRun run = runOnGpu(model, {bytesOfNumbers(x)});
  const std::vector<float> y = numbersOfBytes<float>(run.outputs[0]);
  ASSERT_EQ(y.size(), x.size());
  for (size_t i = 0; i < x.size(); ++i)
    ASSERT_EQ(y[i], std::max(x[i], 0.0f)) << i;
  EXPECT_EQ(run.total().globalBytesLoaded, 4 * x.size());
  EXPECT_EQ(run.total().globalBytesStored, 4 * x.size());
  EXPECT_EQ(run.total().globalSectors, 2 * 4 * x.size() / 32);
}

} // namespace
} // namespace daedalus::test
