// What compiling costs as models grow: processor time (other programs do not count) of a model and of one
// four times as large. Where something compares everything with everything, the second takes sixteen times as
// long.

#include "onnx_builder.h"

#include "daedalus/Pipelines/Compile.h"
#include "daedalus/isa/instructions.h"

#include <gmock/gmock.h>

#include <cstdio>
#include <ctime>
#include <fstream>
#include <functional>

#include <unistd.h>

namespace daedalus::test {
namespace {

using Proto = onnx::TensorProto;
using Shape = std::vector<int64_t>;
using Build = std::function<void(OnnxBuilder &, int size)>;

class Growth : public testing::Test {
protected:
  Growth() : path(testing::TempDir() + "daedalus_growth_" + std::to_string(getpid()) + ".onnx") {}
  ~Growth() override { std::remove(path.c_str()); }

  Compiled compile(const Build &build, int size) {
    OnnxBuilder model;
    build(model, size);
    std::ofstream(path, std::ios::binary) << model.bytes();
    Result<Compiled> compiled = compileModel(path, options);
    EXPECT_TRUE(compiled) << compiled.error();
    return compiled ? std::move(*compiled) : Compiled();
  }

  double seconds(const Build &build, int size) {
    const std::clock_t begin = std::clock();
    compile(build, size);
    return double(std::clock() - begin) / CLOCKS_PER_SEC;
  }

  /// Four times as much takes at most eight times as long, fixed costs aside.
  void expectLinear(const Build &build, int size) {
    seconds(build, 1); // what is made once a process
    const double one = seconds(build, size), four = seconds(build, 4 * size);
    EXPECT_LT(four, 8 * one + 0.3);
  }

  std::string path;
  CompileOptions options;
};

Build concat(int64_t axis, bool quantized) {
  return [=](OnnxBuilder &model, int size) {
    std::vector<std::string> parts;
    Shape shape{1, 4, 4, 4};
    for (int i = 0; i < size; ++i) {
      const int32_t type = quantized ? Proto::INT8 : Proto::FLOAT;
      const std::string x = model.input("x" + std::to_string(i), type, shape);
      parts.push_back(quantized ? model.dequantize(x, 0.5f, 4) : x);
    }
    shape[axis] *= size;
    const std::string y = model.node("Concat", parts, {{"axis", axis}});
    model.output(quantized ? model.quantize(y, 0.5f, 4) : y, quantized ? Proto::INT8 : Proto::FLOAT, shape);
  };
}

TEST_F(Growth, OfPlainConcatIsLinear) {
  expectLinear(concat(1, false), 50);
}

TEST_F(Growth, OfQuantizedConcatIsLinear) {
  expectLinear(concat(2, true), 30);
}

TEST_F(Growth, OfConcatOnTheAcceleratorIsLinear) {
  expectLinear(concat(1, true), 30);
}

/// `size` additions, each of the one before and of the input.
void additions(OnnxBuilder &model, int size) {
  const Shape shape{1, 4, 4, 4};
  const std::string x = model.dequantize(model.input("x", Proto::INT8, shape), 0.5f, 4);
  std::string sum = x;
  for (int i = 0; i < size; ++i)
    sum = model.dequantize(model.quantize(model.node("Add", {sum, x}), 0.5f, 4), 0.5f, 4);
  model.output(model.quantize(sum, 0.5f, 4), Proto::INT8, shape);
}

TEST_F(Growth, OfAChainIsLinear) {
  expectLinear(additions, 200);
}

void pooling(OnnxBuilder &model, int size) {
  const std::string x = model.dequantize(model.input("x", Proto::INT8, {1, 16, 64, 64 * size}), 0.5f, 4);
  const std::string y = model.node("MaxPool", {x}, {{"kernel_shape", Shape{2, 2}}, {"strides", Shape{2, 2}}});
  model.output(model.quantize(y, 0.5f, 4), Proto::INT8, {1, 16, 32, 32 * size});
}

TEST_F(Growth, OfAnImageIsLinear) {
  expectLinear(pooling, 64);
}

size_t instructionsOf(const package::AcceleratorProgram &program) {
  return program.words.size() / isa::InstructionBytes;
}

TEST_F(Growth, StreamsEndWhereTheyWouldBecomeTooLong) {
  const Compiled one = compile(additions, 30);
  ASSERT_EQ(one.package.programs.size(), 1u);
  const size_t all = instructionsOf(one.package.programs[0]);
  options.stepSize = all / 3;
  const Compiled several = compile(additions, 30);
  EXPECT_GE(several.package.programs.size(), 3u);
  EXPECT_LE(several.package.programs.size(), 4u);
  for (const package::AcceleratorProgram &program : several.package.programs)
    EXPECT_LE(instructionsOf(program), all / 3 + 10);
}

} // namespace
} // namespace daedalus::test
