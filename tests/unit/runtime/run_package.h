// The package of accelerator_package.h on an engine, with an input of its own.
#pragma once

#include "accelerator_package.h"

#include "daedalus/runtime/session.h"

#include <gtest/gtest.h>

namespace daedalus::test {

inline Result<runtime::RunResult> runPackage(const std::string &engine,
                                             package::Package package = runnablePackage()) {
  using namespace runtime;
  SessionOptions options;
  options.engine = engine;
  auto session = Session::create(std::move(package), options);
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

/// Outputs, cycles and counters of the package on the engine are those on systemc.
inline void expectRunOfSystemc(const std::string &engine) {
  const auto simulated = runPackage("systemc"), run = runPackage(engine);
  ASSERT_TRUE(simulated) << simulated.error();
  ASSERT_TRUE(run) << run.error();
  for (size_t i = 0; i < simulated->outputs.size(); ++i)
    EXPECT_EQ(run->outputs[i].data, simulated->outputs[i].data);
  EXPECT_GT(run->cycles, 0u);
  EXPECT_EQ(run->cycles, simulated->cycles);
  EXPECT_EQ(run->counters, simulated->counters);
}

} // namespace daedalus::test
