// A stand-in for the CUDA driver library, loaded in its place (DAEDALUS_CUDA_DRIVER): it has one GPU, whose
// memory is the host's and whose kernels are functions of the test. It records what is called, counts what is
// alive, and fails where it is told to.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace daedalus::test {

struct LaunchSizes {
  unsigned grid[3], block[3], sharedBytes;
};

/// What a launch does, with the addresses that its parameters hold.
using StandinKernel = void (*)(const LaunchSizes &sizes, const std::vector<uint8_t *> &parameters);

struct Standin {
  // What the GPU is.
  int version = 12040, gpus = 1, capability = 90;
  uint64_t freeBytes = uint64_t(1) << 20;
  // What it did.
  std::vector<std::string> calls;
  std::string image; ///< the module that was loaded
  int alive = 0;     ///< contexts, modules, streams, events and pieces of memory
  // What goes wrong: the call of this number, from 1 on; 0: none.
  size_t failing = 0;
};

} // namespace daedalus::test

extern "C" {
daedalus::test::Standin *standinState();
/// A function that modules have.
void standinDefine(const char *name, daedalus::test::StandinKernel kernel);
}
