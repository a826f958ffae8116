// What a run did, for people and for programs: outputs, cycles by layer, and where each module's time went.
#pragma once

#include "Report/Json.h"
#include "daedalus/isa/machine.h"
#include "daedalus/runtime/session.h"

#include <string>

namespace daedalus::report {

/// The facts of a report that are not in the result.
struct RunContext {
  std::string engine;
  const isa::Machine *machine = nullptr; // null: no accelerator programs
  bool timingOnly = false;
};

/// The layers (ONNX node, target, cycles on the critical path, their share, utilisation of the array in the
/// cycles that GEMM had for it, microseconds on this host's CPU), followed by the counters of each module as
/// fractions of all cycles; nothing of cycles where nothing counts them.
std::string layersText(const runtime::RunResult &result, const RunContext &context);

/// Each module's cycles by class, as fractions of all cycles: overlap shows as busy fractions whose sum is
/// above one.
std::string counterTable(const runtime::RunResult &result);

/// What cycles last at the machine's clock, behind their number: " (1.2 us at 1000 MHz)"; nothing of a
/// machine without a clock.
std::string timeText(uint64_t cycles, const isa::Machine &machine);

/// "12.3".
std::string microsecondsText(uint64_t nanoseconds);

/// Whether any layer has time of a device with a memory of its own.
bool hasDevices(const runtime::RunResult &result);

/// One line an output: name, type, and the values of small ones.
std::string outputsText(const runtime::RunResult &result);

/// {"engine", "machine", "cycles", "outputs", "layers", "counters"}
Json reportJson(const runtime::RunResult &result, const RunContext &context);

} // namespace daedalus::report
