// Many inferences one after the other hold memory steady: in threads with a session each, in one session with
// threads of its own, and in two processes at once. DAEDALUS_ENDURANCE_RUNS: how many each (400).
#include "daedalus/Pipelines/Compile.h"
#include "daedalus/runtime/session.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <malloc.h>
#include <map>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace daedalus::runtime {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool CountsMemory = false; // the sanitizer's own is in it
#else
constexpr bool CountsMemory = true;
#endif

constexpr uint64_t KiB = 1024, MiB = 1024 * KiB;

unsigned runCount() {
  const char *asked = std::getenv("DAEDALUS_ENDURANCE_RUNS");
  return asked ? std::atoi(asked) : 400;
}

/// Bytes of the process: what it allocated and did not free, and what of it lies in memory.
struct Memory {
  uint64_t heap = 0, resident = 0;

  static Memory now() {
    const struct mallinfo2 info = mallinfo2();
    uint64_t pages = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> pages >> resident;
    return {info.uordblks + info.hblkhd, resident * uint64_t(sysconf(_SC_PAGESIZE))};
  }
};

std::string text(const Memory &memory) {
  return std::to_string(memory.heap / KiB) + " KiB allocated, " + std::to_string(memory.resident / KiB) +
         " KiB resident";
}

/// Behind the first tenth nothing may grow, but for what threads and the allocator keep for themselves.
void expectSteady(const Memory &first, const Memory &last) {
  std::cout << "behind a tenth of the runs: " << text(first) << "; behind all: " << text(last) << "\n";
  if (!CountsMemory)
    return;
  EXPECT_LE(last.heap, first.heap + 64 * KiB);
  EXPECT_LE(last.resident, first.resident + 2 * MiB);
}

const package::Package &digits(const std::string &target) {
  static std::map<std::string, package::Package> packages;
  package::Package &package = packages[target];
  if (package.functions.empty()) {
    CompileOptions options;
    options.target = target;
    auto compiled = compileModel(DAEDALUS_SOURCE_DIR "/examples/digits/digits.onnx", options);
    EXPECT_TRUE(compiled) << compiled.error();
    package = compiled->package;
  }
  return package;
}

std::unique_ptr<Session> session(const std::string &target, unsigned threads = 1) {
  SessionOptions options;
  options.threads = threads;
  auto created = Session::create(digits(target), options);
  EXPECT_TRUE(created) << created.error();
  return std::move(*created);
}

std::vector<Tensor> inputsOf(const Session &session) {
  std::vector<Tensor> inputs;
  for (const package::Value &value : session.package().functions.front().inputs) {
    inputs.push_back({value.name, value.type, {}});
    inputs.back().data.resize(package::byteSize(value.type));
    for (size_t i = 0; i < inputs.back().data.size(); ++i)
      inputs.back().data[i] = static_cast<uint8_t>(i * 37);
  }
  return inputs;
}

/// How many of `count` runs did not give the first one's bytes.
unsigned wrongRuns(Session &session, unsigned count) {
  const std::vector<Tensor> inputs = inputsOf(session);
  std::vector<uint8_t> first;
  unsigned wrong = 0;
  for (unsigned i = 0; i < count; ++i) {
    const auto result = session.run(0, inputs);
    if (!result || (i && result->outputs.front().data != first))
      ++wrong;
    else
      first = result->outputs.front().data;
  }
  return wrong;
}

class Endurance : public ::testing::TestWithParam<const char *> {};

TEST_P(Endurance, OfSessionsInThreads) {
  constexpr unsigned threads = 4;
  std::vector<std::unique_ptr<Session>> sessions;
  for (unsigned i = 0; i < threads; ++i)
    sessions.push_back(session(GetParam()));
  const auto runAll = [&](unsigned count) {
    std::vector<std::thread> all;
    for (auto &one : sessions)
      all.emplace_back([&one, count] { EXPECT_EQ(wrongRuns(*one, count / threads), 0u); });
    for (std::thread &one : all)
      one.join();
  };
  runAll(runCount() / 10);
  const Memory first = Memory::now();
  runAll(runCount());
  expectSteady(first, Memory::now());
}

TEST_P(Endurance, OfASessionWithThreads) {
  const std::unique_ptr<Session> one = session(GetParam(), 4);
  EXPECT_EQ(wrongRuns(*one, runCount() / 10), 0u);
  const Memory first = Memory::now();
  EXPECT_EQ(wrongRuns(*one, runCount()), 0u);
  expectSteady(first, Memory::now());
}

/// Sessions that are made and gone leave nothing.
TEST_P(Endurance, OfSessionsOneAfterTheOther) {
  const auto makeSome = [&](unsigned count) {
    for (unsigned i = 0; i < count; ++i)
      EXPECT_EQ(wrongRuns(*session(GetParam()), 2), 0u);
  };
  makeSome(runCount() / 20);
  const Memory first = Memory::now();
  makeSome(runCount() / 10);
  expectSteady(first, Memory::now());
}

TEST_P(Endurance, OfTwoProcesses) {
  digits(GetParam());
  std::vector<pid_t> children;
  for (int i = 0; i < 2; ++i)
    if (const pid_t child = fork())
      children.push_back(child);
    else {
      const std::unique_ptr<Session> one = session(GetParam());
      bool good = wrongRuns(*one, runCount() / 10) == 0;
      const Memory first = Memory::now();
      good = good && wrongRuns(*one, runCount() / 2) == 0;
      expectSteady(first, Memory::now());
      _exit(good && !::testing::Test::HasFailure() ? 0 : 1);
    }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Endurance, ::testing::Values("auto", "cpu"));

} // namespace
} // namespace daedalus::runtime
