// What a search of schedules for kernels on a GPU tries: products of random sizes and types, and windows.
//   DAEDALUS_GPU_SCHEDULES=N  random products (4)

#include "daedalus/Pipelines/Compile.h"
#include "daedalus/Pipelines/Schedules.h"
#include "daedalus/Target/CUDA/Settings.h"
#include "daedalus/support/file.h"
#include "daedalus/support/inputs.h"
#include "daedalus/support/temporaries.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <random>
#include <set>

namespace daedalus::test {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

std::string matrix(int64_t rows, int64_t columns, const std::string &type) {
  return "tensor<" + std::to_string(rows) + "x" + std::to_string(columns) + "x" + type + ">";
}

/// A function of the name: the product of two matrices of a type, with sums of float32 or int32.
std::string productText(const std::string &name, int64_t m, int64_t n, int64_t k, const std::string &type) {
  const std::string a = matrix(m, k, type), b = matrix(k, n, type),
                    c = matrix(m, n, type == "i8" ? "i32" : "f32");
  const std::string sum = type == "i8" ? "i32" : "f32";
  const auto widened = [&](const std::string &value) {
    return type == sum ? ""
                       : "  %w" + value + " = arith." + (type == "i8" ? "extsi" : "extf") + " %" + value +
                             " : " + type + " to " + sum + "\n";
  };
  const std::string of = type == sum ? "%" : "%w", kind = sum == "i32" ? "i" : "f";
  return "func.func " + name + "(%a: " + a + ", %b: " + b + ") -> " + c + " {\n  %zero = arith.constant " +
         (kind == "i" ? "0 : i32" : "0.0 : f32") + "\n  %empty = tensor.empty() : " + c +
         "\n  %fill = linalg.fill ins(%zero : " + sum + ") outs(%empty : " + c + ") -> " + c +
         "\n  %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> "
         "(k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = [\"parallel\", \"parallel\", "
         "\"reduction\"]} ins(%a, %b : " +
         a + ", " + b + ") outs(%fill : " + c + ") {\n  ^bb0(%x: " + type + ", %y: " + type +
         ", %sum: " + sum + "):\n" + widened("x") + widened("y") + "  %p = arith.mul" + kind + " " + of +
         "x, " + of + "y : " + sum + "\n  %s = arith.add" + kind + " %sum, %p : " + sum +
         "\n  linalg.yield %s : " + sum + "\n  } -> " + c + "\n  return %c : " + c + "\n}\n";
}

std::string windowText(int64_t rows, int64_t columns, int64_t window) {
  const std::string x = matrix(rows, columns + window - 1, "f32"), y = matrix(rows, columns, "f32"),
                    w = "tensor<" + std::to_string(window) + "xf32>";
  return "func.func @main(%x: " + x + ") -> " + y + " {\n  %zero = arith.constant 0.0 : f32\n" +
         "  %w = tensor.empty() : " + w + "\n  %empty = tensor.empty() : " + y +
         "\n  %fill = linalg.fill ins(%zero : f32) outs(%empty : " + y + ") -> " + y +
         "\n  %y = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j + k)>, affine_map<(i, j, "
         "k) "
         "-> (k)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = [\"parallel\", \"parallel\", "
         "\"reduction\"]} ins(%x, %w : " +
         x + ", " + w + ") outs(%fill : " + y +
         ") {\n  ^bb0(%v: f32, %u: f32, %s: f32):\n  %n = arith.addf %s, %v : f32\n  linalg.yield %n : f32\n"
         "  } -> " +
         y + "\n  return %y : " + y + "\n}\n";
}

/// A program for GPUs, and what a search knows of it.
class Program {
public:
  explicit Program(const std::string &text, const std::string &architectures = "sm_80",
                   const std::string &target = cuda::Settings::target) {
    options.target = target;
    options.settings.of<cuda::Settings>().architectures = architectures;
    EXPECT_TRUE(writeFileAtomically(path, text));
  }

  std::vector<ScheduledKernel> kernels(const std::string &schedule = "") {
    give(schedule);
    const auto all = scheduledKernels(path, options, 1);
    EXPECT_TRUE(all) << all.error();
    return all ? *all : std::vector<ScheduledKernel>();
  }

  /// The schedule that is printed where one is given, or why it cannot be.
  std::string scheduled(const std::string &schedule) {
    give(schedule);
    const auto text = emitLevel(path, options, "schedule");
    return text ? *text : text.error();
  }

  /// The schedule that is printed where a search found an entry, or why it cannot be.
  std::string scheduledWith(const ScheduleEntry &entry, const std::string &schedule = "") {
    options.tuned = {entry};
    std::string text = scheduled(schedule);
    options.tuned.clear();
    return text;
  }

private:
  void give(const std::string &schedule) {
    options.schedule = schedule.empty() ? "" : folder->path + "/schedule.mlir";
    forgetInput(options.schedule);
    EXPECT_TRUE(schedule.empty() || writeFileAtomically(options.schedule, schedule));
  }

  const std::shared_ptr<ScratchFolder> folder = *ScratchFolder::create();
  const std::string path = folder->path + "/program.mlir";
  CompileOptions options;
};

/// What is near to the one kernel is obeyed to the letter, and no two are the same.
void expectLegal(Program &program, const ScheduledKernel &kernel) {
  EXPECT_EQ(kernel.entry.section, "cuda.schedule");
  EXPECT_THAT(kernel.near, Not(::testing::IsEmpty()));
  EXPECT_LE(kernel.near.size(), 64u); // 32 of each architecture
  std::set<std::string> seen{kernel.entry.text};
  for (const ScheduleEntry &near : kernel.near) {
    EXPECT_EQ(near.key, kernel.entry.key);
    EXPECT_TRUE(seen.insert(near.text).second) << near.text << " is there twice";
    EXPECT_THAT(program.scheduledWith(near), HasSubstr("\n  " + near.text + "\n")) << near.text;
  }
}

std::vector<std::string> textsNear(const ScheduledKernel &kernel) {
  std::vector<std::string> texts;
  for (const ScheduleEntry &near : kernel.near)
    texts.push_back(near.text);
  return texts;
}

TEST(GpuSchedules, OfAProductAreTheCompilersCandidatesAndWhatIsNearToItsTile) {
  Program program(productText("@main", 1024, 1024, 1024, "f16"));
  const std::string given =
      "cuda.product f16 [1, 1024, 1024, 1024] by tensor_cores tile [64, 64, 32] warps [2, 2] "
      "stages 4";
  const auto kernels = program.kernels("cuda.schedule format 1 {\n  " + given + "\n}\n");
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_EQ(kernels[0].entry.text, given);
  EXPECT_EQ(kernels[0].layers, std::vector<uint32_t>{0});
  const std::vector<std::string> near = textsNear(kernels[0]);
  for (const char *tile :
       {"tile [128, 128, 32] warps [2, 4] stages 3", "tile [64, 32, 32] warps [2, 1] stages 4",
        "tile [32, 64, 32] warps [1, 2] stages 4", "tile [128, 64, 32] warps [2, 2] stages 4",
        "tile [64, 64, 16] warps [2, 2] stages 4", "tile [64, 64, 32] warps [2, 2] stages 5",
        "tile [64, 64, 32] warps [4, 1] stages 4"})
    EXPECT_THAT(near,
                Contains("cuda.product f16 [1, 1024, 1024, 1024] by tensor_cores " + std::string(tile)));
  EXPECT_THAT(near, Not(Contains(HasSubstr("by warpgroups"))));
  EXPECT_THAT(near, Not(Contains(HasSubstr("by threads")))) << "of a large product";
}

TEST(GpuSchedules, AreLegalAndDistinct) {
  const char *number = std::getenv("DAEDALUS_GPU_SCHEDULES");
  std::mt19937 random(7);
  for (int i = 0; i < (number ? std::atoi(number) : 4); ++i) {
    const auto size = [&] { return int64_t(1) << std::uniform_int_distribution<>(3, 9)(random); };
    const std::string type = std::array{"f32", "f16", "i8", "bf16"}[size_t(i) % 4];
    const std::string architecture = std::array{"sm_80", "sm_90a", "sm_80,sm_90a"}[size_t(i) % 3];
    const int64_t m = size() + i, n = size(), k = size();
    SCOPED_TRACE(testing::Message() << type << " " << m << " " << n << " " << k << " for " << architecture);
    Program program(productText("@main", m, n, k, type), architecture);
    const auto kernels = program.kernels();
    ASSERT_EQ(kernels.size(), 1u);
    expectLegal(program, kernels[0]);
  }
}

TEST(GpuSchedules, OfSm90aAreByWarpgroupsAndByTensorCores) {
  Program program(productText("@main", 1024, 1024, 1024, "f16"), "sm_90a");
  const std::string
      ofOthers = "cuda.product f16 [1, 1024, 1024, 1024] by tensor_cores tile [64, 64, 32] warps [2, 2] "
                 "stages 4",
      own = "cuda.product f16 [1, 1024, 1024, 1024] by warpgroups tile [64, 256, 64] warps [4, 1] "
            "stages 4";
  const auto kernels = program.kernels("cuda.schedule format 1 {\n  " + ofOthers + "\n  " + own + "\n}\n");
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_EQ(kernels[0].entry.text, ofOthers + "\n  " + own);
  const std::vector<std::string> near = textsNear(kernels[0]);
  // Other code's line stays beside one by warpgroups, and gives way to another one by tensor cores.
  EXPECT_THAT(near,
              Contains(AllOf(HasSubstr(ofOthers + "\n  "), HasSubstr("by warpgroups tile [128, 256, 64]"))));
  EXPECT_THAT(near, Contains(AllOf(HasSubstr("by tensor_cores tile [128, 128, 32]"), Not(HasSubstr("\n")))));
}

TEST(GpuSchedules, OfWindowsAreByThreadsAndByShared) {
  Program program(windowText(64, 256, 5));
  const auto chosen = program.kernels();
  ASSERT_EQ(chosen.size(), 1u);
  EXPECT_EQ(chosen[0].entry.text, "cuda.window f32 [64, 256] over [5] by threads");
  expectLegal(program, chosen[0]);
  const auto given = program.kernels(
      "cuda.schedule format 1 {\n  cuda.window f32 [64, 256] over [5] by shared tile [2, 32]\n}\n");
  ASSERT_EQ(given.size(), 1u);
  expectLegal(program, given[0]);
  for (const char *way :
       {"by threads", "by shared tile [1, 32]", "by shared tile [4, 32]", "by shared tile [2, 64]"})
    EXPECT_THAT(textsNear(given[0]), Contains("cuda.window f32 [64, 256] over [5] " + std::string(way)));
}

TEST(GpuSchedules, OfProductsThatAKernelHasTheLargestIsMeasured) {
  const std::string two = R"(
func.func private @both(%a: tensor<64x32xf32>, %b: tensor<32x48xf32>, %c: tensor<48x16xf32>) -> tensor<64x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %p = linalg.matmul ins(%a, %b : tensor<64x32xf32>, tensor<32x48xf32>) outs(%f : tensor<64x48xf32>) -> tensor<64x48xf32>
  %g = tensor.empty() : tensor<64x16xf32>
  %h = linalg.fill ins(%zero : f32) outs(%g : tensor<64x16xf32>) -> tensor<64x16xf32>
  %q = linalg.matmul ins(%p, %c : tensor<64x48xf32>, tensor<48x16xf32>) outs(%h : tensor<64x16xf32>) -> tensor<64x16xf32>
  return %q : tensor<64x16xf32>
}
func.func @main(%a: tensor<64x32xf32>, %b: tensor<32x48xf32>, %c: tensor<48x16xf32>) -> tensor<64x16xf32> {
  %q = call @both(%a, %b, %c) : (tensor<64x32xf32>, tensor<32x48xf32>, tensor<48x16xf32>) -> tensor<64x16xf32>
  return %q : tensor<64x16xf32>
}
)";
  Program program(two);
  const auto kernels = program.kernels();
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_EQ(kernels[0].entry.key, "products of f32 1 64 48 32");
}

TEST(GpuSchedules, OfAProgramForTheCpuAreNone) {
  Program program(productText("@main", 16, 16, 16, "f32"), "sm_80", "cpu");
  const auto kernels = program.kernels();
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_EQ(kernels[0].entry.section, "cpu.schedule");
}

/// Each architecture has times of its own.
TEST(GpuSchedules, AreOfTheirArchitectures) {
  Program one(productText("@main", 16, 16, 16, "f32")),
      two(productText("@main", 16, 16, 16, "f32"), "sm_90a,sm_80");
  ASSERT_EQ(one.kernels().size(), 1u);
  ASSERT_EQ(two.kernels().size(), 1u);
  EXPECT_EQ(one.kernels()[0].device, "architectures=sm_80\n");
  EXPECT_EQ(two.kernels()[0].device, "architectures=sm_90a,sm_80\n");
}

/// A file's line for a product stands in front of a search's; its lines for others do not.
TEST(GpuSchedules, OfAFileAreObeyedBeforeThoseOfASearch) {
  Program program(productText("@main", 64, 64, 64, "f32"));
  const auto kernels = program.kernels();
  ASSERT_EQ(kernels.size(), 1u);
  const ScheduleEntry &near = kernels[0].near.front();
  const std::string other = "cuda.product f32 [1, 8, 8, 8] by threads";
  const auto with = [&](const std::string &line) {
    return program.scheduledWith(near, "cuda.schedule format 1 {\n  " + line + "\n}\n");
  };
  EXPECT_THAT(with(kernels[0].entry.text), HasSubstr("\n  " + kernels[0].entry.text + "\n"));
  EXPECT_THAT(with(other), HasSubstr("\n  " + near.text + "\n"));
}

TEST(GpuSchedules, ThatCannotBeReadAreRefused) {
  const std::string good = "cuda.product f32 [1, 8, 8, 8] by threads", key = "products of f32 1 8 8 8";
  EXPECT_TRUE(checkEntries({{key, good, "cuda.schedule"}}, "a.db"));
  for (const ScheduleEntry &entry :
       {ScheduleEntry{key, "", "cuda.schedule"}, ScheduleEntry{key, "cuda.product", "cuda.schedule"},
        ScheduleEntry{key, good + "\n  cuda.product f32 [1, 8, 8, 9] by threads", "cuda.schedule"},
        ScheduleEntry{key, good + "\n}\nfunc.func private @f()\ncuda.schedule format 1 {", "cuda.schedule"},
        ScheduleEntry{"products of f32 1 8 8 9", good, "cuda.schedule"},
        ScheduleEntry{key, good, "cpu.schedule"}, ScheduleEntry{key, good, "dae.plan"}}) {
    const auto read = checkEntries({entry}, "a.db");
    ASSERT_FALSE(read) << entry.text;
    EXPECT_THAT(read.error(),
                ::testing::StartsWith("'a.db' has a schedule of " + entry.section + " for kernel '" +
                                      entry.key + "' that cannot be read; expected "));
  }
}

} // namespace
} // namespace daedalus::test
