// Runs the C program of c_api_user.c on every engine.

#include "accelerator_package.h"

#include "daedalus/runtime.h"
#include "daedalus/simulator/device.h"

#include <gtest/gtest.h>

extern "C" int use_c_api(const char *engine, int countsCycles, const void *data, size_t size);
extern "C" int null_arguments(const void *data, size_t size);

namespace {

TEST(CApi, IsUsedFromC) {
  const std::vector<uint8_t> package = daedalus::package::writePackage(daedalus::test::runnablePackage());
  for (const std::string &engine : daedalus::sim::engineNames())
    EXPECT_EQ(use_c_api(engine.c_str(), engine != "functional", package.data(), package.size()), 0)
        << "line of c_api_user.c on " << engine << ": " << daedalus_last_error();
}

TEST(CApi, TakesNullForEveryPointer) {
  const std::vector<uint8_t> package = daedalus::package::writePackage(daedalus::test::runnablePackage());
  EXPECT_EQ(null_arguments(package.data(), package.size()), 0)
      << "line of c_api_user.c: " << daedalus_last_error();
}

} // namespace
