// A package of two launches on the stand-in of CUDA's driver library: its code, and what its functions do.
#pragma once

#include "on_standin.h"

namespace daedalus::test {

inline const package::TensorType bytes16{package::DType::I8, {16}};

/// out = a + 1 into the scratch memory, then that plus the constants.
inline void increment(const LaunchSizes &sizes, const std::vector<uint8_t *> &parameters) {
  for (unsigned i = 0; i < sizes.grid[0] * sizes.block[0]; ++i)
    parameters[1][i] = static_cast<uint8_t>(parameters[0][i] + 1);
}
inline void add(const LaunchSizes &sizes, const std::vector<uint8_t *> &parameters) {
  for (unsigned i = 0; i < sizes.grid[0] * sizes.block[0]; ++i)
    parameters[2][i] = static_cast<uint8_t>(parameters[0][i] + parameters[1][i]);
}

/// Breaks what a kernel was compiled for where the first input is 1 or 2.
inline void report(const LaunchSizes &, const std::vector<uint8_t *> &parameters) {
  const uint8_t in = parameters[1][0];
  if (in == 1 || in == 2)
    parameters[0][4 * (in - 1)] = 1;
}

inline std::vector<uint8_t> bytesOf(const std::string &text) {
  return {text.begin(), text.end()};
}

/// To the first kernel of each image.
inline void addLaunch(cuda::Code &code, const cuda::Launch &launch) {
  for (cuda::Image &image : code.images)
    image.kernels[0].launches.push_back(launch);
}

inline cuda::Code sampleCode() {
  using cuda::Image;
  using cuda::Launch;
  using cuda::Parameter;
  cuda::Code code;
  const Parameter in{Parameter::Kind::Operand, 0, 0}, out{Parameter::Kind::Operand, 1, 0},
      scratch{Parameter::Kind::Scratch, 0, 0}, constants{Parameter::Kind::Constant, 0, 16};
  const std::vector<cuda::Kernel> kernels = {
      {{Launch{"increment", {2, 1, 1}, {8, 1, 1}, 0, {in, scratch, scratch}},
        Launch{"add", {1, 1, 1}, {16, 1, 1}, 64 << 10, {scratch, constants, out}}}}};
  code.images = {{80, false, Image::Kind::Ptx, bytesOf("of sm_80"), kernels},
                 {90, true, Image::Kind::Ptx, bytesOf("of sm_90a"), kernels}};
  code.scratchBytes = 16;
  code.constants.assign(32, 0);
  for (uint8_t i = 0; i < 16; ++i)
    code.constants[16 + i] = i;
  return code;
}

inline package::Package packageWith(const cuda::Code &code) {
  return packageOf(code, bytes16, bytes16);
}

class OnSample : public OnStandin {
protected:
  void SetUp() override {
    OnStandin::SetUp();
    define("increment", increment);
    define("add", add);
    define("report", report);
  }
};

} // namespace daedalus::test
