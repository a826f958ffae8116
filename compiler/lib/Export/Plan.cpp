// See Plan.h.

#include "Plan.h"

#include "dae_firmware.h"

#include <algorithm>

namespace daedalus::firmware {
namespace {

using package::Step;

/// As the runtime places them: then an accelerator takes as many cycles as there.
constexpr uint64_t acceleratorAlignment = 4096, kernelAlignment = 64;

uint64_t aligned(uint64_t bytes, uint64_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

void addBlob(Plan &plan) {
  plan.alignment = plan.package.programs.empty() ? kernelAlignment : acceleratorAlignment;
  plan.blob = plan.package.constants;
  for (const package::AcceleratorProgram &program : plan.package.programs) {
    plan.blob.resize(aligned(plan.blob.size(), plan.alignment));
    plan.programOffsets.push_back(plan.blob.size());
    plan.blob.insert(plan.blob.end(), program.words.begin(), program.words.end());
  }
  plan.blob.resize(std::max<uint64_t>(aligned(plan.blob.size(), kernelAlignment), kernelAlignment));
}

std::vector<TensorPlan> tensorsOf(const std::vector<package::Value> &values, const std::string &prefix,
                                  const std::map<std::string, OnnxScale> &scales) {
  Identifiers names;
  std::vector<TensorPlan> tensors;
  for (const package::Value &value : values) {
    const auto scale = scales.find(value.name);
    tensors.push_back({&value, prefix + names.add(value.name),
                       scale == scales.end() ? std::nullopt : std::optional<OnnxScale>(scale->second)});
  }
  return tensors;
}

/// Arguments of kernels lie on the stack.
uint64_t argumentBytes(const Plan &plan) {
  uint64_t maximum = 0;
  for (const Step &step : plan.function().steps)
    if (step.kind == Step::Kind::CallKernel)
      maximum = std::max<uint64_t>(maximum, step.inputs.size() + step.outputs.size());
  return maximum * 8;
}

/// With C functions so many times as large as optimized ones. A kernel and a program of the accelerator do
/// not run at once.
uint64_t stackOf(const Plan &plan, uint64_t frames) {
  const uint64_t ofKernels = frames * kernelFrameBytes + argumentBytes(plan) + plan.kernels.stackBytes;
  const uint64_t ofPrograms = plan.package.programs.empty() ? 0 : frames * acceleratorFrameBytes;
  return aligned(std::max(ofKernels, ofPrograms), 16);
}

} // namespace

Result<void> checkExportable(const package::Package &package) {
  if (package.functions.size() != 1)
    return error("the package has " + std::to_string(package.functions.size()) +
                 " functions; expected one to export");
  if (!package.devices.empty())
    return error("the model runs kernels on the device '" + package.devices.front().name +
                 "', which firmware cannot reach; compile it for the CPU or the accelerator (--target)");
  if (!package.externals.empty())
    return error(
        "the model calls the function '" + package.externals.front() +
        "', which firmware does not have; expected a model without external functions and --cpu-library");
  if (package.arenaBytes > UINT32_MAX || package.constants.size() > UINT32_MAX)
    return error("the model needs " + std::to_string(package.arenaBytes) + " bytes of arena and " +
                 std::to_string(package.constants.size()) + " of constants; expected less than 2^32 of each");
  return {};
}

Result<Plan> planOf(const package::Package &package, const Options &options) {
  const std::string macro = upper(options.name);
  Plan plan{package, options, processorOf(options.processor), macro, {}, {}, 0, {}, {}, {}, {}, 0, 0, 0};
  addBlob(plan);
  plan.inputs = tensorsOf(plan.function().inputs, macro + "_INPUT_", options.inputScales);
  plan.outputs = tensorsOf(plan.function().outputs, macro + "_OUTPUT_", options.outputScales);
  for (uint32_t step = 0; step < plan.function().steps.size(); ++step)
    if (plan.function().steps[step].kind != Step::Kind::Wait)
      plan.steps.push_back(step);
  if (plan.hasKernels()) {
    Result<KernelFacts> facts = factsOf(package.objects.front().bytes);
    if (!facts)
      return error(facts.error());
    plan.kernels = std::move(*facts);
  }
  plan.leastArenaBytes = leastArena(package);
  plan.stackBytes = stackOf(plan, 1);
  plan.unoptimizedStackBytes = stackOf(plan, unoptimizedFrames);
  return plan;
}

std::string nodeOf(const Plan &plan, const Step &step) {
  if (step.layer == package::noLayer)
    return "copy";
  const std::string first = plan.package.layers[step.layer].node;
  if (step.kind != Step::Kind::Start)
    return first;
  const auto &layers = plan.package.programs[step.index].layerOfInstruction;
  uint32_t last = step.layer; // layers are numbered in the order of the graph
  for (uint32_t layer : layers)
    last = layer == package::noLayer ? last : std::max(last, layer);
  return last == step.layer ? first : first + " to " + plan.package.layers[last].node;
}

Result<Folder> exportPackage(const package::Package &package, const Options &options) {
  Result<Plan> plan = planOf(package, options);
  if (!plan)
    return error(plan.error());
  if (Result<void> fits = checkLimits(*plan); !fits)
    return error(fits.error());
  Folder folder{driverFiles(plan->kernels.needsMath, plan->processor.hasLinux), {}};
  const auto add = [&](const std::string &name, const std::string &text) {
    folder.files.push_back({name, {text.begin(), text.end()}});
  };
  add("model.h", modelHeader(*plan));
  add("model.c", modelSource(*plan));
  add("blob.S", blobAssembly(*plan));
  add("Makefile", makefile(*plan));
  add("CMakeLists.txt", cmakeFile(*plan));
  add("model.ld", linkerScript(*plan));
  add("README.md", readme(*plan));
  folder.files.push_back({"blob.bin", plan->blob});
  if (plan->hasKernels())
    folder.files.push_back({"kernels.o", package.objects.front().bytes});
  folder.summary = {package.arenaBytes, plan->leastArenaBytes,
                    plan->blob.size(),  plan->kernels.textBytes + plan->kernels.constantBytes,
                    plan->stackBytes,   plan->kernels.builtins};
  return folder;
}

} // namespace daedalus::firmware
