// README.md: what the folder holds, its figures, how it is used.

#include "../Plan.h"
#include "Text.h"

#include "daedalus/support/decimal.h"

namespace daedalus::firmware {
namespace {

std::string figures(const Plan &plan) {
  std::string text = "## Memory\n\n| | bytes | |\n|---|---:|---|\n";
  const auto row = [&](const std::string &what, uint64_t bytes, const std::string &note) {
    text += "| " + what + " | " + grouped(bytes) + " | " + note + " |\n";
  };
  const std::string alignment = "at a multiple of " + std::to_string(plan.alignment);
  row("blob", plan.blob.size(), "constants and programs, " + alignment);
  row("arena", plan.package.arenaBytes,
      "all that a run writes, " + alignment + "; no placement of its tensors takes less than " +
          grouped(plan.leastArenaBytes));
  row("kernels: code", plan.kernels.textBytes, "`kernels.o`");
  row("kernels: constants", plan.kernels.constantBytes, "`kernels.o`");
  row("stack", plan.stackBytes,
      "the larger of: " + grouped(plan.kernels.stackBytes) +
          " of kernels, by LLVM's stack sizes, with their arguments and " + std::to_string(kernelFrameBytes) +
          " of C functions; " + std::to_string(acceleratorFrameBytes) +
          " of C functions for the accelerator. Without hooks and builtins; compiled without optimization, C "
          "functions take " +
          std::to_string(unoptimizedFrames) + " times as much");
  return text + "\nThe C files have no writable data. `size lib" + plan.options.name +
         ".a` gives their code.\n\n";
}

std::string tensorRows(const std::vector<TensorPlan> &tensors, const std::string &kind) {
  std::string text;
  for (const TensorPlan &tensor : tensors) {
    text += "| " + kind + " | `" + inComment(tensor.value->name) + "` | " + toString(tensor.value->type) +
            " | " + grouped(tensor.value->offset) + " | ";
    text +=
        tensor.scale ? floatText(tensor.scale->scale) + ", " + std::to_string(tensor.scale->zeroPoint) : "";
    text += " | `" + tensor.macro + "` |\n";
  }
  return text;
}

std::string tensors(const Plan &plan) {
  return "## Inputs and outputs\n\n| | name | type | offset in the arena | scale, zero point | names in "
         "model.h |\n"
         "|---|---|---|---:|---|---|\n" +
         tensorRows(plan.inputs, "input") + tensorRows(plan.outputs, "output") +
         "\nTensors are dense, the last dimension's elements side by side. Write every input before each "
         "run: a run "
         "writes over them.\n\n";
}

std::string steps(const Plan &plan) {
  std::string text = "## Steps\n\n| step | where | layer |\n|---:|---|---|\n";
  for (size_t i = 0; i < plan.steps.size(); ++i) {
    const package::Step &step = plan.function().steps[plan.steps[i]];
    const bool isProgram = step.kind == package::Step::Kind::Start;
    std::string node = inComment(nodeOf(plan, step));
    for (size_t at = 0; (at = node.find('|', at)) != std::string::npos; at += 2)
      node.insert(at, "\\");
    text += "| " + std::to_string(i) + (isProgram ? " | accelerator | " : " | processor | ") + node + " |\n";
  }
  return text + "\n";
}

std::string building(const Plan &plan) {
  std::string text = "## Build\n\n`make` builds `lib" + plan.options.name + ".a` with `" +
                     plan.processor.prefix + "gcc " + plan.processor.flags +
                     "`; `make CC=... AR=... ARCH=...` takes another compiler. `CMakeLists.txt` gives the "
                     "library `" +
                     plan.options.name + "`; `model.ld` has the parts of a linker script.\n\n";
  if (plan.kernels.builtins.empty())
    return text + "The library needs no symbol from outside.\n\n";
  text += "The kernels call these functions of the compiler's own library (link `-lgcc` or compiler-rt): ";
  for (size_t i = 0; i < plan.kernels.builtins.size(); ++i)
    text += (i ? ", `" : "`") + plan.kernels.builtins[i] + "`";
  return text + ". " + plan.processor.floats + "\n\n";
}

std::string use(const Plan &plan) {
  const std::string &name = plan.options.name, &macro = plan.macro;
  std::string text = "## Use\n\n```c\n#include \"model.h\"\n\nstatic _Alignas(" + macro +
                     "_ARENA_ALIGNMENT) uint8_t arena[" + macro +
                     "_ARENA_BYTES];\n\nenum dae_result infer(const struct dae_platform *platform) {\n"
                     "  struct dae_session session;\n  enum dae_result result = dae_open(&session, &" +
                     name + "_model, platform, " + name + "_blob, " + macro +
                     "_BLOB_BYTES, arena, sizeof arena);\n"
                     "  if (result == DAE_OK) {\n";
  if (!plan.inputs.empty())
    text += "    /* write " + plan.inputs[0].macro + "_BYTES bytes to dae_input(&session, " +
            plan.inputs[0].macro + "_INDEX) */\n";
  text += "    result = dae_run(&session);\n";
  if (!plan.outputs.empty())
    text += "    /* read " + plan.outputs[0].macro + "_BYTES bytes from dae_output(&session, " +
            plan.outputs[0].macro + "_INDEX) */\n";
  text += "  }\n  return result;\n}\n```\n\n";
  text +=
      plan.package.programs.empty()
          ? "The model does without the accelerator: `platform` may be null.\n"
          : "`platform` holds the accelerator's registers (`dae_mmio(base)`) and hooks for caches, barriers, "
            "physical addresses and the interrupt (`dae_firmware.h`). The accelerator has to be the machine "
            "'" +
                plan.package.machineName + "', hash `" + hexadecimal(plan.package.machineHash, 16) +
                "`, and has to reach blob and arena.\n";
  return text + "`dae_open` compares the blob's XXH32 (seed 0) with " +
         hexadecimal(checksumOf(plan.blob), 8) +
         ", as `xxhsum -H32 blob.bin` prints it. `dae_result_name` gives the name of a result.\n";
}

std::string linuxUse(const Plan &plan) {
  if (!plan.processor.hasLinux || plan.package.programs.empty())
    return "";
  return "## Linux\n\n`" + linuxCommand(plan.processor) +
         "` builds what drives the accelerator from Linux's user space, by a UIO device and a u-dma-buf: "
         "`dae_linux_open` gives the platform and the memory for blob and arena (`dae_linux.h`). "
         "`dae_linux_socket.h` does the same with a simulator in the accelerator's place, which `daedalus "
         "serve` "
         "runs.\n\n";
}

} // namespace

std::string readme(const Plan &plan) {
  return "# " + plan.options.name + "\n\nFirmware of `" + inComment(plan.options.source) + "` for " +
         plan.options.processor + ", written by `daedalus export`.\n\n" + figures(plan) + tensors(plan) +
         building(plan) + use(plan) + "\n" + linuxUse(plan) + steps(plan);
}

} // namespace daedalus::firmware
