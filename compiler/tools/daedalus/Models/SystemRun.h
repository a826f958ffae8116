// daedalus run on a whole simulated system: the engines soc and soc-rtl.
#pragma once

#include "daedalus/isa/machine.h"
#include "daedalus/package/package.h"
#include "daedalus/runtime/tensor.h"
#include "daedalus/support/span.h"

#include <optional>
#include <string>
#include <vector>

namespace daedalus::cli {

struct SystemRunOptions {
  std::string engine, model;
  std::optional<isa::Machine> machine;
  uint64_t inferences = 1;
  bool json = false;
};

/// Whether it is an engine of whole systems.
bool isSystemEngine(const std::string &engine);

/// Runs the package's first function, prints what it took, and returns the outputs. Failed where the firmware
/// does not end with code 0.
std::vector<runtime::Tensor> runOnSystem(const package::Package &package,
                                         const std::vector<runtime::Tensor> &inputs,
                                         const SystemRunOptions &options);

/// Whether the file is an ELF executable: firmware of a system.
bool isFirmware(Span<const uint8_t> bytes);

/// Boots it, with a DRAM of the largest size, and prints what its UART printed and what it took. Failed where
/// it cannot be loaded, or does not end with code 0.
void runFirmware(Span<const uint8_t> elf, const SystemRunOptions &options);

} // namespace daedalus::cli
