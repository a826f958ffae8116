// What kernels cost on the CPU: what of a kernel takes time, and how much of it on a host that was measured
// (`daedalus bench --calibrate`).

#ifndef DAEDALUS_TARGET_CPU_CALIBRATION_H
#define DAEDALUS_TARGET_CPU_CALIBRATION_H

#include "daedalus/support/result.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/ArrayRef.h"

#include <array>
#include <map>
#include <string>
#include <vector>

namespace daedalus {
class TargetStates;

namespace cpu {

/// Kinds of work; a kernel has an amount of each.
enum class Work {
  Kernel,         ///< that is called
  ByteProduct,    ///< of two int8 that is added to a sum, of a matrix of weights
  Product,        ///< the same of wider types
  ByteRow,        ///< of such products of int8 that lie side by side: a position of a window, for an output
  Row,            ///< the same of wider types
  ByteDepthwise,  ///< of two int8, where each channel has weights of its own
  Depthwise,      ///< the same of wider types
  ByteOwnSum,     ///< of such products of int8
  OwnSum,         ///< the same of wider types
  Operation,      ///< on a number
  Division,       ///< or a square root
  Function,       ///< such as an exponential
  Requantization, ///< of a sum, by a multiplier of few bits
  LongRequantization, ///< by another one
  ByteStep,           ///< to an int8 that does not lie beside the one before
  Step,               ///< the same of wider types
  ConstantByte, ///< of weights and other constants, which the kernels before have driven out of the caches
  OnceByte,     ///< of those that one sum alone uses: of a matrix times a vector
  Byte,         ///< of arguments and results
  FarByte,      ///< the same of tensors that do not stay in the second cache
};
constexpr size_t workKinds = 20;

/// By Work.
using Amounts = std::array<double, workKinds>;

/// What a kernel at level linalg computes and moves.
Amounts amountsOf(mlir::func::FuncOp kernel);

/// Of the kernels that were priced in a compilation, by their names.
const std::map<std::string, Amounts> &amountsOfKernels(TargetStates &states);

/// What a host takes for work of each kind.
struct Calibration {
  std::string processor, level; ///< of the host, and of the code that ran (Levels.h)
  std::string date;             ///< YYYY-MM-DD
  unsigned threads = 1;         ///< that shared the work
  Amounts microseconds{};       ///< of one of each kind
  double error = 0;             ///< median of the relative differences of what was measured

  /// In microseconds.
  double priceOf(const Amounts &amounts) const;
};

struct Sample {
  Amounts amounts{};
  double microseconds = 0;
};

/// The microseconds of each kind, none negative, whose relative differences from the samples have the least
/// sum of squares, and their median: `microseconds` and `error`.
Calibration fit(llvm::ArrayRef<Sample> samples);

/// The name of this host's processor, by /proc/cpuinfo.
std::string processorName();

/// Where the calibration of this host lies for code of a level: in the folder beside the object cache's.
Result<std::string> calibrationFile(const std::string &level);
/// The error says what is wrong with the file, or that there is none, and that `bench --calibrate` makes one.
Result<Calibration> readCalibration(const std::string &path);
std::string calibrationText(const Calibration &calibration);

} // namespace cpu
} // namespace daedalus

#endif
