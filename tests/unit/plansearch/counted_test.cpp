// What is compiled to be counted alone: no code, no proofs, no constants.

#include "daedalus/Pipelines/Compile.h"
#include "daedalus/Target/Accelerator/Settings.h"
#include "daedalus/isa/machine.h"

#include <gtest/gtest.h>

namespace daedalus {
namespace {

const std::string digits = DAEDALUS_SOURCE_DIR "/examples/digits/digits.onnx";

class Counted : public ::testing::TestWithParam<const char *> {};

TEST_P(Counted, HasTheStreamsOfThePackageAndNoneOfItsConstants) {
  CompileOptions options;
  options.settings.of<accelerator::Settings>().machine = *isa::loadMachine(GetParam());
  const Result<Compiled> whole = compileModel(digits, options);
  ASSERT_TRUE(whole) << whole.error();
  options.verify = options.code = false;
  const Result<std::unique_ptr<ModelKernels>> kernels = ModelKernels::of(digits, options);
  ASSERT_TRUE(kernels) << kernels.error();
  const Result<Compiled> counted = (*kernels)->compile(options.settings);
  ASSERT_TRUE(counted) << counted.error();

  EXPECT_GT(whole->package.constants.size(), 10000u);
  EXPECT_LT(counted->package.constants.size(), whole->package.constants.size() / 2);
  ASSERT_EQ(counted->package.programs.size(), whole->package.programs.size());
  for (size_t i = 0; i < whole->package.programs.size(); ++i) {
    const package::AcceleratorProgram &a = counted->package.programs[i], &b = whole->package.programs[i];
    EXPECT_EQ(a.words, b.words);
    for (size_t base = 0; base < a.bases.size(); ++base)
      EXPECT_EQ(a.bases[base].limit, b.bases[base].limit) << "base register " << base;
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, Counted, ::testing::Values("tiny", "default", "vta"));

} // namespace
} // namespace daedalus
