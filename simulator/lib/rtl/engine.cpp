// One cycle after the other: memory, model, observation, clock edge.
#include "rtl/engine.h"

#include "rtl/model_builder.h"

#include <cstdio>
#include <cstring>

namespace daedalus::sim::rtl {

using isa::Scope;
namespace reg = isa::reg;

Result<std::unique_ptr<Device>> Engine::create(const isa::Machine &machine, const DeviceOptions &options) {
  BuildOptions build;
  build.waves = !options.waves.empty();
  const auto path =
      modelFor(machine, build, [](const std::string &line) { std::fprintf(stderr, "%s\n", line.c_str()); });
  if (!path)
    return error(path.error());
  auto engine = createFrom(*path, machine, options);
  if (!engine)
    return error(engine.error());
  if (!options.waves.empty() && !(*engine)->model->openWaves(options.waves))
    return error("cannot write the waves to '" + options.waves + "': choose a file in a folder that exists");
  return std::unique_ptr<Device>(std::move(*engine));
}

Result<std::unique_ptr<Engine>> Engine::createFrom(const std::string &path, const isa::Machine &machine,
                                                   const DeviceOptions &options) {
  auto model = Model::load(path);
  if (!model)
    return error(model.error());
  return std::unique_ptr<Engine>(new Engine(machine, options, std::move(*model)));
}

Engine::Engine(const isa::Machine &machine, const DeviceOptions &options, std::unique_ptr<Model> loaded)
    : DeviceBase(machine, options), model(std::move(loaded)), memory(core, options.memory) {
  for (unsigned i = 0; i < 4; ++i)
    cycle();
  model->inputs.rst_n = 1;
  cycle();
}

void Engine::cycle() {
  DaedalusRtlInputs &in = model->inputs;
  const DaedalusRtlOutputs &out = model->outputs;
  in.observe = core.log.observer != nullptr;
  memory.drive(now, in);
  model->settle();
  if (out.m_wvalid | out.start | out.retire | out.load_write | out.gemm_write | out.vector_write)
    model->look();
  memory.take(now, out.cycle, in, out, model->details);
  if (out.counting)
    observeCycle();
  if (!options.waves.empty())
    dumpWaves(0);
  model->tick();
  if (!options.waves.empty())
    dumpWaves(1);
  ++now;
}

void Engine::observeCycle() {
  const DaedalusRtlOutputs &out = model->outputs;
  const DaedalusRtlDetails &details = model->details;
  if (out.finish_in_head && !finishFrom)
    finishFrom = out.cycle;
  for (unsigned m = 0; (out.start | out.retire) && m < isa::ModuleCount; ++m) {
    const auto module = static_cast<isa::Module>(m);
    if (out.retire >> m & 1 && !starts[m].empty())
      retire(module, details.retire_index[m], out.cycle);
    if (!(out.start >> m & 1))
      continue;
    starts[m].push_back(out.cycle);
    workingIndex[m] = details.head_index[m];
    if (core.log.observer)
      core.log.observer->started(details.head_index[m], counterModule(module), out.cycle);
  }
  if (core.log.observer)
    observeWrites();
  stopped = stopped || out.stop;
}

void Engine::retire(isa::Module module, uint32_t index, uint64_t cycle) {
  auto &started = starts[static_cast<unsigned>(module)];
  record.events.push_back({index, counterModule(module), started.front(), cycle});
  started.pop_front();
  if (core.log.observer)
    core.log.observer->retired(record.events.back());
}

void Engine::await(const uint8_t &signal) {
  for (unsigned patience = 1000; patience > 0; --patience) {
    cycle();
    if (signal)
      return;
  }
  failure = "the RTL does not answer on its AXI4-Lite port";
}

uint32_t Engine::readRegister(uint32_t offset) {
  if (offset == reg::Status && !failure.empty())
    return static_cast<uint32_t>(isa::DeviceStatus::Fault);
  if (offset >= 0x1000)
    return 0; // past the address lines
  model->inputs.arvalid = 1;
  model->inputs.araddr = offset;
  cycle();
  model->inputs.arvalid = 0;
  await(model->outputs.rvalid);
  return model->outputs.rdata;
}

void Engine::writeRegister(uint32_t offset, uint32_t value) {
  if (offset >= 0x1000)
    return;
  const bool start = offset == reg::Control && value & 1, reset = offset == reg::Control && value & 2;
  if (reset || (start && !running)) {
    if (scratchpadsChanged)
      copyScratchpads(true);
    record = RunRecord();
    starts = {};
    finishFrom = 0;
    stopped = false;
    failure.clear();
    running = start;
  }
  model->inputs.awvalid = model->inputs.wvalid = 1;
  model->inputs.awaddr = offset;
  model->inputs.wdata = value;
  await(model->outputs.written);
  model->inputs.awvalid = model->inputs.wvalid = 0;
  await(model->outputs.bvalid); // what is written counts from the response on
}

bool Engine::advance(uint64_t cycles) {
  for (; running && !stopped && cycles > 0; --cycles) {
    cycle();
    if (const char *message = tolerant ? nullptr : model->failure()) {
      failure = message;
      stopped = true;
    }
  }
  if (running && stopped)
    stop();
  return !running;
}

/// Registers and interrupt change at the edge of the stop.
void Engine::stop() {
  running = false;
  describeFault();
  if (readRegister(reg::Status) != static_cast<uint32_t>(isa::DeviceStatus::Done))
    return;
  const uint64_t end = readPair(reg::CyclesLo, reg::CyclesHi);
  record.events.push_back({model->outputs.fetch_index, isa::CounterModule::Fetch, finishFrom, end});
  if (core.log.observer)
    core.log.observer->retired(record.events.back());
}

} // namespace daedalus::sim::rtl
