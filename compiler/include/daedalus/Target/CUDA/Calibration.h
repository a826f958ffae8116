// What kernels cost on a GPU: what their launches do, and how long a GPU that was measured takes for it
// (`daedalus bench --calibrate --target cuda`).

#ifndef DAEDALUS_TARGET_CUDA_CALIBRATION_H
#define DAEDALUS_TARGET_CUDA_CALIBRATION_H

#include "daedalus/support/result.h"

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace daedalus {
class TargetStates;

namespace cuda {

/// What a launch does: all of its threads together, but for `steps`.
struct LaunchWork {
  double bytes = 0;      ///< of global memory, each at most once: what is read again lies in caches
  double operations = 0; ///< of numbers, addresses and shared memory
  double fmaProducts =
      0; ///< multiplied and added by FMA, of tiles; what brings their factors is in no other number
  double halfProducts = 0; ///< the same by tensor cores, of 16 bits
  double byteProducts = 0; ///< and of int8
  double steps = 0;        ///< iterations of loops that one thread goes through, one behind the other
};

/// What a GPU takes, in nanoseconds; what it does at once is by nanosecond.
struct Calibration {
  std::string gpu;  ///< as its driver calls it
  std::string date; ///< YYYY-MM-DD
  // An A100's, by its data sheet and its clock ("NVIDIA A100 Tensor Core GPU Architecture", tables 1 and 4).
  double launch = 3000;         ///< before a launch does anything, and behind it
  double step = 30;             ///< from one iteration of a thread to the next
  double bytes = 1555;          ///< of global memory, a nanosecond: GB/s
  double operations = 9700;     ///< a nanosecond
  double fmaProducts = 9700;    ///< a nanosecond
  double halfProducts = 156000; ///< a nanosecond
  double byteProducts = 312000; ///< a nanosecond
  double copy = 10000;          ///< of any size, between the host's memory and the GPU's
  double copiedBytes = 25;      ///< a nanosecond, besides

  /// As long as the part of the work that takes longest: they overlap.
  double nanosecondsOf(const LaunchWork &work) const;
  double nanosecondsOf(llvm::ArrayRef<LaunchWork> launches) const;
  double nanosecondsOfCopy(uint64_t count) const { return copy + static_cast<double>(count) / copiedBytes; }
};

/// Of the kernels that were priced in a compilation, by their names: their launches.
const std::map<std::string, std::vector<LaunchWork>> &worksOfKernels(TargetStates &states);

/// Where the calibration of this host's GPU lies: in the folder beside the object cache's.
Result<std::string> calibrationFile();
/// The error says what is wrong with the file, or that there is none, and that `bench --calibrate` makes one.
Result<Calibration> readCalibration(const std::string &path);
std::string calibrationText(const Calibration &calibration);

} // namespace cuda
} // namespace daedalus

#endif
