// model.h: names, places and sizes.

#include "../Plan.h"
#include "Text.h"

#include "dae_firmware.h"

#include <algorithm>

namespace daedalus::firmware {
namespace {

std::string define(const std::string &name, const std::string &value) {
  return "#define " + name + " " + value + "\n";
}

std::string shapeText(const package::TensorType &type) {
  std::string text;
  for (int64_t size : type.shape)
    text += (text.empty() ? "" : ", ") + std::to_string(size);
  return "{" + text + "}";
}

std::string tensorText(const TensorPlan &tensor, size_t index, const std::string &kind) {
  const package::TensorType &type = tensor.value->type;
  std::string text = "\n/* The " + kind + " '" + inComment(tensor.value->name) + "': " + toString(type);
  if (tensor.scale)
    text += ", real = " + floatText(tensor.scale->scale) + " * (element - (" +
            std::to_string(tensor.scale->zeroPoint) + "))";
  text += ". */\n";
  text += define(tensor.macro + "_INDEX", number(index));
  text += define(tensor.macro + "_OFFSET", number(tensor.value->offset));
  text += define(tensor.macro + "_BYTES", number(byteSize(type)));
  text += define(tensor.macro + "_ELEMENTS", number(elementCount(type)));
  text += define(tensor.macro + "_RANK", number(type.shape.size()));
  if (!type.shape.empty())
    text += define(tensor.macro + "_SHAPE", shapeText(type));
  if (tensor.scale) {
    text += define(tensor.macro + "_SCALE", floatText(tensor.scale->scale));
    text += define(tensor.macro + "_ZERO_POINT", "(" + std::to_string(tensor.scale->zeroPoint) + ")");
  }
  return text;
}

std::string sizesText(const Plan &plan) {
  const std::string &macro = plan.macro;
  std::string text = "/* The blob: constants and programs of the accelerator. */\n";
  text += define(macro + "_BLOB_BYTES", number(plan.blob.size()));
  text += define(macro + "_BLOB_ALIGNMENT", number(plan.alignment));
  text += define(macro + "_BLOB_CHECKSUM", hexadecimal(checksumOf(plan.blob), 8) + "u");
  text += define(macro + "_CONSTANT_BYTES", number(plan.package.constants.size()));
  text += "\n/* The arena: all that a run writes. No placement of its tensors takes less than " + macro +
          "_ARENA_LEAST_BYTES. */\n";
  text += define(macro + "_ARENA_BYTES",
                 number(std::max<uint64_t>(plan.package.arenaBytes, 64))); // an array has some
  text += define(macro + "_ARENA_LEAST_BYTES", number(plan.leastArenaBytes));
  text += define(macro + "_ARENA_ALIGNMENT", number(plan.alignment));
  text += "\n/* The stack of dae_run, without the hooks of the platform and the compiler's builtins, by "
          "whether this and "
          "the\n * driver's files are compiled with optimization. */\n";
  text += "#ifdef __OPTIMIZE__\n" + define(macro + "_STACK_BYTES", number(plan.stackBytes)) + "#else\n" +
          define(macro + "_STACK_BYTES", number(plan.unoptimizedStackBytes)) + "#endif\n";
  text += define(macro + "_KERNEL_STACK_BYTES", number(plan.kernels.stackBytes));
  text += "\n/* Steps, and programs of the accelerator among them. */\n";
  text += define(macro + "_STEPS", number(plan.steps.size()));
  text += define(macro + "_PROGRAMS", number(plan.package.programs.size()));
  if (plan.package.programs.empty())
    return text;
  text += "\n/* The machine '" + inComment(plan.package.machineName) +
          "', and the cycles of all programs of a run with its memory, whatever the inputs hold (0: "
          "unknown). */\n";
  text += define(macro + "_MACHINE_HASH", "UINT64_C(" + hexadecimal(plan.package.machineHash, 16) + ")");
  text += define(macro + "_CERTIFIED_CYCLES",
                 "UINT64_C(" + std::to_string(plan.function().certifiedCycles) + ")");
  return text;
}

} // namespace

std::string modelHeader(const Plan &plan) {
  const std::string &name = plan.options.name, guard = plan.macro + "_MODEL_H";
  std::string text = "/* The model " + name + ", of " + inComment(plan.options.source) + " for " +
                     plan.options.processor + ". Written by daedalus export. */\n#ifndef " + guard +
                     "\n#define " + guard +
                     "\n\n#include \"dae_firmware.h\"\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  text += "extern const struct dae_model " + name + "_model;\n";
  text += "/* The blob as blob.S links it. blob.bin is the same, to be loaded anywhere. */\n";
  text += "extern const uint32_t " + name + "_blob[];\n\n";
  text += sizesText(plan);
  for (size_t i = 0; i < plan.inputs.size(); ++i)
    text += tensorText(plan.inputs[i], i, "input");
  for (size_t i = 0; i < plan.outputs.size(); ++i)
    text += tensorText(plan.outputs[i], i, "output");
  return text + "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
}

} // namespace daedalus::firmware
