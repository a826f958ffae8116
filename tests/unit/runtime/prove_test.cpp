// What a package returns depends on the inputs of the call alone: each way to see what an earlier call left
// in a scratchpad or in the arena, or to meet a running program in memory, is refused with one sentence.

#include "accelerator_package.h"

#include "daedalus/package/prove.h"
#include "daedalus/runtime/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

using namespace daedalus;
using namespace daedalus::package;
using test::runnablePackage;
using ::testing::HasSubstr;

namespace {

const TensorType imageType{DType::I8, {1, 1, 8, 8}};
constexpr size_t start = 0, wait = 1, kernel = 2, copy = 4;

std::string proofError(const Package &package) {
  EXPECT_EQ(validate(package) ? "" : validate(package).error(), "");
  const auto machine = isa::loadMachine("tiny");
  auto ok = prove(package, &*machine);
  return ok ? "" : ok.error();
}

Package withProgram(const std::vector<isa::Instruction> &instructions) {
  Package package = runnablePackage();
  package.programs[0] = test::acceleratorProgram(instructions, package, 0);
  return package;
}

std::vector<Step> &stepsOf(Package &package) {
  return package.functions[0].steps;
}

TEST(Prove, AcceptsAPackageThatRuns) {
  EXPECT_EQ(proofError(runnablePackage()), "");
}

/// One byte of a row of 8 is loaded, and all of the row is stored.
TEST(Prove, ASecondInferenceCannotSeeLanesOfTheFirst) {
  auto program = test::addProgram(0, 64, 10);
  auto oneByte = test::addProgram(0, 64, 10);
  std::get<isa::Load>(oneByte[0]).runBytes = 1;
  std::get<isa::Vector>(oneByte[1]).loops[4].count = 1;
  std::get<isa::Store>(oneByte[2]).runBytes = 8;
  Package package = withProgram(oneByte);
  EXPECT_THAT(proofError(package),
              HasSubstr("a reads byte 1 of row 0 of INP, which no earlier instruction wrote"));
  auto session = runtime::Session::create(package, {});
  EXPECT_FALSE(session);

  runtime::SessionOptions unproved; // what it is refused for: the second call returns what the first one read
  unproved.engine = "functional";
  unproved.verify = false;
  package.functions[0].outputs = {{"result", {DType::I8, {8}}, 64}};
  stepsOf(package).resize(2);
  package.programs.push_back(test::acceleratorProgram(program, package, 0));
  package.functions.push_back({"other",
                               package.functions[0].inputs,
                               package.functions[0].outputs,
                               {{Step::Kind::Start, 1, {}, {}, 0}, {Step::Kind::Wait, 1, {}, {}, 0}}});
  session = runtime::Session::create(package, unproved);
  ASSERT_TRUE(session) << session.error();
  runtime::Tensor first{"image", imageType, std::vector<uint8_t>(64)}, second = first;
  std::iota(first.data.begin(), first.data.end(), 100);
  second.data.assign(64, 1);
  ASSERT_TRUE((*session)->run("other", {first}));
  const auto result = (*session)->run("main", {second});
  ASSERT_TRUE(result) << result.error();
  EXPECT_EQ(result->outputs[0].data, (std::vector<uint8_t>{11, 111, 112, 113, 114, 115, 116, 117}));
}

TEST(Prove, ADeviceReadsOnlyWhatTheCallCopiedThere) {
  constexpr size_t toDevice = 2, onDevice = 3, within = 4, back = 5;
  EXPECT_EQ(proofError(test::devicePackage()), "");
  Package package = test::devicePackage();
  stepsOf(package).erase(stepsOf(package).begin() + toDevice);
  EXPECT_THAT(proofError(package),
              HasSubstr("step 2 (layer 'Add_3') reads bytes 0 to 63 of the memory of the device "
                        "'vector-machine', which nothing wrote before in this call"));
  package = test::devicePackage();
  stepsOf(package)[onDevice].inputs[0].offset = 1;
  stepsOf(package)[onDevice].outputs[0].offset = 65;
  EXPECT_THAT(proofError(package), HasSubstr("reads byte 64 of the memory of the device 'vector-machine'"));
  package = test::devicePackage();
  stepsOf(package).erase(stepsOf(package).begin() + within);
  EXPECT_THAT(proofError(package), HasSubstr("step 4 reads bytes 128 to 191 of the memory of the device"));
  package = test::devicePackage();
  stepsOf(package)[back].outputs[0].offset = 448; // the same bytes of the arena are another space's
  EXPECT_EQ(proofError(package), "");
  stepsOf(package)[6].inputs[0].offset = 384;
  EXPECT_THAT(proofError(package), HasSubstr("of the arena, which nothing wrote"));
}

TEST(Prove, AProgramMayRunBesideADevicesMemory) {
  Package package = test::devicePackage();
  std::vector<Step> &steps = stepsOf(package);
  const Step early = {
      Step::Kind::Copy, 0, {test::constantRef(0, imageType)}, {test::deviceRef(0, imageType)}, noLayer};
  steps.insert(steps.begin() + 1, early); // between Start and Wait
  EXPECT_EQ(proofError(package), "");
  steps[1].outputs[0] = test::arenaRef(64, imageType);
  EXPECT_THAT(proofError(package), HasSubstr("while accelerator program 0"));
}

TEST(Prove, AProgramReadsOnlyWhatTheCallWrote) {
  EXPECT_EQ(
      proofError(withProgram(test::addProgram(1, 64, 10))),
      "the package is not legal: function 'main', step 0 (layer 'Add_0') reads byte 64 of the arena, which "
      "nothing wrote before in this call: it would see what an earlier call left there");
  Package package = withProgram(test::addProgram(320, 64, 10)); // written by a copy that comes later
  EXPECT_THAT(proofError(package), HasSubstr("step 0 (layer 'Add_0') reads bytes 320 to 383 of the arena"));
  std::rotate(stepsOf(package).begin(), stepsOf(package).begin() + copy, stepsOf(package).end());
  EXPECT_EQ(proofError(package), "");
}

TEST(Prove, AProgramMayReadWhatItWroteItself) {
  std::vector<isa::Instruction> program = test::addProgram(0, 64, 10), more = test::addProgram(64, 192, 1);
  std::get<isa::Store>(program[2]).signal = test::mask(isa::Module::Load);
  std::get<isa::Load>(more[0]).wait = test::mask(isa::Module::Store);
  program.pop_back();
  program.insert(program.end(), more.begin(), more.end());
  EXPECT_EQ(proofError(withProgram(program)), "");
}

TEST(Prove, AStepReadsOnlyWhatTheCallWrote) {
  Package package = runnablePackage();
  stepsOf(package)[kernel].inputs = {test::arenaRef(416, imageType)};
  EXPECT_EQ(proofError(package),
            "the package is not legal: function 'main', step 2 (layer 'Add_1') reads bytes 416 to 479 of the "
            "arena, "
            "which nothing wrote before in this call: it would see what an earlier call left there");
  package = runnablePackage();
  stepsOf(package)[copy].inputs = {test::arenaRef(448, imageType)};
  EXPECT_THAT(proofError(package), HasSubstr("function 'main', step 4 reads bytes 448 to 511 of the arena"));
}

TEST(Prove, AProgramThatStoresLessLeavesTheRestUnwritten) {
  auto program = test::addProgram(0, 64, 10);
  std::get<isa::Store>(program[2]).runBytes = 63;
  EXPECT_THAT(proofError(withProgram(program)),
              HasSubstr("step 2 (layer 'Add_1') reads byte 127 of the arena"));
}

TEST(Prove, EveryByteOfAnOutputIsWritten) {
  Package package = runnablePackage();
  stepsOf(package).pop_back();
  EXPECT_EQ(proofError(package),
            "the package is not legal: function 'main': nothing writes bytes 320 to 383 of "
            "the arena, which its output 'copied' returns");
  package = runnablePackage();
  package.functions[0].outputs[1].offset = 0; // an input may be an output
  EXPECT_EQ(proofError(package), "");
}

TEST(Prove, NoStepReadsWhatARunningProgramWrites) {
  Package package = runnablePackage();
  std::swap(stepsOf(package)[wait], stepsOf(package)[kernel]);
  EXPECT_EQ(
      proofError(package),
      "the package is not legal: function 'main', step 1 (layer 'Add_1') reads bytes 64 to 127 of the arena "
      "while accelerator program 0 (layer 'Add_0'), which writes them, is running: it must come after the "
      "wait for that program");
  auto session = runtime::Session::create(package, {});
  ASSERT_FALSE(session);
  EXPECT_THAT(session.error(), HasSubstr("step 1 (layer 'Add_1') reads bytes 64 to 127"));
}

TEST(Prove, NoStepWritesWhatARunningProgramTouches) {
  Package package = runnablePackage();
  auto &steps = stepsOf(package);
  std::rotate(steps.begin() + wait, steps.begin() + copy, steps.begin() + copy + 1);
  EXPECT_EQ(proofError(package), "") << "a step apart from the program may run beside it";
  steps[wait].outputs[0].offset = 100;
  EXPECT_THAT(proofError(package),
              HasSubstr("step 1 writes bytes 100 to 127 of the arena while accelerator program "
                        "0 (layer 'Add_0'), which writes them, is running"));
  steps[wait].outputs[0].offset = 0;
  EXPECT_THAT(proofError(package),
              HasSubstr("step 1 writes bytes 0 to 63 of the arena while accelerator program 0 "
                        "(layer 'Add_0'), which reads them, is running"));
}

TEST(Prove, PackagesWithoutAnAcceleratorToo) {
  Package package = runnablePackage();
  package.programs.clear();
  stepsOf(package).erase(stepsOf(package).begin(), stepsOf(package).begin() + 2);
  EXPECT_THAT(proofError(package), HasSubstr("step 0 (layer 'Add_1') reads bytes 64 to 127 of the arena"));
  auto session = runtime::Session::create(package, {});
  EXPECT_FALSE(session);
}

/// The ranges of a program count once a function, and all that are followed have a limit.
TEST(Prove, CostsNoMoreThanItMay) {
  Package package = runnablePackage();
  std::vector<isa::MemoryEffects> effects(1);
  for (int64_t i = 0; i < 100000; ++i)
    effects[0].writes.add({2 * i, 2 * i + 1});
  auto &steps = stepsOf(package);
  steps.resize(2);
  package.functions[0].outputs.clear();
  for (unsigned i = 0; i < 1000; ++i)
    steps.insert(steps.end(), steps.begin(), steps.begin() + 2);
  EXPECT_TRUE(proveSteps(package, effects).empty());
  steps.resize(2);
  for (unsigned i = 1; i < 20; ++i) {
    package.functions.push_back(package.functions[0]);
    package.functions.back().name = "f" + std::to_string(i);
  }
  const std::vector<StepFinding> found = proveSteps(package, effects);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].cause, "too_costly");
  EXPECT_EQ(found[0].function, "f10"); // 2^20 ranges, and 1024 for each of 40 steps
}

TEST(Prove, SaysEverythingThatIsWrong) {
  Package package = runnablePackage();
  stepsOf(package).erase(stepsOf(package).begin() + copy);
  stepsOf(package)[kernel].inputs = {test::arenaRef(72, imageType)};
  std::vector<isa::MemoryEffects> effects(1);
  effects[0].reads.add({0, 64});
  effects[0].writes.add({64, 128});
  const std::vector<StepFinding> found = proveSteps(package, effects);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].cause, "unwritten_bytes");
  EXPECT_EQ(found[0].step, kernel);
  EXPECT_EQ(found[1].cause, "unwritten_output");
  EXPECT_EQ(found[1].step, StepFinding::End);
  EXPECT_EQ(proveSteps(package, effects, 1).size(), 1u);
}

} // namespace
