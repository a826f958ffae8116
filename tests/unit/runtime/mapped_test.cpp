// An accelerator whose registers and memory are mapped, behind the name of an engine: a board that consists
// of a page of registers, a memory, and a simulator that the test lets read and write both while the session
// waits.

#include "run_package.h"

#include "../../support/board.h"

#include "daedalus/runtime/accelerator_port.h"
#include "daedalus/runtime/drivers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace daedalus::runtime {
namespace {

using test::Board;
using test::runPackage;
using ::testing::Contains;
using ::testing::HasSubstr;

std::unique_ptr<Board> board;
uint64_t mappedBytes = 0; ///< of the board's memory; 0: as many as the session needs

Result<std::unique_ptr<AcceleratorPort>> openBoard(const AcceleratorRequest &request) {
  board = std::make_unique<Board>(request.machine, mappedBytes ? mappedBytes : request.memoryBytes);
  return openMapped(board->mapped(), request);
}

const bool registered = static_cast<bool>(registerAccelerator("board", openBoard));

TEST(MappedAccelerator, RunsPrograms) {
  ASSERT_TRUE(registered);
  EXPECT_THAT(engineNames(), Contains("board"));
  test::expectRunOfSystemc("board");
}

TEST(MappedAccelerator, SaysWhatKeepsItFromRunning) {
  mappedBytes = 64;
  const auto small = runPackage("board");
  mappedBytes = 0;
  ASSERT_FALSE(small);
  EXPECT_THAT(
      small.error(),
      HasSubstr(
          "the engine 'board' cannot be opened: the package needs 12288 bytes of the accelerator's memory, "
          "of which 64 are mapped"));
  const auto unknown = runPackage("plank");
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error(), HasSubstr("plank"));
}

TEST(MappedAccelerator, ThatDoesNotAnswerEndsTheRun) {
  ASSERT_TRUE(registerAccelerator("lost board", [](const AcceleratorRequest &request) {
    auto opened = openBoard(request);
    board->answers = false;
    return opened;
  }));
  const auto lost = runPackage("lost board");
  ASSERT_FALSE(lost);
  EXPECT_THAT(lost.error(), HasSubstr("accelerator program 0 did not stop: no interrupt within a second"));
  ASSERT_TRUE(registerAccelerator("polled board", [](const AcceleratorRequest &request) {
    board = std::make_unique<Board>(request.machine, request.memoryBytes);
    MappedAccelerator mapped = board->mapped();
    mapped.wait = nullptr;
    mapped.polls = 10;
    return openMapped(mapped, request);
  }));
  const auto polled = runPackage("polled board");
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
