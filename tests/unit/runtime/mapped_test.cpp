// An accelerator whose registers and memory are mapped, behind the name of an engine: a board that consists
// of a page of registers, a memory, and a simulator that the test lets read and write both while the session
// waits.

#include "accelerator_package.h"

#include "../../support/board.h"

#include "daedalus/runtime/accelerator_port.h"
#include "daedalus/runtime/drivers.h"
#include "daedalus/runtime/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace daedalus::runtime {
namespace {

using test::Board;
using ::testing::Contains;
using ::testing::HasSubstr;

std::unique_ptr<Board> board;
uint64_t mappedBytes = 0; ///< of the board's memory; 0: as many as the session needs

Result<std::unique_ptr<AcceleratorPort>> openBoard(const AcceleratorRequest &request) {
  board = std::make_unique<Board>(request.machine, mappedBytes ? mappedBytes : request.memoryBytes);
  return openMapped(board->mapped(), request);
}

const bool registered = static_cast<bool>(registerAccelerator("board", openBoard));

Result<RunResult> runOn(const std::string &engine) {
  SessionOptions options;
  options.engine = engine;
  auto session = Session::create(test::runnablePackage(), options);
  if (!session)
    return error(session.error());
  const auto twice = [](Span<const TensorView> inputs, Span<const TensorView> outputs) -> Result<void> {
    for (int i = 0; i < 64; ++i)
      static_cast<int8_t *>(outputs[0].data)[i] =
          static_cast<int8_t>(2 * static_cast<const int8_t *>(inputs[0].data)[i]);
    return {};
  };
  if (auto known = (*session)->registerExternal("double", twice); !known)
    return error(known.error());
  std::vector<uint8_t> image(64);
  for (size_t i = 0; i < image.size(); ++i)
    image[i] = static_cast<uint8_t>(i);
  return (*session)->run("main", {{"image", {package::DType::I8, {1, 1, 8, 8}}, image}});
}

TEST(MappedAccelerator, RunsPrograms) {
  ASSERT_TRUE(registered);
  EXPECT_THAT(engineNames(), Contains("board"));
  const auto simulated = runOn("systemc"), mapped = runOn("board");
  ASSERT_TRUE(simulated) << simulated.error();
  ASSERT_TRUE(mapped) << mapped.error();
  for (size_t i = 0; i < simulated->outputs.size(); ++i)
    EXPECT_EQ(mapped->outputs[i].data, simulated->outputs[i].data);
  EXPECT_GT(mapped->cycles, 0u);
  EXPECT_EQ(mapped->cycles, simulated->cycles);
  EXPECT_EQ(mapped->counters, simulated->counters);
}

TEST(MappedAccelerator, SaysWhatKeepsItFromRunning) {
  mappedBytes = 64;
  const auto small = runOn("board");
  mappedBytes = 0;
  ASSERT_FALSE(small);
  EXPECT_THAT(
      small.error(),
      HasSubstr(
          "the engine 'board' cannot be opened: the package needs 12288 bytes of the accelerator's memory, "
          "of which 64 are mapped"));
  const auto unknown = runOn("plank");
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error(), HasSubstr("plank"));
}

TEST(MappedAccelerator, ThatDoesNotAnswerEndsTheRun) {
  ASSERT_TRUE(registerAccelerator("lost board", [](const AcceleratorRequest &request) {
    auto opened = openBoard(request);
    board->answers = false;
    return opened;
  }));
  const auto lost = runOn("lost board");
  ASSERT_FALSE(lost);
  EXPECT_THAT(lost.error(), HasSubstr("accelerator program 0 did not stop: no interrupt within a second"));
  ASSERT_TRUE(registerAccelerator("polled board", [](const AcceleratorRequest &request) {
    board = std::make_unique<Board>(request.machine, request.memoryBytes);
    MappedAccelerator mapped = board->mapped();
    mapped.wait = nullptr;
    mapped.polls = 10;
    return openMapped(mapped, request);
  }));
  const auto polled = runOn("polled board");
  ASSERT_FALSE(polled);
  EXPECT_THAT(polled.error(), HasSubstr("has not stopped after 10 reads of its status"));
}

TEST(MappedAccelerator, HasANameOfItsOwn) {
  for (const char *name : {"systemc", "board"}) {
    const auto taken = registerAccelerator(name, openBoard);
    ASSERT_FALSE(taken);
    EXPECT_EQ(taken.error(), std::string("there is an engine '") + name + "' already");
  }
  EXPECT_FALSE(registerAccelerator("", openBoard));
}

} // namespace
} // namespace daedalus::runtime
