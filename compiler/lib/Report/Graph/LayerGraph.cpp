// See LayerGraph.h. A package holds no edges, but says which bytes each step and instruction reads and
// writes: the layer that wrote a byte last is the source of who reads it.
#include "Report/Graph/LayerGraph.h"

#include "Report/AccessBytes.h"
#include "Report/RangeMap.h"
#include "Tuning/Costs.h"
#include "daedalus/isa/encoding.h"

namespace daedalus::report {
namespace {

using package::Step;
using Writers = RangeMap<uint32_t>; // of bytes: layers

class Flow {
public:
  Flow(const package::Package &package, const isa::Machine *machine)
      : package(package), machine(machine), sources(package.layers.size()) {}

  void add(const Step &step) {
    if (step.kind == Step::Kind::Start)
      return add(package.programs[step.index]);
    if (step.kind == Step::Kind::Copy)
      return copy(step);
    for (const package::Ref &input : step.inputs)
      read(writers[input.space], rangeOf(input), step.layer);
    for (const package::Ref &output : step.outputs)
      writers[output.space].assign(rangeOf(output), step.layer);
  }

  std::vector<std::set<uint32_t>> take() { return std::move(sources); }

private:
  static isa::Range rangeOf(const package::Ref &ref) {
    const auto begin = static_cast<int64_t>(ref.offset);
    return {begin, begin + static_cast<int64_t>(ref.bytes)};
  }

  void add(const package::AcceleratorProgram &program) {
    const auto instructions = *isa::decodeWords(program.words);
    for (size_t i = 0; i < instructions.size(); ++i)
      add(isa::footprintOf(instructions[i], *machine), tuning::layerOf(program, i));
  }

  /// Of an instruction. What a LOAD brings stays its writer's, and constants have none.
  void add(const isa::Footprint &footprint, uint32_t layer) {
    uint32_t writer = layer;
    Writers &dram = writers[static_cast<package::Space>(footprint.base)];
    if (!footprint.dramWrite && !footprint.dram.empty())
      writer = package::noLayer;
    for (const isa::Range &range : footprint.dramWrite ? std::vector<isa::Range>() : footprint.dram)
      if (const uint32_t from = read(dram, range, layer); writer == package::noLayer)
        writer = from;
    for (const isa::ScratchAccess &access : footprint.scratch)
      for (const isa::Range &range : bytesOf(access, *machine))
        if (!access.write && !access.ownRows)
          read(scratch[access.scope], range, layer);
    for (const isa::ScratchAccess &access : footprint.scratch)
      for (const isa::Range &range : bytesOf(access, *machine))
        if (access.write)
          scratch[access.scope].assign(range, writer);
    if (footprint.dramWrite)
      for (const isa::Range &range : footprint.dram)
        dram.assign(range, layer);
  }

  void copy(const Step &step) {
    const package::Ref &from = step.inputs[0], &to = step.outputs[0];
    const int64_t moved = rangeOf(to).begin - rangeOf(from).begin;
    std::vector<std::pair<isa::Range, uint32_t>> parts;
    writers[from.space].forEach(rangeOf(from), [&](isa::Range part, uint32_t layer) {
      parts.push_back({{part.begin + moved, part.end + moved}, layer});
    });
    writers[to.space].assign(rangeOf(to), package::noLayer);
    for (const auto &[part, layer] : parts)
      writers[to.space].assign(part, layer);
  }

  /// One of those that wrote it; noLayer where nobody did.
  uint32_t read(const Writers &from, isa::Range range, uint32_t reader) {
    uint32_t writer = package::noLayer;
    from.forEach(range, [&](isa::Range, uint32_t layer) {
      if (layer == package::noLayer)
        return;
      writer = layer;
      if (layer != reader && reader != package::noLayer)
        sources[reader].insert(layer);
    });
    return writer;
  }

  const package::Package &package;
  const isa::Machine *machine;
  std::map<package::Space, Writers> writers;
  std::map<isa::Scope, Writers> scratch;
  std::vector<std::set<uint32_t>> sources;
};

} // namespace

std::vector<std::set<uint32_t>> sourcesOf(const package::Package &package, const isa::Machine *machine) {
  Flow flow(package, machine);
  if (!package.functions.empty())
    for (const Step &step : package.functions.front().steps)
      flow.add(step);
  return flow.take();
}

} // namespace daedalus::report
