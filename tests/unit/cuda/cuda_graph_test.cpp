// Sequences of kernels that repeat are captured as a graph and launched as one, on the stand-in of CUDA's
// driver library: what is called, that results and times are those of single launches, and that an error of
// any call is a sentence after which a session goes on.
#include "cuda_driver.h"
#include "on_sample.h"

#include <algorithm>
#include <random>
#include <thread>

namespace daedalus::test {
namespace {

using cuda::Code;
using cuda::Image;
using cuda::Launch;
using cuda::Parameter;
using package::Package;
using runtime::Session;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class CudaGraph : public OnSample {
protected:
  /// The sample's output for an input of one value, with its time; the error else.
  static std::string errorOf(Session &session, uint8_t value) {
    const auto result = session.run(size_t(0), {{"in", bytes16, std::vector<uint8_t>(16, value)}});
    if (!result)
      return result.error();
    for (uint8_t i = 0; i < 16; ++i)
      EXPECT_EQ(result->outputs[0].data[i], static_cast<uint8_t>(value + 1 + i));
    EXPECT_EQ(result->layers[0].deviceTicks, 250000U);
    return "";
  }
  static std::unique_ptr<Session> open(const Package &package) {
    auto session = Session::create(package, {});
    EXPECT_TRUE(session) << session.error();
    return std::move(*session);
  }
  /// The first such call of the sample's next session is to fail.
  void failAt(const std::string &name) const {
    *standin = Standin();
    auto session = open(packageWith(sampleCode()));
    for (int run = 0; run < 3; ++run)
      EXPECT_EQ(errorOf(*session, 40), "");
    session.reset();
    const std::vector<std::string> &calls = standin->calls;
    const auto before = std::find(calls.begin(), calls.end(), name) - calls.begin();
    *standin = Standin();
    standin->failing = size_t(before) + 1;
  }
  auto count(const std::string &name, size_t from = 0) const {
    return std::count(standin->calls.begin() + std::ptrdiff_t(from), standin->calls.end(), name);
  }
};

TEST_F(CudaGraph, TheThirdRunLaunchesWhatTheSecondCaptured) {
  const auto session = open(packageWith(sampleCode()));
  EXPECT_EQ(errorOf(*session, 40), "");
  EXPECT_EQ(count("cuStreamBeginCapture"), 0);
  EXPECT_EQ(errorOf(*session, 40), "");
  EXPECT_EQ(count("cuStreamEndCapture"), 1);
  EXPECT_EQ(count("cuGraphLaunch"), 0);
  const size_t before = standin->calls.size();
  for (uint8_t value : {40, 3, 255, 0})
    EXPECT_EQ(errorOf(*session, value), "");
  EXPECT_EQ(count("cuGraphLaunch", before), 4);
  EXPECT_EQ(count("cuLaunchKernel", before), 0);
  EXPECT_EQ(count("cuEventRecord", before), 0);
  EXPECT_EQ(count("cuEventCreate"), 2);
}

TEST_F(CudaGraph, OneLaunchIsNotCaptured) {
  Code code = sampleCode();
  for (Image &image : code.images)
    image.kernels[0].launches.erase(image.kernels[0].launches.begin());
  const auto session = open(packageWith(code));
  for (int run = 0; run < 4; ++run)
    EXPECT_TRUE(session->run(size_t(0), {{"in", bytes16, std::vector<uint8_t>(16, 1)}}));
  EXPECT_EQ(count("cuStreamBeginCapture"), 0);
}

TEST_F(CudaGraph, AnyThreadCapturesAndLaunches) {
  const auto session = open(packageWith(sampleCode()));
  for (int run = 0; run < 5; ++run)
    std::thread([&] { EXPECT_EQ(errorOf(*session, 40), ""); }).join();
  EXPECT_EQ(count("cuGraphLaunch"), 3);
}

TEST_F(CudaGraph, AKernelOfItReportsAsAlone) {
  Code code = sampleCode();
  const Parameter words{Parameter::Kind::Status, 0, 0}, in{Parameter::Kind::Operand, 0, 0};
  addLaunch(code, {"report", {1, 1, 1}, {1, 1, 1}, 0, {words, in, in}});
  const auto session = open(packageWith(code));
  for (int run = 0; run < 3; ++run)
    EXPECT_EQ(errorOf(*session, 40), "");
  EXPECT_THAT(errorOf(*session, 1), AllOf(HasSubstr("node 'twice'"), HasSubstr("do not give the one for")));
  EXPECT_THAT(errorOf(*session, 2), HasSubstr("selects by an index or label that is outside"));
  EXPECT_EQ(errorOf(*session, 40), "");
  EXPECT_EQ(count("cuGraphLaunch"), 4);
}

// What fails is said, and the run behind it is as any other.
TEST_F(CudaGraph, AnErrorOfAnyCallOfThreeRunsIsASentence) {
  const Package package = packageWith(sampleCode());
  size_t opened = 0, ended = 0;
  const auto errorsOfRuns = [&] {
    const auto session = open(package);
    opened = standin->calls.size();
    std::vector<std::string> said;
    for (int run = 0; run < 4; ++run)
      if (std::string text = errorOf(*session, 40); !text.empty())
        said.push_back(std::move(text));
    ended = standin->calls.size();
    return said;
  };
  ASSERT_THAT(errorsOfRuns(), IsEmpty());
  ASSERT_EQ(count("cuGraphLaunch"), 2);
  const std::vector<std::string> calls(standin->calls.begin(),
                                       standin->calls.begin() + std::ptrdiff_t(ended));
  for (size_t call = opened + 1; call <= calls.size(); ++call) {
    const std::string &name = calls[call - 1];
    *standin = Standin();
    standin->failing = call;
    const std::vector<std::string> said = errorsOfRuns();
    EXPECT_EQ(said.size(), name == "cuGraphDestroy" ? 0U : 1U) << call << " " << name;
    EXPECT_THAT(said, Each(AllOf(HasSubstr("the device 'cuda'"),
                                 HasSubstr("failed: unknown error (CUDA_ERROR_UNKNOWN)"))))
        << call << " " << name;
    EXPECT_EQ(standin->alive, 0) << call << " " << name;
    EXPECT_THAT(standin->mistakes, IsEmpty()) << call << " " << name;
  }
}

TEST_F(CudaGraph, WhatCannotBeCapturedIsSaidOnce) {
  for (const std::string name : {"cuStreamBeginCapture", "cuEventRecordWithFlags", "cuStreamEndCapture",
                                 "cuGraphInstantiateWithFlags"}) {
    failAt(name);
    const auto session = open(packageWith(sampleCode()));
    EXPECT_EQ(errorOf(*session, 40), "");
    EXPECT_THAT(errorOf(*session, 40), AllOf(HasSubstr("graph"), HasSubstr("CUDA_ERROR_UNKNOWN"))) << name;
    const size_t before = standin->calls.size();
    for (int run = 0; run < 3; ++run)
      EXPECT_EQ(errorOf(*session, 40), "") << name;
    EXPECT_EQ(count("cuLaunchKernel", before), 6) << name;
    EXPECT_EQ(count("cuStreamBeginCapture", before), 0) << name;
  }
}

TEST_F(CudaGraph, NothingRunsBehindAWaitThatFails) {
  failAt("cuEventSynchronize");
  const auto session = open(packageWith(sampleCode()));
  EXPECT_THAT(errorOf(*session, 40), HasSubstr("waiting for the GPU failed"));
  ASSERT_GT(standin->calls.size(), standin->failing);
  EXPECT_EQ(standin->calls[standin->failing], "cuStreamSynchronize");
}

TEST_F(CudaGraph, ALaunchOfItThatFailsIsASentence) {
  const auto session = open(packageWith(sampleCode()));
  for (int run = 0; run < 2; ++run)
    EXPECT_EQ(errorOf(*session, 40), "");
  standin->launchFailure = 719;
  EXPECT_THAT(errorOf(*session, 40), HasSubstr("unspecified launch failure (CUDA_ERROR_LAUNCH_FAILED)"));
  EXPECT_EQ(count("cuGraphLaunch"), 1);
}

/// A GPU whose memory has places of 16 bytes, with what they are to hold.
class Places {
public:
  static constexpr size_t count = 4, bytes = 16, apart = 256;
  struct Step {
    size_t kernel, from, to;
  };

  explicit Places(const package::Device &device) {
    auto opened = cuda::openGpu(device);
    EXPECT_TRUE(opened) << opened.error();
    driver = std::move(*opened);
  }

  Result<void> write(size_t place, uint8_t value) {
    expected[place].assign(bytes, value);
    return driver->write(place * apart, Span<const uint8_t>(expected[place].data(), bytes));
  }
  /// Kernel 0 is the sample's, kernel 1 doubles.
  Result<void> submit(const Step &step) {
    const uint64_t operands[] = {step.from * apart, step.to * apart};
    const auto ticket = driver->submit(step.kernel, operands);
    if (!ticket)
      return error(ticket.error());
    tickets.push_back(*ticket);
    const std::vector<uint8_t> in = expected[step.from];
    for (size_t i = 0; i < bytes; ++i)
      expected[step.to][i] = static_cast<uint8_t>(in[i] + (step.kernel == 0 ? 1 + i : in[i]));
    return {};
  }
  /// For all that was submitted, in any order; the first error.
  Result<void> wait() {
    Result<void> first;
    for (uint64_t ticket : std::exchange(tickets, {})) {
      const auto ticks = driver->wait(ticket);
      if (!ticks && first)
        first = error(ticks.error());
      EXPECT_TRUE(!ticks || *ticks == 250000U);
    }
    return first;
  }
  void shuffleTickets(std::mt19937 &random) { std::shuffle(tickets.begin(), tickets.end(), random); }
  /// Waits for the last alone.
  Result<void> waitForOne() {
    const uint64_t ticket = tickets.back();
    tickets.pop_back();
    const auto ticks = driver->wait(ticket);
    return ticks ? Result<void>() : error(ticks.error());
  }
  Result<void> check() {
    for (size_t place = 0; place < count; ++place) {
      std::vector<uint8_t> found(bytes);
      if (auto ok = driver->read(place * apart, Span<uint8_t>(found.data(), bytes)); !ok)
        return ok;
      EXPECT_EQ(found, expected[place]) << place;
    }
    return {};
  }

private:
  std::unique_ptr<runtime::DeviceDriver> driver;
  std::vector<uint64_t> tickets;
  std::vector<uint8_t> expected[count];
};

using Steps = std::vector<Places::Step>;
using Counts = std::pair<long, long>; ///< of launches, and of launches of graphs

package::Device twoKernels() {
  Code code = sampleCode();
  const Parameter in{Parameter::Kind::Operand, 0, 0}, out{Parameter::Kind::Operand, 1, 0};
  for (Image &image : code.images)
    image.kernels.push_back({{Launch{"add", {1, 1, 1}, {16, 1, 1}, 0, {in, in, out}}}});
  return {cuda::deviceName,
          Places::count * Places::apart,
          {{"sample", {reads(bytes16), writes(bytes16)}}, {"double", {reads(bytes16), writes(bytes16)}}},
          cuda::writeCode(code)};
}

class CudaSequences : public CudaGraph {
protected:
  static Result<void> submitAll(Places &places, const Steps &steps) {
    Result<void> ok;
    for (size_t i = 0; ok && i < steps.size(); ++i)
      ok = places.submit(steps[i]);
    const Result<void> waited = places.wait();
    return ok ? waited : ok;
  }
  static Result<void> runAll(Places &places, const Steps &steps) {
    const Result<void> ok = submitAll(places, steps);
    return ok ? places.check() : ok;
  }
  static void fill(Places &places) {
    for (size_t place = 0; place < Places::count; ++place)
      EXPECT_TRUE(places.write(place, static_cast<uint8_t>(50 * place)));
  }
  /// How many launches, and launches of graphs, a run takes.
  Counts launchesOf(Places &places, const Steps &steps) {
    const size_t before = standin->calls.size();
    const auto ok = runAll(places, steps);
    EXPECT_TRUE(ok) << ok.error();
    return {count("cuLaunchKernel", before), count("cuGraphLaunch", before)};
  }

  const package::Device device = twoKernels();
};

TEST_F(CudaSequences, OthersRunOneByOneAndChangeNothing) {
  Places places(device);
  fill(places);
  const Steps sequence = {{0, 0, 1}, {1, 1, 2}, {0, 2, 3}};
  EXPECT_EQ(launchesOf(places, sequence), Counts(5, 0));
  EXPECT_EQ(launchesOf(places, sequence), Counts(10, 0));                         // and captured
  EXPECT_EQ(launchesOf(places, {{0, 0, 1}, {1, 1, 2}, {1, 2, 3}}), Counts(4, 0)); // another kernel
  EXPECT_EQ(launchesOf(places, {{0, 0, 1}, {1, 1, 3}, {0, 2, 3}}), Counts(5, 0)); // another place
  EXPECT_EQ(launchesOf(places, {{0, 0, 1}, {1, 1, 2}}), Counts(3, 0));            // its beginning
  EXPECT_EQ(launchesOf(places, sequence), Counts(0, 1));
  Steps longer = sequence;
  longer.push_back({1, 3, 0});
  EXPECT_EQ(launchesOf(places, longer), Counts(1, 1));
  EXPECT_EQ(launchesOf(places, longer), Counts(6 + 1, 1)); // and captured
  EXPECT_EQ(launchesOf(places, longer), Counts(0, 1));
  EXPECT_EQ(launchesOf(places, sequence), Counts(0, 1));
  longer.back() = {0, 3, 0};
  EXPECT_EQ(launchesOf(places, longer), Counts(2, 1)); // behind the shorter one's graph
}

TEST_F(CudaSequences, ACopyFindsWhatWasHeldBack) {
  Places places(device);
  fill(places);
  const Steps sequence = {{0, 0, 1}, {1, 1, 2}};
  for (int run = 0; run < 3; ++run)
    EXPECT_TRUE(runAll(places, sequence));
  EXPECT_TRUE(places.write(0, 7));
  const size_t before = standin->calls.size();
  EXPECT_TRUE(places.submit(sequence[0]));
  EXPECT_EQ(count("cuLaunchKernel", before), 0);
  EXPECT_TRUE(places.check());
  EXPECT_EQ(count("cuLaunchKernel", before), 2);
  EXPECT_TRUE(places.wait());
}

TEST_F(CudaSequences, AGraphRunsAgainOnceAllTicketsWereWaitedFor) {
  Places places(device);
  fill(places);
  const Steps sequence = {{0, 0, 1}, {1, 1, 2}};
  for (int run = 0; run < 3; ++run)
    EXPECT_TRUE(runAll(places, sequence));
  const size_t before = standin->calls.size();
  for (int round = 0; round < 2; ++round) {
    for (const Places::Step &step : sequence)
      EXPECT_TRUE(places.submit(step));
    EXPECT_EQ(count("cuGraphLaunch", before), 1); // before anybody waits
    EXPECT_TRUE(places.waitForOne());
  }
  EXPECT_TRUE(places.wait());
  EXPECT_TRUE(places.check());
  EXPECT_EQ(count("cuGraphLaunch", before), 1);
  EXPECT_EQ(count("cuLaunchKernel", before), 3);
}

TEST_F(CudaSequences, ASessionHasEightGraphsAtMost) {
  Places places(device);
  fill(places);
  for (int run = 0; run < 3; ++run)
    for (size_t i = 0; i < 12; ++i)
      EXPECT_TRUE(runAll(places, {{0, i % 4, i / 4}, {1, 0, 1}}));
  EXPECT_EQ(count("cuGraphInstantiateWithFlags"), 8);
  EXPECT_EQ(count("cuGraphLaunch"), 8);
}

/// Of kernels that read two places and write the others.
Steps randomSteps(std::mt19937 &random) {
  Steps steps;
  for (size_t size = 1 + random() % 5; steps.size() < size;)
    steps.push_back({random() % 2, random() % 2, 2 + random() % 2});
  return steps;
}

/// One of those, or its beginning, perhaps with something else behind.
Steps almost(std::mt19937 &random, const std::vector<Steps> &known) {
  Steps steps = known[random() % known.size()];
  if (random() % 4 == 0)
    steps.resize(1 + random() % steps.size());
  if (random() % 4 == 0)
    steps.push_back({random() % 2, random() % 4, random() % 4});
  return steps;
}

/// Perhaps with waits between, and in any order behind.
Result<void> runInAnyOrder(std::mt19937 &random, Places &places, const Steps &steps) {
  const bool waitsBetween = random() % 5 == 0;
  Result<void> ok;
  for (size_t i = 0; ok && i < steps.size(); ++i) {
    ok = places.submit(steps[i]);
    if (ok && waitsBetween && random() % 3 == 0)
      ok = places.waitForOne();
  }
  places.shuffleTickets(random);
  const Result<void> waited = places.wait();
  return ok && waited ? places.check() : ok ? waited : ok;
}

TEST_F(CudaSequences, AreWhatTheirKernelsAreOneByOne) {
  std::mt19937 random(11);
  long graphs = 0, errors = 0;
  for (int session = 0; session < 40; ++session) {
    *standin = Standin();
    Places places(device);
    fill(places);
    std::vector<Steps> known(1 + random() % 6);
    for (Steps &steps : known)
      steps = randomSteps(random);
    for (int run = 0; run < 60; ++run) {
      EXPECT_TRUE(places.write(random() % Places::count, static_cast<uint8_t>(random())));
      const bool mayFail = random() % 10 == 0;
      standin->failing = mayFail ? standin->calls.size() + 1 + random() % 30 : 0;
      const auto ok = runInAnyOrder(random, places, almost(random, known));
      EXPECT_TRUE(ok || mayFail) << ok.error();
      standin->failing = 0;
      if (!ok)
        fill(places);
      errors += !ok;
      ASSERT_THAT(standin->mistakes, IsEmpty()) << session << " " << run;
    }
    graphs += count("cuGraphLaunch");
  }
  EXPECT_GE(graphs, 200);
  EXPECT_GE(errors, 100);
}

} // namespace
} // namespace daedalus::test
