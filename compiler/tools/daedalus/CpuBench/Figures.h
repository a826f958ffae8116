// Measured figures as the tables and the JSON of the benchmarks have them.
#pragma once

#include "Timing.h"

#include "Output/Json.h"

#include "daedalus/Target/CPU/Calibration.h"
#include "daedalus/package/package.h"

#include <string>

namespace daedalus::cli {

using cpu::processorName;

/// "1 thread", "4 threads".
std::string threadsText(uint64_t threads);

/// What code was compiled for: "x86-64-v3", "x86-64-v4 with avx512vnni".
std::string levelOf(const package::ElfObject &object);

/// A number in a printf format of one double.
std::string decimal(double value, const char *format);

/// Of one run, "12.3": the median.
std::string microseconds(const Timing &timing);
/// "4.5%"; "-" of a single sample, which has none.
std::string spreadOf(const Timing &timing);

/// Whether a batch had to share its processor.
bool isDisturbed(const Timing &timing);

Json timingJson(const Timing &timing);

} // namespace daedalus::cli
