#include "Tuning/GpuPrograms.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

namespace daedalus::tuning {
namespace {

using cuda::Calibration;
using cuda::LaunchWork;

/// Element by element, what `body` makes of %x as %y.
std::string elementwise(int64_t count, const std::string &type, const std::string &body) {
  return llvm::formatv(R"(
#map = affine_map<(i) -> (i)>
func.func @main(%x: tensor<{0}x{1}>) -> tensor<{0}x{1}> {{
  %empty = tensor.empty() : tensor<{0}x{1}>
  %result = linalg.generic {{indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%x : tensor<{0}x{1}>) outs(%empty : tensor<{0}x{1}>) {{
  ^bb0(%x0: {1}, %out: {1}):
{2}
  } -> tensor<{0}x{1}>
  return %result : tensor<{0}x{1}>
}
)",
                       count, type, body);
}

std::string twice(int64_t count) {
  return elementwise(count, "f32", "    %y = arith.addf %x0, %x0 : f32\n    linalg.yield %y : f32");
}

/// A chain that nothing shortens.
std::string manyOperations(int64_t count, int rounds) {
  std::string body = "    %a = arith.constant 77773 : i32\n    %b = arith.constant 1234577 : i32\n";
  for (int i = 0; i < rounds; ++i)
    body += llvm::formatv("    %u{0} = arith.xori %x{0}, %a : i32\n    %x{1} = arith.addi %u{0}, %b : i32\n",
                          i, i + 1);
  return elementwise(count, "i32", body + "    linalg.yield %x" + std::to_string(rounds) + " : i32");
}

/// Of a square matrix and a transposed one, so that factors of all types are read as they lie; `widen` makes
/// %u and %v of the elements %x and %y.
std::string product(int64_t size, const std::string &element, const std::string &sum,
                    const std::string &widen, const std::string &kind) {
  return llvm::formatv(R"(
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @main(%a: tensor<{0}x{0}x{1}>, %b: tensor<{0}x{0}x{1}>) -> tensor<{0}x{0}x{2}> {{
  %zero = arith.constant {5} : {2}
  %empty = tensor.empty() : tensor<{0}x{0}x{2}>
  %fill = linalg.fill ins(%zero : {2}) outs(%empty : tensor<{0}x{0}x{2}>) -> tensor<{0}x{0}x{2}>
  %c = linalg.generic {{indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<{0}x{0}x{1}>, tensor<{0}x{0}x{1}>) outs(%fill : tensor<{0}x{0}x{2}>) {{
  ^bb0(%x: {1}, %y: {1}, %sum: {2}):
{3}
    %next = arith.add{4} %sum, %product : {2}
    linalg.yield %next : {2}
  } -> tensor<{0}x{0}x{2}>
  return %c : tensor<{0}x{0}x{2}>
}
)",
                       size, element, sum, widen, kind, kind == "f" ? "0.0" : "0");
}

std::string productOfFloats(int64_t size) {
  return product(size, "f32", "f32", "    %product = arith.mulf %x, %y : f32", "f");
}

std::string productOfHalves(int64_t size) {
  return product(size, "f16", "f32",
                 "    %u = arith.extf %x : f16 to f32\n    %v = arith.extf %y : f16 to f32\n"
                 "    %product = arith.mulf %u, %v : f32",
                 "f");
}

std::string productOfBytes(int64_t size) {
  return product(size, "i8", "i32",
                 "    %u = arith.extsi %x : i8 to i32\n    %v = arith.extsi %y : i8 to i32\n"
                 "    %product = arith.muli %u, %v : i32",
                 "i");
}

/// Threads that each go through all of %x, of which they share every number.
std::string longLoops(int64_t count) {
  return llvm::formatv(R"(
#x = affine_map<(i, k) -> (k)>
#y = affine_map<(i, k) -> (i)>
func.func @main(%x: tensor<{0}xi32>) -> tensor<{0}xi32> {{
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<{0}xi32>
  %fill = linalg.fill ins(%zero : i32) outs(%empty : tensor<{0}xi32>) -> tensor<{0}xi32>
  %result = linalg.generic {{indexing_maps = [#x, #y], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<{0}xi32>) outs(%fill : tensor<{0}xi32>) {{
  ^bb0(%x0: i32, %sum: i32):
    %i = linalg.index 0 : index
    %row = arith.index_cast %i : index to i32
    %mixed = arith.xori %x0, %row : i32
    %next = arith.addi %sum, %mixed : i32
    linalg.yield %next : i32
  } -> tensor<{0}xi32>
  return %result : tensor<{0}xi32>
}
)",
                       count);
}

} // namespace

std::vector<GpuProgram> gpuPrograms() {
  return {
      {"a launch", twice(32), nullptr, &Calibration::launch, false},
      {"global memory", twice(1 << 25), &LaunchWork::bytes, &Calibration::bytes, true},
      {"operations", manyOperations(1 << 22, 256), &LaunchWork::operations, &Calibration::operations, true},
      {"products by FMA", productOfFloats(2048), &LaunchWork::fmaProducts, &Calibration::fmaProducts, true},
      {"products of float16", productOfHalves(4096), &LaunchWork::halfProducts, &Calibration::halfProducts,
       true},
      {"products of int8", productOfBytes(4096), &LaunchWork::byteProducts, &Calibration::byteProducts, true},
      {"steps of a thread", longLoops(4096), &LaunchWork::steps, &Calibration::step, false}};
}

double factorOf(const GpuProgram &program, const std::vector<cuda::LaunchWork> &launches, double nanoseconds,
                double launch) {
  constexpr double leastPart = 0.01; // of the time that is the work's
  const double count = static_cast<double>(launches.size());
  if (!program.work)
    return nanoseconds / count;
  double amount = 0;
  for (const LaunchWork &work : launches)
    amount += work.*program.work;
  const double rest = std::max(nanoseconds - count * launch, leastPart * nanoseconds);
  return program.isRate ? amount / rest : rest / amount;
}

} // namespace daedalus::tuning
