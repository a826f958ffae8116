// See Processor.h.

#include "Processor.h"

#include "Export.h"

#include <algorithm>

namespace daedalus::firmware {
namespace {

constexpr const char *soft =
    "The processor has no floating-point unit: kernels on floats call the compiler's soft float.";

} // namespace

const std::vector<Processor> &processors() {
  static const std::vector<Processor> all = {
      {"rv32imc", "riscv64-unknown-elf-", "-march=rv32imc -mabi=ilp32 -mcmodel=medany",
       "--target=riscv32-unknown-elf", soft},
      {"rv32imac", "riscv64-unknown-elf-", "-march=rv32imac -mabi=ilp32 -mcmodel=medany",
       "--target=riscv32-unknown-elf", soft},
      {"rv64gc", "riscv64-unknown-elf-", "-march=rv64gc -mabi=lp64d -mcmodel=medany",
       "--target=riscv64-unknown-elf", "Float32 and float64 are computed by the floating-point unit.", true,
       "riscv64-linux-gnu-"},
      {"cortex-m4", "arm-none-eabi-", "-mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard",
       "--target=arm-none-eabi",
       "Float32 is computed by the floating-point unit (FPv4-SP); kernels on float64 call the compiler's "
       "soft float."},
      {"cortex-m55", "arm-none-eabi-", "-mcpu=cortex-m55 -mthumb -mfloat-abi=hard", "--target=arm-none-eabi",
       "Float32 and float64 are computed by the floating-point unit and, in vectors, by Helium (MVE)."},
      {"aarch64", "aarch64-linux-gnu-", "-march=armv8-a", "--target=aarch64-none-elf",
       "Float32 and float64 are computed by the floating-point unit and, in vectors, by Neon.", true,
       "aarch64-linux-gnu-"},
      {"x86-64-v2", "", "-march=x86-64-v2", "--target=x86_64-unknown-linux-gnu",
       "Float32 and float64 are computed by SSE.", true, ""}};
  return all;
}

std::string linuxCommand(const Processor &processor) {
  const bool isAnother = processor.linuxPrefix != processor.prefix;
  return "make libdae_linux.a" + (isAnother ? " CROSS=" + processor.linuxPrefix : "");
}

const Processor &processorOf(const std::string &name) {
  return *std::find_if(processors().begin(), processors().end(),
                       [&](const Processor &processor) { return processor.name == name; });
}

std::vector<std::string> processorNames() {
  std::vector<std::string> names;
  for (const Processor &processor : processors())
    names.push_back(processor.name);
  return names;
}

} // namespace daedalus::firmware
