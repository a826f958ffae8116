// Faults that are planted into kernels: none may stay unseen. What the emulator reports is a fault that is
// found; so are results of random data that differ from those of the kernel without it.
#include "faults.h"

#include "cuda_kernel.h"
#include "onnx_builder.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <random>

namespace daedalus::test {
namespace {

constexpr int32_t f32 = onnx::TensorProto::FLOAT, f16 = onnx::TensorProto::FLOAT16,
                  i8 = onnx::TensorProto::INT8, i32 = onnx::TensorProto::INT32,
                  i64 = onnx::TensorProto::INT64;

using Bytes = std::vector<uint8_t>;

Bytes randomBytes(int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  Bytes bytes(count);
  for (uint8_t &byte : bytes)
    byte = static_cast<uint8_t>(random());
  return bytes;
}

Bytes randomFloats(int64_t count, unsigned seed, float from, float to) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> distribution(from, to);
  std::vector<float> values(count);
  for (float &value : values)
    value = distribution(random);
  return bytesOfNumbers(values);
}

/// Of both signs, from 1/4 to 2.
Bytes randomHalves(int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<uint16_t> values(count);
  for (uint16_t &value : values)
    value = static_cast<uint16_t>((random() & 0x83ff) | (13 + random() % 3) << 10);
  return bytesOfNumbers(values);
}

struct Case {
  std::string name;
  OnnxBuilder model;
  std::vector<Bytes> inputs;
  std::string schedule = {}, gpu = "sm_80";
};

Case product(const char *name, int32_t type, const Extents &extents, std::vector<Bytes> inputs) {
  const auto [m, n, k] = extents;
  Case made{name, OnnxBuilder(), std::move(inputs)};
  const std::string a = made.model.input("a", type, {m, k}), b = made.model.input("b", type, {k, n});
  made.model.output(made.model.node(type == i8 ? "MatMulInteger" : "MatMul", {a, b}), type == i8 ? i32 : type,
                    {m, n});
  return made;
}

/// Of more than one block in each direction, and more steps than stages.
Case warpgroupProduct() {
  const auto [m, n, k] = float16Extents;
  Case made =
      product("warpgroup product", f16, float16Extents, {randomHalves(m * k, 1), randomHalves(k * n, 2)});
  made.gpu = "sm_90a";
  made.schedule = "cuda.schedule format 1 {\n  cuda.product f16 [1, " + std::to_string(m) + ", " +
                  std::to_string(n) + ", " + std::to_string(k) +
                  "] by warpgroups tile [64, 128, 32] warps [4, 1] stages 3\n}\n";
  return made;
}

/// Of 5 channels to 19, padded.
Case convolution() {
  Case made{
      "convolution", OnnxBuilder(), {randomFloats(5 * 11 * 13, 1, -2, 2), randomFloats(19 * 45, 2, -2, 2)}};
  const std::string x = made.model.input("x", f32, {1, 5, 11, 13}),
                    w = made.model.input("w", f32, {19, 5, 3, 3});
  made.model.output(made.model.node("Conv", {x, w}, {{"pads", std::vector<int64_t>{1, 1, 1, 1}}}), f32,
                    {1, 19, 11, 13});
  return made;
}

/// A launch that fills, and one that copies.
Case padding() {
  Case made{"padding", OnnxBuilder(), {randomFloats(5 * 11 * 13, 1, -2, 2)}};
  const std::string x = made.model.input("x", f32, {1, 5, 11, 13}),
                    pads = made.model.integers(i64, {8}, {0, 0, 1, 1, 0, 0, 1, 1}),
                    value = made.model.floats({}, {1.5f});
  made.model.output(made.model.node("Pad", {x, pads, value}), f32, {1, 5, 13, 15});
  return made;
}

Case quantizedProduct() {
  Case made{"quantized product", OnnxBuilder(), {randomBytes(37 * 112, 1)}};
  std::vector<int8_t> weights;
  for (uint8_t byte : randomBytes(112 * 40, 2))
    weights.push_back(static_cast<int8_t>(byte % 255 - 127));
  const std::string x = made.model.dequantize(made.model.input("x", i8, {37, 112}), 0.05f, 3);
  const std::string y = made.model.node("MatMul", {x, made.model.weights({112, 40}, weights, {0.02f}, 1)});
  made.model.output(made.model.quantize(y, 0.6f, -2), i8, {37, 40});
  return made;
}

Case softmax() {
  Case made{"softmax", OnnxBuilder(), {randomFloats(5 * softmaxWidth, 1, -5, -1)}};
  made.model.output(
      made.model.node("Softmax", {made.model.input("x", f32, {5, softmaxWidth})}, {{"axis", -1}}), f32,
      {5, softmaxWidth});
  return made;
}

Case reduction() {
  Case made{"reduction", OnnxBuilder(), {randomFloats(8 * 1000, 1, -2, 2)}};
  const std::string x = made.model.input("x", f32, {8, 1000}), axes = made.model.integers(i64, {1}, {1});
  made.model.output(made.model.node("ReduceSum", {x, axes}, {{"keepdims", 0}}), f32, {8});
  return made;
}

Case elementwise() {
  Case made{"elementwise", OnnxBuilder(), {randomFloats(13 * 50, 1, -2, 2), randomFloats(13 * 50, 2, -2, 2)}};
  const std::string a = made.model.input("a", f32, {13, 50}), b = made.model.input("b", f32, {13, 50});
  made.model.output(made.model.node("Relu", {made.model.node("Add", {a, b})}), f32, {13, 50});
  return made;
}

std::vector<Case> cases() {
  const auto [m, n, k] = int8Extents;
  const auto [m16, n16, k16] = float16Extents;
  const auto [m32, n32, k32] = float32Extents;
  std::vector<Case> all;
  all.push_back(product("int8 product", i8, int8Extents, {randomBytes(m * k, 1), randomBytes(k * n, 2)}));
  all.push_back(product("float16 product", f16, float16Extents,
                        {randomHalves(m16 * k16, 1), randomHalves(k16 * n16, 2)}));
  all.push_back(warpgroupProduct());
  all.push_back(product("float32 product", f32, float32Extents,
                        {randomFloats(m32 * k32, 1, -2, 2), randomFloats(k32 * n32, 2, -2, 2)}));
  all.push_back(convolution());
  all.push_back(padding());
  all.push_back(quantizedProduct());
  all.push_back(softmax());
  all.push_back(reduction());
  all.push_back(elementwise());
  return all;
}

struct Tally {
  int planted = 0, byErrors = 0, byValues = 0;
};

/// A kernel whose code is edited, once for each fault.
class Planter {
public:
  Planter(EmulatedKernel &kernel, const std::vector<Bytes> &inputs, const std::vector<Bytes> &expected)
      : kernel(kernel), inputs(inputs), expected(expected), code(kernel.code) {
    context.loadDialect<mlir::gpu::GPUDialect, mlir::LLVM::LLVMDialect, mlir::NVVM::NVVMDialect>();
    const Bytes &text = code.images.front().bytes;
    module = mlir::parseSourceString<mlir::ModuleOp>(std::string(text.begin(), text.end()), &context);
  }

  void operator()(const Fault &fault, Tally &tally) {
    mlir::OwningOpRef<mlir::ModuleOp> edited = module->clone();
    kernel.code = code;
    Subject subject{*edited, kernel.code};
    ASSERT_TRUE(fault.plant(subject)) << "there is nothing to edit";
    ASSERT_TRUE(mlir::succeeded(mlir::verify(*edited))) << "the edited code is not valid";
    auto emulator = cuda::Emulator::create(*edited->getOps<mlir::gpu::GPUModuleOp>().begin());
    ASSERT_TRUE(emulator) << emulator.error();
    kernel.emulator = std::move(*emulator);
    ++tally.planted;
    const Result<EmulatedRun> run = kernel.run(inputs);
    EXPECT_FALSE(run && run->outputs == expected) << "the fault was not found";
    tally.byErrors += !run;
    tally.byValues += run && run->outputs != expected;
    std::printf("  %s: %s\n", fault.name, !run ? run.error().c_str() : "other values");
  }

private:
  EmulatedKernel &kernel;
  const std::vector<Bytes> &inputs, &expected;
  const cuda::Code code;
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

std::vector<Fault> faultsOf(const std::string &kernel) {
  std::vector<Fault> found;
  for (const auto &list : {faultsOfStages(), faultsOfFragments(), faultsOfWarpgroups(), faultsOfGuards(),
                           faultsOfPlaces(), faultsOfValues()})
    for (const Fault &fault : list)
      if (fault.kernel == kernel)
        found.push_back(fault);
  return found;
}

TEST(CudaFaults, AreFound) {
  Tally tally;
  for (const Case &made : cases()) {
    SCOPED_TRACE(made.name);
    Result<EmulatedKernel> kernel = EmulatedKernel::ofModel(made.model.bytes(), made.schedule, {made.gpu});
    ASSERT_TRUE(kernel) << kernel.error();
    const Result<EmulatedRun> whole = kernel->run(made.inputs);
    ASSERT_TRUE(whole) << whole.error();
    std::printf("%s\n", made.name.c_str());
    Planter plant(*kernel, made.inputs, whole->outputs);
    for (const Fault &fault : faultsOf(made.name)) {
      SCOPED_TRACE(fault.name);
      plant(fault, tally);
    }
  }
  std::printf("%d faults planted, %d found: %d by the emulator, %d by values\n", tally.planted,
              tally.byErrors + tally.byValues, tally.byErrors, tally.byValues);
  EXPECT_GE(tally.planted, 20);
}

} // namespace
} // namespace daedalus::test
