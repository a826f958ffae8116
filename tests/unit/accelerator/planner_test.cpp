// The planner: its cycles against the simulator's, groups whose tiles interleave, plans that users write.

#include "stream_runner.h"

#include "llvm/ADT/StringExtras.h"

#include <sched.h>

namespace daedalus::testing {
namespace {

class StreamCycles : public ::testing::Test {
protected:
  /// The chain's result on the simulator, compared with plain loops; false where compiling failed.
  void run(std::vector<KernelModel> chain, const isa::Machine &machine) {
    std::mt19937 random(3);
    for (KernelModel &m : chain)
      randomConstants(m, random);
    ASSERT_TRUE(runner.compile(chain, machine));
    const std::vector<int8_t> input = randomBytes(chain[0].inputBytes(), random);
    std::vector<int8_t> expected = input, before;
    for (const KernelModel &m : chain) {
      std::vector<int8_t> next = referenceResult(m, expected, before);
      before = std::move(expected);
      expected = std::move(next);
    }
    EXPECT_EQ(runner.run("systemc", {input}), expected);
  }

  double planned() { return double(runner.stream.expectedCycles) / double(runner.cycles()); }

  StreamRunner runner;
};

class Planner : public StreamCycles, public ::testing::WithParamInterface<const char *> {
protected:
  void run(const std::vector<KernelModel> &chain) { StreamCycles::run(chain, builtin(GetParam())); }
};

TEST_P(Planner, KnowsTheCyclesOfConvolutions) {
  for (auto [size, c, oc, k, stride] : {std::array<int64_t, 5>{28, 64, 64, 3, 1},
                                        {28, 64, 64, 1, 1},
                                        {28, 64, 128, 3, 2},
                                        {28, 48, 64, 1, 2},
                                        {40, 3, 32, 3, 2}}) {
    run({layer(Kind::Conv, size, c, oc, k, stride)});
    EXPECT_NEAR(planned(), 1, 0.1) << GetParam() << ": " << size << " " << c << " " << oc << " " << k;
  }
}

TEST_P(Planner, KnowsTheCyclesOfAChain) {
  run({layer(Kind::Conv, 40, 3, 32, 3, 1), layer(Kind::MaxPool, 40, 32, 32, 3, 2),
       layer(Kind::Conv, 20, 32, 48, 3, 1), layer(Kind::Conv, 20, 48, 48, 1, 1)});
  EXPECT_NEAR(planned(), 1, 0.05) << GetParam();
}

INSTANTIATE_TEST_SUITE_P(Machines, Planner, ::testing::Values("default", "vta", "tiny", "large"));

/// A machine, and how far the planner may be off there.
struct Far {
  const char *machine;
  double error;
};
std::ostream &operator<<(std::ostream &stream, const Far &far) {
  return stream << far.machine;
}

class FarMemory : public StreamCycles, public ::testing::WithParamInterface<Far> {};

/// LOADs of many runs and of a few, that fill the receive buffer or the open segments, and STOREs.
TEST_P(FarMemory, IsKnown) {
  run({layer(Kind::Conv, 40, 3, 32, 3, 1), layer(Kind::Conv, 40, 32, 64, 1, 2),
       layer(Kind::MaxPool, 20, 64, 64, 3, 2), layer(Kind::Conv, 10, 64, 128, 3, 1),
       layer(Kind::Conv, 10, 128, 128, 1, 1)},
      *isa::loadMachine(GetParam().machine));
  EXPECT_NEAR(planned(), 1, GetParam().error)
      << runner.stream.expectedCycles << " cycles expected of " << runner.cycles();
}

INSTANTIATE_TEST_SUITE_P(
    Latencies, FarMemory,
    ::testing::Values(Far{"default,read_latency=200,write_latency=200", 0.02},
                      Far{"default,read_latency=500,write_latency=500", 0.025},
                      Far{"default,read_latency=500,write_latency=20,outstanding_reads=4", 0.06},
                      Far{"default,read_latency=20,write_latency=500,outstanding_writes=2", 0.02},
                      Far{"vta,read_latency=300,write_latency=300", 0.02},
                      Far{"tiny,read_latency=300,write_latency=300,receive_beats=32", 0.04}));

/// Of chains of layers with random numbers, on `default`.
class Cycles {
public:
  explicit Cycles(unsigned seed) : random(seed) {}

  uint64_t operator()(std::vector<KernelModel> chain) {
    for (KernelModel &m : chain)
      randomConstants(m, random);
    EXPECT_TRUE(runner.compile(chain, builtin("default")));
    runner.run("systemc", {randomBytes(chain[0].inputBytes(), random)});
    return runner.cycles();
  }

private:
  std::mt19937 random;
  StreamRunner runner;
};

int64_t storedBytes(const std::vector<isa::Instruction> &instructions) {
  int64_t bytes = 0;
  for (const isa::Instruction &instruction : instructions)
    if (const auto *store = std::get_if<isa::Store>(&instruction)) {
      int64_t runs = 1;
      for (const auto &loop : store->loops)
        runs *= loop.count;
      bytes += runs * store->runBytes;
    }
  return bytes;
}

/// A requantization of the matrix as an image, by parameters of each channel, is not stored in between.
TEST(Fusion, TakesKernelsBehindAnotherShape) {
  std::mt19937 random(6);
  StreamRunner runner;
  KernelModel matrix, image;
  matrix.kind = Kind::Matmul, matrix.w = 12, matrix.c = 40, matrix.oc = 24;
  image.kind = Kind::Requant, image.h = 3, image.w = 4, image.c = image.oc = 24;
  randomConstants(matrix, random);
  randomConstants(image, random);
  const std::string text =
      kernelText(matrix, "k0") + kernelText(image, "k1") + "func.func @main(%a: " + inputType(matrix) +
      ") -> " + outputType(image) + " {\n  %b = call @k0(%a) : (" + inputType(matrix) + ") -> " +
      outputType(matrix) +
      "\n  %c = tensor.expand_shape %b [[0, 1, 2], [3]] output_shape [1, 3, 4, 24] : " + outputType(matrix) +
      " into " + inputType(image) + "\n  %d = call @k1(%c) : (" + inputType(image) + ") -> " +
      outputType(image) + "\n  return %d : " + outputType(image) + "\n}\n";
  for (const char *machine : {"tiny", "default"}) {
    ASSERT_TRUE(runner.compileText(text, builtin(machine)));
    const std::vector<int8_t> input = randomBytes(matrix.inputBytes(), random);
    EXPECT_EQ(runner.run("functional", {input}),
              referenceResult(image, referenceResult(matrix, input, {}), {}));
    EXPECT_EQ(storedBytes(runner.stream.instructions), image.outputBytes());
  }
}

/// Convolution, pool and convolution in one stream: VECTOR pools while GEMM multiplies.
TEST(Groups, PoolingHidesBehindTheNextConvolution) {
  Cycles cyclesOf(4);
  const KernelModel pool = layer(Kind::MaxPool, 56, 32, 32, 3, 1), conv = layer(Kind::Conv, 56, 32, 32, 3, 1);
  const uint64_t alone = cyclesOf({pool}) + cyclesOf({conv}), together = cyclesOf({pool, conv});
  EXPECT_LT(double(together), 0.8 * double(alone));
}

/// Each mean needs all rows, but its own channels alone.
TEST(Groups, TheMeanOfAConvolutionHidesBehindItsOtherChannels) {
  Cycles cyclesOf(5);
  const KernelModel conv = layer(Kind::Conv, 14, 32, 512, 1, 1),
                    mean = layer(Kind::GlobalSum, 14, 512, 512, 1, 1);
  const uint64_t alone = cyclesOf({conv}) + cyclesOf({mean}), together = cyclesOf({conv, mean});
  EXPECT_LT(double(together), 0.85 * double(alone));
}

/// Whatever ends first: groups are tried on all processors at once.
TEST(Groups, AreTheSameOnOneProcessorAsOnAll) {
  std::mt19937 random(6);
  std::vector<KernelModel> chain{layer(Kind::Conv, 28, 32, 96, 1, 1), layer(Kind::MaxPool, 28, 96, 96, 3, 1),
                                 layer(Kind::Conv, 28, 96, 48, 3, 1), layer(Kind::MaxPool, 28, 48, 48, 3, 2),
                                 layer(Kind::Conv, 14, 48, 96, 1, 1)};
  for (KernelModel &m : chain)
    randomConstants(m, random);
  StreamRunner alone;
  cpu_set_t all, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_TRUE(alone.compile(chain, builtin("default")));
  ASSERT_EQ(sched_setaffinity(0, sizeof all, &all), 0);
  for (int repeat = 0; repeat < 3; ++repeat) {
    StreamRunner together;
    EXPECT_TRUE(together.compile(chain, builtin("default")));
    EXPECT_TRUE(isa::encodeWords(together.stream.instructions) ==
                isa::encodeWords(alone.stream.instructions));
  }
}

/// A convolution and up to three kernels that read their own channels.
std::vector<KernelModel> randomChain(std::mt19937 &random) {
  const auto pick = [&](int64_t from, int64_t to) { return from + int64_t(random() % (to - from + 1)); };
  std::vector<KernelModel> chain{
      layer(Kind::Conv, pick(1, 9), pick(1, 40), pick(1, 90), pick(0, 1) ? 3 : 1, 1)};
  const int64_t more = pick(1, 3), batch = pick(1, 2);
  for (int64_t k = 0; k < more; ++k) {
    const KernelModel &before = chain.back();
    const Kind kinds[] = {Kind::MaxPool, Kind::Requant, Kind::GlobalSum, Kind::Add};
    const Kind kind = kinds[pick(0, k ? 3 : 2)];
    if (before.kind == Kind::GlobalSum || (kind == Kind::Add && before.inputBytes() != before.outputBytes()))
      break;
    const bool isPool = kind == Kind::MaxPool;
    chain.push_back(layer(kind, before.oh(), before.oc, before.oc, isPool ? 3 : 1, isPool ? pick(1, 2) : 1));
  }
  for (KernelModel &m : chain) {
    m.b = batch;
    randomConstants(m, random, m.kind == Kind::Add);
    const auto size = [&](int64_t most) { return std::to_string(pick(0, 1) ? 99 : pick(1, most)); };
    m.decisions = "dae.tile rows " + size(4) + " columns " + size(4) + " channels " +
                  (pick(0, 2) ? std::to_string(pick(1, 3)) : "99") + " window 99 x 99 lanes 99";
    if (m.kind == Kind::Conv && pick(0, 1))
      m.decisions += " dae.reorder channels";
  }
  return chain;
}

/// Whatever the tiles, their order and the lag, what is read was written before.
TEST(Groups, RandomOnesGiveTheSameBytes) {
  size_t interleaved = 0;
  for (uint32_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const std::vector<KernelModel> chain = randomChain(random);
    StreamRunner runner;
    ASSERT_TRUE(runner.compile(chain, builtin(seed % 3 ? "default" : "large"), random() % 4));
    const std::vector<uint32_t> &layers = runner.stream.layerOfInstruction;
    interleaved += !std::is_sorted(layers.begin(), layers.end());
    const std::vector<int8_t> input = randomBytes(chain[0].inputBytes(), random);
    std::vector<int8_t> expected = input, before;
    for (const KernelModel &m : chain) {
      std::vector<int8_t> next = referenceResult(m, expected, before);
      before = std::move(expected);
      expected = std::move(next);
    }
    EXPECT_EQ(runner.run("functional", {input}), expected);
    EXPECT_EQ(runner.run("systemc", {input}), expected);
  }
  EXPECT_GT(interleaved, 60u);
}

/// The products of one pixel are few, and the bytes of their weights many.
TEST(Ahead, WeightsAreLoadedWhileTheLayersBeforeWork) {
  Cycles cyclesOf(7);
  const KernelModel conv = layer(Kind::Conv, 14, 64, 256, 3, 1),
                    mean = layer(Kind::GlobalSum, 14, 256, 256, 1, 1),
                    last = layer(Kind::Conv, 1, 256, 1024, 1, 1);
  const uint64_t apart = cyclesOf({conv, mean}) + cyclesOf({last}), together = cyclesOf({conv, mean, last});
  EXPECT_LT(together + 8000, apart) << "of 16,384 cycles that the weights take on the bus";
}

/// Convolutions alone, which nothing interleaves.
TEST(Ahead, RandomConvolutionsGiveTheSameBytes) {
  size_t loadedAhead = 0;
  for (uint32_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const auto pick = [&](int64_t from, int64_t to) { return from + int64_t(random() % (to - from + 1)); };
    std::vector<KernelModel> chain;
    int64_t size = pick(1, 9), channels = pick(1, 400);
    for (int64_t k = pick(2, 5); k > 0; --k) {
      chain.push_back(layer(Kind::Conv, size, channels, pick(1, 400), pick(0, 2) ? 3 : 1, pick(1, 2)));
      size = chain.back().oh(), channels = chain.back().oc;
      randomConstants(chain.back(), random);
    }
    StreamRunner runner;
    ASSERT_TRUE(runner.compile(chain, builtin(seed % 3 ? "default" : "tiny")));
    const std::vector<uint32_t> &layers = runner.stream.layerOfInstruction;
    loadedAhead += !std::is_sorted(layers.begin(), layers.end());
    const std::vector<int8_t> input = randomBytes(chain[0].inputBytes(), random);
    std::vector<int8_t> expected = input;
    for (const KernelModel &m : chain)
      expected = referenceResult(m, expected, {});
    EXPECT_EQ(runner.run("functional", {input}), expected);
    EXPECT_EQ(runner.run("systemc", {input}), expected);
  }
  EXPECT_GT(loadedAhead, 3u);
}

/// A depthwise convolution by 3 x 3 of 9 x 7 pixels of 40 channels, as text with WEIGHTS and SHARE to fill
/// in.
const char *const depthwiseKernel = R"(
dae.plan format 1 {
  dae.kernel @depthwise { dae.tile rows 2 columns 3 channels 2 window 3 x 3 lanes 1 dae.split vector SHARE }
}
func.func private @depthwise(%x: tensor<1x9x7x40xi8>) -> tensor<1x9x7x40xi8> {
  %pad = arith.constant 5 : i8
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %pad : i8
  } : tensor<1x9x7x40xi8> to tensor<1x11x9x40xi8>
  %s = tensor.expand_shape %p [[0], [1], [2], [3, 4]] output_shape [1, 11, 9, 40, 1] : tensor<1x11x9x40xi8> into tensor<1x11x9x40x1xi8>
  %w = arith.constant dense<"WEIGHTS"> : tensor<40x1x3x3x1xi8>
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x9x7x40x1xi32>
  %i = linalg.fill ins(%zero : i32) outs(%e : tensor<1x9x7x40x1xi32>) -> tensor<1x9x7x40x1xi32>
  %v = linalg.generic {indexing_maps = [affine_map<(n, y, x, g, f, i, j, c) -> (n, y + i, x + j, g, c)>,
        affine_map<(n, y, x, g, f, i, j, c) -> (g, f, i, j, c)>, affine_map<(n, y, x, g, f, i, j, c) -> (n, y, x, g, f)>],
        iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%s, %w : tensor<1x11x9x40x1xi8>, tensor<40x1x3x3x1xi8>) outs(%i : tensor<1x9x7x40x1xi32>) {
  ^bb0(%a: i8, %b: i8, %o: i32):
    %aw = arith.extsi %a : i8 to i32
    %bw = arith.extsi %b : i8 to i32
    %m = arith.muli %aw, %bw : i32
    %sum = arith.addi %o, %m : i32
    linalg.yield %sum : i32
  } -> tensor<1x9x7x40x1xi32>
  %acc = tensor.collapse_shape %v [[0], [1], [2], [3, 4]] : tensor<1x9x7x40x1xi32> into tensor<1x9x7x40xi32>
  %bias = arith.constant dense<7> : tensor<40xi32>
  %mult = arith.constant dense<1073741824> : tensor<40xi32>
  %shift = arith.constant dense<36> : tensor<40xi8>
  %o = tensor.empty() : tensor<1x9x7x40xi8>
  %q = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (d)>,
        affine_map<(a, b, c, d) -> (d)>, affine_map<(a, b, c, d) -> (d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>],
        iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%acc, %bias, %mult, %shift : tensor<1x9x7x40xi32>, tensor<40xi32>, tensor<40xi32>, tensor<40xi8>)
      outs(%o : tensor<1x9x7x40xi8>) {
  ^bb0(%a: i32, %b: i32, %m: i32, %s2: i8, %out: i8):
    %r = qnn.requantize %a, %b, %m, %s2 {zero_point = 3 : i8, lo = -128 : i8, hi = 127 : i8, rounding = #qnn.rounding<half_even>} : (i32, i32, i32, i8) -> i8
    linalg.yield %r : i8
  } -> tensor<1x9x7x40xi8>
  return %q : tensor<1x9x7x40xi8>
}
func.func @main(%x: tensor<1x9x7x40xi8>) -> tensor<1x9x7x40xi8> {
  %0 = call @depthwise(%x) : (tensor<1x9x7x40xi8>) -> tensor<1x9x7x40xi8>
  return %0 : tensor<1x9x7x40xi8>
})";

std::string filledIn(std::string text, const std::vector<int8_t> &weights, const std::string &share) {
  const std::string hex =
      "0x" + llvm::toHex(llvm::StringRef(reinterpret_cast<const char *>(weights.data()), weights.size()));
  text.replace(text.find("WEIGHTS"), 7, hex);
  return text.replace(text.find("SHARE"), 5, share);
}

std::vector<int8_t> depthwise(const std::vector<int8_t> &x, const std::vector<int8_t> &weights) {
  std::vector<int8_t> result;
  for (int y = 0; y < 9; ++y)
    for (int column = 0; column < 7; ++column)
      for (int c = 0; c < 40; ++c) {
        int32_t acc = 0;
        for (int i = 0; i < 9; ++i) {
          const int row = y + i / 3 - 1, col = column + i % 3 - 1;
          const bool inside = row >= 0 && row < 9 && col >= 0 && col < 7;
          acc += (inside ? x[(row * 7 + col) * 40 + c] : 5) * weights[c * 9 + i];
        }
        result.push_back(isa::requantize(acc, 7, 1 << 30, 36, 3, -128, 127, isa::Rounding::HalfEven));
      }
  return result;
}

TEST(Plans, AnyShareOfADepthwiseConvolutionOnVectorGivesTheSameBytes) {
  std::mt19937 random(8);
  const std::vector<int8_t> weights = randomBytes(40 * 9, random), input = randomBytes(9 * 7 * 40, random);
  for (const char *machine : {"default", "tiny"})
    for (const char *share : {"0", "5", "8", "16"}) {
      StreamRunner runner;
      ASSERT_TRUE(runner.compileText(filledIn(depthwiseKernel, weights, share), builtin(machine))) << share;
      EXPECT_EQ(runner.run("systemc", {input}), depthwise(input, weights)) << machine << ", share " << share;
    }
}

} // namespace
} // namespace daedalus::testing
