// Threads with objects of their own, on every engine and on two machines at once.

#include "accelerator_package.h"

#include "daedalus/runtime.h"
#include "daedalus/simulator/device.h"

#include <gtest/gtest.h>

#include <thread>

using namespace daedalus;
using test::runnablePackage;
using test::sharedPackage;

namespace {

int doubled(const DLTensor *inputs, size_t, DLTensor *outputs, size_t, void *) {
  const auto *in = static_cast<const int8_t *>(inputs[0].data);
  auto *out = static_cast<int8_t *>(outputs[0].data);
  for (int i = 0; i < 64; ++i)
    out[i] = static_cast<int8_t>(2 * in[i]);
  return 0;
}

/// Loads the package on a device of its own and runs it; an empty string, or what went wrong. The last byte
/// of the result is twice the input's and `added`.
class Worker {
public:
  Worker(std::string engine, const std::vector<uint8_t> &file, int added = 13, unsigned kernelThreads = 1)
      : engine(std::move(engine)), file(file), added(added), kernelThreads(kernelThreads) {}
  ~Worker() {
    daedalus_package_close(package);
    daedalus_device_close(device);
  }

  std::string work(int runs) {
    if (daedalus_device_open(engine.c_str(), nullptr, &device) ||
        daedalus_device_set_threads(device, kernelThreads) ||
        daedalus_package_load_memory(device, file.data(), file.size(), &package) ||
        daedalus_package_register_external(package, "double", doubled, nullptr))
      return daedalus_last_error();
    for (int run = 0; run < runs; ++run)
      if (std::string wrong = invoke(static_cast<int8_t>(run)); !wrong.empty())
        return wrong;
    return "";
  }
  uint64_t cycles() const { return daedalus_package_cycles(package); }

private:
  DLTensor *tensor() {
    const int64_t shape[] = {1, 1, 8, 8};
    DLTensor *created = nullptr;
    daedalus_tensor_create({kDLInt, 8, 1}, 4, shape, &created);
    return created;
  }

  std::string invoke(int8_t value) {
    DLTensor *image = tensor(), *result = tensor(), *copied = tensor();
    std::fill_n(static_cast<int8_t *>(image->data), 64, value);
    DLTensor outputs[] = {*result, *copied};
    daedalus_function *function = nullptr;
    std::string wrong;
    if (daedalus_package_function(package, "main", &function) ||
        daedalus_function_invoke(function, image, 1, outputs, 2))
      wrong = daedalus_last_error();
    else if (static_cast<int8_t *>(result->data)[63] != static_cast<int8_t>(2 * (value + added)))
      wrong = "another result than " + std::to_string(2 * (value + added));
    for (DLTensor *one : {image, result, copied})
      daedalus_tensor_destroy(one);
    return wrong;
  }

  const std::string engine;
  const std::vector<uint8_t> &file;
  const int added;
  const unsigned kernelThreads;
  daedalus_device *device = nullptr;
  daedalus_package *package = nullptr;
};

class Threads : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(CApi, Threads, ::testing::ValuesIn(sim::engineNames()),
                         [](const auto &info) { return info.param; });

TEST_P(Threads, RunAtOnceOnTwoMachines) {
  const std::vector<uint8_t> files[] = {package::writePackage(runnablePackage("tiny")),
                                        package::writePackage(runnablePackage("default"))};
  uint64_t alone[2];
  for (int machine : {0, 1}) {
    Worker worker(GetParam(), files[machine]);
    ASSERT_EQ(worker.work(1), "");
    alone[machine] = worker.cycles();
  }
  std::string wrong[4];
  uint64_t cycles[4];
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      Worker worker(GetParam(), files[i % 2]);
      wrong[i] = worker.work(25);
      cycles[i] = worker.cycles();
    });
  for (std::thread &thread : threads)
    thread.join();
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(wrong[i], "");
    EXPECT_EQ(cycles[i], alone[i % 2]);
  }
}

// Each with threads of its own that share the kernel's work.
TEST_P(Threads, ShareKernelsAtOnce) {
  const std::vector<uint8_t> file = package::writePackage(sharedPackage());
  std::string wrong[4];
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] { wrong[i] = Worker(GetParam(), file, 10 + 63, 1 + i % 3).work(25); });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &one : wrong)
    EXPECT_EQ(one, "");
}

// A run that another device's START interrupts says so; it neither goes on with the other's nor crashes.
TEST(Systemc, SaysThatARunWasInterrupted) {
  const isa::Machine tiny = *isa::loadMachine("tiny");
  auto make = [&] {
    sim::DeviceOptions options;
    options.dramBytes = 1 << 16;
    auto device = *sim::createDevice("systemc", tiny, options);
    device->writeRegister(isa::reg::ProgramLength, 1);
    device->writeRegister(isa::reg::ProgramLimit, isa::InstructionBytes);
    device->writeRegister(isa::reg::Control, 1);
    return device;
  };
  auto first = make(), second = make();
  ASSERT_FALSE(first->advance(2));
  second->waitForInterrupt();
  EXPECT_TRUE(first->advance(2));
  EXPECT_NE(first->faultDetail().find("another device of this process was started"), std::string::npos);
  first->writeRegister(isa::reg::Control, 2);
  first->writeRegister(isa::reg::Control, 1);
  first->waitForInterrupt();
  EXPECT_EQ(first->readRegister(isa::reg::CyclesLo), second->readRegister(isa::reg::CyclesLo));
}

} // namespace
