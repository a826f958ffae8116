// Prices of kernels on GPUs: what launches do, read off their code, and the calibration of a GPU that takes
// what the model says, which shows its factors again.

#include "Tuning/Calibrate.h"
#include "Tuning/CalibrateGpu.h"
#include "Tuning/GpuPrograms.h"

#include "daedalus/Pipelines/Compile.h"
#include "daedalus/Target/CPU/Levels.h"
#include "daedalus/Target/CPU/Settings.h"
#include "daedalus/Target/CUDA/Settings.h"
#include "daedalus/support/file.h"
#include "daedalus/support/inputs.h"
#include "daedalus/support/temporaries.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace daedalus::test {
namespace {

using cuda::Calibration;
using cuda::LaunchWork;
using ::testing::HasSubstr;

/// The launches of a program, as placement prices them.
std::vector<LaunchWork> launchesOf(const std::string &text, const std::string &architecture = "sm_80",
                                   const std::string &libraries = "") {
  const auto folder = *ScratchFolder::create();
  CompileOptions options;
  options.target = cuda::Settings::target;
  options.prices = true;
  options.settings.of<cpu::Settings>().calibration =
      *tuning::blankCalibration(folder->path, cpu::parseLevels(cpu::Settings().levels)->front().name);
  options.settings.of<cuda::Settings>().architectures = architecture;
  options.settings.of<cuda::Settings>().libraries = libraries;
  Calibration any;
  any.gpu = any.date = "-";
  options.settings.of<cuda::Settings>().calibration = folder->path + "/any.json";
  EXPECT_TRUE(writeFileAtomically(folder->path + "/any.json", cuda::calibrationText(any)));
  EXPECT_TRUE(writeFileAtomically(folder->path + "/program.mlir", text));
  const auto compiled = compileModel(folder->path + "/program.mlir", options);
  if (!compiled)
    ADD_FAILURE() << compiled.error();
  if (!compiled)
    return {};
  std::vector<LaunchWork> launches;
  for (const auto &[kernel, works] : cuda::worksOfKernels(*compiled->states))
    launches.insert(launches.end(), works.begin(), works.end());
  return launches;
}

const std::vector<std::vector<LaunchWork>> &allLaunches() {
  static const std::vector<std::vector<LaunchWork>> all = [] {
    std::vector<std::vector<LaunchWork>> made;
    for (const tuning::GpuProgram &program : tuning::gpuPrograms())
      made.push_back(launchesOf(program.text));
    return made;
  }();
  return all;
}

Calibration randomCalibration(unsigned seed) {
  std::mt19937 random(seed);
  const auto around = [&](double value) { return value * std::uniform_real_distribution<>(0.5, 2)(random); };
  Calibration made;
  for (double Calibration::*factor :
       {&Calibration::launch, &Calibration::step, &Calibration::bytes, &Calibration::operations,
        &Calibration::fmaProducts, &Calibration::halfProducts, &Calibration::byteProducts})
    made.*factor = around(made.*factor);
  return made;
}

TEST(GpuPrices, AreOfWhatLaunchesDo) {
  const std::vector<std::vector<LaunchWork>> &all = allLaunches();
  for (const std::vector<LaunchWork> &launches : all)
    ASSERT_EQ(launches.size(), 1u);
  EXPECT_EQ(all[0][0].bytes, 2 * 32 * 4);
  EXPECT_EQ(all[1][0].bytes, 2.0 * (1 << 25) * 4);
  EXPECT_GE(all[2][0].operations, 2.0 * 256 * (1 << 22));
  EXPECT_LE(all[2][0].operations, 2.2 * 256 * (1 << 22));
  EXPECT_EQ(all[3][0].fmaProducts, 2048.0 * 2048 * 2048);
  EXPECT_EQ(all[3][0].bytes, 3.0 * 2048 * 2048 * 4);
  EXPECT_EQ(all[4][0].halfProducts, 4096.0 * 4096 * 4096);
  EXPECT_EQ(all[5][0].byteProducts, 4096.0 * 4096 * 4096);
  EXPECT_EQ(all[6][0].steps, 4096);
}

// Whoever multiplies: warps, groups of warps, a library.
TEST(GpuPrices, AreOfTheProductsThatALaunchOrALibraryComputes) {
  const tuning::GpuProgram halves = tuning::gpuPrograms()[4], bytes = tuning::gpuPrograms()[5];
  for (const auto &[architecture, library] : {std::pair("sm_90a", ""), std::pair("sm_80", "cublas")}) {
    SCOPED_TRACE(architecture);
    const auto ofHalves = launchesOf(halves.text, architecture, library),
               ofBytes = launchesOf(bytes.text, architecture, library);
    ASSERT_EQ(ofHalves.size(), 1u);
    ASSERT_EQ(ofBytes.size(), 1u);
    EXPECT_EQ(ofHalves[0].halfProducts, 4096.0 * 4096 * 4096);
    EXPECT_EQ(ofHalves[0].bytes, (2.0 * 2 + 4) * 4096 * 4096);
    EXPECT_EQ(ofBytes[0].byteProducts, 4096.0 * 4096 * 4096);
  }
}

TEST(GpuPrices, AreOfAConvolutionThatALibraryComputes) {
  const auto launches = launchesOf(R"(
func.func @main(%x: tensor<1x10x12x8xf32>, %w: tensor<16x3x3x8xf32>) -> tensor<1x8x10x16xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x8x10x16xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x8x10x16xf32>) -> tensor<1x8x10x16xf32>
  %c = linalg.conv_2d_nhwc_fhwc ins(%x, %w : tensor<1x10x12x8xf32>, tensor<16x3x3x8xf32>)
      outs(%fill : tensor<1x8x10x16xf32>) -> tensor<1x8x10x16xf32>
  return %c : tensor<1x8x10x16xf32>
}
)",
                                   "sm_80", "cudnn");
  ASSERT_EQ(launches.size(), 1u);
  EXPECT_EQ(launches[0].fmaProducts, 8.0 * 10 * 16 * 3 * 3 * 8);
  EXPECT_EQ(launches[0].bytes, 4.0 * (10 * 12 * 8 + 16 * 3 * 3 * 8 + 8 * 10 * 16));
}

TEST(GpuPrices, GrowWithTheLongestPart) {
  Calibration calibration;
  const double launch = calibration.launch;
  EXPECT_EQ(calibration.nanosecondsOf(LaunchWork()), launch);
  LaunchWork work;
  work.bytes = 2 * calibration.bytes, work.operations = calibration.operations;
  EXPECT_EQ(calibration.nanosecondsOf(work), launch + 2);
  work.steps = 1;
  EXPECT_EQ(calibration.nanosecondsOf(work), launch + calibration.step);
  EXPECT_EQ(calibration.nanosecondsOf({work, work}), 2 * (launch + calibration.step));
  EXPECT_EQ(calibration.nanosecondsOfCopy(100), calibration.copy + 100 / calibration.copiedBytes);
}

/// One that takes as long as a calibration says, program by program.
class ModelledGpu : public runtime::DeviceDriver {
public:
  ModelledGpu(double ticksPerMicrosecond, double nanoseconds)
      : ticksPerMicrosecond(ticksPerMicrosecond), nanoseconds(nanoseconds) {}

  runtime::DeviceProperties properties() const override { return {"modelled GPU", ticksPerMicrosecond}; }
  Result<void> write(uint64_t, Span<const uint8_t>) override { return {}; }
  Result<void> read(uint64_t, Span<uint8_t>) override { return {}; }
  Result<uint64_t> submit(size_t, Span<const uint64_t>) override { return 0; }
  Result<uint64_t> wait(uint64_t) override {
    return static_cast<uint64_t>(nanoseconds * ticksPerMicrosecond / 1000);
  }

private:
  const double ticksPerMicrosecond, nanoseconds;
};

TEST(GpuCalibration, ShowsTheFactorsOfTheGpu) {
  const std::vector<std::vector<LaunchWork>> &all = allLaunches();
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Calibration known = randomCalibration(seed);
    const std::vector<tuning::GpuProgram> programs = tuning::gpuPrograms();
    for (size_t i = 0; i < programs.size(); ++i)
      EXPECT_NEAR(tuning::factorOf(programs[i], all[i], known.nanosecondsOf(all[i]), known.launch),
                  known.*programs[i].factor, 1e-3 * known.*programs[i].factor) // a launch does a little
          << programs[i].name << ", seed " << seed;
  }
}

TEST(GpuCalibration, IsOfADeviceThatIsDriven) {
  protectInputs(); // as the command does
  const std::vector<std::vector<LaunchWork>> &all = allLaunches();
  const Calibration known = randomCalibration(1);
  size_t opened = 0; // once to be asked what it is, then once a program
  tuning::GpuCalibrateOptions options;
  options.runs = 1;
  options.drivers["cuda"] = [&](const package::Device &) -> Result<std::unique_ptr<runtime::DeviceDriver>> {
    const size_t program = std::min(opened ? opened - 1 : 0, all.size() - 1);
    ++opened;
    return {std::make_unique<ModelledGpu>(1e6, known.nanosecondsOf(all[program]))};
  };
  size_t measured = 0;
  const auto made = tuning::calibrateGpu(options, [&](size_t done) { measured = done; });
  ASSERT_TRUE(made) << made.error();
  EXPECT_EQ(measured, tuning::gpuCalibrationPrograms());
  EXPECT_EQ(made->gpu, "modelled GPU");
  for (const tuning::GpuProgram &program : tuning::gpuPrograms())
    EXPECT_NEAR((*made).*program.factor, known.*program.factor, 1e-3 * known.*program.factor) << program.name;
  EXPECT_GT(made->copy, 0);
  EXPECT_GT(made->copiedBytes, 0);
}

TEST(GpuCalibration, NeedsAClockAndADevice) {
  tuning::GpuCalibrateOptions options;
  options.drivers["cuda"] = [](const package::Device &) -> Result<std::unique_ptr<runtime::DeviceDriver>> {
    return {std::make_unique<ModelledGpu>(0, 1)};
  };
  const auto none = [](size_t) { FAIL() << "something is measured"; };
  auto made = tuning::calibrateGpu(options, none);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error(),
            "the device 'cuda' (modelled GPU) has no clock to measure costs with; expected a GPU");
  options.drivers["cuda"] = [](const package::Device &) -> Result<std::unique_ptr<runtime::DeviceDriver>> {
    return error("it is asleep");
  };
  made = tuning::calibrateGpu(options, none);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error(), "the device 'cuda' cannot be opened: it is asleep");
}

TEST(GpuCalibration, IsReadAsItWasWritten) {
  const auto folder = *ScratchFolder::create();
  Calibration made = randomCalibration(3);
  made.gpu = "a GPU", made.date = "2026-01-01";
  const std::string path = folder->path + "/gpu.json";
  ASSERT_TRUE(writeFileAtomically(path, cuda::calibrationText(made)));
  const auto read = cuda::readCalibration(path);
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(cuda::calibrationText(*read), cuda::calibrationText(made));
}

} // namespace
} // namespace daedalus::test
