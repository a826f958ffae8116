// model.c: tables of inputs and outputs, and the steps as calls.

#include "../Plan.h"
#include "Text.h"

#include "dae_firmware.h"

#include "daedalus/Target/CPU/Levels.h"

#include <set>

namespace daedalus::firmware {
namespace {

using package::Ref;
using package::Step;

/// "DAE_INT8" of an int8.
std::string typeName(package::DType type) {
  return "DAE_" + upper(package::name(type));
}

std::string shapeName(const std::string &kind, size_t index) {
  return kind + "_shape_" + std::to_string(index);
}

std::string shapesText(const std::vector<TensorPlan> &tensors, const std::string &kind) {
  std::string text;
  for (size_t i = 0; i < tensors.size(); ++i)
    if (tensors[i].value->type.shape.size())
      text += "static const uint32_t " + shapeName(kind, i) + "[] = " + tensors[i].macro + "_SHAPE;\n";
  return text;
}

std::string tensorText(const TensorPlan &tensor, const std::string &kind, size_t index) {
  const std::string &macro = tensor.macro;
  const bool isScalar = tensor.value->type.shape.empty();
  return "    {" + literal(tensor.value->name) + ", " + typeName(tensor.value->type.dtype) + ", " + macro +
         "_RANK, " + (isScalar ? "NULL" : shapeName(kind, index)) + ",\n     " + macro + "_OFFSET, " + macro +
         "_BYTES, " + (tensor.scale ? macro + "_SCALE, " + macro + "_ZERO_POINT" : "0.0f, 0") + "},\n";
}

std::string tableText(const std::vector<TensorPlan> &tensors, const std::string &kind) {
  if (tensors.empty())
    return "";
  std::string text = shapesText(tensors, kind) + "static const struct dae_tensor " + kind + "s[] = {\n";
  for (size_t i = 0; i < tensors.size(); ++i)
    text += tensorText(tensors[i], kind, i);
  return text + "};\n\n";
}

std::string namesText(const Plan &plan) {
  if (plan.steps.empty())
    return "";
  std::string text = "static const char *const step_names[] = {\n";
  for (uint32_t step : plan.steps)
    text += "    " + literal(nodeOf(plan, plan.function().steps[step])) + ",\n";
  return text + "};\n\n";
}

std::string place(const Ref &ref) {
  return ref.space == package::Space::Arena ? "session->arena + " + number(ref.offset)
                                            : "dae_constant(session, " + number(ref.offset) + ")";
}

std::string kernelText(const Plan &plan, const Step &step) {
  std::string text = "  void *const args[] = {\n";
  for (const std::vector<Ref> *refs : {&step.inputs, &step.outputs})
    for (const Ref &ref : *refs)
      text += "      " + place(ref) + ", /* " + toString(ref.type) + " */\n";
  return text + "  };\n  return dae_kernel_result(" + cpu::firmwareSymbol(plan.options.name, step.index) +
         "(args, NULL));\n";
}

std::string copyText(const Step &step) {
  return "  dae_copy(" + place(step.outputs[0]) + ", " + place(step.inputs[0]) + ", " +
         number(step.inputs[0].bytes) + ");\n  return DAE_OK;\n";
}

std::string programText(const Plan &plan, const Step &step) {
  const package::AcceleratorProgram &program = plan.package.programs[step.index];
  return "  static const struct dae_program program = {" + number(plan.programOffsets[step.index]) + ", " +
         number(program.words.size() / DAEDALUS_INSTRUCTION_BYTES) + ", " + number(program.bases[0].limit) +
         ", " + number(program.bases[1].limit) + "};\n  return dae_execute(session, &program);\n";
}

std::string stepText(const Plan &plan, size_t index) {
  const Step &step = plan.function().steps[plan.steps[index]];
  const bool isKernel = step.kind == Step::Kind::CallKernel, isCopy = step.kind == Step::Kind::Copy;
  const std::string body = isKernel ? kernelText(plan, step)
                           : isCopy ? copyText(step)
                                    : programText(plan, step);
  return "/* " + inComment(nodeOf(plan, step)) +
         (isKernel || isCopy ? ", on the processor" : ", on the accelerator") +
         ". */\nstatic enum dae_result step_" + std::to_string(index) + "(struct dae_session *session) {\n" +
         body + "}\n\n";
}

std::string runText(const Plan &plan) {
  std::string text =
      "static enum dae_result run(struct dae_session *session) {\n  enum dae_result result = DAE_OK;\n";
  if (plan.steps.empty())
    text += "  (void)session;\n";
  for (size_t i = 0; i < plan.steps.size(); ++i) {
    const std::string index = std::to_string(i);
    text += (i ? "  if (result == DAE_OK) {\n    " : "  {\n    ") +
            ("dae_step_begins(session, " + number(i)) + ");\n    result = dae_step_ends(session, step_" +
            index + "(session));\n  }\n";
  }
  return text + "  return result;\n}\n\n";
}

std::string modelText(const Plan &plan) {
  const std::string &macro = plan.macro;
  const bool hasPrograms = !plan.package.programs.empty();
  const auto table = [](bool any, const char *name) { return any ? name : "NULL"; };
  return "const struct dae_model " + plan.options.name + "_model = {\n    " + literal(plan.options.name) +
         ",\n    " + literal(hasPrograms ? plan.package.machineName : "") + ",\n    " +
         (hasPrograms ? macro + "_MACHINE_HASH" : "0u") + ",\n    " + macro + "_BLOB_BYTES,\n    " + macro +
         "_BLOB_ALIGNMENT,\n    " + macro + "_BLOB_CHECKSUM,\n    " + macro + "_ARENA_BYTES,\n    " + macro +
         "_ARENA_ALIGNMENT,\n    " + macro + "_STACK_BYTES,\n    " + macro + "_PROGRAMS,\n    " + macro +
         "_STEPS,\n    " + table(!plan.steps.empty(), "step_names") + ",\n    " + number(plan.inputs.size()) +
         ",\n    " + number(plan.outputs.size()) + ",\n    " + table(!plan.inputs.empty(), "inputs") +
         ",\n    " + table(!plan.outputs.empty(), "outputs") + ",\n    run,\n};\n";
}

} // namespace

std::string modelSource(const Plan &plan) {
  std::string text = "/* The model " + plan.options.name +
                     " (model.h): its steps, in order. Written by daedalus export. */\n"
                     "\n#include \"model.h\"\n\n";
  std::set<uint32_t> kernels;
  for (const Step &step : plan.function().steps)
    if (step.kind == Step::Kind::CallKernel)
      kernels.insert(step.index);
  if (!kernels.empty())
    text += "/* Of kernels.o. */\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
  for (uint32_t kernel : kernels)
    text += "dae_kernel " + cpu::firmwareSymbol(plan.options.name, kernel) + ";\n";
  if (!kernels.empty())
    text += "#ifdef __cplusplus\n}\n#endif\n\n";
  text += tableText(plan.inputs, "input") + tableText(plan.outputs, "output") + namesText(plan);
  for (size_t i = 0; i < plan.steps.size(); ++i)
    text += stepText(plan, i);
  return text + runText(plan) + modelText(plan);
}

} // namespace daedalus::firmware
