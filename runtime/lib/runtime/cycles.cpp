// See cycles.h.

#include "cycles.h"

#include "vector_products.h"

#include <algorithm>
#include <numeric>

namespace daedalus::runtime {
namespace {

LayerCycles &entryOf(uint32_t layer, std::vector<LayerCycles> &layers) {
  if (layer != package::noLayer)
    return layers[layer];
  if (layers.empty() || layers.back().layer != package::noLayer)
    layers.emplace_back();
  return layers.back();
}

uint32_t layerOf(const package::AcceleratorProgram &program, uint32_t instruction) {
  return instruction < program.layerOfInstruction.size() ? program.layerOfInstruction[instruction]
                                                         : package::noLayer;
}

} // namespace

std::vector<LayerCycles> layersOf(const package::Package &package) {
  std::vector<LayerCycles> layers;
  const std::vector<uint64_t> products = vectorProducts(package);
  for (uint32_t i = 0; i < package.layers.size(); ++i)
    layers.push_back({i, package.layers[i].node, package.layers[i].target, 0, package.layers[i].macs,
                      std::min(products[i], package.layers[i].macs)});
  return layers;
}

void addCycles(const package::AcceleratorProgram &program, const sim::Profile &profile,
               std::vector<LayerCycles> &layers) {
  for (const sim::PathSegment &segment : profile.path)
    entryOf(layerOf(program, segment.instruction), layers).cycles += segment.end - segment.first;
  for (uint32_t i = 0; i < profile.instructions.size(); ++i) {
    const sim::InstructionCycles &cycles = profile.instructions[i];
    if (cycles.module == isa::CounterModule::Gemm)
      entryOf(layerOf(program, i), layers).gemmCycles +=
          std::accumulate(cycles.own.begin(), cycles.own.end(), uint64_t(0));
  }
}

void addActivity(const ProgramRun &run, std::array<Activity, 5> &activity) {
  struct Span {
    uint64_t first = ~uint64_t(0), last = 0, instructions = 0;
  };
  std::array<Span, 5> spans;
  for (const sim::InstructionEvent &event : run.events) {
    Span &span = spans[static_cast<size_t>(event.module)];
    span.first = std::min(span.first, event.start);
    span.last = std::max(span.last, event.end);
    ++span.instructions;
  }
  for (size_t module = 0; module < spans.size(); ++module)
    if (spans[module].instructions) {
      activity[module].before += spans[module].first;
      activity[module].behind += run.cycles - std::min(run.cycles, spans[module].last);
      activity[module].instructions += spans[module].instructions;
    }
}

} // namespace daedalus::runtime
