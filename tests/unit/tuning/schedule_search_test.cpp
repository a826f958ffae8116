// The search of schedules on this host's CPU: what it keeps is faster than the compiler's own, computes the
// same, and what is slower does not stay.

#include "Tuning/ScheduleSearch.h"
#include "daedalus/Pipelines/Schedules.h"
#include "daedalus/runtime/session.h"
#include "daedalus/support/file.h"
#include "daedalus/support/temporaries.h"

#include <gtest/gtest.h>

#include <regex>

namespace daedalus::tuning {
namespace {

/// A product of int8, whose sums no order changes.
constexpr const char *program = R"(
func.func @main(%a: tensor<128x256xi8>, %b: tensor<256x192xi8>) -> tensor<128x192xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<128x192xi32>
  %fill = linalg.fill ins(%zero : i32) outs(%empty : tensor<128x192xi32>) -> tensor<128x192xi32>
  %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                                        affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<128x256xi8>, tensor<256x192xi8>) outs(%fill : tensor<128x192xi32>) {
  ^bb0(%x: i8, %y: i8, %sum: i32):
    %u = arith.extsi %x : i8 to i32
    %v = arith.extsi %y : i8 to i32
    %product = arith.muli %u, %v : i32
    %next = arith.addi %sum, %product : i32
    linalg.yield %next : i32
  } -> tensor<128x192xi32>
  return %c : tensor<128x192xi32>
}
)";

class ScheduleSearch : public ::testing::Test {
protected:
  ScheduleSearch() {
    options.target = "cpu";
    EXPECT_TRUE(writeFileAtomically(path, program));
  }

  ScheduledKernel kernel() {
    const auto kernels = scheduledKernels(path, options, 1);
    EXPECT_TRUE(kernels) << kernels.error();
    EXPECT_EQ(kernels->size(), 1u);
    return kernels->front();
  }

  Searched search(const ScheduleStarts &starts, const ScheduleSearchOptions &how) {
    uint64_t told = 0, improved = 0;
    Result<Searched> searched = searchSchedules(path, options, starts, how,
                                                {[&](uint64_t trials) { told = trials; },
                                                 [&](const std::vector<SearchedKernel> &better) {
                                                   for (const SearchedKernel &found : better)
                                                     EXPECT_LT(found.after, found.before) << found.entry.text;
                                                   improved += better.size();
                                                   return Result<void>();
                                                 }});
    EXPECT_TRUE(searched) << searched.error();
    EXPECT_EQ(told, searched->trials);
    EXPECT_LE(starts.found.empty() ? searched->better() : 0, improved); // nothing is kept that was not told
    return std::move(*searched);
  }

  /// What the product is with a schedule.
  std::vector<uint8_t> bytesWith(const std::vector<ScheduleEntry> &tuned) {
    CompileOptions with = options;
    with.tuned = tuned;
    Result<Compiled> compiled = compileModel(path, with);
    EXPECT_TRUE(compiled) << compiled.error();
    auto session = runtime::Session::create(std::move(compiled->package), {});
    EXPECT_TRUE(session) << session.error();
    std::vector<runtime::Tensor> inputs;
    for (const package::Value &input : (*(*session)->function(0))->inputs) {
      std::vector<uint8_t> data(package::byteSize(input.type));
      for (size_t i = 0; i < data.size(); ++i)
        data[i] = static_cast<uint8_t>(i * 37);
      inputs.push_back({input.name, input.type, data});
    }
    auto result = (*session)->run(size_t(0), inputs);
    EXPECT_TRUE(result) << result.error();
    return result->outputs[0].data;
  }

  const std::shared_ptr<ScratchFolder> folder = *ScratchFolder::create();
  const std::string path = folder->path + "/program.mlir";
  CompileOptions options;
};

void expectNothingSlower(const Searched &searched) {
  for (const SearchedKernel &kernel : searched.kernels) {
    EXPECT_TRUE(kernel.entry.text.empty() ? kernel.after == kernel.before : kernel.after < kernel.before)
        << kernel.entry.text << ": " << kernel.before << " s, " << kernel.after << " s";
    EXPECT_EQ(kernel.entry.section, "cpu.schedule");
    EXPECT_EQ(kernel.clock, Clock::Host);
  }
  EXPECT_LE(searched.after.at(Clock::Host), searched.before.at(Clock::Host));
}

TEST_F(ScheduleSearch, KeepsItsBudgetAndNothingSlower) {
  const Searched none = search({}, {1, 0, 1, 1, ""}), some = search({}, {6, 0, 2, 1, "cpu.schedule"});
  EXPECT_EQ(none.trials, 1u);
  EXPECT_LE(some.trials, 6u);
  ASSERT_EQ(some.kernels.size(), 1u);
  EXPECT_EQ(some.kernels[0].device, kernel().device);
  expectNothingSlower(none);
  expectNothingSlower(some);
  if (!some.kernels[0].entry.text.empty()) {
    EXPECT_EQ(bytesWith({some.kernels[0].entry}), bytesWith({}));
  }
}

TEST_F(ScheduleSearch, OfOtherSectionsHasNothingToTry) {
  const Searched searched = search({}, {6, 0, 1, 1, "cuda.schedule"});
  EXPECT_EQ(searched.trials, 0u);
  EXPECT_TRUE(searched.kernels.empty());
}

/// A start with small tiles: it computes the same and, without a trial, is left out.
TEST_F(ScheduleSearch, LeavesOutAStartThatIsSlower) {
  ScheduleEntry slow = kernel().entry;
  slow.text = std::regex_replace(slow.text, std::regex("tile \\[[^\\]]*\\]"), "tile [1, 16]");
  slow.text = std::regex_replace(slow.text, std::regex(" blocks \\[.*\\]"), "");
  ASSERT_NE(slow.text.find("tile [1, 16]"), std::string::npos) << slow.text;
  ASSERT_TRUE(checkEntries({slow}, "a.db")) << slow.text;
  EXPECT_EQ(bytesWith({slow}), bytesWith({}));
  const Searched searched = search({{slow}, {}}, {0, 1e-9, 1, 1, ""});
  EXPECT_EQ(searched.trials, 0u);
  ASSERT_EQ(searched.kernels.size(), 1u);
  EXPECT_EQ(searched.kernels[0].entry.text, "");
  expectNothingSlower(searched);
}

} // namespace
} // namespace daedalus::tuning
