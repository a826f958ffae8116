#include "Tuning/Costs.h"
#include "Tuning/Inputs.h"
#include "daedalus/isa/encoding.h"
#include "daedalus/isa/timing.h"
#include "daedalus/runtime/session.h"
#include "daedalus/support/stopwatch.h"

#include <algorithm>

namespace daedalus::tuning {
namespace {

void addBytes(const isa::Instruction &instruction, const isa::Machine &machine, DramBytes &bytes) {
  if (const auto *load = std::get_if<isa::Load>(&instruction)) {
    isa::LoadSegments segments(*load, machine, 0);
    for (isa::LoadSegment segment; segments.next(segment);)
      bytes.read += segment.kind == isa::LoadSegment::Kind::Burst ? segment.bytes : 0;
  } else if (const auto *store = std::get_if<isa::Store>(&instruction)) {
    isa::StoreSegments segments(*store, machine, 0);
    for (isa::StoreSegment segment; segments.next(segment);)
      bytes.written += segment.bytes;
  }
}

/// Of the operands of steps that no program of the accelerator runs.
void addOperands(const package::Package &package, std::vector<LayerCost> &layers) {
  using Kind = package::Step::Kind;
  for (const package::Step &step : package.functions.front().steps)
    if (step.layer != package::noLayer && step.kind != Kind::Start && step.kind != Kind::Wait)
      for (const auto *refs : {&step.inputs, &step.outputs})
        for (const package::Ref &ref : *refs)
          layers[step.layer].bytes += ref.bytes;
}

/// The layers of a run with the medians of each one's times: on the host, of its copies, and on a device.
std::vector<runtime::LayerCycles> medians(std::vector<std::vector<runtime::LayerCycles>> runs) {
  std::vector<runtime::LayerCycles> layers = runs.front();
  for (size_t layer = 0; layer < layers.size(); ++layer) {
    for (uint64_t runtime::LayerCycles::*time :
         {&runtime::LayerCycles::hostNanoseconds, &runtime::LayerCycles::copyNanoseconds,
          &runtime::LayerCycles::deviceTicks}) {
      std::vector<uint64_t> times;
      for (const std::vector<runtime::LayerCycles> &run : runs)
        times.push_back(run[layer].*time);
      std::sort(times.begin(), times.end());
      layers[layer].*time = times[times.size() / 2];
    }
  }
  return layers;
}

/// Of runs on inputs of zeros, up to five.
Result<std::vector<runtime::LayerCycles>> layersOfRun(package::Package package, const isa::Machine *machine,
                                                      unsigned threads) {
  runtime::SessionOptions options;
  options.engine = "systemc";
  options.timingOnly = true;
  options.threads = threads;
  options.verify = false; // the compiler has just proved it
  if (machine)
    options.machine = *machine;
  auto session = runtime::Session::create(std::move(package), options);
  if (!session)
    return error(session.error());
  const package::Function &function = **(*session)->function(0);
  const std::vector<runtime::Tensor> inputs = zeroInputs(function);
  std::vector<std::vector<runtime::LayerCycles>> runs;
  Stopwatch stopwatch;
  double seconds = 0;
  for (int run = 0; run < 2 || (run < 6 && seconds < 0.5); seconds += stopwatch.lap(), ++run) {
    auto result = (*session)->run(function.name, inputs);
    if (!result)
      return error(result.error());
    if (run) // the first one touches memory and code for the first time
      runs.push_back(std::move(result->layers));
  }
  return medians(std::move(runs));
}

} // namespace

std::optional<std::vector<double>> Costs::hostTimes() const {
  if (!unmeasured.empty())
    return std::nullopt;
  std::vector<double> times;
  for (const LayerCost &layer : layers)
    times.push_back(layer.microseconds);
  return times;
}

uint32_t layerOf(const package::AcceleratorProgram &program, size_t instruction) {
  const std::vector<uint32_t> &layers = program.layerOfInstruction;
  return instruction < layers.size() ? layers[instruction] : package::noLayer;
}

std::vector<DramBytes> dramBytesOf(const package::Package &package, const isa::Machine &machine) {
  std::vector<DramBytes> bytes(package.layers.size() + 1);
  for (const package::AcceleratorProgram &program : package.programs) {
    const auto instructions = *isa::decodeWords(program.words); // which the compiler has just made
    for (size_t i = 0; i < instructions.size(); ++i) {
      const uint32_t layer = layerOf(program, i);
      addBytes(instructions[i], machine, bytes[layer == package::noLayer ? package.layers.size() : layer]);
    }
  }
  return bytes;
}

Costs costsOf(const package::Package &package, const isa::Machine &machine, unsigned threads) {
  Costs costs;
  const std::vector<DramBytes> bytes = dramBytesOf(package, machine);
  for (size_t i = 0; i < package.layers.size(); ++i)
    costs.layers.push_back({bytes[i].total(), 0, 0});
  addOperands(package, costs.layers);
  const auto ran = layersOfRun(package, package.programs.empty() ? nullptr : &machine, threads);
  if (!ran)
    costs.unmeasured = ran.error();
  for (size_t i = 0; ran && i < package.layers.size(); ++i) {
    costs.layers[i].cycles = (*ran)[i].cycles;
    costs.layers[i].microseconds = static_cast<double>((*ran)[i].hostNanoseconds) / 1000;
    costs.layers[i].deviceTicks = (*ran)[i].deviceTicks;
    costs.layers[i].ticksPerMicrosecond = (*ran)[i].ticksPerMicrosecond;
    costs.layers[i].copyMicroseconds = static_cast<double>((*ran)[i].copyNanoseconds) / 1000;
  }
  return costs;
}

package::Package hostPart(package::Package package) {
  package.programs.clear();
  for (package::Function &function : package.functions)
    function.steps.erase(std::remove_if(function.steps.begin(), function.steps.end(),
                                        [](const package::Step &step) {
                                          return step.kind == package::Step::Kind::Start ||
                                                 step.kind == package::Step::Kind::Wait;
                                        }),
                         function.steps.end());
  return package;
}

std::optional<std::vector<double>> hostMicroseconds(const package::Package &package, unsigned threads) {
  const auto ran = layersOfRun(hostPart(package), nullptr, threads);
  if (!ran)
    return std::nullopt;
  std::vector<double> times;
  for (size_t i = 0; i < package.layers.size(); ++i)
    times.push_back(static_cast<double>((*ran)[i].hostNanoseconds) / 1000);
  return times;
}

} // namespace daedalus::tuning
