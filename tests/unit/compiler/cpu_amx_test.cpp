// Sums of products in the tile registers of AMX: the same bits as plain loops where the tiles are emulated,
// the instructions where they are not, and which blocks there are.

#include "run_model.h"

#include "daedalus/Target/CPU/Levels.h"
#include "daedalus/Target/CPU/Settings.h"
#include "daedalus/runtime/session.h"

#include "Target/CPU/MicroKernels/AmxBlocks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <regex>

#include <unistd.h>

namespace daedalus::test {
namespace {

using Sums = std::vector<int32_t>;
using testing::HasSubstr;
using testing::Not;

const std::string emulated = "x86-64-v2-emulated-amx";

class Draw {
public:
  explicit Draw(unsigned seed) : random(seed), ends(seed % 4) {}
  int64_t of(int64_t least, int64_t most) { return least + int64_t(random() % uint64_t(most - least + 1)); }
  int64_t one(const std::vector<int64_t> &of) { return of[random() % of.size()]; }
  bool coin() { return random() % 2; }

  /// Of every fourth seed -128 everywhere, of the next one the ends of the range.
  Bytes bytes(int64_t size) {
    Bytes values(size);
    for (int8_t &value : values)
      value = ends == 0 ? -128 : int8_t(ends == 1 ? (coin() ? -128 : 127) : of(-128, 127));
    return values;
  }

  Sums sums(int64_t size) {
    Sums values(size);
    for (int32_t &value : values)
      value = int32_t(of(-1000000, 1000000));
    return values;
  }

private:
  std::mt19937_64 random;
  unsigned ends;
};

std::string tensor(const OnnxBuilder::Shape &shape, const std::string &type) {
  std::string text = "tensor<";
  for (int64_t size : shape)
    text += std::to_string(size) + "x";
  return text + type + ">";
}

std::string hexOf(const Bytes &bytes) {
  const char *const digits = "0123456789ABCDEF";
  std::string text = "0x";
  for (int8_t byte : bytes) {
    text += digits[uint8_t(byte) >> 4];
    text += digits[uint8_t(byte) & 15];
  }
  return text;
}

/// A program that adds products of %x, with constant weights, to zeros or to its input %start.
struct Program {
  OnnxBuilder::Shape x, w, y;
  std::string operation; ///< of linalg, with its attributes
  std::string padding;   ///< an operation that gives %p of %x, whose type is `padded`
  OnnxBuilder::Shape padded;
  bool isAdded = false;

  std::string text(const Bytes &weights) const {
    const std::string sums = tensor(y, "i32"), image = tensor(padding.empty() ? x : padded, "i8");
    std::string body = "func.func @main(%x: " + tensor(x, "i8") + (isAdded ? ", %start: " + sums : "") +
                       ") -> " + sums + " {\n  %w = arith.constant dense<\"" + hexOf(weights) +
                       "\"> : " + tensor(w, "i8") + "\n" + padding;
    if (!isAdded)
      body += "  %zero = arith.constant 0 : i32\n  %empty = tensor.empty() : " + sums +
              "\n  %start = linalg.fill ins(%zero : i32) outs(%empty : " + sums + ") -> " + sums + "\n";
    return body + "  %y = " + operation + " ins(%" + (padding.empty() ? "x" : "p") + ", %w : " + image +
           ", " + tensor(w, "i8") + ") outs(%start : " + sums + ") -> " + sums + "\n  return %y : " + sums +
           "\n}\n";
  }
};

CompileOptions optionsAt(const std::string &level) {
  CompileOptions options;
  options.target = "cpu";
  options.settings.of<cpu::Settings>().levels = level;
  return options;
}

std::string fileOf(const std::string &text) {
  const std::string path = testing::TempDir() + "daedalus_cpu_amx_" + std::to_string(getpid()) + ".mlir";
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

Sums run(const std::string &text, const std::string &level, const std::vector<Bytes> &inputs) {
  Result<Compiled> compiled = compileModel(fileOf(text), optionsAt(level));
  if (!compiled) {
    ADD_FAILURE() << compiled.error();
    return {};
  }
  auto session = runtime::Session::create(compiled->package, {});
  if (!session) {
    ADD_FAILURE() << session.error();
    return {};
  }
  std::vector<runtime::Tensor> tensors;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const package::Value &value = compiled->package.functions[0].inputs[i];
    tensors.push_back({value.name, value.type, {inputs[i].begin(), inputs[i].end()}});
  }
  auto result = (*session)->run("main", tensors);
  EXPECT_TRUE(result) << result.error();
  return result ? numbersOf<int32_t>(result->outputs[0].data) : Sums();
}

/// With emulated tiles, and with the vectors of this host.
void expectSums(const Program &program, const Bytes &x, const Bytes &weights, const Sums &start,
                const Sums &expected) {
  std::vector<Bytes> inputs = {x};
  if (program.isAdded)
    inputs.push_back(bytesOf(start));
  const std::string text = program.text(weights);
  EXPECT_EQ(run(text, emulated, inputs), expected) << text.substr(0, 200);
  EXPECT_EQ(run(text, "native", inputs), expected) << text.substr(0, 200);
}

class CpuAmx : public testing::TestWithParam<unsigned> {};

/// What is added to what is there has whole panels, else it is no block; of others anything is odd.
TEST_P(CpuAmx, MatricesEqualPlainLoops) {
  Draw draw(GetParam());
  const bool isAdded = draw.coin();
  const int64_t rows = isAdded ? draw.of(2, 5) * draw.of(4, 17) : draw.of(1, 70),
                depth = isAdded || draw.coin() ? 16 * draw.of(1, 12) : draw.of(1, 150),
                columns = isAdded ? 16 * draw.of(1, 6) : draw.of(1, 100);
  const Program program{{rows, depth}, {depth, columns}, {rows, columns}, "linalg.matmul", "", {}, isAdded};
  const Bytes x = draw.bytes(rows * depth), w = draw.bytes(depth * columns);
  const Sums start = draw.sums(rows * columns);
  Sums expected = program.isAdded ? start : Sums(rows * columns, 0);
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column)
      for (int64_t k = 0; k < depth; ++k)
        expected[row * columns + column] += x[row * depth + k] * w[k * columns + column];
  expectSums(program, x, w, start, expected);
}

/// An image with its channels last, of which each border gets zeros.
struct Convolution {
  int64_t images, height, width, channels, outputs, window[2], stride, dilation, border;

  explicit Convolution(Draw &draw)
      : images(draw.of(1, 2)), height(draw.of(7, 20)), width(draw.of(7, 40)),
        channels(draw.one({3, 4, 5, 8, 16, 17, 20, 32, 48, 64, 80})),
        outputs(draw.of(1, 70)), window{draw.one({1, 1, 3, 3, 7}), 0}, stride(draw.of(1, 2)), dilation(1),
        border(draw.of(0, 2)) {
    window[1] = draw.coin() ? window[0] : draw.of(1, 3);
    if (window[0] <= 3 && window[1] <= 3)
      dilation = draw.of(1, 2);
  }

  int64_t high(int64_t size, int64_t window) const {
    return (size + 2 * border - (window - 1) * dilation - 1) / stride + 1;
  }

  Program program(bool isAdded) const {
    const std::string list = "dense<" + std::to_string(stride) + "> : tensor<2xi64>, dilations = dense<" +
                             std::to_string(dilation) + "> : tensor<2xi64>";
    Program program{{images, height, width, channels},
                    {window[0], window[1], channels, outputs},
                    {images, high(height, window[0]), high(width, window[1]), outputs},
                    "linalg.conv_2d_nhwc_hwcf {strides = " + list + "}",
                    "",
                    {images, height + 2 * border, width + 2 * border, channels},
                    isAdded};
    const std::string sides = "[0, " + std::to_string(border) + ", " + std::to_string(border) + ", 0]";
    if (border > 0)
      program.padding = "  %outside = arith.constant 0 : i8\n  %p = tensor.pad %x low" + sides + " high" +
                        sides + " {\n  ^bb0(%a: index, %b: index, %c: index, %d: index):\n" +
                        "    tensor.yield %outside : i8\n  } : " + tensor(program.x, "i8") + " to " +
                        tensor(program.padded, "i8") + "\n";
    return program;
  }

  int32_t at(const Bytes &x, const Bytes &w, int64_t n, int64_t row, int64_t column, int64_t output) const {
    int32_t sum = 0;
    for (int64_t i = 0; i < window[0]; ++i)
      for (int64_t j = 0; j < window[1]; ++j) {
        const int64_t r = row * stride + i * dilation - border, s = column * stride + j * dilation - border;
        if (r < 0 || r >= height || s < 0 || s >= width)
          continue;
        for (int64_t c = 0; c < channels; ++c)
          sum += x[((n * height + r) * width + s) * channels + c] *
                 w[((i * window[1] + j) * channels + c) * outputs + output];
      }
    return sum;
  }
};

TEST_P(CpuAmx, ConvolutionsEqualPlainLoops) {
  Draw draw(GetParam() + 1000);
  Convolution c(draw);
  const bool isAdded = draw.coin();
  if (isAdded)
    c.outputs = 16 * draw.of(1, 5);
  const Program program = c.program(isAdded);
  const Bytes x = draw.bytes(count(program.x)), w = draw.bytes(count(program.w));
  const Sums start = draw.sums(count(program.y));
  Sums expected;
  for (int64_t n = 0; n < program.y[0]; ++n)
    for (int64_t row = 0; row < program.y[1]; ++row)
      for (int64_t column = 0; column < program.y[2]; ++column)
        for (int64_t output = 0; output < c.outputs; ++output)
          expected.push_back(c.at(x, w, n, row, column, output));
  for (size_t i = 0; i < expected.size() && program.isAdded; ++i)
    expected[i] += start[i];
  expectSums(program, x, w, start, expected);
}

INSTANTIATE_TEST_SUITE_P(Random, CpuAmx, testing::Range(0u, 24u));

std::string llvmOf(const Program &program, const std::string &level) {
  Draw draw(2);
  Result<std::string> text =
      emitLevel(fileOf(program.text(draw.bytes(count(program.w)))), optionsAt(level), "llvm");
  EXPECT_TRUE(text) << text.error();
  return text ? *text : "";
}

Program layerOf(int64_t rows) {
  return {
      {1, 30, rows + 2, 64}, {3, 3, 64, 64}, {1, 28, rows, 64}, "linalg.conv_2d_nhwc_hwcf", "", {}, false};
}

/// Tiles of 14 rows, of 64 bytes and of 16 columns, read where the image and the weights lie.
TEST(CpuAmxCode, HasTilesAtItsLevelAlone) {
  const std::string tiles = llvmOf(layerOf(28), "x86-64-v4-amx");
  EXPECT_THAT(tiles, HasSubstr("@llvm.x86.tdpbssd.internal(i16 14, i16 64, i16 64, "));
  EXPECT_THAT(tiles, HasSubstr("@llvm.x86.tilezero.internal(i16 14, i16 64)"));
  const std::regex bytes("tileloadd64.internal\\(i16 14, i16 64, ptr [^,]+, i64 64\\)"),
      weights("tileloadd64.internal\\(i16 16, i16 64, ptr [^,]+, i64 64\\)"),
      sums("tilestored64.internal\\(i16 14, i16 64, ptr [^,]+, i64 256, ");
  for (const std::regex &regex : {bytes, weights, sums})
    EXPECT_TRUE(std::regex_search(tiles, regex));
  EXPECT_THAT(tiles, Not(HasSubstr("vpdpbusd")));
  for (const std::string level : {"x86-64-v4-vnni", "x86-64-v4", "x86-64-v2"})
    EXPECT_THAT(llvmOf(layerOf(28), level), Not(HasSubstr("tdpbssd"))) << level;
  EXPECT_THAT(llvmOf(layerOf(28), emulated), Not(HasSubstr("llvm.x86.t")));
}

TEST(CpuAmxCode, OfFewRowsOrOddDepthIsThatOfTheLevelBelow) {
  const Program row{{1, 640}, {640, 64}, {1, 64}, "linalg.matmul", "", {}, false};
  const Program depth{{64, 19 * 4}, {19 * 4, 64}, {64, 64}, "linalg.matmul", "", {}, false};
  for (const Program &program : {row, depth}) {
    const std::string text = llvmOf(program, "x86-64-v4-amx");
    EXPECT_THAT(text, HasSubstr("vpdpbusd"));
    EXPECT_THAT(text, Not(HasSubstr("tdpbssd")));
  }
}

TEST(CpuAmxBlocks, HaveTilesOfOneHeight) {
  for (int64_t rows = 1; rows <= 48; ++rows) {
    const cpu::TileRows tiles(rows);
    EXPECT_LE(tiles.height, 16);
    EXPECT_EQ(tiles.first(0, rows), 0);
    for (int64_t tile = 1; tile < tiles.tiles; ++tile) {
      EXPECT_LE(tiles.first(tile, rows), tiles.first(tile - 1, rows) + tiles.height) << "no row is left out";
      EXPECT_GT(tiles.first(tile, rows), tiles.first(tile - 1, rows));
    }
    EXPECT_EQ(tiles.first(tiles.tiles - 1, rows) + tiles.height, rows);
  }
}

TEST(CpuAmxBlocks, FitIntoTileRegisters) {
  for (int64_t rows : {1, 3, 7, 14, 17, 56, 97, 112})
    for (int64_t panels : {1, 2, 3, 5, 63})
      for (bool isExact : {false, true}) {
        const auto blocks = cpu::tileBlocksByTime({rows, panels}, {16, isExact});
        ASSERT_FALSE(blocks.empty());
        for (const cpu::Block &block : blocks) {
          EXPECT_LE(cpu::tileRegistersOf(block), 8);
          EXPECT_LE(block.rows, rows);
          EXPECT_LE(block.panels, panels);
          EXPECT_FALSE(isExact && (rows % block.rows || panels % block.panels));
        }
        const cpu::Block within = cpu::tileBlockWithin({31, 2}, {rows, panels}, {16, isExact});
        EXPECT_FALSE(isExact && (rows % within.rows || panels % within.panels));
      }
  EXPECT_EQ(cpu::tileRegistersOf({32, 2}), 7);
  EXPECT_EQ(cpu::tileRegistersOf({16, 6}), 8);
  EXPECT_EQ(cpu::tileRegistersOf({33, 2}), 9);
}

/// The products of four sums are as long as one of them takes. Of a few rows they are those of four panels.
TEST(CpuAmxBlocks, OfTheLeastTimeAreFourSums) {
  EXPECT_EQ(cpu::tileBlocksByTime({14, 4}, {16, false}).front().panels, 4);
  for (int64_t rows : {32, 56, 112}) {
    const cpu::Block block = cpu::tileBlocksByTime({rows, 4}, {16, false}).front();
    EXPECT_EQ(cpu::TileRows(block.rows).tiles, 2) << rows;
    EXPECT_EQ(block.panels, 2) << rows;
  }
}

TEST(CpuAmxBlocks, StepsDivideTheReduction) {
  EXPECT_EQ(cpu::quadsOf(1), 1);
  EXPECT_EQ(cpu::quadsOf(16), 16);
  EXPECT_EQ(cpu::quadsOf(36), 12);
  EXPECT_EQ(cpu::quadsOf(19), 1);
  EXPECT_EQ(cpu::quadsOf(20), 10);
}

TEST(CpuAmxLevels, AreFoundByName) {
  for (const cpu::Level &level : cpu::levels()) {
    const auto parsed = cpu::parseLevels(level.name);
    ASSERT_TRUE(parsed) << parsed.error();
    EXPECT_EQ(parsed->front(), level);
    EXPECT_FALSE(level.emulatesAmx);
  }
  const auto several = cpu::parseLevels("x86-64-v2,x86-64-v4-amx,x86-64-v2,x86-64-v4-vnni");
  ASSERT_TRUE(several) << several.error();
  ASSERT_EQ(several->size(), 3u);
  EXPECT_EQ((*several)[0].name, "x86-64-v4-amx");
  EXPECT_EQ((*several)[2].name, "x86-64-v2");
  const auto unknown = cpu::parseLevels("x86-64-v4-tiles");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(
      unknown.error(),
      "--cpu: 'x86-64-v4-tiles' is not a level of this host's architecture; expected native, x86-64-v2, "
      "x86-64-v3, x86-64-v4, x86-64-v4-vnni, x86-64-v4-amx, or several with commas between them");
}

} // namespace
} // namespace daedalus::test
