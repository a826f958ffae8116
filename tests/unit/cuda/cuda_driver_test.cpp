// The driver of GPUs against a stand-in of CUDA's driver library: what a run calls, that an error of any call
// is a sentence after which nothing is left, and what is refused.
#include "on_sample.h"

#include <algorithm>
#include <thread>

namespace daedalus::test {
namespace {

using cuda::Code;
using cuda::Image;
using cuda::Launch;
using cuda::Parameter;
using package::DType;
using package::Package;
using package::Step;
using package::TensorType;
using runtime::Session;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class CudaDriver : public OnSample {
protected:
  /// Opens and runs; the error of either.
  Result<runtime::RunResult> run(const Package &package) {
    return OnStandin::run(package, std::vector<uint8_t>(16, 40));
  }
  std::string errorOf(const Package &package) {
    const auto result = run(package);
    return result ? "" : result.error();
  }
};

TEST_F(CudaDriver, RunsLaunchesInOrderAndLeavesNothing) {
  const auto result = run(packageWith(sampleCode()));
  ASSERT_TRUE(result) << result.error();
  for (uint8_t i = 0; i < 16; ++i)
    EXPECT_EQ(result->outputs[0].data[i], 41 + i);
  EXPECT_EQ(result->layers[0].deviceTicks, 250000U);
  EXPECT_EQ(result->layers[0].ticksPerMicrosecond, 1000);
  EXPECT_EQ(standin->alive, 0);
  EXPECT_EQ(standin->image, "of sm_90a");
}

TEST_F(CudaDriver, TakesTheNewestCodeThatTheGpuHas) {
  standin->capability = 89;
  EXPECT_EQ(errorOf(packageWith(sampleCode())), "");
  EXPECT_EQ(standin->image, "of sm_80");
  standin->capability = 100; // later than both; sm_90a is for sm_90 alone
  EXPECT_EQ(errorOf(packageWith(sampleCode())), "");
  EXPECT_EQ(standin->image, "of sm_80");
  standin->capability = 75;
  EXPECT_THAT(openError(packageWith(sampleCode())),
              HasSubstr("the package has code for GPUs of sm_80 and newer, sm_90a, and none for the Stand-in "
                        "(sm_75); compile with another --cuda-arch"));
  EXPECT_EQ(standin->alive, 0);
}

TEST_F(CudaDriver, AnErrorOfAnyCallIsASentenceAndLeavesNothing) {
  ASSERT_EQ(errorOf(packageWith(sampleCode())), "");
  const std::vector<std::string> calls = standin->calls;
  const auto lastCopy = std::find(calls.rbegin(), calls.rend(), "cuMemcpyDtoHAsync");
  const size_t ended =
      size_t(calls.rend() - lastCopy) + 1; // with the wait for it; behind it all is given back
  for (size_t call = 1; call <= ended; ++call) {
    const std::string name = calls[call - 1];
    *standin = Standin();
    standin->failing = call;
    const std::string said = errorOf(packageWith(sampleCode()));
    EXPECT_THAT(
        said, AllOf(HasSubstr("the device 'cuda'"), HasSubstr("failed: unknown error (CUDA_ERROR_UNKNOWN)")))
        << call << " " << name;
    EXPECT_EQ(standin->alive, 0) << call << " " << name;
    EXPECT_THAT(standin->mistakes, IsEmpty()) << call << " " << name;
    if (name == "cuModuleLoadDataEx") {
      EXPECT_THAT(said, HasSubstr("ptxas: line 1"));
    }
  }
}

TEST_F(CudaDriver, AnErrorOfGivingBackChangesNothing) {
  ASSERT_EQ(errorOf(packageWith(sampleCode())), "");
  const std::vector<std::string> calls = standin->calls;
  const auto lastCopy = std::find(calls.rbegin(), calls.rend(), "cuMemcpyDtoHAsync");
  for (size_t call = size_t(calls.rend() - lastCopy) + 2; call <= calls.size(); ++call) {
    *standin = Standin();
    standin->failing = call;
    EXPECT_EQ(errorOf(packageWith(sampleCode())), "") << call << " " << calls[call - 1];
    EXPECT_EQ(standin->alive, 0) << call << " " << calls[call - 1];
  }
}

// What a launch does wrong is said where the GPU is waited for, and nothing of the context works any more.
TEST_F(CudaDriver, ALaunchThatFailsIsASentence) {
  constexpr int launchFailed = 719;
  standin->launchFailure = launchFailed;
  EXPECT_THAT(errorOf(packageWith(sampleCode())),
              AllOf(HasSubstr("node 'twice'"),
                    HasSubstr("failed: unspecified launch failure (CUDA_ERROR_LAUNCH_FAILED)")));
}

TEST_F(CudaDriver, RunsOfAnyThreadUseTheSameEvents) {
  const auto session = Session::create(packageWith(sampleCode()), {});
  ASSERT_TRUE(session) << session.error();
  for (int run = 0; run < 5; ++run)
    std::thread([&] {
      const auto result = (*session)->run(size_t(0), {{"in", bytes16, std::vector<uint8_t>(16, 40)}});
      EXPECT_TRUE(result) << result.error();
    }).join();
  EXPECT_EQ(std::count(standin->calls.begin(), standin->calls.end(), "cuEventCreate"), 2);
}

TEST_F(CudaDriver, SaysWhatAKernelReportsAndGoesOn) {
  Code code = sampleCode();
  const Parameter words{Parameter::Kind::Status, 0, 0}, in{Parameter::Kind::Operand, 0, 0};
  addLaunch(code, {"report", {1, 1, 1}, {1, 1, 1}, 0, {words, in, in}});
  const auto session = Session::create(packageWith(code), {});
  ASSERT_TRUE(session) << session.error();
  const auto errorWith = [&](uint8_t value) {
    const auto result = (*session)->run(size_t(0), {{"in", bytes16, std::vector<uint8_t>(16, value)}});
    return result ? "" : result.error();
  };
  EXPECT_EQ(errorWith(40), "");
  EXPECT_THAT(errorWith(1), AllOf(HasSubstr("node 'twice'"), HasSubstr("do not give the one for which")));
  EXPECT_THAT(errorWith(2), HasSubstr("selects by an index or label that is outside of the dimension"));
  EXPECT_EQ(errorWith(40), "");
}

// Of several kernels that report something the first is named, and the next run knows of none.
TEST_F(CudaDriver, AReportOfALaterKernelIsNotOneOfTheNextRun) {
  Code code = sampleCode();
  const Parameter words{Parameter::Kind::Status, 0, 0}, in{Parameter::Kind::Operand, 0, 0};
  addLaunch(code, {"report", {1, 1, 1}, {1, 1, 1}, 0, {words, in, in}});
  for (Image &image : code.images)
    image.kernels.push_back(image.kernels[0]);
  Package package = packageWith(code);
  package.layers.push_back({"again", "cuda", "asked for", 0});
  package.devices[0].kernels.push_back({"again", package.devices[0].kernels[0].arguments});
  std::vector<Step> &steps = package.functions[0].steps;
  steps.insert(steps.begin() + 2, steps[1]);
  steps[2].index = 1, steps[2].layer = 1;
  const auto session = Session::create(package, {});
  ASSERT_TRUE(session) << session.error();
  const auto errorWith = [&](uint8_t value) {
    const auto result = (*session)->run(size_t(0), {{"in", bytes16, std::vector<uint8_t>(16, value)}});
    return result ? "" : result.error();
  };
  EXPECT_THAT(errorWith(1), HasSubstr("node 'twice'"));
  EXPECT_EQ(errorWith(40), "");
}

TEST_F(CudaDriver, SaysWhatIsMissing) {
  const Package package = packageWith(sampleCode());
  standin->version = 11080;
  EXPECT_THAT(openError(package), HasSubstr("the CUDA driver is for CUDA 11.8; expected 12.0 or newer"));
  *standin = Standin();
  standin->gpus = 0;
  EXPECT_THAT(openError(package), HasSubstr("the CUDA driver finds no GPU on this host"));
  *standin = Standin();
  standin->freeBytes = 300;
  EXPECT_THAT(openError(package),
              HasSubstr("the Stand-in (sm_90) has 300 bytes of memory free, and the package needs 8960"));
  *standin = Standin();
  for (const char *number : {"1", "-1", "two"}) {
    setenv("DAEDALUS_CUDA_DEVICE", number, 1);
    EXPECT_THAT(openError(package), HasSubstr("DAEDALUS_CUDA_DEVICE is '" + std::string(number) +
                                              "'; expected a number below 1, the number of GPUs"));
  }
  unsetenv("DAEDALUS_CUDA_DEVICE");
  setenv("DAEDALUS_CUDA_DRIVER", "/nowhere/libcuda.so", 1);
  EXPECT_THAT(openError(package), AllOf(HasSubstr("this host has no CUDA driver: /nowhere/libcuda.so"),
                                        HasSubstr("install NVIDIA's driver, or compile for another target")));
  setenv("DAEDALUS_CUDA_DRIVER", "libc.so.6", 1);
  EXPECT_THAT(openError(package), HasSubstr("the CUDA driver 'libc.so.6' has no function cuInit"));
  Code code = sampleCode();
  for (Image &image : code.images)
    image.kernels[0].launches[1].function = "subtract";
  setenv("DAEDALUS_CUDA_DRIVER", DAEDALUS_TEST_STANDIN, 1);
  EXPECT_THAT(openError(packageWith(code)),
              HasSubstr("finding the function 'subtract' failed: named symbol not found"));
  EXPECT_EQ(standin->alive, 0);
}

/// Within what a GPU has, and the sample's memory.
void expectLegal(const cuda::Kernel &kernel) {
  for (const Launch &launch : kernel.launches) {
    EXPECT_LE(uint64_t(launch.block[0]) * launch.block[1] * launch.block[2], 1024U);
    for (const Parameter &parameter : launch.parameters)
      EXPECT_LT(parameter.offset, uint64_t(32));
  }
}

TEST_F(CudaDriver, RefusesDamagedCode) {
  const Package package = packageWith(sampleCode());
  const std::vector<uint8_t> whole = package.devices[0].code;
  for (size_t size = 0; size < whole.size(); ++size) {
    Package cut = package;
    cut.devices[0].code.resize(size);
    EXPECT_THAT(openError(cut), HasSubstr("its code")) << size;
  }
  // Whatever a byte becomes, a launch stays within what a GPU and the package have.
  for (size_t at = 0; at < whole.size(); ++at)
    for (uint8_t value : {0x00, 0x01, 0x7f, 0xff}) {
      std::vector<uint8_t> changed = whole;
      changed[at] = value;
      const auto code = cuda::readCode(Span<const uint8_t>(changed.data(), changed.size()), {{16, 16}});
      for (const Image &image : code ? code->images : std::vector<Image>())
        for (const cuda::Kernel &kernel : image.kernels)
          expectLegal(kernel);
    }
  EXPECT_EQ(standin->alive, 0);
}

} // namespace
} // namespace daedalus::test
