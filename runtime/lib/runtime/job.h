// The job of the simulated system's firmware (runtime/baremetal/soc_job.h): a package's function laid out in
// DRAM.
#pragma once

#include "daedalus/package/package.h"
#include "daedalus/support/result.h"
#include "daedalus/support/span.h"

#include <cstdint>
#include <string>
#include <vector>

namespace daedalus::runtime {

struct Job {
  uint64_t machineHash = 0;
  uint32_t watchdogCycles = 1u << 28; ///< within which a program has to stop
  uint32_t inferences = 1;
  uint32_t constants = 0, arena = 0, result = 0; ///< addresses
  std::vector<uint32_t> programs;                ///< addresses
  uint64_t checkedBytes = 0; ///< header, steps, constants and programs, from the first address of DRAM on
  uint64_t bytes = 0;        ///< with arena and result; a multiple of 4096
  std::vector<std::string> stepNames;
  std::vector<bool> isProgram; ///< by steps
};

/// Where everything lies. The error names the first step that is no copy and no program of the accelerator,
/// or says that it is too large.
Result<Job> layOut(const package::Package &package, const package::Function &function);

/// Writes it to DRAM, which has its bytes and is zero.
void writeJob(const Job &job, const package::Package &package, const package::Function &function,
              Span<uint8_t> dram);

/// What the firmware noted: numbers and the low halves of its counter.
struct JobMark {
  uint32_t number, cycle;
};
std::vector<JobMark> readMarks(const Job &job, Span<const uint8_t> dram);

} // namespace daedalus::runtime
