// Kernels whose tiles threads share: the same bytes on any number of them, and what cannot be shared.

#include "cpu_setting.h"
#include "run_model.h"

#include "daedalus/Target/CPU/Settings.h"
#include "daedalus/runtime/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace daedalus::test {
namespace {

using Proto = onnx::TensorProto;
using Shape = OnnxBuilder::Shape;

struct Case {
  std::string name;
  OnnxBuilder model;
  Shape input;
};

std::vector<float> numbers(int64_t count) {
  std::vector<float> values(count);
  for (int64_t i = 0; i < count; ++i)
    values[i] = float(i * 7919 % 2003) / 1001 - 1;
  return values;
}

/// A model of one node on x, with further inputs.
Case caseOf(const std::string &name, const std::string &type, Shape in, Shape out,
            std::vector<Shape> constants, const std::vector<OnnxBuilder::Attribute> &attributes) {
  Case c{name, OnnxBuilder(17), in};
  std::vector<std::string> operands = {c.model.input("x", Proto::FLOAT, in)};
  for (const Shape &shape : constants)
    operands.push_back(c.model.floats(shape, numbers(count(shape))));
  c.model.output(c.model.node(type, operands, attributes, "node"), Proto::FLOAT, out);
  return c;
}

const Shape around = {1, 1, 1, 1};

std::vector<Case> cases() {
  return {
      caseOf("convolution", "Conv", {1, 24, 30, 30}, {1, 40, 30, 30}, {{40, 24, 3, 3}, {40}},
             {{"pads", around}}),
      caseOf("wide weights", "Conv", {1, 256, 5, 5}, {1, 320, 5, 5}, {{320, 256, 3, 3}}, {{"pads", around}}),
      caseOf("depthwise", "Conv", {1, 96, 40, 40}, {1, 96, 20, 20}, {{96, 1, 3, 3}, {96}},
             {{"pads", around}, {"strides", Shape{2, 2}}, {"group", 96}}),
      caseOf("product", "Gemm", {200, 300}, {200, 500}, {{300, 500}, {500}}, {}),
      caseOf("softmax", "Softmax", {130, 300}, {130, 300}, {}, {{"axis", -1}}),
      caseOf("layers", "LayerNormalization", {130, 300}, {130, 300}, {{300}, {300}}, {}),
      caseOf("pool", "MaxPool", {1, 32, 64, 64}, {1, 32, 32, 32}, {},
             {{"kernel_shape", Shape{3, 3}}, {"strides", Shape{2, 2}}, {"pads", around}}),
      caseOf("element by element", "Tanh", {100, 1000}, {100, 1000}, {}, {}),
      caseOf("one long row", "Sigmoid", {1, 90000}, {1, 90000}, {}, {})};
}

Result<std::vector<uint8_t>> run(const package::Package &package, const Shape &input, unsigned threads) {
  runtime::SessionOptions options;
  options.threads = threads;
  auto session = runtime::Session::create(package, options);
  if (!session)
    return error(session.error());
  const Bytes bytes = bytesOf(numbers(count(input)));
  const package::Value &x = package.functions[0].inputs[0];
  auto result = (*session)->run("main", {{x.name, x.type, {bytes.begin(), bytes.end()}}});
  if (!result)
    return error(result.error());
  return result->outputs[0].data;
}

TEST(CpuTasks, AnyNumberOfThreadsGivesTheSameBytes) {
  for (const Case &c : cases()) {
    SCOPED_TRACE(c.name);
    Result<Compiled> compiled = compileBytes(c.model.bytes());
    ASSERT_TRUE(compiled) << compiled.error();
    const auto one = run(compiled->package, c.input, 1);
    ASSERT_TRUE(one) << one.error();
    for (unsigned threads : {2u, 3u, 7u}) {
      const auto more = run(compiled->package, c.input, threads);
      ASSERT_TRUE(more) << more.error();
      EXPECT_EQ(*one, *more) << threads << " threads";
    }
  }
}

/// The text of a model at a level, and a model from it.
std::string pathOf(const std::string &name, const std::string &text) {
  const std::string path = testing::TempDir() + "cpu_tasks_" + name;
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

CompileOptions optionsOfTest(const std::string &target) {
  CompileOptions options;
  options.target = target;
  options.settings.of<cpu::Settings>().levels = cpuLevels();
  return options;
}

std::string levelOf(const Case &c) {
  Result<std::string> text = emitLevel(pathOf("model.onnx", c.model.bytes()), optionsOfTest("cpu"), "dae");
  EXPECT_TRUE(text) << text.error();
  return text ? *text : "";
}

TEST(CpuTasks, AreLoopsOfLargeKernels) {
  for (const Case &c : cases())
    EXPECT_THAT(levelOf(c), testing::HasSubstr("scf.forall")) << c.name;
  EXPECT_THAT(levelOf(caseOf("small", "Tanh", {4, 100}, {4, 100}, {}, {})),
              testing::Not(testing::HasSubstr("scf.forall")));
}

TEST(CpuTasks, TakeTheirMemoryOfTheWorkers) {
  Result<Compiled> compiled = compileBytes(cases()[0].model.bytes());
  ASSERT_TRUE(compiled) << compiled.error();
  package::Package package = compiled->package;
  const auto kernel = std::find_if(package.kernels.begin(), package.kernels.end(),
                                   [](const package::Kernel &kernel) { return kernel.workerBytes > 0; });
  ASSERT_NE(kernel, package.kernels.end());
  kernel->workerBytes = 0;
  const auto result = run(package, cases()[0].input, 2);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error(), testing::HasSubstr("needs more memory for each thread than the package says"));
}

TEST(CpuTasks, ComeBackByTheirText) {
  const Case c = cases()[0];
  Result<Compiled> direct = compileBytes(c.model.bytes());
  auto again = compileModel(pathOf("level.mlir", levelOf(c)), optionsOfTest("auto"));
  ASSERT_TRUE(direct && again) << (direct ? again.error() : direct.error());
  const auto a = run(direct->package, c.input, 2), b = run(again->package, c.input, 2);
  ASSERT_TRUE(a && b);
  EXPECT_EQ(*a, *b);
}

/// The text with another head of its first shared loop.
std::string withHead(const std::string &text, const std::string &head) {
  const size_t at = text.find("scf.forall"), end = text.find("{\n", at);
  EXPECT_NE(at, std::string::npos);
  return at == std::string::npos ? text : text.substr(0, at) + head + text.substr(end);
}

TEST(CpuTasks, ThatCannotBeSharedAreRefused) {
  const std::string text = levelOf(caseOf("one long row", "Sigmoid", {1, 90000}, {1, 90000}, {}, {}));
  const std::string variable = "(%" + text.substr(text.find("scf.forall (%") + 13, 4) + ")";
  for (const std::string &head :
       {"%e = arith.constant 100 : index\nscf.forall " + variable + " = (0) to (%e) step (4) ",
        "scf.forall " + variable + " = (0) to (100) step (0) ",
        "scf.forall " + variable + " = (0) to (9000000000000000000) step (1) "}) {
    auto compiled = compileModel(pathOf("edited.mlir", withHead(text, head)), optionsOfTest("auto"));
    ASSERT_FALSE(compiled) << head;
    EXPECT_THAT(compiled.error(), testing::HasSubstr("cannot be shared by threads")) << head;
  }
}

TEST(CpuTasks, MemoryOfWorkersIsNowhereElse) {
  std::string text = levelOf(caseOf("small", "Tanh", {4, 100}, {4, 100}, {}, {}));
  const size_t body = text.find("{\n", text.find("func.func @k0")) + 2;
  text.insert(body, "%big = memref.alloca() : memref<1000000000xi8>\n");
  auto compiled = compileModel(pathOf("edited.mlir", text), optionsOfTest("auto"));
  ASSERT_FALSE(compiled);
  EXPECT_THAT(compiled.error(), testing::HasSubstr("expected in scf.forall"));
}

} // namespace
} // namespace daedalus::test
