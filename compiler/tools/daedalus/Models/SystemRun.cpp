#include "Models/SystemRun.h"

#include "Commands.h"
#include "Report/RunReport.h"
#include "Report/Table.h"
#include "cli/Progress.h"
#include "daedalus/isa/dram.h"
#include "daedalus/runtime/system.h"

#include <algorithm>
#include <cstdio>
#include <iostream>

namespace daedalus::cli {
namespace {

using runtime::SystemResult;
using runtime::SystemStep;

std::string endText(const sim::SocRun &run) {
  switch (run.end) {
  case sim::SocEnd::Exit:
    return run.exitCode ? "the firmware ended with " + sim::socExitName(run.exitCode) : "";
  case sim::SocEnd::Trap:
    return "the processor met an illegal instruction or a misaligned access at address " +
           std::to_string(run.pc);
  case sim::SocEnd::Deadlock:
    return "the processor waits for an interrupt that never comes";
  case sim::SocEnd::CycleLimit:
    return "the firmware did not end within " + grouped(run.cycles) + " cycles";
  }
  return "";
}

/// What the UART printed, on one line, for a sentence.
std::string printedText(std::string text) {
  while (!text.empty() && text.back() == '\n')
    text.pop_back();
  std::replace(text.begin(), text.end(), '\n', ';');
  return text.empty() ? "" : " (it printed: " + text + ")";
}

std::string cell(bool isThere, uint64_t cycles) {
  return isThere ? grouped(cycles) : "-";
}

std::string stepsTable(const SystemResult &result) {
  Table table({"step", ">cycles", ">before", ">accelerator", ">latency", ">behind"});
  for (const SystemStep &step : result.steps)
    table.row({step.name, grouped(step.cycles), cell(step.isAccelerator, step.before),
               cell(step.isAccelerator, step.accelerator), cell(step.isAccelerator, step.latency),
               cell(step.isAccelerator, step.behind)});
  return table.text(100);
}

std::string processorText(const sim::SocRun &run) {
  return "processor: " + grouped(run.instructions) + " instructions; asleep for " + grouped(run.sleptCycles) +
         " cycles; " + grouped(run.dramReads) + " reads and " + grouped(run.dramWrites) +
         " writes of DRAM, which waited for the accelerator's beats for " + grouped(run.contendedCycles) +
         " cycles\n";
}

void print(const SystemResult &result, const SystemRunOptions &options) {
  const isa::Machine &machine = result.machine;
  char time[64];
  std::snprintf(time, sizeof time, "%.1f us at %u MHz",
                static_cast<double>(result.run.cycles) / machine.clockMhz,
                static_cast<unsigned>(machine.clockMhz));
  std::cout << "ran " << options.model << " on " << options.engine << ", machine " << machine.name << ": "
            << grouped(result.run.cycles) << " cycles from reset to exit (" << time << "), "
            << grouped(result.acceleratorCycles) << " of them of the accelerator\n";
  runtime::RunResult outputs;
  outputs.outputs = result.outputs;
  if (result.warmCycles)
    std::cout << "the first result is there after " << grouped(result.firstResult)
              << " cycles, each further one after " << grouped(result.warmCycles) << " more, "
              << percent(result.warmCycles - result.warmAccelerator, result.warmCycles)
              << " of them of the processor alone\n";
  std::cout << outputsText(outputs) << "\n" << stepsTable(result) << "\n" << processorText(result.run);
}

Json stepJson(const SystemStep &step) {
  Json json = {{"name", step.name}, {"cycles", step.cycles}, {"counted", step.counted}};
  if (step.isAccelerator) {
    json["processor_before"] = step.before;
    json["program"] = step.accelerator;
    json["interrupt_latency"] = step.latency;
    json["processor_behind"] = step.behind;
  }
  return json;
}

void printJson(const SystemResult &result, const SystemRunOptions &options) {
  const sim::SocRun &run = result.run;
  runtime::RunResult outputs;
  outputs.outputs = result.outputs;
  Json json = {{"engine", options.engine},
               {"machine", result.machine.name},
               {"cycles", run.cycles},
               {"accelerator_cycles", result.acceleratorCycles},
               {"first_result", result.firstResult},
               {"instructions", run.instructions},
               {"slept_cycles", run.sleptCycles},
               {"dram_reads", run.dramReads},
               {"dram_writes", run.dramWrites},
               {"contended_cycles", run.contendedCycles},
               {"printed", run.printed}};
  if (result.warmCycles) {
    json["warm_cycles"] = result.warmCycles;
    json["warm_accelerator_cycles"] = result.warmAccelerator;
  }
  for (const SystemStep &step : result.steps)
    json["steps"].push_back(stepJson(step));
  std::cout << dump(json);
}

} // namespace

bool isSystemEngine(const std::string &engine) {
  const std::vector<std::string> names = sim::socEngineNames();
  return std::find(names.begin(), names.end(), engine) != names.end();
}

std::vector<runtime::Tensor> runOnSystem(const package::Package &package,
                                         const std::vector<runtime::Tensor> &inputs,
                                         const SystemRunOptions &options) {
  runtime::SystemOptions system;
  system.engine = options.engine;
  system.machine = options.machine;
  system.inferences = static_cast<uint32_t>(options.inferences);
  auto progress = std::make_unique<Progress>("running on engine " + options.engine);
  auto result = runtime::runOnSystem(package, 0, inputs, system);
  progress.reset();
  if (!result)
    throw Failed{"'" + options.model + "': " + result.error()};
  if (const std::string end = endText(result->run); !end.empty())
    throw Failed{"'" + options.model + "': " + end + printedText(result->run.printed)};
  options.json ? printJson(*result, options) : print(*result, options);
  return std::move(result->outputs);
}

} // namespace daedalus::cli
