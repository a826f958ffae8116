// Several kernels in one stream: bytes on both engines, modules that overlap, errors that name the kernel.

#include "stream_runner.h"

#include <set>

namespace daedalus::testing {
namespace {

KernelModel window(Kind kind, int64_t size, int64_t c, int64_t oc, int64_t k, int64_t stride, int64_t pad) {
  KernelModel m;
  m.kind = kind;
  m.h = m.w = size, m.c = c, m.oc = oc, m.kh = m.kw = k, m.sh = m.sw = stride;
  m.pt = m.pl = m.pb = m.pr = pad;
  m.pad = kind == Kind::Conv ? 3 : -128;
  return m;
}

/// A small residual network on images of 12 x 12.
std::vector<KernelModel> network(std::mt19937 &random) {
  std::vector<KernelModel> chain{
      window(Kind::Conv, 12, 1, 20, 3, 1, 1), window(Kind::Conv, 12, 20, 20, 3, 1, 1),
      window(Kind::Add, 12, 20, 20, 1, 1, 0), window(Kind::MaxPool, 12, 20, 20, 2, 2, 0),
      window(Kind::Conv, 6, 20, 33, 3, 1, 1), window(Kind::GlobalSum, 6, 33, 33, 1, 1, 0)};
  for (KernelModel &m : chain)
    randomConstants(m, random, m.kind == Kind::Add);
  return chain;
}

std::vector<int8_t> reference(const std::vector<KernelModel> &chain, std::vector<int8_t> value) {
  std::vector<int8_t> before;
  for (const KernelModel &m : chain) {
    std::vector<int8_t> next = referenceResult(m, value, before);
    before = std::move(value);
    value = std::move(next);
  }
  return value;
}

TEST(Streams, ANetworkGivesTheSameBytesOnBothEngines) {
  std::mt19937 random(11);
  StreamRunner runner;
  for (const char *name : {"default", "vta", "tiny", "large"}) {
    SCOPED_TRACE(name);
    std::vector<KernelModel> chain = network(random);
    ASSERT_TRUE(runner.compile(chain, builtin(name)));
    std::vector<int8_t> input = randomBytes(chain[0].inputBytes(), random);
    std::vector<int8_t> expected = reference(chain, input);
    EXPECT_EQ(runner.run("functional", {input}), expected);
    EXPECT_EQ(runner.run("systemc", {input}), expected);
  }
}

TEST(Streams, ModulesOverlapInAConvolution) {
  std::mt19937 random(12);
  StreamRunner runner;
  KernelModel m = window(Kind::Conv, 28, 64, 64, 3, 1, 1);
  randomConstants(m, random);
  ASSERT_TRUE(runner.compile({m}, builtin("default")));
  std::vector<int8_t> input = randomBytes(m.inputBytes(), random);
  EXPECT_EQ(runner.run("systemc", {input}), referenceResult(m, input, {}));
  uint64_t total = 0;
  for (auto module : {isa::CounterModule::Load, isa::CounterModule::Gemm, isa::CounterModule::Vector,
                      isa::CounterModule::Store})
    total += runner.counter(module, isa::CounterClass::Busy);
  double products = 28 * 28 * 4 * 4 * 9;
  EXPECT_GT(total, runner.cycles());                   // more work than cycles: modules ran at the same time
  EXPECT_GT(products, 0.85 * double(runner.cycles())); // and GEMM was the busiest of them
}

TEST(Streams, LayersOfInstructionsAreThoseOfTheCalls) {
  std::mt19937 random(13);
  StreamRunner runner;
  ASSERT_TRUE(runner.compile(network(random), builtin("default")));
  const std::vector<uint32_t> &layers = runner.stream.layerOfInstruction;
  EXPECT_EQ(std::set<uint32_t>(layers.begin(), layers.end()), (std::set<uint32_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(layers.front(), 0u);
  EXPECT_EQ(layers.back(), 5u);
}

/// The reason for which the accelerator does not take the only kernel of `text`; empty when it does.
std::string reasonFor(StreamRunner &runner, const std::string &text) {
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &runner.context);
  const auto taken =
      accelerator::acceleratorSupports(*module->getOps<mlir::func::FuncOp>().begin(), builtin("default"));
  if (!taken) {
    EXPECT_NE(taken.error(), "");
    return taken.error();
  }
  EXPECT_EQ(taken->expense, "");
  return "";
}

TEST(Support, TakesEveryKernelKind) {
  std::mt19937 random(14);
  StreamRunner runner;
  for (int kind = 0; kind <= static_cast<int>(Kind::Requant); ++kind)
    EXPECT_EQ(reasonFor(runner, kernelText(randomKernel(static_cast<Kind>(kind), random), "kernel")), "");
}

TEST(Support, SaysWhatItDoesNotKnow) {
  StreamRunner runner;
  EXPECT_EQ(reasonFor(runner, "func.func @f(%x: tensor<4xi8>) -> tensor<4xi8> { return %x : tensor<4xi8> }"),
            "its result is one of its arguments");
  EXPECT_EQ(
      reasonFor(runner, "func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }"),
      "its result is not int8 or int32 of a static shape");
  EXPECT_EQ(reasonFor(runner, "func.func @f(%x: tensor<4xi8>) -> tensor<4xi8> {\n"
                              "  %y = arith.addi %x, %x : tensor<4xi8>\n  return %y : tensor<4xi8> }"),
            "it contains arith.addi, which the accelerator does not know");
  EXPECT_EQ(
      reasonFor(
          runner,
          "func.func @f(%x: tensor<4xi8>) -> tensor<2x2xi8> {\n"
          "  %y = tensor.expand_shape %x [[0, 1]] output_shape [2, 2] : tensor<4xi8> into tensor<2x2xi8>\n"
          "  return %y : tensor<2x2xi8> }"),
      "it gives its input another shape and computes nothing");
}

TEST(Support, ScheduleThatDoesNotFitIsRefusedWithTheNumbers) {
  std::mt19937 random(15);
  StreamRunner runner;
  KernelModel m = window(Kind::Conv, 56, 64, 64, 3, 1, 1);
  m.decisions = "dae.tile rows 56 columns 56 channels 4 window 3 x 3 lanes 4";
  randomConstants(m, random);
  EXPECT_EQ(runner.refusal({m}, builtin("default")),
            "cannot tile kernel 'k0' so: a tile needs 13456 rows of INP, machine default has 1024 for it");
  m.decisions = "dae.tile rows 1 columns 1 channels 1 window 3 x 3 lanes 4 dae.split vector 3";
  EXPECT_EQ(runner.refusal({m}, builtin("default")),
            "gives VECTOR 3 of 16 tiles of kernel 'k0'; expected 0, as its channels do not stay apart");
}

} // namespace
} // namespace daedalus::testing
