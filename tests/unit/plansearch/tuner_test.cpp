// Plans of a model that are tuned: against all plans of a span, and through a compilation.
#include "PlanSearch/PlanTuner.h"
#include "Report/Certificate.h"
#include "daedalus/Target/Accelerator/Settings.h"
#include "daedalus/Target/States.h"

#include <gtest/gtest.h>

namespace daedalus::plansearch {
namespace {

const std::string digits = std::string(DAEDALUS_SOURCE_DIR) + "/examples/digits/digits.onnx";

uint64_t kernelsOf(const TunedStream &stream) {
  uint64_t count = 0;
  for (const TunedGroup &group : stream)
    count += group.kernels.size();
  return count;
}

class Tuner : public ::testing::TestWithParam<const char *> {
protected:
  Tuner() {
    settings.of<accelerator::Settings>().machine = machine;
    CompileOptions options;
    options.settings = settings;
    options.verify = options.code = false;
    Result<std::unique_ptr<ModelKernels>> made = ModelKernels::of(digits, options);
    EXPECT_TRUE(made) << made.error();
    kernels = std::move(*made);
  }

  Tuning tune(uint64_t trials, const accelerator::Tuned &starts = {}) {
    TuneOptions options;
    options.trials = trials;
    uint64_t told = 0, best = UINT64_MAX;
    Result<Tuning> tuning = tunePlans(*kernels, settings, machine, starts, options,
                                      {[&](uint64_t count) { told = count; },
                                       [&](const Tuning &found) {
                                         EXPECT_LT(found.tuned, std::min(best, found.planned));
                                         best = found.tuned;
                                         return Result<void>();
                                       }});
    EXPECT_TRUE(tuning) << tuning.error();
    EXPECT_EQ(told, tuning->trials);
    EXPECT_EQ(std::min(best, tuning->planned), tuning->tuned);
    return std::move(*tuning);
  }

  /// Of the whole model with a tuned plan, as compile --tuned has it.
  uint64_t cyclesWith(const accelerator::Tuned &tuned, uint64_t expectedKernels) {
    TargetSettings with = settings;
    with.of<accelerator::Settings>().tuned = std::make_shared<accelerator::Tuned>(tuned);
    const Result<Compiled> compiled = kernels->compile(with);
    EXPECT_TRUE(compiled) << compiled.error();
    EXPECT_EQ(accelerator::tunedKernelsOf(*compiled->states), expectedKernels);
    return *report::cyclesOf(compiled->package, compiled->package.functions.front(), machine);
  }

  const isa::Machine machine = *isa::loadMachine(GetParam());
  TargetSettings settings;
  std::unique_ptr<ModelKernels> kernels;
};

TEST_P(Tuner, IsNeverWorseThanThePlannerAndExact) {
  const Tuning tuning = tune(60);
  EXPECT_LE(tuning.trials, 60u);
  EXPECT_LE(tuning.tuned, tuning.planned);
  EXPECT_LE(tuning.bound, tuning.tuned);
  EXPECT_EQ(cyclesWith({}, 0), tuning.planned);
  EXPECT_EQ(cyclesWith({tuning.streams, {}}, kernelsOf(tuning.streams.front())), tuning.tuned);
  uint64_t cycles = UINT64_MAX;
  for (const Improvement &one : tuning.improvements) {
    EXPECT_LT(one.after, one.before);
    EXPECT_LE(one.before, cycles);
    cycles = one.after;
  }
}

/// Who cannot keep what is found has no use for more.
TEST_P(Tuner, EndsWithTheErrorOfWhoIsTold) {
  uint64_t told = 0;
  const TuneEvents events{[&](uint64_t) {},
                          [&](const Tuning &) -> Result<void> {
                            ++told;
                            return error("no room");
                          }};
  const Result<Tuning> tuning = tunePlans(*kernels, settings, machine, {}, {}, events);
  ASSERT_FALSE(tuning);
  EXPECT_EQ(tuning.error(), "no room");
  EXPECT_EQ(told, 1u);
}

TEST_P(Tuner, FindsTheSameAgain) {
  EXPECT_EQ(tune(40).streams, tune(40).streams);
}

/// What was found is the start of the next search, and groups are taken where the stream is another.
TEST_P(Tuner, GoesOnWithWhatIsKnown) {
  const Tuning first = tune(60), second = tune(10, {first.streams, {}});
  EXPECT_LE(second.tuned, first.tuned);
  accelerator::Tuned groups{{}, first.streams.front()};
  cyclesWith(groups, kernelsOf(groups.groups));
  groups.groups.pop_back();
  cyclesWith(groups, kernelsOf(groups.groups));
}

/// A schedule that the machine cannot have is left out.
TEST_P(Tuner, LeavesOutWhatDoesNotFit) {
  const Tuning tuning = tune(1);
  accelerator::Tuned wrong{tuning.streams, {}};
  wrong.streams.front().front().schedules.front().channels = 1 << 20;
  EXPECT_EQ(cyclesWith(wrong, 0), tuning.planned);
}

INSTANTIATE_TEST_SUITE_P(Machines, Tuner, ::testing::Values("default", "vta", "tiny"));

/// What runs on the CPU alone has no plan.
TEST(PlanTuner, HasNothingToTryWithoutStreams) {
  CompileOptions options;
  options.target = "cpu";
  options.verify = options.code = false;
  const isa::Machine machine = *isa::loadMachine("default");
  const auto kernels = ModelKernels::of(digits, options);
  ASSERT_TRUE(kernels) << kernels.error();
  const Result<Tuning> tuning = tunePlans(**kernels, {}, machine, {}, {}, {});
  ASSERT_TRUE(tuning) << tuning.error();
  EXPECT_TRUE(tuning->streams.empty());
  EXPECT_EQ(tuning->trials, 0u);
}

/// Each span's points are its plans, there and back.
TEST(SpanSpace, HasAPointForEachPlan) {
  StreamSpace::Kernel a{"a", {}, {TunedSchedule{1}, TunedSchedule{2}, TunedSchedule{4}}, {3, 2, 1}},
      b{"b", {}, {TunedSchedule{1}, TunedSchedule{1, 2}}, {3, 2}};
  KnownSchedules known = {{"a", std::make_shared<Schedules>(a)}, {"b", std::make_shared<Schedules>(b)}};
  const TunedStream start = {{{"a"}, {TunedSchedule{2}}, 0}, {{"b"}, {TunedSchedule{1}}, 0}};
  const SpanSpace span(start, known, [](const TunedStream &) { return std::optional<uint64_t>(1); });
  EXPECT_EQ(span.space().choices, (std::vector<uint32_t>{3, 2, 2, 4}));
  ASSERT_EQ(span.space().starts.size(), 1u);
  EXPECT_EQ(span.groupsOf(span.space().starts.front()), start);
  EXPECT_EQ(span.space().near({1, 0, 0, 0}, 0), (std::vector<uint32_t>{0, 2}));
  const TunedStream together = span.groupsOf({2, 1, 1, 3});
  const TunedStream expected = {{{"a", "b"}, {TunedSchedule{4}, TunedSchedule{1, 2}}, 3}};
  EXPECT_TRUE(together == expected || span.groupsOf({2, 1, 0, 3}) == expected);
}

} // namespace
} // namespace daedalus::plansearch
