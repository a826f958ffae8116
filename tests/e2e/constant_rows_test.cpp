// Whole programs with constants a channel that intrinsics of a file take as rows of PARAM, packed or as they
// are: functional, systemc and the CPU against a plain interpreter, and by way of plans and of level dae.
#include "plan_program.h"
#include "program_runner.h"

#include "daedalus/Target/Accelerator/Settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace daedalus::testing {
namespace {

using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using Values = std::vector<int64_t>;

const std::string examples = std::string(DAEDALUS_SOURCE_DIR) + "/examples/intrinsics/";
const std::string nibbles = examples + "scale_and_offset.mlir";

/// Of `count` channels from `low` to `high`, the first ones 0.
Values valuesOf(size_t count, int64_t low, int64_t high, unsigned seed) {
  std::mt19937 random(seed);
  Values values(count);
  for (size_t k = 3; k < count; ++k)
    values[k] = low + int64_t(random() % (high - low + 1));
  return values;
}

std::string constant(const std::string &name, const Values &values, unsigned bits) {
  std::string text = "  " + name + " = arith.constant dense<[";
  for (size_t k = 0; k < values.size(); ++k)
    text += (k ? ", " : "") + std::to_string(values[k]);
  return text + "]> : tensor<" + std::to_string(values.size()) + "xi" + std::to_string(bits) + ">\n";
}

/// Channels of %x: int8 times scales plus offsets, as `sum` says of the int32 %product, %offset and %factor.
struct Program {
  std::string shape;
  Values scales, offsets;
  unsigned bits = 8; ///< of offsets
  std::string sum = "    %sum = arith.addi %product, %offset : i32\n";

  std::string text() const {
    const std::string channels = std::to_string(scales.size()), image = "tensor<" + shape + channels + "xi8>",
                      offset = "i" + std::to_string(bits);
    const size_t loops = std::count(shape.begin(), shape.end(), 'x') + 1;
    std::string all, kinds, last;
    for (size_t k = 0; k < loops; ++k) {
      all += (k ? ", d" : "d") + std::to_string(k), last = "d" + std::to_string(k);
      kinds += k ? ", \"parallel\"" : "\"parallel\"";
    }
    const std::string same = "affine_map<(" + all + ") -> (" + all + ")>",
                      channel = "affine_map<(" + all + ") -> (" + last + ")>";
    return "func.func @main(%image: " + image + ") -> " + image + " {\n" + constant("%scales", scales, 8) +
           constant("%offsets", offsets, bits) + "  %least = arith.constant -128 : i32\n" +
           "  %most = arith.constant 127 : i32\n  %e = tensor.empty() : " + image +
           "\n  %r = linalg.generic {indexing_maps = [" + same + ", " + channel + ", " + channel + ", " +
           same + "], iterator_types = [" + kinds + "]} ins(%image, %scales, %offsets : " + image +
           ", tensor<" + channels + "xi8>, tensor<" + channels + "x" + offset + ">) outs(%e : " + image +
           ") {\n  ^bb0(%x: i8, %scale: i8, %given: " + offset + ", %old: i8):\n" +
           "    %wide = arith.extsi %x : i8 to i32\n    %factor = arith.extsi %scale : i8 to i32\n" +
           (bits == 32 ? "    %zero = arith.constant 0 : i32\n    %offset = arith.addi %given, %zero : i32\n"
                       : "    %offset = arith.extsi %given : " + offset + " to i32\n") +
           "    %product = arith.muli %wide, %factor : i32\n" + sum +
           "    %low = arith.maxsi %sum, %least : i32\n    %cut = arith.minsi %low, %most : i32\n" +
           "    %byte = arith.trunci %cut : i32 to i8\n    linalg.yield %byte : i8\n  } -> " + image +
           "\n  return %r : " + image + "\n}\n";
  }
};

CompileOptions optionsFor(const std::string &intrinsics, const std::string &machine = "default") {
  CompileOptions options;
  options.settings.of<accelerator::Settings>().machine = *isa::loadMachine(machine);
  options.settings.of<accelerator::Settings>().intrinsics = intrinsics;
  return options;
}

/// Sums of products in 20 channels, then `body`, which computes %v of %sum, %scale and %offset.
std::string productOf(const std::string &body, const std::string &type) {
  Values shifts = valuesOf(20, 33, 36, 15);
  shifts[0] = shifts[1] = shifts[2] = 34;
  return "#channel = affine_map<(i, j) -> (j)>\n#all = affine_map<(i, j) -> (i, j)>\n"
         "func.func @main(%x: tensor<24x32xi8>) -> tensor<24x20x" +
         type + "> {\n" + constant("%flat", valuesOf(640, -90, 90, 10), 8) +
         constant("%scales", valuesOf(20, -8, 7, 11), 8) + constant("%offsets", valuesOf(20, -8, 7, 12), 8) +
         constant("%biases", valuesOf(20, -5000, 5000, 13), 32) +
         constant("%multipliers", valuesOf(20, 1 << 20, 1 << 27, 14), 32) + constant("%shifts", shifts, 8) +
         R"(
  %w = tensor.expand_shape %flat [[0, 1]] output_shape [32, 20] : tensor<640xi8> into tensor<32x20xi8>
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<24x20xi32>
  %zeros = linalg.fill ins(%zero : i32) outs(%empty : tensor<24x20xi32>) -> tensor<24x20xi32>
  %sums = linalg.matmul ins(%x, %w : tensor<24x32xi8>, tensor<32x20xi8>)
                        outs(%zeros : tensor<24x20xi32>) -> tensor<24x20xi32>
  %e = tensor.empty() : tensor<24x20x)" +
         type + R"(>
  %r = linalg.generic {indexing_maps = [#all, #channel, #channel, #channel, #channel, #channel, #all],
                       iterator_types = ["parallel", "parallel"]}
      ins(%sums, %scales, %offsets, %biases, %multipliers, %shifts : tensor<24x20xi32>, tensor<20xi8>, tensor<20xi8>,
          tensor<20xi32>, tensor<20xi32>, tensor<20xi8>) outs(%e : tensor<24x20x)" +
         type + R"(>) {
  ^bb0(%sum: i32, %s: i8, %o: i8, %bias: i32, %multiplier: i32, %shift: i8, %old: )" +
         type + R"():
    %scale = arith.extsi %s : i8 to i32
    %offset = arith.extsi %o : i8 to i32
    %least = arith.constant -128 : i32
    %most = arith.constant 127 : i32
)" + body +
         "    linalg.yield %v : " + type + "\n  } -> tensor<24x20x" + type +
         ">\n  return %r : tensor<24x20x" + type + ">\n}\n";
}

/// What the intrinsics make of a program, the same as the CPU makes of it.
class ConstantRows : public ::testing::Test {
protected:
  std::optional<Compiled> compile(const std::string &text, const std::string &intrinsics,
                                  const std::string &machine = "default") {
    InterpretedProgram program(text);
    const std::string path = folder.write("program.mlir", text);
    CompileOptions options = optionsFor(intrinsics, machine);
    auto placed = compileModel(path, options);
    options.target = "cpu";
    auto onCpu = compileModel(path, options);
    if (!program.parses() || !placed || !onCpu) {
      ADD_FAILURE() << (placed ? "" : placed.error()) << text;
      return std::nullopt;
    }
    EXPECT_EQ(program.difference(placed->package, "functional"), "");
    EXPECT_EQ(program.difference(placed->package, "systemc"), "");
    EXPECT_EQ(program.difference(onCpu->package, "functional"), "");
    return std::move(*placed);
  }

  std::string targetOf(const Program &program, const std::string &intrinsics = nibbles) {
    const std::optional<Compiled> compiled = compile(program.text(), intrinsics);
    return compiled ? compiled->package.layers[0].target : "";
  }

  std::vector<uint8_t> packageOf(const std::string &path, const CompileOptions &options) {
    auto compiled = compileModel(path, options);
    EXPECT_TRUE(compiled) << compiled.error();
    return compiled ? package::writePackage(compiled->package) : std::vector<uint8_t>();
  }

  const Folder folder{"rows"};
};

/// What the package's one stream may read; constants of kernels on the CPU lie behind it.
std::vector<uint8_t> constantsOfStream(const Compiled &compiled) {
  const auto &programs = compiled.package.programs;
  const auto &all = compiled.package.constants;
  return {all.begin(), all.begin() + (programs.empty() ? 0 : programs.front().bases[0].limit)};
}

/// The low four bits a scale, the high ones an offset.
std::vector<uint8_t> packed(const Program &program, size_t n) {
  std::vector<uint8_t> bytes((program.scales.size() + n - 1) / n * n, 0);
  for (size_t k = 0; k < program.scales.size(); ++k)
    bytes[k] = (program.scales[k] & 15) | (program.offsets[k] & 15) << 4;
  return bytes;
}

struct Case {
  std::string shape, machine;
  size_t channels;
  unsigned bits;
};

TEST_F(ConstantRows, ArePackedOfTheConstantsOfEachChannel) {
  for (const auto &[shape, machine, channels, bits] :
       {Case{"6x7x", "default", 16, 8}, Case{"6x7x", "default", 40, 32}, Case{"", "default", 5, 8},
        Case{"3x5x4x", "vta", 33, 8}, Case{"40x50x", "default", 100, 32}, Case{"2x", "default", 3000, 8},
        Case{"9x", "tiny", 23, 8}}) {
    const Program program{shape, valuesOf(channels, -8, 7, 1), valuesOf(channels, -8, 7, 2), bits};
    const std::optional<Compiled> compiled = compile(program.text(), nibbles, machine);
    ASSERT_TRUE(compiled);
    EXPECT_EQ(compiled->package.layers[0].target, "accelerator") << compiled->package.layers[0].reason;
    const isa::Machine loaded = *isa::loadMachine(machine);
    EXPECT_THAT(constantsOfStream(*compiled), ElementsAreArray(packed(program, loaded.n))) << channels;
  }
}

TEST_F(ConstantRows, AreNotPackedOfConstantsOutOfRange) {
  Program program{"4x", valuesOf(20, -8, 7, 3), valuesOf(20, -8, 7, 4)};
  EXPECT_EQ(targetOf(program), "accelerator");
  const std::vector<uint8_t> bytes = packed(program, 16);
  const auto isPacked = [&] {
    const std::optional<Compiled> compiled = compile(program.text(), nibbles);
    return compiled && constantsOfStream(*compiled) == bytes;
  };
  EXPECT_TRUE(isPacked());
  for (int64_t beyond : {-9, 8}) {
    const int64_t scale = std::exchange(program.scales.back(), beyond);
    EXPECT_EQ(targetOf(program), "accelerator") << "by rows of the compiler's own, " << beyond;
    EXPECT_FALSE(isPacked()) << beyond;
    program.scales.back() = scale;
    // The product alone is the intrinsic's, and the bias of a requantization is the offset.
    const int64_t offset = std::exchange(program.offsets.back(), beyond);
    EXPECT_EQ(targetOf(program), "accelerator") << beyond;
    EXPECT_FALSE(isPacked()) << beyond;
    program.offsets.back() = offset;
  }
}

TEST_F(ConstantRows, AreOfWhatTheExpressionMakesOfConstants) {
  const Values scales = valuesOf(20, -3, 3, 5), offsets = valuesOf(20, -2, 2, 6);
  for (const char *sum : {
           "    %sum = arith.subi %product, %offset : i32\n",
           "    %five = arith.constant 5 : i32\n    %sum = arith.addi %product, %five : i32\n",
           "    %sum = arith.muli %product, %offset : i32\n",
           "    %moved = arith.subi %wide, %offset : i32\n    %sum = arith.muli %moved, %factor : i32\n",
           "    %two = arith.constant 2 : i32\n    %twice = arith.muli %product, %two : i32\n"
           "    %sum = arith.addi %twice, %offset : i32\n",
       })
    EXPECT_EQ(targetOf({"4x", scales, offsets, 8, sum}), "accelerator") << sum;
  // Of each element's own.
  EXPECT_EQ(targetOf({"4x", scales, offsets, 8, "    %sum = arith.muli %product, %wide : i32\n"}), "cpu");
}

TEST_F(ConstantRows, ComeBackByPlanAndLevel) {
  const std::string path =
      folder.write("x.mlir", Program{"6x7x", valuesOf(300, -8, 7, 7), valuesOf(300, -8, 7, 8)}.text());
  CompileOptions options = optionsFor(nibbles);
  const std::vector<uint8_t> direct = packageOf(path, options);
  auto plan = emitLevel(path, options, "schedule"), linalg = emitLevel(path, options, "linalg"),
       dae = emitLevel(path, options, "dae");
  ASSERT_TRUE(plan && linalg && dae);
  EXPECT_THAT(*dae, HasSubstr("memref<19x16xi8, #dae.scope<param>>"));
  EXPECT_EQ(packageOf(folder.write("linalg.mlir", *linalg), options), direct);
  options.schedule = folder.write("plan.mlir", *plan);
  EXPECT_EQ(packageOf(path, options), direct);
  EXPECT_EQ(packageOf(folder.write("dae.mlir", *dae), optionsFor("")), direct);
}

/// Of sums, of requantizations by other constants of the channel, and as the last of all.
TEST_F(ConstantRows, AreReadBehindReductions) {
  const std::string requantized =
      "    %q = qnn.requantize %sum, %bias, %multiplier, %shift {zero_point = 1 : i8, lo = -100 : i8, "
      "hi = 100 : i8, rounding = #qnn.rounding<half_up>} : (i32, i32, i32, i8) -> i8\n"
      "    %x0 = arith.extsi %q : i8 to i32\n";
  const std::string summed = "    %x0 = arith.maxsi %sum, %least : i32\n",
                    wide = "    %p = arith.muli %x0, %scale : i32\n    %v = arith.addi %p, %offset : i32\n",
                    cut =
                        "    %p = arith.muli %x0, %scale : i32\n    %t = arith.addi %p, %offset : i32\n"
                        "    %low = arith.maxsi %t, %least : i32\n    %cut = arith.minsi %low, %most : i32\n"
                        "    %v = arith.trunci %cut : i32 to i8\n";
  for (const auto &[body, type] :
       {std::pair(summed + wide, "i32"), std::pair(summed + cut, "i8"), std::pair(requantized + wide, "i32"),
        std::pair(requantized + cut, "i8")}) {
    const std::optional<Compiled> compiled = compile(productOf(body, type), nibbles);
    ASSERT_TRUE(compiled);
    for (const package::Layer &layer : compiled->package.layers)
      EXPECT_EQ(layer.target, "accelerator") << layer.reason << body;
  }
}

/// Two rows of constants as they are.
TEST_F(ConstantRows, NeedNoPacking) {
  const std::string intrinsics = folder.write("as_they_are.mlir", R"(
#row = affine_map<(l) -> (l)>
!acc = memref<?xi32, #dae.scope<acc>>
!bytes = memref<?xi8, #dae.scope<param>>
dae.intrinsic @times_plus(%a: !acc, %s: !bytes, %o: !bytes, %d: !acc) {
  linalg.generic {indexing_maps = [#row, #row, #row, #row], iterator_types = ["parallel"]}
      ins(%a, %s, %o : !acc, !bytes, !bytes) outs(%d : !acc) {
  ^bb0(%x: i32, %s8: i8, %o8: i8, %old: i32):
    %scale = arith.extsi %s8 : i8 to i32
    %offset = arith.extsi %o8 : i8 to i32
    %product = arith.muli %x, %scale : i32
    %sum = arith.addi %product, %offset : i32
    linalg.yield %sum : i32
  }
  %product = dae.alloc : !acc
  dae.vector #dae.op<mul> %a, %s -> %product : !acc, !bytes -> !acc
  dae.vector #dae.op<add> %product, %o -> %d : !acc, !bytes -> !acc
})");
  const Program program{"5x6x", valuesOf(40, -128, 127, 16), valuesOf(40, -128, 127, 17), 32};
  const std::optional<Compiled> compiled = compile(program.text(), intrinsics);
  ASSERT_TRUE(compiled);
  EXPECT_EQ(compiled->package.layers[0].target, "accelerator");
  std::vector<uint8_t> rows(64 + 48, 0); // the second begins at a multiple of 64
  llvm::copy(program.scales, rows.begin());
  llvm::copy(program.offsets, rows.begin() + 64);
  EXPECT_EQ(constantsOfStream(*compiled), rows);
}

} // namespace
} // namespace daedalus::testing
