// See cuda_kernel.h.

#include "cuda_kernel.h"

#include "daedalus/Pipelines/Compile.h"
#include "daedalus/Target/CUDA/Settings.h"

#include <cstdio>
#include <fstream>
#include <map>

#include <unistd.h>

namespace daedalus::test {
namespace {

using Space = package::Space;

CompileOptions optionsFor(const std::string &architectures, const std::string &schedule,
                          const std::string &libraries) {
  CompileOptions options;
  options.schedule = schedule;
  options.target = cuda::Settings::target;
  options.settings.of<cuda::Settings>().architectures = architectures;
  options.settings.of<cuda::Settings>().libraries = libraries;
  return options;
}

/// A file that vanishes with the object.
class TemporaryFile {
public:
  TemporaryFile(const std::string &extension, const std::string &bytes)
      : path("/tmp/daedalus_cuda_kernel_" + std::to_string(getpid()) + extension) {
    std::ofstream(path, std::ios::binary) << bytes;
  }
  ~TemporaryFile() { std::remove(path.c_str()); }

  const std::string path;
};

/// The steps of one run. Each operand has memory of the emulator's of its own while a step runs, of which
/// nobody wrote what the step gives; between steps it lies here.
class Run {
public:
  explicit Run(EmulatedKernel &kernel) : kernel(kernel) {
    memory[Space::Constants] = kernel.package.constants;
    memory[Space::Arena].resize(kernel.package.arenaBytes);
    memory[Space::FirstDevice].resize(kernel.package.devices.front().memoryBytes);
    constants = place(kernel.code.constants.data(), kernel.code.constants.size());
  }

  Result<EmulatedRun> operator()(const std::vector<std::vector<uint8_t>> &inputs) {
    const package::Function &function = kernel.package.functions.front();
    for (size_t i = 0; i < function.inputs.size(); ++i) {
      if (i >= inputs.size() || inputs[i].size() != package::byteSize(function.inputs[i].type))
        return error("the input '" + function.inputs[i].name + "' has other bytes than its type");
      std::copy(inputs[i].begin(), inputs[i].end(), memory[Space::Arena].begin() + function.inputs[i].offset);
    }
    for (const package::Step &step : function.steps)
      if (Result<void> ok = take(step); !ok)
        return error(ok.error());
    for (const package::Value &output : function.outputs) {
      const auto from = memory[Space::Arena].begin() + output.offset;
      run.outputs.emplace_back(from, from + package::byteSize(output.type));
    }
    return std::move(run);
  }

private:
  Result<void> take(const package::Step &step) {
    if (step.kind == package::Step::Kind::CallDevice)
      return call(step);
    if (step.kind != package::Step::Kind::Copy)
      return error("a step of the function is not on the GPU");
    std::copy_n(at(step.inputs[0]), step.inputs[0].bytes, at(step.outputs[0]));
    return {};
  }

  Result<void> call(const package::Step &step) {
    std::vector<uint64_t> operands;
    for (const package::Ref &input : step.inputs)
      operands.push_back(place(at(input), input.bytes));
    for (const package::Ref &output : step.outputs)
      operands.push_back(kernel.emulator->allocate(output.bytes));
    const uint64_t scratch = kernel.emulator->allocate(kernel.code.scratchBytes);
    const std::vector<uint8_t> zeros(cuda::statusBytes, 0);
    const uint64_t status = place(zeros.data(), zeros.size());
    const cuda::Places places{operands, scratch, constants, status};
    for (const cuda::Launch &launch : cuda::emulatedLaunches(kernel.code, step.index)) {
      const Result<cuda::EmulationCounts> counts = cuda::execute(*kernel.emulator, launch, places);
      if (!counts)
        return error(counts.error());
      run.launches.push_back({launch, *counts});
    }
    for (size_t i = 0; i < step.outputs.size(); ++i)
      if (Result<void> ok = kernel.emulator->read(operands[step.inputs.size() + i],
                                                  {at(step.outputs[i]), step.outputs[i].bytes});
          !ok)
        return ok;
    return {};
  }

  uint8_t *at(const package::Ref &ref) { return memory[ref.space].data() + ref.offset; }

  uint64_t place(const uint8_t *bytes, uint64_t size) {
    const uint64_t address = kernel.emulator->allocate(size);
    (void)kernel.emulator->write(address, {bytes, size});
    return address;
  }

  EmulatedKernel &kernel;
  std::map<Space, std::vector<uint8_t>> memory;
  uint64_t constants = 0;
  EmulatedRun run;
};

} // namespace

cuda::EmulationCounts EmulatedRun::total() const {
  cuda::EmulationCounts sum;
  for (const EmulatedCounts &launch : launches) {
    const cuda::EmulationCounts &counts = launch.counts;
    sum.instructions += counts.instructions;
    sum.globalBytesLoaded += counts.globalBytesLoaded;
    sum.globalBytesStored += counts.globalBytesStored;
    sum.globalSectors += counts.globalSectors;
    sum.sharedAccesses += counts.sharedAccesses;
    sum.bankConflicts += counts.bankConflicts;
    sum.barriers += counts.barriers;
    sum.asyncCopies += counts.asyncCopies;
    sum.tensorInstructions += counts.tensorInstructions;
  }
  return sum;
}

Result<EmulatedKernel> EmulatedKernel::ofFile(const std::string &path, const std::string &schedule,
                                              const EmulatedOptions &options) {
  const TemporaryFile written(".schedule.mlir", schedule);
  const std::string file = schedule.empty() ? "" : written.path, gpu = options.gpu;
  Result<Compiled> compiled = compileModel(
      path, optionsFor(gpu == "sm_80" ? "emulated" : "emulated-" + gpu, file, options.libraries));
  if (!compiled)
    return error(compiled.error());
  if (compiled->package.devices.size() != 1)
    return error("the package has no kernel for the GPU");
  const package::Device &device = compiled->package.devices.front();
  Result<cuda::Code> code = cuda::readCode(device);
  if (!code)
    return error(code.error());
  Result<std::unique_ptr<cuda::Emulator>> emulator = cuda::emulatorOf(*code);
  if (!emulator)
    return error(emulator.error());
  Result<std::string> ptx = emitLevel(path, optionsFor(gpu, file, options.libraries), "ptx");
  if (!ptx)
    return error(ptx.error());
  return EmulatedKernel{std::move(compiled->package), std::move(*code), std::move(*ptx),
                        std::move(*emulator)};
}

Result<EmulatedKernel> EmulatedKernel::ofText(const std::string &text, const std::string &libraries) {
  return ofFile(TemporaryFile(".mlir", text).path, "", {"sm_80", libraries});
}

Result<EmulatedKernel> EmulatedKernel::ofModel(const std::string &bytes, const std::string &schedule,
                                               const EmulatedOptions &options) {
  return ofFile(TemporaryFile(".onnx", bytes).path, schedule, options);
}

Result<EmulatedRun> EmulatedKernel::run(const std::vector<std::vector<uint8_t>> &inputs) {
  return Run(*this)(inputs);
}

} // namespace daedalus::test
