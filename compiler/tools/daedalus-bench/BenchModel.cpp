#include "BenchModel.h"
#include "Tuning/Costs.h"
#include "Tuning/Inputs.h"
#include "cli/Files.h"
#include "cli/Machine.h"
#include "daedalus/Pipelines/Compile.h"
#include "daedalus/Target/Target.h"
#include "daedalus/runtime/bound.h"
#include "daedalus/support/stopwatch.h"

#include <filesystem>

namespace daedalus::cli {
namespace {

Compiled compiled(const std::string &path, const isa::Machine &machine, const std::string &target) {
  CompileOptions options;
  options.target = target;
  setMachine(options.settings, machine);
  return orFail(compileModel(path, options));
}

runtime::RunResult runOn(const package::Package &package, const isa::Machine &machine,
                         const std::string &engine, unsigned threads, double &seconds) {
  runtime::SessionOptions options;
  options.engine = engine;
  options.machine = machine;
  options.threads = threads;
  options.verify = false; // the compiler has just proved it
  auto session = orFail(runtime::Session::create(package, options));
  const package::Function &function = *orFail(session->function(0));
  Stopwatch stopwatch;
  runtime::RunResult result = orFail(session->run(function.name, randomInputs(function)));
  seconds = stopwatch.lap();
  return result;
}

bool sameOutputs(const runtime::RunResult &a, const runtime::RunResult &b) {
  return std::equal(a.outputs.begin(), a.outputs.end(), b.outputs.begin(), b.outputs.end(),
                    [](const runtime::Tensor &x, const runtime::Tensor &y) { return x.data == y.data; });
}

} // namespace

ModelRun benchModel(const std::string &path, const isa::Machine &machine, const std::string &engine,
                    unsigned threads, MacCount count) {
  ModelRun run;
  run.name = std::filesystem::path(path).stem().string();
  Stopwatch stopwatch;
  const Compiled onAccelerator = compiled(path, machine, "auto");
  run.compileSeconds = stopwatch.lap();
  const package::Package &package = onAccelerator.package;
  const Demand &demand = onAccelerator.demand;
  const StreamFigures figures = figuresOf(onAccelerator);
  run.planned = figures.expectedCycles;
  const uint64_t array = uint64_t(machine.n) * machine.n;
  run.macs = demand.macs;
  run.macCycles = count == MacCount::Tiles ? figures.tileCycles : (demand.macs + array - 1) / array;
  run.dramCycles = std::max(figures.readBytes, figures.writtenBytes) / machine.busBytes;
  run.boundCycles = runtime::boundOf(package, machine);
  run.leastBytes = figures.readBytes + figures.writtenBytes;
  for (const DramBytes &bytes : dramBytesOf(package, machine))
    run.dramBytes += bytes.total();
  run.cpuLayers = demand.cpuLayers.size();
  const runtime::RunResult result = runOn(package, machine, engine, threads, run.runSeconds);
  run.cycles = result.cycles;
  run.overhead = runtime::overheadOf(result, run.macCycles, machine);
  double cpuSeconds = 0;
  run.verified = sameOutputs(result, runOn(compiled(path, machine, fallbackTarget().name()).package, machine,
                                           "functional", threads, cpuSeconds));
  return run;
}

} // namespace daedalus::cli
