// The proofs of a package: that each accelerator program is legal (isa/verify.h), and that what a function
// returns depends on its inputs alone. The arena and the memories of devices hold what earlier calls left,
// and a started program runs beside the host, so for every function, in the order of its steps:
//   - no step reads bytes of the arena or of a device's memory that nothing wrote in this call: neither the
//     inputs nor an earlier step;
//   - between a Start and its Wait no step of the host reads or writes bytes that the program writes, or
//     writes bytes that the program reads;
//   - every byte of an output was written.
// Kernels, those of devices too, and external functions are taken at their word: they read their inputs and
// write their outputs.
#pragma once

#include "daedalus/isa/verify.h"
#include "daedalus/package/package.h"

namespace daedalus::package {

constexpr size_t arenaBase = 1; ///< the base register of the arena

/// One reason to refuse a function. Causes:
///   unwritten_bytes   a step reads bytes of the arena or of a device's memory that nothing wrote in this
///   call unwritten_output  nothing wrote some bytes of an output host_race         a step of the host
///   touches what a running program writes, or writes what it reads too_costly        the programs that the
///   functions start touch too many separate ranges to be followed
struct StepFinding {
  static constexpr size_t End = SIZE_MAX;
  std::string function;
  size_t step = End; ///< its index; End: behind the last
  std::string cause;
  std::string message; ///< one sentence with the function, step, layer and bytes
};

/// What is wrong with the functions of a valid package whose programs are proved. `effects`: of each program
/// on the arena. At most `most` findings. Costs what the steps and, once a function, the ranges of the
/// programs that it starts cost, to a limit that grows with the steps.
std::vector<StepFinding> proveSteps(const Package &package, Span<const isa::MemoryEffects> effects,
                                    size_t most = 20);

/// Proves a valid package: its programs for this machine (which may be null where there are none), then its
/// functions. The error is the first finding.
Result<void> prove(const Package &package, const isa::Machine *machine);

} // namespace daedalus::package
