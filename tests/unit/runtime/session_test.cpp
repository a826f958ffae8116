// Packages are run on every engine: bytes, cycles, and one sentence for everything that can go wrong.

#include "accelerator_package.h"

#include "daedalus/runtime/session.h"
#include "daedalus/simulator/device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

using namespace daedalus;
using namespace daedalus::runtime;
using namespace daedalus::package;
using test::runnablePackage;
using ::testing::AllOf;
using ::testing::HasSubstr;

namespace {

const TensorType imageType{DType::I8, {1, 1, 8, 8}};

Tensor image(uint8_t first = 0) {
  Tensor tensor{"image", imageType, std::vector<uint8_t>(64)};
  std::iota(tensor.data.begin(), tensor.data.end(), first);
  return tensor;
}

Result<void> doubled(Span<const TensorView> inputs, Span<const TensorView> outputs) {
  const auto *in = static_cast<const int8_t *>(inputs[0].data);
  auto *out = static_cast<int8_t *>(outputs[0].data);
  for (uint64_t i = 0; i < byteSize(*outputs[0].type); ++i)
    out[i] = static_cast<int8_t>(2 * in[i]);
  return {};
}

std::unique_ptr<Session> open(const Package &package, const SessionOptions &options = {}) {
  auto session = Session::create(writePackage(package), options);
  EXPECT_TRUE(session) << session.error();
  if (!session)
    return nullptr;
  if (!package.externals.empty()) {
    EXPECT_TRUE((*session)->registerExternal("double", doubled));
  }
  return std::move(*session);
}

std::string openError(const Package &package, const SessionOptions &options = {}) {
  auto session = Session::create(package, options);
  return session ? "" : session.error();
}

std::string runError(Session &session, const std::vector<Tensor> &inputs,
                     const std::string &function = "main") {
  auto result = session.run(function, inputs);
  return result ? "" : result.error();
}

uint64_t sum(const std::vector<LayerCycles> &layers) {
  uint64_t cycles = 0;
  for (const LayerCycles &layer : layers)
    cycles += layer.cycles;
  return cycles;
}

SessionOptions withVectorMachine(test::VectorMachineLog *log = nullptr) {
  SessionOptions options;
  options.drivers[test::vectorMachineName] = test::vectorMachineDriver(log);
  return options;
}

SessionOptions on(const std::string &engine) {
  SessionOptions options;
  options.engine = engine;
  return options;
}

class EveryEngine : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Session, EveryEngine, ::testing::ValuesIn(sim::engineNames()),
                         [](const auto &info) { return info.param; });

TEST_P(EveryEngine, RunsEveryKindOfStep) {
  auto session = open(runnablePackage(), on(GetParam()));
  ASSERT_TRUE(session);
  for (uint8_t first : {0, 20}) {
    auto result = session->run("main", {image(first)});
    ASSERT_TRUE(result) << result.error();
    ASSERT_EQ(result->outputs.size(), 2u);
    EXPECT_EQ(result->outputs[0].name, "result");
    EXPECT_EQ(result->outputs[0].type, imageType);
    for (int i = 0; i < 64; ++i)
      EXPECT_EQ(result->outputs[0].data[i], static_cast<uint8_t>(2 * std::min(first + i + 10, 127) + 6)) << i;
    EXPECT_EQ(result->outputs[1].data, std::vector<uint8_t>(64, 1));
  }
}

TEST_P(EveryEngine, MemoryIsAlignedForKernels) {
  for (bool onAccelerator : {true, false}) {
    Package package = runnablePackage();
    if (!onAccelerator) {
      package.programs.clear();
      package.functions[0].steps.erase(package.functions[0].steps.begin(),
                                       package.functions[0].steps.begin() + 2);
    }
    SessionOptions options = on(GetParam());
    options.verify = onAccelerator; // without it the kernel reads what nothing wrote
    auto session = open(package, options);
    ASSERT_TRUE(session);
    ASSERT_TRUE(session->registerExternal("double", [](auto inputs, auto outputs) -> Result<void> {
      const auto in = reinterpret_cast<uintptr_t>(inputs[0].data),
                 out = reinterpret_cast<uintptr_t>(outputs[0].data);
      return (in % 4096 == 128 && out % 4096 == 256) ? Result<void>() : error("not aligned");
    }));
    EXPECT_EQ(runError(*session, {image()}), "");
  }
}

TEST_P(EveryEngine, CyclesOfLayersAddUp) {
  Package package = runnablePackage();
  package.programs.push_back(test::acceleratorProgram(test::addProgram(64, 128, 1), package, 3));
  std::vector<isa::Instruction> two = test::addProgram(0, 64, 1), more = test::addProgram(192, 384, 2);
  two.pop_back();
  two.insert(two.end(), more.begin(), more.end());
  package.programs.push_back(test::acceleratorProgram(two, package, 3));
  package.programs.back().layerOfInstruction = {0, 0, 0, 3, 3, 3, noLayer};
  auto &steps = package.functions[0].steps;
  for (uint32_t program : {2, 1})
    steps.insert(steps.begin() + 2, {{Step::Kind::Start, program, {}, {}, noLayer},
                                     {Step::Kind::Wait, program, {}, {}, noLayer}});
  SessionOptions options = on(GetParam());
  options.verify = false; // the second half of `two` races with the first, which is not the matter here
  auto session = open(package, options);
  auto result = session->run(0, {image()});
  ASSERT_TRUE(result) << result.error();
  const bool counts = GetParam() != "functional";
  ASSERT_EQ(result->layers.size(), counts ? 5u : 4u); // one more for cycles of none
  EXPECT_EQ(sum(result->layers), result->cycles);
  EXPECT_EQ(result->layers[0].node, "Add_0");
  EXPECT_EQ(result->layers[0].macs, 64u);
  EXPECT_EQ(result->layers[1].cycles, 0u);
  for (const auto &module : result->counters)
    EXPECT_EQ(std::accumulate(module.begin(), module.end(), uint64_t(0)), result->cycles);
  EXPECT_EQ(result->cycles > 0, counts);
  EXPECT_EQ(result->layers[0].cycles > 0 && result->layers[3].cycles > 0, counts);
  EXPECT_EQ(session->run(0, {image()})->cycles, result->cycles);
}

/// Nine taps of `rows` rows: of each module one instruction, or of GEMM's window.
std::vector<isa::Instruction> sharedProducts(uint16_t gemmRows, uint16_t vectorRows, uint8_t window) {
  isa::Gemm gemm;
  gemm.window = window;
  gemm.line = window ? 1 : 0;
  gemm.step = window ? 1 : 0;
  gemm.loops[3].count = gemmRows;
  gemm.loops[5].count = window ? 2 : 9;
  gemm.reduction = window ? 0 : 1 << 5;
  isa::Vector vector;
  vector.op = isa::VectorOp::Mac;
  vector.dstScope = isa::Scope::Acc;
  vector.bScope = isa::Scope::Param;
  vector.loops[0].count = vectorRows;
  vector.loops[3].count = vector.loops[4].count = 3;
  vector.reduction = 1 << 3 | 1 << 4;
  isa::Vector scale = vector; // no product of the layer's
  scale.bScope = isa::Scope::Imm;
  return {gemm, vector, scale};
}

TEST(ProductsOfVector, AreItsPartOfTheRowsOfResults) {
  Package package = runnablePackage();
  package.layers[3].macs = 1000;
  for (uint8_t window : {0, 3}) {
    package.programs.resize(1);
    package.programs.push_back(
        test::acceleratorProgram(sharedProducts(window ? 15 : 30, 10, window), package, 3));
    SessionOptions options;
    options.verify = false; // nothing runs this program
    auto session = open(package, options);
    ASSERT_TRUE(session->registerExternal("double", doubled));
    auto result = session->run(0, {image()});
    ASSERT_TRUE(result) << result.error();
    EXPECT_EQ(result->layers[3].vectorMacs, 250u);
    EXPECT_EQ(result->layers[0].vectorMacs, 0u);
  }
}

TEST_P(EveryEngine, FaultNamesCauseInstructionAndNode) {
  Package package = runnablePackage();
  package.programs[0] = test::acceleratorProgram(test::addProgram(0, 480, 10), package, 0);
  SessionOptions options = on(GetParam());
  options.verify = false;
  auto session = open(package, options);
  EXPECT_THAT(
      runError(*session, {image()}),
      HasSubstr(
          "accelerator program 0 stopped at instruction 2 of node 'Add_0' with the fault address_limit"));
  EXPECT_THAT(runError(*session, {image()}), HasSubstr("instruction 2")); // and again
}

TEST_P(EveryEngine, RunsWithoutAccelerator) {
  Package package = runnablePackage();
  package.programs.clear();
  package.machineName = "gone";
  package.functions[0].steps.erase(package.functions[0].steps.begin(),
                                   package.functions[0].steps.begin() + 2);
  SessionOptions options = on(GetParam());
  options.verify = false; // the kernel reads what the accelerator would have written
  auto session = open(package, options);
  ASSERT_TRUE(session);
  EXPECT_EQ(session->machine(), nullptr);
  auto result = session->run("main", {image()});
  ASSERT_TRUE(result) << result.error();
  EXPECT_EQ(result->outputs[0].data, std::vector<uint8_t>(64, 6)); // of an arena of zeros
  EXPECT_EQ(result->cycles, 0u);
}

TEST(Session, TimingOnlyCountsTheSameCycles) {
  const std::vector<std::string> engines = sim::engineNames();
  if (std::find(engines.begin(), engines.end(), "systemc") == engines.end())
    GTEST_SKIP() << "no cycle-level engine in this build";
  SessionOptions timing = on("systemc");
  timing.timingOnly = true;
  auto full = open(runnablePackage(), on("systemc"));
  auto fast = open(runnablePackage(), timing);
  EXPECT_EQ(full->run(0, {image()})->cycles, fast->run(0, {image()})->cycles);
}

TEST(Session, RefusesInputsThatDoNotFit) {
  auto session = open(runnablePackage());
  ASSERT_TRUE(session);
  EXPECT_EQ(runError(*session, {{"image", {DType::F32, {1, 8, 8}}, std::vector<uint8_t>(256)}}),
            "input 'image': expected int8 [1,1,8,8], found float32 [1,8,8]");
  EXPECT_EQ(runError(*session, {{"", {DType::I8, {8, 8}}, std::vector<uint8_t>(64)}}),
            "input 'image': expected int8 [1,1,8,8], found int8 [8,8]");
  EXPECT_EQ(runError(*session, {{"image", imageType, {1, 2}}}),
            "input 'image': expected 64 bytes for int8 [1,1,8,8], found 2");
  EXPECT_EQ(runError(*session, {}), "input 'image' is missing: expected int8 [1,1,8,8]");
  EXPECT_EQ(runError(*session, {{"picture", imageType, image().data}}),
            "the function 'main' has no input 'picture'; its inputs: 'image'");
  EXPECT_EQ(runError(*session, {image(), {"", imageType, {}}}),
            "the function 'main' has no input number 1; its inputs: 'image'");
  EXPECT_EQ(runError(*session, {image(), image()}), "input 'image' is given twice");
  EXPECT_EQ(runError(*session, {image()}, "train"),
            "the package has no function 'train'; its functions: 'main'");
}

TEST(Session, ExternalFunctionsAreNamed) {
  auto session = Session::create(runnablePackage(), {});
  ASSERT_TRUE(session) << session.error();
  EXPECT_EQ(runError(**session, {image()}),
            "the package calls the external function 'double' (node 'Double_2'), "
            "which is not registered; register it before the run");
  EXPECT_EQ((*session)->registerExternal("triple", doubled).error(),
            "the package calls no external function 'triple'; it calls: 'double'");
  ASSERT_TRUE((*session)->registerExternal(
      "double", [](auto, auto) -> Result<void> { return error("the dog ate the tensor"); }));
  EXPECT_EQ(runError(**session, {image()}),
            "the external function 'double' (node 'Double_2') failed: the dog ate the tensor");
}

TEST(Session, RefusesAnotherMachine) {
  SessionOptions options;
  options.machine = *isa::loadMachine("default");
  EXPECT_THAT(openError(runnablePackage(), options),
              AllOf(HasSubstr("the package was made for the machine 'tiny' (hash "),
                    HasSubstr(", this is 'default' (hash "),
                    HasSubstr("compile the model for this machine")));
  Package package = runnablePackage();
  package.machineHash ^= 1;
  EXPECT_THAT(openError(package), HasSubstr("this is 'tiny' (hash "));
  package.machineName = "mine";
  EXPECT_THAT(openError(package),
              AllOf(HasSubstr("made for the machine 'mine'"), HasSubstr("name its machine file")));
}

// The empty name used to mean the package's first function.
TEST(Session, TheEmptyNameIsNoFunction) {
  auto session = open(runnablePackage());
  ASSERT_TRUE(session);
  EXPECT_EQ(runError(*session, {image()}, ""), "the package has no function ''; its functions: 'main'");
  EXPECT_EQ(session->run(1, {image()}).error(),
            "the package has no function number 1; its functions: 'main'");
  Package package = runnablePackage();
  package.functions.push_back(package.functions[0]);
  package.functions[1].name = "";
  package.functions[1].inputs[0].type.shape = {1, 1, 4, 8};
  EXPECT_THAT(openError(package), HasSubstr("function number 1 has no name"));
}

TEST(Session, SaysWhichCodeItRuns) {
  Package package = runnablePackage();
  package.objects.insert(package.objects.begin(), package.objects[0]);
  package.objects[0].cpu = "x86-64-v9";
  const auto session = open(package);
  ASSERT_TRUE(session);
  EXPECT_EQ(session->code(), &session->package().objects[1]);
}

TEST(Session, RefusesNativeCodeWhereItIsNotAllowed) {
  SessionOptions options;
  options.nativeCode = false;
  Package package = runnablePackage();
  package.objects[0].bytes = {'n', 'o', ' ', 'E', 'L', 'F'}; // nobody looks at it
  EXPECT_EQ(openError(package, options),
            "the package carries native code (2 kernels for x86_64-unknown-linux-gnu at level x86-64), which "
            "was not allowed; allow it if you trust its source like that of a program");
  package.kernels.clear();
  package.objects.clear();
  auto &steps = package.functions[0].steps;
  steps[3].inputs = steps[2].inputs;
  steps.erase(steps.begin() + 2);
  EXPECT_EQ(openError(package, options), "");
  EXPECT_EQ(open(package)->code(), nullptr);
}

TEST(Session, RunsOnTheSameMachineUnderAnotherName) {
  SessionOptions options;
  options.machine = *isa::loadMachine("tiny");
  options.machine->name = "mine";
  options.machine->readLatency += 10; // memory is not part of the hash
  EXPECT_EQ(openError(runnablePackage(), options), "");
}

TEST(Session, RefusesProgramsThatCannotBeProved) {
  Package package = runnablePackage();
  std::vector<isa::Instruction> program = test::addProgram(0, 64, 10);
  std::get<isa::Load>(program[0]).signal = 0;
  package.programs[0] = test::acceleratorProgram(program, package, 0);
  EXPECT_THAT(openError(package), HasSubstr("accelerator program 0 of the package is not legal: "));
  package.programs[0].words[0] = 0xee;
  EXPECT_THAT(openError(package), HasSubstr("accelerator program 0 of the package cannot be decoded: "));
}

TEST(Session, RefusesWhatItIsNotGiven) {
  EXPECT_THAT(openError(runnablePackage(), on("abacus")), HasSubstr("abacus"));
  Package package = runnablePackage();
  package.functions[0].steps[2].index = 9;
  EXPECT_THAT(openError(package), HasSubstr("step 2 names number 9 of 2"));
  package = runnablePackage();
  package.programs.clear();
  package.functions[0].steps.clear();
  package.functions[0].outputs.clear();
  package.arenaBytes = uint64_t(1) << 40;
  EXPECT_THAT(openError(package),
              testing::AnyOf("", HasSubstr("bytes of memory, which the system does not have")));
  std::vector<uint8_t> bytes = writePackage(runnablePackage());
  bytes[5000] ^= 1;
  auto damaged = Session::create(bytes, {});
  ASSERT_FALSE(damaged);
  EXPECT_THAT(damaged.error(), HasSubstr("damaged"));
}

// Whatever the number of threads, a kernel that shares its work gives the same.
TEST_P(EveryEngine, KernelsShareTheirWork) {
  for (unsigned threads : {1, 2, 5, 64}) {
    SessionOptions options = on(GetParam());
    options.threads = threads;
    auto session = open(test::sharedPackage(), options);
    ASSERT_TRUE(session);
    for (uint8_t first : {0, 7, 20}) {
      auto result = session->run("main", {image(first)});
      ASSERT_TRUE(result) << result.error();
      for (int i = 0; i < 64; ++i)
        EXPECT_EQ(result->outputs[0].data[i], static_cast<uint8_t>(2 * (std::min(first + i + 10, 127) + i)))
            << i << " on " << threads;
    }
  }
}

TEST(Threads, AreCounted) {
  for (const unsigned threads : {0u, mostThreads + 1, ~0u}) {
    SessionOptions options;
    options.threads = threads;
    EXPECT_EQ(openError(test::sharedPackage(), options),
              "the number of threads is " + std::to_string(threads) + "; expected one from 1 to 1024");
  }
}

// Nothing protects a kernel from a table that says too little but what it is told at run time.
TEST(Threads, KernelsFindTheMemoryThatTheyNeed) {
  Package package = test::sharedPackage();
  package.kernels[2].workerBytes = 0;
  auto session = open(package);
  ASSERT_TRUE(session);
  EXPECT_EQ(runError(*session, {image()}),
            "the kernel 'kernel_plus_index' of node 'Add_1' needs more memory for each "
            "thread than the package says; compile the model again");
  package.kernels[0].workerBytes = 64; // of another kernel, and the same memory
  session = open(package);
  ASSERT_TRUE(session);
  EXPECT_EQ(runError(*session, {image()}), "");
}

TEST(Devices, AreCopiedToAndRun) {
  test::VectorMachineLog log;
  auto session = open(test::devicePackage(), withVectorMachine(&log));
  ASSERT_TRUE(session);
  for (uint8_t first : {0, 100, 200}) {
    auto result = session->run("main", {image(first)});
    ASSERT_TRUE(result) << result.error();
    for (size_t i = 0; i < 64; ++i) {
      const int summed = std::min<int>(static_cast<int8_t>(first + i) + 10, 127); // OUT saturates
      const int8_t moved = std::max<int>(static_cast<int8_t>(summed + 5), -20);
      EXPECT_EQ(result->outputs[0].data[i], static_cast<uint8_t>(2 * (moved + 3))) << int(first) << " " << i;
    }
  }
  EXPECT_EQ(log.opened, 1u);
  EXPECT_EQ(log.writes, 6u);
  EXPECT_EQ(log.reads, 6u);
  EXPECT_EQ(log.runs, 3u);
}

TEST(Devices, NeedTheirDriver) {
  EXPECT_EQ(openError(test::devicePackage()),
            "the package runs on the device 'vector-machine', for which no driver "
            "is registered; registered: 'cuda'");
  SessionOptions options;
  options.drivers["other"] = test::vectorMachineDriver();
  EXPECT_THAT(openError(test::devicePackage(), options), HasSubstr("registered: 'cuda', 'other'"));
  Package package = test::devicePackage();
  package.devices[0].memoryBytes = uint64_t(1) << 35;
  EXPECT_EQ(
      openError(package, withVectorMachine()),
      "the device 'vector-machine' cannot be opened: it has 268435456 bytes of memory, and the package needs "
      "34359738368");
  options.nativeCode = false;
  package = test::devicePackage();
  package.kernels.clear(), package.objects.clear();
  package.functions[0].steps.erase(package.functions[0].steps.begin() + 6);
  EXPECT_THAT(openError(package, options),
              HasSubstr("carries native code (2 kernels for the device 'vector-machine')"));
}

TEST(Devices, SayWhatFailed) {
  Package package = test::devicePackage();
  package.devices[0].code.resize(8);
  auto session = open(package, withVectorMachine());
  ASSERT_TRUE(session);
  EXPECT_EQ(runError(*session, {image()}),
            "the kernel 'plus_five' on the device 'vector-machine' (node 'Add_3') "
            "failed: its code cannot be decoded");
}

} // namespace
