// Runs the C program of c_api_user.c on every engine.

#include "accelerator_package.h"

#include "daedalus/runtime.h"
#include "daedalus/simulator/device.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>
#include <thread>

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

/// Of this process.
long threadCount() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"),
                       std::filesystem::directory_iterator());
}

TEST(CApi, EachPackageHasTheThreadsOfItsDevice) {
  const std::vector<uint8_t> file = daedalus::package::writePackage(daedalus::test::sharedPackage());
  daedalus_device *device = nullptr;
  daedalus_package *alone = nullptr, *shared = nullptr, *other = nullptr;
  ASSERT_EQ(daedalus_device_open("functional", nullptr, &device), DAEDALUS_OK);
  ASSERT_EQ(daedalus_package_load_memory(device, file.data(), file.size(), &alone), DAEDALUS_OK);
  const long before = threadCount();
  ASSERT_EQ(daedalus_device_set_threads(device, 4), DAEDALUS_OK);
  EXPECT_EQ(threadCount(), before);
  ASSERT_EQ(daedalus_package_load_memory(device, file.data(), file.size(), &shared), DAEDALUS_OK);
  EXPECT_EQ(threadCount(), before + 3);
  ASSERT_EQ(daedalus_device_set_threads(device, 2), DAEDALUS_OK);
  ASSERT_EQ(daedalus_package_load_memory(device, file.data(), file.size(), &other), DAEDALUS_OK);
  EXPECT_EQ(threadCount(), before + 4);
  for (daedalus_package *package : {alone, shared, other})
    daedalus_package_close(package);
  for (int look = 0; look < 1000 && threadCount() != before; ++look) // the system lists them for a while
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(threadCount(), before);
  daedalus_device_close(device);
}

/// What has no element needs no data; what has some does.
TEST(CApi, TakesTensorsWithoutElements) {
  using namespace daedalus::package;
  Package package;
  package.machineName = "tiny";
  const TensorType none{DType::F32, {0, 4}};
  package.functions = {{"main", {{"boxes", none, 0}}, {{"kept", none, 0}}, {}}};
  const std::vector<uint8_t> file = writePackage(package);
  daedalus_device *device = nullptr;
  daedalus_package *loaded = nullptr;
  daedalus_function *function = nullptr;
  ASSERT_EQ(daedalus_device_open("functional", nullptr, &device), DAEDALUS_OK);
  ASSERT_EQ(daedalus_package_load_memory(device, file.data(), file.size(), &loaded), DAEDALUS_OK)
      << daedalus_last_error();
  ASSERT_EQ(daedalus_package_function(loaded, nullptr, &function), DAEDALUS_OK);
  int64_t shape[] = {0, 4};
  DLTensor input{nullptr, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, shape, nullptr, 0}, output = input;
  EXPECT_EQ(daedalus_function_invoke(function, &input, 1, &output, 1), DAEDALUS_OK) << daedalus_last_error();
  shape[0] = 1;
  EXPECT_EQ(daedalus_function_invoke(function, &input, 1, &output, 1), DAEDALUS_INVALID_ARGUMENT);
  daedalus_package_close(loaded);
  daedalus_device_close(device);
}

} // namespace
