// One cycle after the other: memory, model, observation, clock edge.
#include "rtl/engine.h"

#include "rtl/model_builder.h"
#include "rtl/shell.h"

#include <cstdio>
#include <cstring>

namespace daedalus::sim::rtl {

namespace reg = isa::reg;

namespace {

constexpr unsigned MostDraining = 1'000'000; ///< cycles from START to cycle 0 while the memory answers

/// An assertion inside the RTL, and not a rule of its buses.
bool isOfDesign(const char *message) {
  return std::strncmp(message, "an assertion", std::strlen("an assertion")) == 0;
}

/// One module reads what another one writes in the same cycle.
bool isRace(const char *message) {
  return isOfDesign(message) && std::strstr(message, "race: ");
}

} // namespace

Result<std::unique_ptr<Engine>> Engine::create(const isa::Machine &machine, const DeviceOptions &options) {
  BuildOptions build;
  build.waves = !options.waves.empty();
  build.coverage = !environment("DAEDALUS_RTL_COVERAGE", "").empty();
  const auto path =
      modelFor(machine, build, [](const std::string &line) { std::fprintf(stderr, "%s\n", line.c_str()); });
  if (!path)
    return error(path.error());
  auto engine = createFrom(*path, machine, options);
  if (!engine)
    return error(engine.error());
  if (!options.waves.empty()) {
    auto waves = Waves::open(*(*engine)->model, options.waves);
    if (!waves)
      return error(waves.error());
    (*engine)->waves = std::move(*waves);
  }
  return engine;
}

Result<std::unique_ptr<Engine>> Engine::createFrom(const std::string &path, const isa::Machine &machine,
                                                   const DeviceOptions &options) {
  auto model = Model::load(path, options.hardware.stateSeed);
  if (!model)
    return error(model.error());
  return std::unique_ptr<Engine>(new Engine(machine, options, std::move(*model)));
}

Engine::Engine(const isa::Machine &machine, const DeviceOptions &options, std::unique_ptr<Model> loaded)
    : DeviceBase(machine, options), model(std::move(loaded)), rams(ramsOf(machine)),
      memory(core, options.memory), port(core.machine, options.hardware.hostSeed) {
  holdReset();
}

Result<void> Engine::closeWaves() {
  const std::unique_ptr<Waves> closed = std::move(waves);
  return closed ? closed->close() : Result<void>();
}

void Engine::resetHardware() {
  running = false;
  for (unsigned i = port.leaveUnfinished(); i > 0; --i)
    cycle();
  holdReset();
}

void Engine::holdReset() {
  forgetRun();
  memory.reset();
  port.reset();
  model->inputs.rst_n = 0;
  for (unsigned i = 0; i < 4; ++i)
    cycle();
  model->inputs.rst_n = 1;
  cycle();
}

void Engine::cycle() {
  DaedalusRtlInputs &in = model->inputs;
  const DaedalusRtlOutputs &out = model->outputs;
  in.observe = core.log.observer != nullptr;
  memory.setRunning(running && observing && !stopped);
  memory.drive(now, in);
  port.drive(in);
  if (port.isDifficult() && (port.isBusy() || now % 16 == 0))
    expectNoCombinationalPath();
  model->settle();
  hideCounted();
  if (out.m_wvalid | out.start | out.retire | out.load_write | out.gemm_write | out.vector_write)
    model->look();
  if (in.rst_n) {
    if (out.counting && running && out.cycle == 0)
      memory.start();
    memory.take(now, out.cycle, in, out, model->details);
    port.take(in, out);
    if (out.counting && running)
      observeCycle();
  }
  if (waves)
    dumpWaves(0);
  model->tick();
  if (options.hardware.counted && in.rst_n && out.counting && running && out.cycle == 0)
    presetCounters();
  if (waves)
    dumpWaves(1);
  noteFailure();
  ++now;
}

/// Behind cycle 0, in which they are cleared: every counter has counted before.
void Engine::presetCounters() {
  const uint64_t counted = options.hardware.counted;
  for (uint64_t &cycle : model->numbers<uint64_t>("u_control", "cycle_q"))
    cycle += counted;
  for (unsigned m = 0; m < isa::CounterModuleCount; ++m) {
    const std::string bank = "u_counters.gen_module[" + std::to_string(m) + "].u_bank";
    for (uint64_t &counter : model->numbers<uint64_t>(bank, "counts"))
      counter = counted & CounterMask;
    for (uint16_t &classes : model->numbers<uint16_t>(bank, "counted_q"))
      classes = ~uint16_t(0);
  }
}

/// The run's cycles begin at 0 for all but the register.
void Engine::hideCounted() {
  if (model->outputs.cycle >= options.hardware.counted)
    model->outputs.cycle -= options.hardware.counted;
}

/// AXI A3.1.1: no output follows an input within its cycle. All handshakes the other way round change none.
void Engine::expectNoCombinationalPath() {
  const DaedalusRtlInputs given = model->inputs;
  const DaedalusRtlOutputs &out = model->outputs;
  const auto handshakes = [&] {
    return std::array<unsigned, 12>{out.awready,   out.wready,   out.bvalid,    out.bresp,
                                    out.arready,   out.rvalid,   out.m_arvalid, out.m_rready,
                                    out.m_awvalid, out.m_wvalid, out.m_bready,  out.irq};
  };
  model->settle();
  const auto before = handshakes();
  DaedalusRtlInputs &in = model->inputs;
  for (uint8_t *input : {&in.awvalid, &in.wvalid, &in.bready, &in.arvalid, &in.rready, &in.m_arready,
                         &in.m_awready, &in.m_wready, &in.m_bvalid})
    *input ^= 1;
  model->settle();
  const bool same = handshakes() == before;
  in = given;
  if (!same && failure.empty())
    failure = "AXI A3.1.1 Clock: a VALID or READY follows an input within its cycle, in cycle " +
              std::to_string(out.cycle);
}

/// A rule that is broken ends the run, and every one behind it.
void Engine::noteFailure() {
  if (!failure.empty())
    return;
  if (const char *message = model->failure();
      message && !(tolerant && isOfDesign(message)) && !(racing && isRace(message)))
    failure = std::string(message) + ", in cycle " + std::to_string(model->outputs.cycle);
  else if (!port.failure().empty())
    failure = port.failure();
}

void Engine::observeCycle() {
  const DaedalusRtlOutputs &out = model->outputs;
  const DaedalusRtlDetails &details = model->details;
  observing = observing || out.cycle == 0; // START: a run that goes on until its RESET is past that
  if (!observing)
    return;
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
  if (spans && !out.stop)
    traceCycle();
  stopped = stopped || out.stop;
}

void Engine::retire(isa::Module module, uint32_t index, uint64_t cycle) {
  auto &started = starts[static_cast<unsigned>(module)];
  record.events.push_back({index, counterModule(module), started.front(), cycle});
  started.pop_front();
  if (core.log.observer)
    core.log.observer->retired(record.events.back());
}

/// `takesPlace` is seen in the cycle of the access; of several accesses the last one is the host's.
void Engine::finishAccess(const uint8_t &takesPlace) {
  while (port.isBusy()) {
    cycle();
    if (takesPlace)
      accessed = model->outputs.counting && observing ? model->outputs.cycle : BehindTheStop;
  }
}

uint32_t Engine::readRegister(uint32_t offset) {
  if (offset == reg::Status && !failure.empty())
    return static_cast<uint32_t>(isa::DeviceStatus::Fault);
  if (offset >= 0x1000)
    return 0; // past the address lines
  port.read(offset);
  finishAccess(model->outputs.register_read);
  return port.value();
}

void Engine::forgetRun() {
  record = RunRecord();
  memory.beginRun();
  starts = {};
  finishFrom = target = 0;
  stopped = observing = false;
  for (unsigned m = 0; m < spanWriters.size(); ++m)
    spanWriters[m].begin(spans, static_cast<isa::CounterModule>(m));
}

void Engine::writeRegister(uint32_t offset, uint32_t value) {
  if (offset >= 0x1000)
    return;
  offerWrite(offset, value);
  finishAccess(model->outputs.register_write); // what is written counts from the response on
}

/// What the core still does of an older program, up to cycle 0 of the new one, is of no run.
void Engine::offerWrite(uint32_t offset, uint32_t value) {
  const bool start = offset == reg::Control && value & reg::ControlStart,
             reset = offset == reg::Control && value & reg::ControlReset;
  if (reset || (start && !running)) {
    if (scratchpadsChanged)
      copyScratchpads(true);
    forgetRun();
    running = start;
  }
  port.write(offset, value, start && running);
}

/// The registers change at the edge of the stop, as at any other.
void Engine::clock() {
  if (stopped)
    running = false;
  cycle();
}

bool Engine::advance(uint64_t cycles) {
  for (uint64_t patience = MostDraining + core.machine.memoryTimeoutCycles;
       running && !observing && failure.empty(); cycle())
    if (patience-- == 0)
      failure = "the RTL does not begin: its buses are not drained";
  target += std::min(cycles, ~uint64_t(0) - target);
  while (running && !stopped && failure.empty() && model->outputs.cycle < target)
    cycle(); // accesses to registers may have gone further
  if (running && (stopped || !failure.empty()))
    stop();
  return !running;
}

/// Registers and interrupt change at the edge of the stop.
void Engine::stop() {
  running = false;
  record.dram = memory.dramActivity();
  for (SpanWriter &writer : spanWriters)
    writer.finish();
  describeFault();
  if (readRegister(reg::Status) != static_cast<uint32_t>(isa::DeviceStatus::Done))
    return;
  const uint64_t end = readPair(reg::CyclesLo, reg::CyclesHi) - options.hardware.counted;
  record.events.push_back({model->outputs.fetch_index, isa::CounterModule::Fetch, finishFrom, end});
  if (core.log.observer)
    core.log.observer->retired(record.events.back());
}

} // namespace daedalus::sim::rtl
