#include "Models/SystemRun.h"

#include "Commands.h"
#include "Report/RunReport.h"
#include "Report/Table.h"
#include "cli/Files.h"
#include "cli/Progress.h"
#include "daedalus/isa/dram.h"
#include "daedalus/runtime/system.h"

#include <algorithm>
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

/// "1,234 cycles from reset to exit (1.2 us at 1000 MHz)".
std::string cyclesToExit(const sim::SocRun &run, const isa::Machine &machine) {
  return grouped(run.cycles) + " cycles from reset to exit" + timeText(run.cycles, machine);
}

void print(const SystemResult &result, const SystemRunOptions &options) {
  std::cout << "ran " << options.model << " on " << options.engine << ", machine " << result.machine.name
            << ": " << cyclesToExit(result.run, result.machine) << ", " << grouped(result.acceleratorCycles)
            << " of them of the accelerator\n";
  if (result.warmCycles)
    std::cout << "the first result is there after " << grouped(result.firstResult)
              << " cycles, each further one after " << grouped(result.warmCycles) << " more, "
              << percent(result.warmCycles - result.warmAccelerator, result.warmCycles)
              << " of them of the processor alone\n";
  runtime::RunResult outputs;
  outputs.outputs = result.outputs;
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

/// What is known of every run.
Json runJson(const sim::SocRun &run, const SystemRunOptions &options, const isa::Machine &machine) {
  return {{"engine", options.engine},
          {"machine", machine.name},
          {"cycles", run.cycles},
          {"instructions", run.instructions},
          {"slept_cycles", run.sleptCycles},
          {"dram_reads", run.dramReads},
          {"dram_writes", run.dramWrites},
          {"contended_cycles", run.contendedCycles},
          {"printed", run.printed}};
}

Json systemJson(const SystemResult &result, const SystemRunOptions &options) {
  Json json = runJson(result.run, options, result.machine);
  json["accelerator_cycles"] = result.acceleratorCycles;
  json["first_result"] = result.firstResult;
  if (result.warmCycles) {
    json["warm_cycles"] = result.warmCycles;
    json["warm_accelerator_cycles"] = result.warmAccelerator;
  }
  for (const SystemStep &step : result.steps)
    json["steps"].push_back(stepJson(step));
  return json;
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
  if (options.json)
    std::cout << dump(systemJson(*result, options));
  else
    print(*result, options);
  return std::move(result->outputs);
}

bool isFirmware(Span<const uint8_t> bytes) {
  static const uint8_t magic[] = {0x7f, 'E', 'L', 'F'};
  return bytes.size() > sizeof magic && std::equal(magic, magic + sizeof magic, bytes.begin());
}

namespace {

std::string marksTable(const sim::SocRun &run) {
  Table table({"mark", ">cycle", ">since the last"});
  uint64_t last = 0;
  for (const sim::SocMark &mark : run.marks) {
    table.row({std::to_string(mark.value), grouped(mark.cycle), grouped(mark.cycle - last)});
    last = mark.cycle;
  }
  return run.marks.empty() ? "" : table.text() + "\n";
}

std::string programsTable(const sim::SocRun &run) {
  Table table({"program", ">start", ">accelerator", ">latency"});
  for (size_t i = 0; i < run.acceleratorRuns.size(); ++i) {
    const sim::SocAcceleratorRun &program = run.acceleratorRuns[i];
    table.row({std::to_string(i), grouped(program.start),
               cell(program.stop != 0, program.stop - program.start),
               cell(program.resumed != 0, program.resumed - program.stop)});
  }
  return run.acceleratorRuns.empty() ? "" : table.text() + "\n";
}

void printFirmware(const sim::SocRun &run, const SystemRunOptions &options, const isa::Machine &machine) {
  std::cout << run.printed << (run.printed.empty() || run.printed.back() == '\n' ? "" : "\n") << "ran "
            << options.model << " on " << options.engine << ", machine " << machine.name << ": "
            << cyclesToExit(run, machine) << "\n\n"
            << marksTable(run) << programsTable(run) << processorText(run);
}

Json firmwareJson(const sim::SocRun &run, const SystemRunOptions &options, const isa::Machine &machine) {
  Json json = runJson(run, options, machine);
  json["marks"] = Json::array();
  for (const sim::SocMark &mark : run.marks)
    json["marks"].push_back({{"number", mark.value}, {"cycle", mark.cycle}});
  json["programs"] = Json::array();
  for (const sim::SocAcceleratorRun &program : run.acceleratorRuns)
    json["programs"].push_back({{"start", program.start},
                                {"stop", program.stop},
                                {"resumed", program.resumed},
                                {"acknowledged", program.acknowledged}});
  return json;
}

Result<sim::SocRun> boot(Span<const uint8_t> elf, const SystemRunOptions &options,
                         const isa::Machine &machine) {
  sim::SocOptions system;
  system.dramBytes = sim::mostSocDramBytes();
  auto soc = sim::Soc::create(options.engine, machine, system);
  if (!soc)
    return error(soc.error());
  if (auto loaded = (*soc)->load(elf); !loaded)
    return error(loaded.error());
  Progress progress("running on engine " + options.engine);
  return (*soc)->run();
}

} // namespace

void runFirmware(Span<const uint8_t> elf, const SystemRunOptions &options) {
  const isa::Machine machine = options.machine ? *options.machine : orFail(isa::loadMachine("default"));
  auto run = boot(elf, options, machine);
  if (!run)
    throw Failed{"'" + options.model + "': " + run.error()};
  if (const std::string end = endText(*run); !end.empty())
    throw Failed{"'" + options.model + "': " + end + printedText(run->printed)};
  if (options.json)
    std::cout << dump(firmwareJson(*run, options, machine));
  else
    printFirmware(*run, options, machine);
}

} // namespace daedalus::cli
