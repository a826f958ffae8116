// Measured figures as the tables and the JSON of the benchmarks have them.
#pragma once

#include "Report/Json.h"
#include "Tuning/Timing.h"

#include "daedalus/Target/CPU/Calibration.h"
#include "daedalus/package/package.h"

#include <string>

namespace daedalus::report {

using cpu::processorName;

/// "1 thread", "4 threads".
std::string threadsText(uint64_t threads);

/// What code was compiled for: "x86-64-v3", "x86-64-v4 with avx512vnni".
std::string levelOf(const package::ElfObject &object);

/// A number in a printf format of one double.
std::string decimal(double value, const char *format);

/// Of one run, "12.3": the median.
std::string microseconds(const tuning::Timing &timing);
/// "4.5%"; "-" of a single sample, which has none.
std::string spreadOf(const tuning::Timing &timing);

/// Whether a batch had to share its processor.
bool isDisturbed(const tuning::Timing &timing);

Json timingJson(const tuning::Timing &timing);

} // namespace daedalus::report
