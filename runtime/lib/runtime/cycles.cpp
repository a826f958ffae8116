// Shares of layers: a running maximum over the last ends of the layers in the order of the program, so that
// every cycle is counted once although the layers overlap.

#include "cycles.h"

#include <algorithm>
#include <map>

namespace daedalus::runtime {
namespace {

LayerCycles &entryOf(uint32_t layer, std::vector<LayerCycles> &layers) {
  if (layer != package::noLayer)
    return layers[layer];
  if (layers.empty() || layers.back().layer != package::noLayer)
    layers.emplace_back();
  return layers.back();
}

/// The layers of a program in the order of their first instruction.
std::vector<uint32_t> orderOf(const package::AcceleratorProgram &program) {
  std::vector<uint32_t> order;
  for (uint32_t layer : program.layerOfInstruction)
    if (layer != package::noLayer && (order.empty() || order.back() != layer) &&
        std::find(order.begin(), order.end(), layer) == order.end())
      order.push_back(layer);
  return order;
}

} // namespace

std::vector<LayerCycles> layersOf(const package::Package &package) {
  std::vector<LayerCycles> layers;
  for (uint32_t i = 0; i < package.layers.size(); ++i)
    layers.push_back({i, package.layers[i].node, package.layers[i].target, 0, package.layers[i].macs});
  return layers;
}

void addCycles(const package::AcceleratorProgram &program, const ProgramRun &run,
               std::vector<LayerCycles> &layers) {
  if (run.cycles == 0)
    return;
  std::map<uint32_t, uint64_t> lastEnd;
  for (const sim::InstructionEvent &event : run.events)
    if (event.index < program.layerOfInstruction.size()) {
      uint64_t &end = lastEnd[program.layerOfInstruction[event.index]];
      end = std::max(end, event.end);
    }
  uint64_t counted = 0;
  uint32_t last = package::noLayer;
  for (uint32_t layer : orderOf(program)) {
    const uint64_t end = std::min(std::max(lastEnd[layer], counted), run.cycles);
    layers[layer].cycles += end - counted;
    counted = end;
    last = layer;
  }
  if (run.cycles > counted)
    entryOf(last, layers).cycles += run.cycles - counted;
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
