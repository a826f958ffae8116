// Lays the job out, runs the system, and reads steps off the marks of its firmware.
#include "daedalus/runtime/system.h"

#include "inputs.h"
#include "job.h"

#include "daedalus/isa/dram.h"
#include "daedalus/package/prove.h"
#include "daedalus/support/input_file.h"

#include "daedalus_soc.h"
#include "soc_job.h"

#include <cassert>

namespace daedalus::runtime {
namespace {

using package::Function;
using package::Package;

/// One run: the package, its job and the system.
class System {
public:
  System(const Package &package, const Function &function, const SystemOptions &options)
      : package(package), function(function), options(options) {}

  Result<SystemResult> run(const std::vector<Tensor> &inputs) {
    if (auto ok = prepare(inputs); !ok)
      return error(ok.error());
    auto ran = soc->run();
    if (!ran)
      return error(ran.error());
    SystemResult result;
    result.run = std::move(*ran);
    result.machine = *machine;
    fillSteps(result);
    if (result.run.end == sim::SocEnd::Exit && result.run.exitCode == DAEDALUS_SOC_EXIT_OK)
      result.outputs = std::move(outputs);
    if (isa::memoryText(*machine) == package.memory)
      result.certifiedCycles = function.certifiedCycles;
    return result;
  }

private:
  Result<void> prepare(const std::vector<Tensor> &inputs);
  void endInference(const std::vector<Tensor> &inputs);
  Result<void> checkPackage();
  Result<void> loadFirmware();
  void fillSteps(SystemResult &result);
  std::string nameOf(uint32_t mark) const;
  uint8_t *dramAt(uint32_t address) { return soc->dram().data() + (address - DAEDALUS_SOC_DRAM); }
  uint8_t *arena() { return dramAt(job.arena); }

  const Package &package;
  const Function &function;
  const SystemOptions &options;
  std::optional<isa::Machine> machine;
  Job job;
  std::unique_ptr<sim::Soc> soc;
  std::vector<Tensor> outputs; ///< of the last inference
  uint32_t inferences = 0;     ///< so far
};

Result<void> System::checkPackage() {
  if (package.programs.empty())
    return error("the package has no program for the accelerator, so the engine " + options.engine +
                 " has nothing to run; compile the model with --target auto or accelerator");
  auto chosen = chooseMachine(package, options.machine);
  if (!chosen)
    return error(chosen.error());
  machine = std::move(*chosen);
  if (machine->hash() != package.machineHash)
    return error("the package was made for the machine '" + package.machineName + "', this is '" +
                 machine->name + "'; compile the model for this machine");
  return prove(package, &*machine);
}

Result<void> System::prepare(const std::vector<Tensor> &inputs) {
  if (auto ok = checkPackage(); !ok)
    return ok;
  auto laidOut = layOut(package, function);
  if (!laidOut)
    return error(laidOut.error());
  job = std::move(*laidOut);
  sim::SocOptions system;
  system.dramBytes = job.bytes;
  system.skipsSleep = options.skipsSleep;
  system.print = options.print;
  system.marked = [this, &inputs](uint32_t mark) {
    if (mark == DAEDALUS_MARK_DONE)
      endInference(inputs);
  };
  auto created = sim::Soc::create(options.engine, *machine, system);
  if (!created)
    return error(created.error());
  soc = std::move(*created);
  job.watchdogCycles = options.watchdogCycles;
  job.inferences = options.inferences;
  writeJob(job, package, function, soc->dram());
  if (auto ok = placeInputs(function, inputs, arena()); !ok)
    return ok;
  return loadFirmware();
}

/// Outputs are taken, and the inputs of the next inference come: the arena's bytes serve one after the other.
void System::endInference(const std::vector<Tensor> &inputs) {
  outputs.clear();
  for (const package::Value &value : function.outputs)
    outputs.push_back(takeOutput(value, arena()));
  if (++inferences == options.inferences)
    return;
  [[maybe_unused]] const auto placed = placeInputs(function, inputs, arena());
  assert(placed && "they fitted before");
}

Result<void> System::loadFirmware() {
  const std::string path = sim::socRunnerFirmware();
  auto elf = readFile(path, input::Firmware);
  if (!elf)
    return error("the firmware of the simulated system was not built: install the Debian package "
                 "gcc-riscv64-unknown-elf and build the project again (" +
                 elf.error() + ")");
  if (auto ok = soc->load(*elf); !ok)
    return error("'" + path + "': " + ok.error());
  return {};
}

/// What the firmware does behind a mark.
std::string System::nameOf(uint32_t mark) const {
  switch (mark) {
  case DAEDALUS_MARK_BOOTED:
    return "check the job";
  case DAEDALUS_MARK_CHECKED:
    return "probe the accelerator";
  case DAEDALUS_MARK_PROBED:
  case DAEDALUS_MARK_DONE:
    return "begin";
  default:
    return job.stepNames[mark - DAEDALUS_MARK_STEP];
  }
}

/// A program's part of a step that lies between two cycles.
void addProgram(SystemStep &step, uint64_t begin, uint64_t end, const sim::SocAcceleratorRun &run) {
  if (!run.resumed || run.start < begin || run.resumed > end)
    return;
  step.isAccelerator = true;
  step.before = run.start - begin;
  step.accelerator = run.stop - run.start;
  step.latency = run.resumed - run.stop;
  step.behind = end - run.resumed;
}

/// Those of the first inference and of the last.
void fillInferences(SystemResult &result) {
  uint64_t done = 0, accelerator = 0;
  for (size_t i = 0; i < result.run.marks.size(); ++i) {
    accelerator += result.steps[i].accelerator;
    if (result.run.marks[i].value != DAEDALUS_MARK_DONE)
      continue;
    const uint64_t cycle = result.run.marks[i].cycle;
    if (done) {
      result.warmCycles = cycle - done;
      result.warmAccelerator = accelerator;
    } else {
      result.firstResult = cycle;
    }
    done = cycle;
    accelerator = 0;
  }
}

/// A step goes from a mark to the next; the first begins with the reset, the last ends with the end.
void System::fillSteps(SystemResult &result) {
  const sim::SocRun &run = result.run;
  const std::vector<JobMark> marks = readMarks(job, {soc->dram().data(), soc->dram().size()});
  uint64_t begin = 0;
  for (size_t i = 0; i <= run.marks.size(); ++i) {
    const bool isLast = i == run.marks.size();
    const uint64_t end = isLast ? run.cycles : run.marks[i].cycle;
    SystemStep step;
    step.name = i == 0 ? "boot" : isLast ? "end" : nameOf(run.marks[i - 1].value);
    step.cycles = end - begin;
    if (i && i < marks.size())
      step.counted = marks[i].cycle - marks[i - 1].cycle;
    for (const sim::SocAcceleratorRun &program : run.acceleratorRuns)
      addProgram(step, begin, end, program);
    result.acceleratorCycles += step.accelerator;
    result.steps.push_back(std::move(step));
    begin = end;
  }
  fillInferences(result);
}

} // namespace

Result<SystemResult> runOnSystem(const Package &package, size_t function, const std::vector<Tensor> &inputs,
                                 const SystemOptions &options) {
  if (auto valid = validate(package); !valid)
    return error(valid.error());
  if (options.inferences == 0)
    return error("no inference is to be run: expected at least one");
  if (function >= package.functions.size())
    return error("the package has no function number " + std::to_string(function));
  return System(package, package.functions[function], options).run(inputs);
}

} // namespace daedalus::runtime
