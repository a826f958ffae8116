// What the files of a folder are written from: names, the blob, sizes.

#ifndef DAEDALUS_LIB_EXPORT_PLAN_H
#define DAEDALUS_LIB_EXPORT_PLAN_H

#include "Export.h"
#include "KernelFacts.h"
#include "Processor.h"

#include <set>

namespace daedalus::firmware {

std::string upper(std::string text);

/// Names in upper case, each once.
class Identifiers {
public:
  std::string add(const std::string &text);

private:
  std::set<std::string> taken;
};

struct TensorPlan {
  const package::Value *value;
  std::string macro; ///< "DIGITS_INPUT_IMAGE"
  std::optional<OnnxScale> scale;
};

struct Plan {
  const package::Package &package;
  const Options &options;
  const Processor &processor;
  std::string macro;                    ///< the name in upper case
  std::vector<uint8_t> blob;            ///< the constants, then the programs
  std::vector<uint64_t> programOffsets; ///< in the blob
  uint64_t alignment;                   ///< of blob and arena
  std::vector<TensorPlan> inputs, outputs;
  std::vector<uint32_t> steps; ///< of the function, without those that wait
  KernelFacts kernels;
  uint64_t leastArenaBytes = 0;
  uint64_t stackBytes = 0, unoptimizedStackBytes = 0; ///< by how the C files are compiled

  const package::Function &function() const { return package.functions.front(); }
  bool hasKernels() const { return !package.objects.empty(); }
};

/// Of a package that checkExportable took.
Result<Plan> planOf(const package::Package &package, const Options &options);

/// The name of a step's layer.
std::string nodeOf(const Plan &plan, const package::Step &step);

/// Bytes on the stack of the C functions between dae_run and a kernel, without its arguments, or a register
/// of the accelerator, where they are compiled with optimization.
constexpr uint64_t kernelFrameBytes = 256, acceleratorFrameBytes = 512;
/// As often as much where they are not.
constexpr uint64_t unoptimizedFrames = 2;

/// Bytes that the steps keep at once, at most: no placement of their tensors takes a smaller arena. What a
/// program of the accelerator writes counts as kept until its end.
uint64_t leastArena(const package::Package &package);
/// A limit of the options that is exceeded, with what takes the most memory.
Result<void> checkLimits(const Plan &plan);

// The files.
std::string modelHeader(const Plan &plan);
std::string modelSource(const Plan &plan);
std::string blobAssembly(const Plan &plan);
std::string makefile(const Plan &plan);
std::string cmakeFile(const Plan &plan);
std::string linkerScript(const Plan &plan);
std::string readme(const Plan &plan);
/// Those that are the same in every folder: the driver. `math`: and the mathematical functions; `hasLinux`:
/// and the driver of Linux's user space.
std::vector<FileOfFolder> driverFiles(bool math, bool hasLinux);

} // namespace daedalus::firmware

#endif
