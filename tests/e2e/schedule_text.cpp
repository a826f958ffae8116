// See schedule_text.h.

#include "schedule_text.h"

#include <gtest/gtest.h>

#include <random>
#include <regex>
#include <sstream>

namespace daedalus::testing {
namespace {

std::vector<int64_t> numbersOf(const std::string &text) {
  std::vector<int64_t> numbers;
  std::istringstream stream(std::regex_replace(text, std::regex(","), " "));
  for (int64_t number = 0; stream >> number;)
    numbers.push_back(number);
  return numbers;
}

std::string textOf(const std::vector<int64_t> &numbers) {
  std::string text;
  for (int64_t number : numbers)
    text += (text.empty() ? "" : ", ") + std::to_string(number);
  return "[" + text + "]";
}

/// Random weights, which no splat stands for.
std::string weights(int64_t count, uint32_t seed) {
  std::mt19937 random(seed);
  std::string text;
  for (int64_t i = 0; i < count; ++i)
    text += (i ? ", " : "") + std::to_string(std::uniform_real_distribution<float>(-1, 1)(random));
  return text;
}

} // namespace

std::vector<ScheduleEntry> entriesOf(const std::string &schedule) {
  const std::regex line("cpu\\.kernel \"(.*)\" (\\[.*\\]) loops \\[(.*)\\]( undivided)? tile \\[([^\\]]*)\\]"
                        "( threads)?( blocks (\\[.*\\]))?");
  std::vector<ScheduleEntry> entries;
  std::istringstream stream(schedule);
  for (std::string text; std::getline(stream, text);)
    if (std::smatch match; std::regex_search(text, match, line))
      entries.push_back({match[1], match[2], match[8], numbersOf(match[3]), numbersOf(match[5]),
                         match[4].matched, match[6].matched});
    else
      EXPECT_EQ(text.find("cpu.kernel"), std::string::npos) << text;
  return entries;
}

std::string textOf(const std::vector<ScheduleEntry> &entries) {
  std::string text = "cpu.schedule format 1 {\n";
  for (const ScheduleEntry &entry : entries)
    text += "  cpu.kernel \"" + entry.fingerprint + "\" " + entry.functions + " loops " +
            textOf(entry.loops) + (entry.isUndivided ? " undivided" : "") + " tile " + textOf(entry.tile) +
            (entry.isParallel ? " threads" : "") + (entry.blocks.empty() ? "" : " blocks " + entry.blocks) +
            "\n";
  return text + "}\n";
}

std::string blocksText(const std::string &level, int64_t rows, int64_t panels) {
  return "[#cpu.block<\"" + level + "\" " + std::to_string(rows) + " x " + std::to_string(panels) + ">]";
}

std::string nativeLevelOf(const std::string &schedule) {
  std::smatch match;
  return std::regex_search(schedule, match, std::regex("#cpu\\.block<\"([^\"]*)\"")) ? match[1].str() : "";
}

std::string floatProgram() {
  return R"(
#same = affine_map<(i, j) -> (i, j)>
func.func private @product(%x: tensor<48x40xf32>) -> tensor<48x96xf32> {
  %w = arith.constant dense<[)" +
         [] {
           std::string rows;
           for (int row = 0; row < 40; ++row)
             rows += (row ? "], [" : "[") + weights(96, row);
           return rows + "]";
         }() +
         R"(]> : tensor<40x96xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<48x96xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<48x96xf32>) -> tensor<48x96xf32>
  %y = linalg.matmul ins(%x, %w : tensor<48x40xf32>, tensor<40x96xf32>) outs(%f : tensor<48x96xf32>) -> tensor<48x96xf32>
  %g = tensor.empty() : tensor<48x96xf32>
  %r = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<48x96xf32>) outs(%g : tensor<48x96xf32>) {
  ^bb0(%v: f32, %o: f32):
    %m = arith.maximumf %v, %zero : f32
    linalg.yield %m : f32
  } -> tensor<48x96xf32>
  return %r : tensor<48x96xf32>
}
func.func private @mean(%x: tensor<48x96xf32>) -> tensor<48x96xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<48xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<48xf32>) -> tensor<48xf32>
  %s = linalg.generic {indexing_maps = [#same, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<48x96xf32>) outs(%f : tensor<48xf32>) {
  ^bb0(%v: f32, %o: f32):
    %a = arith.addf %o, %v : f32
    linalg.yield %a : f32
  } -> tensor<48xf32>
  %g = tensor.empty() : tensor<48x96xf32>
  %r = linalg.generic {indexing_maps = [#same, affine_map<(i, j) -> (i)>, #same], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<48x96xf32>, tensor<48xf32>) outs(%g : tensor<48x96xf32>) {
  ^bb0(%v: f32, %t: f32, %o: f32):
    %d = arith.subf %v, %t : f32
    linalg.yield %d : f32
  } -> tensor<48x96xf32>
  return %r : tensor<48x96xf32>
}
func.func private @window(%x: tensor<1x48x12x8xf32>) -> tensor<1x48x12x24xf32> {
  %w = arith.constant dense<[)" +
         [] {
           std::string text;
           for (int place = 0; place < 9; ++place) {
             text += place % 3 ? ", [" : place ? "], [[" : "[[";
             for (int channel = 0; channel < 8; ++channel)
               text += (channel ? ", [" : "[") + weights(24, 100 + 8 * place + channel) + "]";
             text += "]";
           }
           return text + "]";
         }() +
         R"(]> : tensor<3x3x8x24xf32>
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x48x12x8xf32> to tensor<1x50x14x8xf32>
  %e = tensor.empty() : tensor<1x48x12x24xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x48x12x24xf32>) -> tensor<1x48x12x24xf32>
  %y = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}
      ins(%p, %w : tensor<1x50x14x8xf32>, tensor<3x3x8x24xf32>) outs(%f : tensor<1x48x12x24xf32>) -> tensor<1x48x12x24xf32>
  return %y : tensor<1x48x12x24xf32>
}
func.func private @larger(%x: tensor<48x12x24xf32>) -> tensor<96x24x24xf32> {
  %e = tensor.empty() : tensor<96x24x24xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i floordiv 2, j floordiv 2, k)>, affine_map<(i, j, k) -> (i, j, k)>],
        iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<48x12x24xf32>) outs(%e : tensor<96x24x24xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  } -> tensor<96x24x24xf32>
  return %y : tensor<96x24x24xf32>
}
func.func @main(%x: tensor<48x40xf32>) -> tensor<96x24x24xf32> {
  %a = call @product(%x) : (tensor<48x40xf32>) -> tensor<48x96xf32>
  %b = call @mean(%a) : (tensor<48x96xf32>) -> tensor<48x96xf32>
  %c = tensor.expand_shape %b [[0, 1], [2, 3]] output_shape [1, 48, 12, 8] : tensor<48x96xf32> into tensor<1x48x12x8xf32>
  %d = call @window(%c) : (tensor<1x48x12x8xf32>) -> tensor<1x48x12x24xf32>
  %e = tensor.collapse_shape %d [[0, 1], [2], [3]] : tensor<1x48x12x24xf32> into tensor<48x12x24xf32>
  %f = call @larger(%e) : (tensor<48x12x24xf32>) -> tensor<96x24x24xf32>
  return %f : tensor<96x24x24xf32>
}
)";
}

} // namespace daedalus::testing
