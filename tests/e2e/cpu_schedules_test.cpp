// Schedules of the CPU's kernels: printed and obeyed to the same package, edits by hand, and random ones.
//   DAEDALUS_SCHEDULE_EDITS=N  random edits of each program (12)
#include "plan_program.h"
#include "schedule_text.h"

#include "daedalus/Pipelines/Compile.h"
#include "daedalus/Pipelines/Schedules.h"
#include "daedalus/Target/CPU/Settings.h"
#include "daedalus/runtime/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <regex>

namespace daedalus::testing {
namespace {

using ::testing::HasSubstr;

int64_t countOf(const std::vector<int64_t> &shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

std::vector<runtime::Tensor> inputsOf(const package::Package &package) {
  std::vector<runtime::Tensor> tensors;
  std::mt19937 random(5);
  for (const package::Value &input : package.functions[0].inputs) {
    const bool isFloat = input.type.dtype == package::DType::F32;
    std::vector<uint8_t> data(countOf(input.type.shape) * (isFloat ? 4 : 1));
    for (size_t i = 0; i < data.size(); i += isFloat ? 4 : 1) {
      const float value = std::uniform_real_distribution<float>(-2, 2)(random);
      if (isFloat)
        std::memcpy(&data[i], &value, 4);
      else
        data[i] = static_cast<uint8_t>(random());
    }
    tensors.push_back({input.name, input.type, data});
  }
  return tensors;
}

std::vector<uint8_t> outputOf(const package::Package &package, unsigned threads) {
  runtime::SessionOptions options;
  options.threads = threads;
  auto session = runtime::Session::create(package, options);
  EXPECT_TRUE(session) << session.error();
  if (!session)
    return {};
  auto result = (*session)->run(0, inputsOf(package));
  EXPECT_TRUE(result) << result.error();
  return result ? result->outputs[0].data : std::vector<uint8_t>();
}

/// Bytes that are the same, or numbers that are near.
bool isRight(const std::vector<uint8_t> &output, const std::vector<uint8_t> &expected, bool isFloat) {
  if (!isFloat || output.size() != expected.size())
    return output == expected;
  for (size_t i = 0; i < output.size(); i += 4) {
    float a = 0, b = 0;
    std::memcpy(&a, &output[i], 4);
    std::memcpy(&b, &expected[i], 4);
    if (!(std::abs(a - b) <= 1e-4f * (1 + std::abs(b))))
      return false;
  }
  return true;
}

/// A program, and what it computes by the compiler's own schedule.
class Scheduled {
public:
  Scheduled(const std::string &text, bool isFloat, const std::string &levels = "native")
      : isFloat(isFloat), levels(levels), program(folder.write("program.mlir", text)) {
    auto printed = emit("");
    auto compiled = compileModel(program, optionsFor(""));
    EXPECT_TRUE(printed && compiled) << (printed ? compiled.error() : printed.error());
    if (!printed || !compiled)
      return;
    schedule = *printed;
    package = package::writePackage(compiled->package);
    expected = outputOf(compiled->package, 1);
  }

  struct Outcome {
    std::string error;
    bool isChanged = false, isRight = false;
  };

  Outcome compile(const std::string &text, unsigned threads = 2) const {
    auto compiled = compileModel(program, optionsFor(text));
    if (!compiled)
      return {compiled.error()};
    return {"", package::writePackage(compiled->package) != package,
            testing::isRight(outputOf(compiled->package, threads), expected, isFloat)};
  }

  Result<std::string> emit(const std::string &text, const std::string &level = "schedule") const {
    return emitLevel(program, optionsFor(text), level);
  }

  const bool isFloat;
  const std::string levels;
  static std::string freshName() {
    static int count = 0;
    return "cpu_schedules_" + std::to_string(count++);
  }

  const Folder folder{freshName()};
  const std::string program;
  std::string schedule;
  std::vector<uint8_t> package, expected;

private:
  CompileOptions optionsFor(const std::string &text) const {
    CompileOptions options;
    options.target = "cpu";
    options.settings.of<cpu::Settings>().levels = levels;
    options.schedule = text.empty() ? "" : folder.write("schedule.mlir", text);
    return options;
  }
};

const Scheduled &ints() {
  static const Scheduled program(planProgram(), false);
  return program;
}

const Scheduled &floats() {
  static const Scheduled program(floatProgram(), true);
  return program;
}

TEST(CpuSchedules, AreObeyedToTheSamePackage) {
  for (const Scheduled *program : {&ints(), &floats()}) {
    const Scheduled::Outcome outcome = program->compile(program->schedule);
    EXPECT_EQ(outcome.error, "");
    EXPECT_TRUE(outcome.isRight);
    auto again = program->emit(program->schedule);
    ASSERT_TRUE(again) << again.error();
    EXPECT_EQ(*again, program->schedule);
    EXPECT_EQ(entriesOf(program->schedule).empty(), false);
  }
}

/// Blocks that are said make other keys of the cache, and the same code.
TEST(CpuSchedules, AreObeyedToTheSameBytesOfThePackage) {
  EXPECT_FALSE(ints().compile(ints().schedule).isChanged);
  EXPECT_FALSE(floats().compile(floats().schedule).isChanged);
}

TEST(CpuSchedules, AreThoseOfOtherNamesAndConstants) {
  std::string text = std::regex_replace(planProgram(), std::regex("@stem"), "@trunk");
  text = std::regex_replace(text, std::regex("arith.constant dense<3> : tensor<3x3x40xi8>"),
                            "arith.constant dense<2> : tensor<3x3x40xi8>");
  const Scheduled other(text, false);
  ASSERT_NE(other.package, ints().package);
  const auto theirs = entriesOf(other.schedule), ours = entriesOf(ints().schedule);
  ASSERT_EQ(theirs.size(), ours.size());
  for (size_t i = 0; i < ours.size(); ++i)
    EXPECT_EQ(theirs[i].fingerprint, ours[i].fingerprint);
}

TEST(CpuSchedules, OfOtherKernelsAreLeftAlone) {
  const Scheduled::Outcome outcome = ints().compile(floats().schedule);
  EXPECT_EQ(outcome.error, "");
  EXPECT_FALSE(outcome.isChanged);
  EXPECT_FALSE(ints().compile("cpu.schedule format 1 {\n}\n").isChanged);
}

TEST(CpuSchedules, StandAtLevelDaeWhichGivesTheSamePackage) {
  std::vector<ScheduleEntry> entries = entriesOf(floats().schedule);
  for (ScheduleEntry &entry : entries)
    if (entry.hasBlocks())
      entry.blocks = blocksText(nativeLevelOf(floats().schedule), 1, 1);
  const std::string edited = textOf(entries);
  auto dae = floats().emit(edited, "dae");
  ASSERT_TRUE(dae) << dae.error();
  EXPECT_THAT(*dae, HasSubstr("cpu.schedule format 1"));
  CompileOptions options;
  auto fromDae = compileModel(floats().folder.write("dae.mlir", *dae), options);
  ASSERT_TRUE(fromDae) << fromDae.error();
  EXPECT_NE(package::writePackage(fromDae->package), floats().package);
  EXPECT_TRUE(floats().compile(edited).isChanged);
  EXPECT_TRUE(isRight(outputOf(fromDae->package, 1), floats().expected, true));
}

/// The first entry with a tile to change, as its line in the file.
struct Editable {
  std::vector<ScheduleEntry> entries;
  ScheduleEntry *entry = nullptr;

  explicit Editable(const std::string &schedule) : entries(entriesOf(schedule)) {
    for (ScheduleEntry &candidate : entries)
      if (!entry && candidate.hasBlocks() && candidate.loops.size() > 1 && candidate.loops[0] > 2)
        entry = &candidate;
  }
  std::string text() const { return textOf(entries); }
  size_t line() const { return entry - entries.data() + 2; }
};

void expectRefused(const Editable &edit, const std::string &sentence) {
  const Scheduled::Outcome outcome = floats().compile(edit.text());
  EXPECT_THAT(outcome.error, HasSubstr("schedule.mlir:" + std::to_string(edit.line()) + ": ")) << sentence;
  EXPECT_THAT(outcome.error, HasSubstr(sentence));
}

TEST(CpuSchedules, EditsThatCannotBeAreRefusedAtTheirLine) {
  const std::string level = nativeLevelOf(floats().schedule);
  const auto refused = [&](void (*change)(ScheduleEntry &, const std::string &),
                           const std::string &sentence) {
    Editable edit(floats().schedule);
    ASSERT_NE(edit.entry, nullptr) << floats().schedule;
    change(*edit.entry, level);
    expectRefused(edit, sentence);
  };
  using Entry = ScheduleEntry;
  using Text = const std::string;
  refused([](Entry &e, Text &) { e.tile[0] = 0; }, "has a tile of 0; expected 1 to");
  refused([](Entry &e, Text &) { e.tile[0] = -3; }, "has a tile of -3; expected 1 to");
  refused([](Entry &e, Text &) { e.tile[0] = e.loops[0] + 1; },
          "along loop 0, which has 48; expected a divisor");
  refused([](Entry &e, Text &) { e.tile[0] = 5; },
          "tiles of 5 along loop 0, which has 48; expected a divisor, "
          "such as 4 or 6");
  refused([](Entry &e, Text &) { e.tile.pop_back(); }, "sizes of a tile for");
  refused([](Entry &e, Text &) { e.loops[0] = 96; }, "is for loops [96, ");
  refused([](Entry &e, Text &) { e.loops.push_back(2), e.tile.push_back(1); }, "is for loops [");
  refused([](Entry &e, Text &) { e.fingerprint.pop_back(); }, "expected 16 digits from 0 to f");
  refused([](Entry &e, Text &l) { e.blocks = blocksText(l, 14, 4); }, "registers of ");
  refused([](Entry &e, Text &l) { e.blocks = blocksText(l, 0, 1); }, "has a block of rows 0; expected 1 to");
  refused([](Entry &e, Text &) { e.blocks = blocksText("x86-64-v9", 1, 1); },
          "has a block for the level 'x86-64-v9'");
  refused([](Entry &e,
             Text &l) { e.blocks = "[#cpu.block<\"" + l + "\" 1 x 1>, #cpu.block<\"" + l + "\" 2 x 1>]"; },
          "twice; expected it once");
}

TEST(CpuSchedules, BlocksOfWhatHasNoProductsAreRefused) {
  Editable edit(floats().schedule);
  edit.entry = nullptr;
  for (ScheduleEntry &entry : edit.entries)
    if (!entry.hasBlocks())
      edit.entry = &entry;
  ASSERT_NE(edit.entry, nullptr);
  edit.entry->blocks = blocksText(nativeLevelOf(floats().schedule), 1, 1);
  expectRefused(edit, "so tiled it has no sum of products that is computed in blocks; expected none");
}

TEST(CpuSchedules, LoopsThatCannotBeDividedAreRefused) {
  Editable edit(floats().schedule);
  edit.entry = nullptr;
  for (ScheduleEntry &entry : edit.entries)
    if (entry.isUndivided)
      edit.entry = &entry;
  ASSERT_NE(edit.entry, nullptr) << floats().schedule;
  edit.entry->tile[1] = 2;
  expectRefused(edit, "and cannot be divided; expected 1 or 24");
}

/// What a search found for two kernels, beside a file that names the first one.
TEST(CpuSchedules, OfASearchAreForKernelsThatNoFileNames) {
  CompileOptions options;
  options.target = "cpu";
  const auto kernels = scheduledKernels(ints().program, options, 2);
  ASSERT_TRUE(kernels) << kernels.error();
  ASSERT_GT(kernels->size(), 1u);
  const daedalus::ScheduledKernel &first = (*kernels)[0], &second = (*kernels)[1];
  ASSERT_FALSE(first.near.empty() || second.near.empty());
  options.tuned = {first.near.front(), second.near.front()};
  EXPECT_TRUE(checkEntries(options.tuned, "a.db"));
  const auto textsWith = [&](const std::string &schedule) {
    options.schedule = schedule.empty() ? "" : ints().folder.write("given.mlir", schedule);
    std::vector<std::string> texts;
    const auto all = scheduledKernels(ints().program, options, 2);
    EXPECT_TRUE(all) << all.error();
    for (const daedalus::ScheduledKernel &kernel : *all)
      if (kernel.entry.key == first.entry.key || kernel.entry.key == second.entry.key)
        texts.push_back(kernel.entry.text);
    return texts;
  };
  const std::string own = first.entry.text, found = first.near.front().text, other = second.near.front().text;
  EXPECT_THAT(textsWith(""), ::testing::UnorderedElementsAre(found, other));
  EXPECT_THAT(textsWith("cpu.schedule format 1 {\n}\n"), ::testing::UnorderedElementsAre(found, other));
  EXPECT_THAT(textsWith("cpu.schedule format 1 {\n  " + own + "\n}\n"),
              ::testing::UnorderedElementsAre(own, other));
}

TEST(CpuSchedules, AreOfTheProcessorItsLevelsAndThreads) {
  CompileOptions options;
  options.target = "cpu";
  options.settings.of<cpu::Settings>().levels = "x86-64-v3,x86-64-v2";
  const auto kernels = scheduledKernels(ints().program, options, 3);
  ASSERT_TRUE(kernels) << kernels.error();
  EXPECT_THAT((*kernels)[0].device, ::testing::StartsWith("processor="));
  EXPECT_THAT((*kernels)[0].device, ::testing::EndsWith("\nlevels=x86-64-v3,x86-64-v2\nthreads=3\n"));
}

TEST(CpuSchedules, FilesThatAreNoSchedulesAreRefused) {
  const auto error = [](const std::string &text) { return ints().compile(text).error; };
  EXPECT_THAT(error("\n"), HasSubstr("schedule.mlir has no schedule; expected "));
  EXPECT_THAT(error(ints().schedule + ints().schedule), HasSubstr("occurs twice in the schedule file"));
  EXPECT_THAT(
      error("dae.plan format 1 {\n  dae.kernel @k0 { dae.tile rows 1 columns 1 channels 1 window 1 x 1 lanes "
            "1 }\n}\n"),
      HasSubstr("schedule.mlir:2: names kernel @k0 (or a call or a part of it) that does not run on"));
  EXPECT_THAT(error("cpu.schedule format 2 {\n}\n"), HasSubstr("schedule.mlir:1: is a schedule of format 2"));
  EXPECT_THAT(error("cpu.schedule format 1 {\n  dae.plan format 1 {\n}\n}\n"),
              HasSubstr("schedule.mlir:2: "));
  const std::string line = ints().schedule.substr(ints().schedule.find("  cpu.kernel"));
  const std::string entry = line.substr(0, line.find('\n') + 1);
  EXPECT_THAT(error("cpu.schedule format 1 {\n" + entry + entry + "}\n"),
              HasSubstr("schedule.mlir:3: schedules kernel "));
  EXPECT_THAT(error("cpu.schedule format 1 {\n" + entry + entry + "}\n"),
              HasSubstr("again; line 2 has it already"));
  EXPECT_THAT(error(std::string(5000, '{')), HasSubstr("schedule.mlir"));
}

/// Divisors for tiles, threads or none, blocks of all sizes: right results, or too many registers.
class RandomEdits {
public:
  RandomEdits(const Scheduled &program, uint32_t seed) : program(program), random(seed) {}

  void run() {
    std::vector<ScheduleEntry> entries = entriesOf(program.schedule);
    for (ScheduleEntry &entry : entries)
      edit(entry);
    const std::string text = textOf(entries);
    const Scheduled::Outcome outcome = program.compile(text, 1 + below(2));
    EXPECT_EQ(outcome.error, "") << text;
    EXPECT_TRUE(outcome.isRight) << text;
  }

private:
  int64_t below(int64_t most) { return static_cast<int64_t>(random() % most); }

  void edit(ScheduleEntry &entry) {
    int64_t tiles = 1;
    for (size_t i = 0; i < entry.loops.size(); ++i) {
      const int64_t size = entry.loops[i];
      std::vector<int64_t> divisors;
      for (int64_t divisor = 1; divisor <= size; ++divisor)
        if (size % divisor == 0 && (!entry.isUndivided || divisor == 1 || divisor == size))
          divisors.push_back(divisor);
      entry.tile[i] = divisors[below(static_cast<int64_t>(divisors.size()))];
      tiles *= size / entry.tile[i];
    }
    entry.isParallel = below(2);
    const bool isOfPanels = entry.tile.back() % 16 == 0 || entry.tile.back() == entry.loops.back();
    if (entry.hasBlocks())
      entry.blocks =
          !isOfPanels || below(2) ? "" : blocksText(nativeLevelOf(program.schedule), 1 + below(3), 1);
  }

  const Scheduled &program;
  std::mt19937 random;
};

int edits() {
  const char *asked = std::getenv("DAEDALUS_SCHEDULE_EDITS");
  return asked ? std::stoi(asked) : 12;
}

TEST(CpuSchedules, RandomEditsOfIntegersGiveTheSameBytes) {
  for (int seed = 0; seed < edits(); ++seed)
    RandomEdits(ints(), seed).run();
}

TEST(CpuSchedules, RandomEditsOfFloatsGiveNearNumbers) {
  for (int seed = 0; seed < edits(); ++seed)
    RandomEdits(floats(), seed).run();
}

/// One block a level.
TEST(CpuSchedules, OfSeveralLevelsAreObeyed) {
  const Scheduled program(floatProgram(), true, "x86-64-v2,x86-64-v3");
  EXPECT_THAT(program.schedule, HasSubstr("#cpu.block<\"x86-64-v3\" "));
  EXPECT_THAT(program.schedule, HasSubstr("#cpu.block<\"x86-64-v2\" "));
  EXPECT_FALSE(program.compile(program.schedule).isChanged);
}

} // namespace
} // namespace daedalus::testing
