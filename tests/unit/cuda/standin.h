// A stand-in for the CUDA driver library, loaded in its place (DAEDALUS_CUDA_DRIVER): it has one GPU, whose
// memory is the host's and whose kernels are functions of the test. What a stream gets is done when somebody
// waits for it, the latest that CUDA allows. It records what is called and what is wrong with it, counts what
// is alive, and fails where it is told to.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace daedalus::test {

struct LaunchSizes {
  unsigned grid[3], block[3], sharedBytes;
};

/// What a launch does, with the addresses that its three parameters hold.
using StandinKernel = void (*)(const LaunchSizes &sizes, const std::vector<uint8_t *> &parameters);

struct Standin {
  // What the GPU is.
  int version = 12040, gpus = 1, capability = 90;
  uint64_t freeBytes = uint64_t(1) << 20;
  int versionOfDnn = 8; ///< of cuDNN: 8 or 9, whose statuses are other numbers
  // What it did.
  std::vector<std::string> calls;
  std::string image; ///< the module that was loaded
  int alive = 0;     ///< contexts, modules, streams, events, graphs, pieces of memory, and what
                     ///< cuBLAS, cuBLASLt and cuDNN make
  /// Calls that CUDA's manual forbids: without a context, of what is not alive, beyond memory or limits,
  /// or while a stream captures.
  std::vector<std::string> mistakes;
  // What goes wrong: the call of this number, from 1 on; 0: none.
  size_t failing = 0;
  /// The first launch ends so, which the next wait says, and every call behind it; 0: none does.
  int launchFailure = 0;
};

} // namespace daedalus::test

extern "C" {
daedalus::test::Standin *standinState();
/// A function that modules have.
void standinDefine(const char *name, daedalus::test::StandinKernel kernel);
}
