// The driver of GPUs on the stand-in of CUDA's driver library, of cuBLAS and of cuDNN.
#pragma once

#include "cuda_code.h"
#include "standin.h"

#include "unit/runtime/sample_package.h"

#include "daedalus/runtime/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <dlfcn.h>

namespace daedalus::test {

/// A package of one kernel, from an input to an output of at most 4096 bytes.
inline package::Package packageOf(const cuda::Code &code, const package::TensorType &in,
                                  const package::TensorType &out) {
  using package::Step;
  constexpr uint64_t place = 4096;
  package::Package package;
  package.arenaBytes = 2 * place;
  package.layers = {{"twice", "cuda", "asked for", 0}};
  package.devices = {
      {cuda::deviceName, 2 * place, {{"twice", {reads(in), writes(out)}}}, cuda::writeCode(code)}};
  package::Function main{"main", {{"in", in, 0}}, {{"out", out, place}}, {}};
  main.steps = {{Step::Kind::Copy, 0, {arenaRef(0, in)}, {deviceRef(0, in)}, package::noLayer},
                {Step::Kind::CallDevice, 0, {deviceRef(0, in)}, {deviceRef(place, out)}, 0},
                {Step::Kind::Copy, 0, {deviceRef(place, out)}, {arenaRef(place, out)}, package::noLayer}};
  package.functions = {main};
  return package;
}

class OnStandin : public ::testing::Test {
protected:
  void SetUp() override {
    setenv("DAEDALUS_CUDA_DRIVER", DAEDALUS_TEST_STANDIN, 1);
    setenv("DAEDALUS_CUBLAS", DAEDALUS_TEST_STANDIN, 1);
    setenv("DAEDALUS_CUBLASLT", DAEDALUS_TEST_STANDIN, 1);
    setenv("DAEDALUS_CUDNN", DAEDALUS_TEST_STANDIN, 1);
    unsetenv("DAEDALUS_CUDA_DEVICE");
    void *handle = dlopen(DAEDALUS_TEST_STANDIN, RTLD_NOW | RTLD_LOCAL);
    ASSERT_TRUE(handle) << dlerror();
    const auto find = reinterpret_cast<Standin *(*)()>(dlsym(handle, "standinState"));
    define = reinterpret_cast<void (*)(const char *, StandinKernel)>(dlsym(handle, "standinDefine"));
    standin = find();
    *standin = Standin();
  }

  void TearDown() override {
    EXPECT_EQ(standin->alive, 0);
    EXPECT_THAT(standin->mistakes, ::testing::IsEmpty());
  }

  /// Opens and runs; the error of either.
  static Result<runtime::RunResult> run(const package::Package &package, const std::vector<uint8_t> &input) {
    const auto session = runtime::Session::create(package, {});
    if (!session)
      return error(session.error());
    return (*session)->run(size_t(0), {{"in", package.functions[0].inputs[0].type, input}});
  }
  static std::string openError(const package::Package &package) {
    const auto session = runtime::Session::create(package, {});
    return session ? "" : session.error();
  }

  Standin *standin = nullptr;
  void (*define)(const char *, StandinKernel) = nullptr;
};

} // namespace daedalus::test
